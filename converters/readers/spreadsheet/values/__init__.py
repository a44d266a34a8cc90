"""What the cell of a column says: types, bounds, lists, keys, formats."""
