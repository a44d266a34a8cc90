"""Drift: where the sources, the committed modules and the last conversion part."""
