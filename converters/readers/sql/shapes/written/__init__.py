"""Statements that write: what they write to, which records, and what they say of them."""
