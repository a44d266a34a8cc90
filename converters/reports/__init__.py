"""converters/reports."""
