"""Data tables that a person who does not program can correct."""
