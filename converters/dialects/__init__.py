"""The SQL dialects of checks: their facts, and text -> tree. `express` knows what a tree means."""
