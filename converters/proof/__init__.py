"""converters/proof."""
