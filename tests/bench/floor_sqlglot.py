"""The floor: sqlglot parses the statements of a script, one by one, and does nothing else."""

import sys

import checks
import sqlglot

for statement in checks.statements(int(sys.argv[1])):
    sqlglot.parse_one(statement, dialect="postgres")
