"""A drift report for people, for pull requests and for the programs that run checks."""
