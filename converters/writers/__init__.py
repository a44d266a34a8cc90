"""converters/writers."""
