"""How placeholders are written, by dialect and by what the SQL is wrapped in.

Two expressions per dialect: one for code, where comments, literals and quoted names are stepped
over, and one for the text of a literal. In a literal a doubtful form counts as a placeholder: the
rule is then a gap, while a placeholder that is taken for text would make another rule of it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from re import Pattern

from ruleferry.converters.dialects.words import SqlDialect

# The groups of the expressions that are placeholders, and those whose value is pasted into the
# text before it is read; a value of the others is handed over beside it.
PASTED = {
    "jinja",
    "brace",
    "amp",
    "curly",
    "paren",
    "dollars",
    "percent",
    "angle",
    "hash",
    "at_text",
}
BOUND = {"colon", "quoted_colon", "mark", "at", "number", "shell", "python", "bound_brace"}

_AS_POSTGRES = {"postgres", "redshift", "netezza", "duckdb"}
# & is no operator there, or it is written as a function.
_AMPERSANDS = {"oracle", "snowflake", "teradata", "db2"}
_RAW = {"bigquery", "databricks", "spark"}
_BACKSLASH_QUOTES = {"postgres", "redshift", "netezza"}


@dataclass(frozen=True, slots=True)
class Styles:
    """`code` finds comments, literals, names and placeholders; `literal` placeholders in a text."""

    code: Pattern[str]
    literal: Pattern[str]


@cache
def styles_of(dialect: SqlDialect, wrapper: str) -> Styles:
    code = [*_regions(dialect, wrapper), *_in_code(dialect, wrapper)]
    return Styles(_either(code), _either(_in_literals(dialect, wrapper)))


def _either(named: list[tuple[str, str]]) -> Pattern[str]:
    return re.compile("|".join(f"(?P<{name}>{text})" for name, text in named), re.DOTALL)


# Where # begins a comment: a name in capitals where a table or a value belongs is a placeholder.
MARKED = re.compile(r"(?P<hash>#[A-Z_][A-Z0-9_]+(?![a-z0-9]))")
_CAPITALS = r"#[A-Z][A-Z0-9_]*(?=\.\w)"


# A block of Jinja within quotes may hold quotes of its own.
_BLOCK = r"\{\{-?\s*\w(?:(?!\}\}|\{\{|\n).){0,300}\}\}"


def _quoted(quote: str, *, backslash: bool) -> str:
    escape = r"\\.|" if backslash else ""
    return rf"{quote}(?>{_BLOCK}|{escape}{quote}{quote}|[^{quote}])*+{quote}"


def _regions(dialect: SqlDialect, wrapper: str) -> list[tuple[str, str]]:
    return [
        ("comment", "|".join(_comments(dialect))),
        ("literal", "|".join(_literals(dialect, wrapper))),
        ("name", "|".join(_names(dialect))),
    ]


def _comments(dialect: SqlDialect) -> list[str]:
    dashes = r"--(?=\s|\Z)" if dialect.name == "mysql" else "--"
    found = [rf"{dashes}[^\n]*", r"/\*(?:.*?\*/|.*)"]
    if dialect.hash:
        found.append(r"#(?!\{)[^\n]*")
    if dialect.name == "snowflake":
        found.append(r"//[^\n]*")
    return found


def _literals(dialect: SqlDialect, wrapper: str) -> list[str]:
    found = []
    if dialect.name == "bigquery":
        found += [r"(?<!\w)[rRbB]{0,2}'''.*?'''", r'(?<!\w)[rRbB]{0,2}""".*?"""']
    if dialect.name == "oracle":
        pairs = (r"\[.{0,8000}?\]", r"\{.{0,8000}?\}", r"\(.{0,8000}?\)", "<.{0,8000}?>")
        found += [rf"(?<!\w)[nN]?[qQ]'{pair}'" for pair in pairs]
        found.append(r"(?<!\w)[nN]?[qQ]'(?P<q_mark>[^\s\w\[{(<]).{0,8000}?(?P=q_mark)'")
    if _has_dollar_texts(dialect, wrapper):
        found.append(r"(?<![\w$])\$(?P<tag>(?:[A-Za-z_]\w*)?)\$.*?\$(?P=tag)\$")
    if dialect.name in _BACKSLASH_QUOTES:
        found.append(r"(?<!\w)[eE]" + _quoted("'", backslash=True))
    prefix = r"(?:(?<!\w)(?:[nNxXbB]|[rR][bB]?))?"
    found.append(prefix + _quoted("'", backslash=dialect.backslash))
    if dialect.quoted == "text":
        found.append(prefix + _quoted('"', backslash=dialect.backslash))
    return found


def _has_dollar_texts(dialect: SqlDialect, wrapper: str) -> bool:
    """$$text$$: but in the code that Informatica sends, $$x is a parameter."""
    return dialect.dollar and wrapper != "informatica"


def _names(dialect: SqlDialect) -> list[str]:
    found = [_quoted("`", backslash=False)]
    if dialect.quoted == "name":
        found.append(_quoted('"', backslash=False))
    if dialect.name == "tsql":
        found.append(r"\[(?>\]\]|[^\]])*+\]")
    return found


_SQLRENDER = [
    ("default", r"\{\s*DEFAULT\s+@\w+\s*=[^{}]*\}\s*;?"),
    ("choice", r"\{[^{}]*@[^{}]*\}\s*\?\s*\{"),
]
_WORD = r"[A-Za-z_]\w*"


def _in_code(dialect: SqlDialect, wrapper: str) -> list[tuple[str, str]]:
    # None of them holds the start of another: a row of openings is no work.
    found = [
        ("note", r"\{#(?:(?!\{#).){0,4000}?#\}"),
        ("block", r"\{%(?:(?!\{%).){0,2000}?%\}"),
        ("jinja", r"\{\{(?:(?!\{\{).){0,2000}?\}\}"),
    ]
    if wrapper == "sqlrender":
        found += _SQLRENDER
    found += [("brace", r"\$\{[^{}\n]*\}|\$\((?:\s*)" + _WORD + r"\s*\)|@\{[^{}\n]*\}")]
    found += [("bound_brace", r"#\{[^{}\n]+\}"), ("dollars", _dollars(dialect, wrapper))]
    found += _at(dialect, wrapper) + _ampersand(dialect, wrapper) + _colon(dialect)
    found += [
        ("percent", r"%%[A-Za-z_$]\w*(?:%%)?"),
        ("python", rf"%\({_WORD}\)s|(?<=[\s(,=])%s(?!\w)"),
        ("angle", rf"<<\s*{_WORD}\s*>>(?!\s*(?i:loop|for|while|begin|declare|if|forall)\b)"),
        *([] if dialect.hash else [("hash", _hash(dialect, wrapper))]),
        ("curly", r"\{[A-Za-z_][\w.]*\}|\{\d*\}"),
        ("number", r"(?<![\w$])\$\d+" if dialect.name in _AS_POSTGRES else r"(?!)"),
        ("shell", rf"(?<![\w$.])\${_WORD}"),
        ("mark", r"\?(?![|&:?])"),
    ]
    return found


def _dollars(dialect: SqlDialect, wrapper: str) -> str:
    if _has_dollar_texts(dialect, wrapper):
        return r"(?!)"
    return rf"(?<![\w$])\$\${_WORD}(?:\$\$)?"


def _at(dialect: SqlDialect, wrapper: str) -> list[tuple[str, str]]:
    if wrapper == "sqlmesh":
        return [("call", rf"(?<![\w@])@{_WORD}(?=\()"), ("at_text", rf"(?<![\w@])@{_WORD}")]
    if wrapper == "sqlrender":
        return [("at_text", rf"(?<!@)@{_WORD}")]
    if dialect.name in ("snowflake", "db2"):  # a stage; a letter of names
        return []
    return [("at", r"(?<![\w@<>?$#])@(?![@>?])[A-Za-z_#][\w$#]*(?!\()")]


def _ampersand(dialect: SqlDialect, wrapper: str) -> list[tuple[str, str]]:
    if wrapper == "odi":
        return []
    dot = r"\.?" if dialect.name != "snowflake" else ""
    return [("amp", rf"(?<!&)&{{1,2}}(?:\w+{dot}|\{{\w+\}})")]


def _colon(dialect: SqlDialect) -> list[tuple[str, str]]:
    before = r"(?<![\w:\[\])}\"'`$])"
    found = [("colon", rf"{before}:(?![nN][eE][wW]\.|[oO][lL][dD]\.)(?:{_WORD}|\d+)")]
    if dialect.name in _AS_POSTGRES:
        return [("quoted_colon", rf"{before}:(?:'{_WORD}'|\"{_WORD}\")"), *found]
    return found


def _hash(dialect: SqlDialect, wrapper: str) -> str:
    """#NAME of the databases where a # begins neither a comment nor a temporary table."""
    both = r"(?<![\w#])#\w+#(?![\w#>-])"
    if wrapper == "odi":
        return r"(?<![\w#])#[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)?"
    if dialect.name in ("tsql", "db2", "postgres"):
        return r"(?!)" if dialect.name == "tsql" else both
    if dialect.name == "redshift":
        return rf"{both}|(?<![\w#]){_CAPITALS}"
    return rf"{both}|(?<![\w#])#[A-Za-z_]\w*"


def _in_literals(dialect: SqlDialect, wrapper: str) -> list[tuple[str, str]]:
    whole = r"\A(?:{})\Z"
    found = [("block", r"\{%-?\s*\w(?:(?!\{%).){0,2000}?%\}"), ("jinja", _BLOCK)]
    found += [("brace", rf"\$\{{[^{{}}\n]*\}}|\$\(\s*{_WORD}\s*\)|@\{{{_WORD}\}}")]
    found += [("bound_brace", rf"#\{{{_WORD}\}}"), ("dollars", rf"\$\${_WORD}(?:\$\$)?")]
    found.append(("shell", rf"(?<![\\$])\${_WORD}"))
    if wrapper in ("sqlrender", "sqlmesh"):
        found.append(("at_text", rf"(?<![\w@])@{_WORD}"))
    if dialect.name == "oracle" and wrapper != "odi":
        found.append(("amp", r"(?<!&)&{1,2}\w+\.?"))
    else:
        found.append(("amp", whole.format(r"&{1,2}(?:\w+|\{\w+\})\.?")))
    hashes = rf"#{_WORD}(?:\.{_WORD})?" if wrapper == "odi" else rf"#{_WORD}#|\A#[A-Z][A-Z0-9_.]+\Z"
    found += [
        ("percent", r"%%[A-Za-z_$]\w*(?:%%)?"),
        ("angle", rf"<<{_WORD}>>"),
        ("hash", hashes),
        ("python", whole.format(rf"%\({_WORD}\)s|%s")),
        ("curly", r"(?<!\\[pPxNu])\{[A-Za-z_][\w.]*\}|\{0\}|\A\{\d*\}|(?<=%)\{\d+\}"),
    ]
    return found
