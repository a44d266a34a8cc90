"""ruleferry: data quality rules, carried into Lakeflow pipelines as expectations."""

__version__ = "0.1.0"
