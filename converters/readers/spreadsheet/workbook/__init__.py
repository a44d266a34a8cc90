"""The cells of a workbook or a table of text, and what changes their meaning."""
