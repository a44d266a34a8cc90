"""The layout of a sheet: kinds, blocks, headers and records."""
