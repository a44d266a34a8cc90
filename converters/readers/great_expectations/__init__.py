"""Great Expectations: suites in JSON."""

from __future__ import annotations

from ruleferry.converters.errors import Fault
from ruleferry.converters.readers.great_expectations.count import count_expectations
from ruleferry.converters.readers.great_expectations.suite import (
    NotASuite,
    read_suite,
    suite_tables,
)
from ruleferry.converters.readers.json_text import Malformed, parse_json, too_deep
from ruleferry.converters.readers.raw import Counted, RawFile
from ruleferry.converters.rule import Reading


def read_json(raw: RawFile) -> Counted | Fault:
    """A suite; other JSON is listed as not read, with the reason."""
    try:
        document = parse_json(raw.text)
        reading = read_suite(document, raw)
    except NotASuite as what:
        return Counted(Reading(raw.file, "not read", raw.sha256, why=str(what)), 0)
    except Malformed as error:
        return _fault(raw, error)
    except RecursionError:
        return _fault(raw, too_deep(raw.text))
    assert isinstance(document, dict)
    tables = len(suite_tables(document, raw))
    return Counted(reading, count_expectations(raw.text) or 0, rules_of_atom=tables)


def _fault(raw: RawFile, error: Malformed) -> Fault:
    todo = "Mend the file, or leave it out of the sources."
    return Fault(raw.file, error.place, error.found, "a suite in JSON", todo)
