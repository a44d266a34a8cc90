"""Sheets for the tests of a spreadsheet's layout: from a few lines of text, or from real files."""

import re
from functools import cache
from pathlib import Path

from ruleferry.converters.readers.spreadsheet.cells import Book, Marks, Sheet
from ruleferry.converters.readers.spreadsheet.workbook import read_book

MEANINGS = {
    "table": "cdm table name, dataset, table, table name, dest table, domain name, file name, file, "
    "file type, schema, entity, environmental package, form name, page id",
    "column": "column, column name, field, field name, fieldname, input field name, variable, name, "
    "variable name, variable field name, cdm field name, attribute, property, dest column, "
    "structured comment name, identifier, question id, src field, поле, technical name",
    "label": "label, field label, business name, item, gsdmname, package item, item rdfs label",
    "title": "title, section header",
    "description": "description, definition, comment, definition comments, type description, notes, "
    "column label",
    "example": "example, example s, ccw sample data",
    "unit": "unit, preferred unit",
    "order": "order, sort order, variable order",
    "list_name": "list name, codelist name, category",
    "code": "code, value, term, coded value, oed code",
    "code_label": "decoded value, description decoded value, code description, meaning",
    "type": "type, data type, datatype, cdm datatype, field type, logical type, physical type, "
    "src field datatype, тип данных",
    "length": "length, max length, field length, maximum length",
    "min_length": "min length, minimum length",
    "precision": "precision, signficant digits, significant digits",
    "scale": "scale",
    "required": "required, is required, mandatory, required field, req opt, requirement, "
    "required or recommended status, property field status, cardinality min, обязательность",
    "nullable": "optional, nullable, allow blanks, null",
    "primary_key": "primary key, is primary key, pk",
    "unique": "unique",
    "foreign_key": "is foreign key, fk",
    "reference_table": "fk table name",
    "reference_column": "fk field name",
    "min": "min, minimum, plausible value low, text validation min",
    "max": "max, maximum, plausible value high, text validation max",
    "exclusive_min": "exclusive minimum",
    "exclusive_max": "exclusive maximum",
    "range": "valid value range",
    "codes": "codelist, controlled term, controlled term or format, valid values, "
    "choices calculations or slider labels, expected value, allowed values, values",
    "format": "format, value syntax",
    "pattern": "pattern",
    "default": "default, default value",
    "condition": "relevant, bind relevant, branching logic show field only if, where clause, "
    "depends on, computable antlr",
    "rule": "rule, rule detail, constraint, bind constraint, validation rules, rule error message, "
    "functional requirements, rule library, quality description, transformation",
    "sql": "expectation, query sql, sql",
    "cardinality": "cardinality",
    "status": "status, implemented, is active",
    "severity": "severity, severity name",
    "action": "action if failed, action",
    "owner": "owner",
    "rule_id": "rule id, rule label",
    "rule_name": "rule name",
    "rule_kind": "rule type, quality type, validation type",
    "threshold": "threshold, threshold value",
}
_WORDS = {word.strip(): m for m, words in MEANINGS.items() for word in words.split(",")}


def known(text):
    """A stand-in for the meanings of headers."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text)
    return _WORDS.get(re.sub(r"[\W_]+", " ", apart).strip().casefold())


def sheet(text, name="orders", **marks):
    """Rows are lines, cells stand between `|`; a number is a number."""
    hidden = marks.pop("hidden", False)
    lines = text.strip("\n").splitlines()
    rows = [[_value(cell) for cell in line.split("|")] for line in lines]
    return Sheet(name, rows, hidden, Marks(**marks))


def _value(text):
    text = text.strip()
    return int(text) if re.fullmatch(r"-?\d{1,9}", text) else text or None


@cache
def book(path: Path) -> Book:
    found = read_book(path.read_bytes(), path.name)
    assert isinstance(found, Book), found
    return found
