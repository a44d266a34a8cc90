"""Test tools that have files of their own: dbt, Soda, SQLMesh, Dataform, CloudDQ, checks.sql.

Each has a function that tells its files and one that reads them: their rules, and how long the
lists are that hold the tests.
"""

from __future__ import annotations

from ruleferry.converters.readers.sql.dsl.bigquery_checks import (
    is_bigquery_checks,
    read_bigquery_checks,
    sections,
    table_of,
)
from ruleferry.converters.readers.sql.dsl.clouddq import is_clouddq, read_clouddq
from ruleferry.converters.readers.sql.dsl.dataform import is_dataform, read_dataform
from ruleferry.converters.readers.sql.dsl.dbt import is_dbt, read_dbt
from ruleferry.converters.readers.sql.dsl.dbt_project import (
    Project,
    is_project,
    project_in,
    with_severity,
)
from ruleferry.converters.readers.sql.dsl.dbt_templates import (
    Template,
    read_dbt_templates,
    templates_in,
)
from ruleferry.converters.readers.sql.dsl.soda import is_soda, read_soda
from ruleferry.converters.readers.sql.dsl.sqlmesh import is_sqlmesh, read_sqlmesh

__all__ = [
    "Project",
    "Template",
    "is_bigquery_checks",
    "is_clouddq",
    "is_dataform",
    "is_dbt",
    "is_project",
    "is_soda",
    "is_sqlmesh",
    "project_in",
    "read_bigquery_checks",
    "read_clouddq",
    "read_dataform",
    "read_dbt",
    "read_dbt_templates",
    "read_soda",
    "read_sqlmesh",
    "sections",
    "table_of",
    "templates_in",
    "with_severity",
]
