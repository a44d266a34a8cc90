"""Spreadsheets: data dictionaries, mapping sheets and rule lists in the layout of their owner."""
