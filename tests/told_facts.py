"""Conversions with facts that stewards told, and what became of them."""

from dataclasses import replace
from datetime import date

from suites import write

from ruleferry.converters import conversion
from ruleferry.converters.account import About
from ruleferry.converters.config import load_config
from ruleferry.converters.decided import Decision, Decisions, Profiled, Told
from ruleferry.converters.decisions_file import decisions_text
from ruleferry.converters.options import Options, with_options


def told(takes, value, by="Ann Smith", on="2026-11-30", code="", **about):
    day = date.fromisoformat(on) if on else None
    return Decision(Told(takes, value), by, day, code=code, about=About(**about))


def profiled(profile, by="Ann Smith", **about):
    return Decision(Profiled(profile), by, about=About(**about))


def convert(folder, files, *facts, given=(), reports=("md",), **options):
    """`files` are written first; `given`: on the command line, else all of the files."""
    write(folder, files)
    if facts:
        write(folder, {"decisions.toml": decisions_text(Decisions(decisions=facts))})
    config = with_options(load_config(None, folder), Options(**options))
    named = given or (() if config.sources else [f for f in files if _is_source(f)])
    return conversion.convert(replace(config, reports=reports), named)


def _is_source(file):
    return not file.endswith((".toml", "schema.csv", "great_expectations.yml"))


def codes(done):
    return sorted(question.code for question in done.ledger.questions)


def question(done, code):
    (found,) = [one for one in done.ledger.questions if one.code == code]
    return found


def ids(done):
    return sorted(entry.id for entry in done.ledger.entries)


def schema(*columns, table="main.sales.orders"):
    """`name type` -> a schema file."""
    *_, name = table.split(".")
    lines = [f'{name},{column.split(" ")[0]},"{column.split(" ")[1]}"' for column in columns]
    return "\n".join(["table_name,column_name,data_type", *lines]) + "\n"
