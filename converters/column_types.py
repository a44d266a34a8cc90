"""Column types: what a Databricks type text says, and what a type name in a suite suggests."""

import re
import tomllib
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Literal

Family = Literal[
    "string",
    "char",
    "boolean",
    "integer",
    "decimal",
    "float",
    "double",
    "date",
    "timestamp",
    "timestamp_ntz",
    "binary",
    "nested",
    "other",
]

_PLAIN: dict[str, Family] = {
    "string": "string",
    "varchar": "string",
    "char": "char",
    "character": "char",
    "boolean": "boolean",
    "tinyint": "integer",
    "byte": "integer",
    "smallint": "integer",
    "short": "integer",
    "int": "integer",
    "integer": "integer",
    "bigint": "integer",
    "long": "integer",
    "decimal": "decimal",
    "dec": "decimal",
    "numeric": "decimal",
    "float": "float",
    "real": "float",
    "double": "double",
    "date": "date",
    "timestamp": "timestamp",
    "timestamp_ltz": "timestamp",
    "timestamp with local time zone": "timestamp",
    "timestamp_ntz": "timestamp_ntz",
    "timestamp without time zone": "timestamp_ntz",
    "binary": "binary",
    "array": "nested",
    "map": "nested",
    "struct": "nested",
    "variant": "nested",
}
_SIZED = {"varchar", "char", "character"}
# Spark neither groups, sorts nor compares by these, nor by what holds one.
_NO_KEY = re.compile(r"(?:^|[<:,])\s*(?:map|variant)\b(?!\s*:)")
_NESTED = re.compile(r"(array|map|struct)\s*<.*>", re.DOTALL)
_TEXT = re.compile(
    r"(?P<name>[a-z_]+(?: [a-z]+)*?)"
    r"(?:\((?P<first>\d{1,9})(?:,(?P<second>\d{1,9}))?\))?"
    r"(?: collate (?P<collation>[\w.`]+))?",
    re.ASCII,
)
_NAMED = re.compile(r"(?P<name>[^()\[\]]+?)\s*(?:\[.*\]|\((?P<arguments>[\d\s,]*)\))?")


@dataclass(frozen=True, slots=True)
class ColumnType:
    """A column's type on Databricks; `known_from` tells a schema's word from a suite's hint."""

    family: Family
    text: str
    precision: int | None = None
    scale: int | None = None
    known_from: Literal["schema", "suite"] = "schema"
    collation: str | None = None

    @property
    def is_key(self) -> bool:
        """Whether two values of the type can be equal."""
        return _NO_KEY.search(self.text) is None


def parse_type(text: str) -> ColumnType:
    """Read a Databricks type text, in any case: `decimal(15,2)`, `string collate utf8_lcase`.

    A text that is no type we know is family "other", so that nothing is concluded from it.
    CHAR and VARCHAR may lack their length, and ARRAY, MAP and STRUCT their parts, as in
    `information_schema.columns.data_type`. A collation is given in capitals, as Spark names it.
    """
    written = text.strip().lower()
    if _NESTED.fullmatch(written):
        return ColumnType("nested", written)
    return _flat_type(written) or ColumnType("other", written)


def _flat_type(written: str) -> ColumnType | None:
    """A type without parts, blanks around its signs left out; None when it is none."""
    plain = re.sub(r" ?([(,]) ?| (?=\))", r"\1", " ".join(written.split()))
    match = _TEXT.fullmatch(plain)
    family = _PLAIN.get(match["name"]) if match else None
    if match is None or family is None:
        return None
    first, second = (int(n) if n else None for n in match.group("first", "second"))
    if match["collation"] and family not in ("string", "char"):
        return None
    if family == "decimal":
        precision, scale = 10 if first is None else first, second or 0
        legal = scale <= precision <= 38
        return ColumnType(family, plain, precision, scale) if legal else None
    if second is not None or (first is not None and match["name"] not in _SIZED):
        return None
    return ColumnType(family, plain, collation=_collation_name(match["collation"]))


def _collation_name(written: str | None) -> str | None:
    """`system.builtin.utf8_lcase` and `UTF8_LCASE` are one collation."""
    return written.replace("`", "").rpartition(".")[2].upper() if written else None


def type_from_name(name: str, engine: str | None = None) -> ColumnType | None:
    """The Databricks type that a type name of a suite suggests (`mappings/types.toml`).

    `engine` (pandas, spark or an SQL dialect) chooses where engines use one name differently.
    None for a name that says nothing certain, such as pandas' `object`.
    A precision is known only where the name itself states it: `NUMERIC(15, 2)`.
    """
    match = _NAMED.fullmatch(name.strip())
    text = _suggested(match["name"], engine) if match else None
    if match is None or text is None:
        return None
    arguments = match["arguments"]
    if arguments and text == "decimal":
        stated = parse_type(f"decimal({arguments})")
        # A number wider than DECIMAL(38) has become something else on Databricks.
        return replace(stated, known_from="suite") if stated.family == "decimal" else None
    return replace(parse_type(text), known_from="suite", precision=None, scale=None)


def _suggested(name: str, engine: str | None) -> str | None:
    """Look the name up as written, then without case; the engine's own row wins."""
    places = [engine] if engine else []
    for key, names in ((name, _names()[0]), (name.lower(), _names()[1])):
        for place in (*places, "sql", "pandas", "spark"):
            if found := names.get((place, key)):
                return found
    return None


@cache
def _names() -> tuple[dict[tuple[str, str], str], dict[tuple[str, str], str]]:
    """(engine, name) -> type text; with names as written, and in lower case."""
    table = tomllib.loads((files("ruleferry") / "mappings" / "types.toml").read_text("utf-8"))
    exact: dict[tuple[str, str], str] = {
        (engine, name): row["type"]
        for row in table["types"]
        for engine, names in row["names"].items()
        for name in names
    }
    return exact, {(engine, name.lower()): text for (engine, name), text in exact.items()}


def same_family(a: ColumnType | None, b: ColumnType | None) -> bool:
    """Whether values of both types compare as they are; False when one is unknown.

    Nested and other types are alike only when their texts are: the family says too little.
    Two strings compare only under one collation.
    """
    if a is None or b is None or a.family != b.family:
        return False
    if a.family in ("nested", "other"):
        return a.text == b.text
    return (a.collation or "UTF8_BINARY") == (b.collation or "UTF8_BINARY")
