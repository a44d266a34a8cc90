"""What Great Expectations 0.18.22 says of each row. Runs in an environment of its own.

Reads one question per line of stdin and writes one answer per line to stdout, both as JSON, until
stdin ends; Great Expectations is imported and Spark started at the first question that needs it.

    {"run": "v3 spark", "style": "numpy", "columns": [["a", "bigint"]], "rows": [[1], [null]],
     "expectations": [{"expectation_type": "expect_…", "kwargs": {…}}]}

`run` is one of RUNS; `style` is that of `pandas_frame` and counts on pandas alone. A cell is JSON
as it stands, or the text of a decimal, date, time (ISO) or of bytes (hexadecimal). The answer is a
list with, for each expectation, {"rows": "TF…"} (F: unexpected), {"success": true} where it says
nothing of single rows, or {"raised": "…"}.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import warnings

from old_datasets import DATASETS
from old_frames import rows_of
from old_validator import VALIDATORS, Unexpected, together

RUNS = {**VALIDATORS, **DATASETS}


def answer(question):
    rows = rows_of(question["columns"], question["rows"])
    ask = RUNS[question["run"]](rows, question.get("style", "numpy"))
    found = [
        attempted(ask, expectation["expectation_type"], expectation["kwargs"])
        for expectation in question["expectations"]
    ]
    together(found)
    return [told(one, len(rows.cells)) for one in found]


def attempted(ask, *arguments):
    """Whatever is raised is an answer."""
    try:
        return ask(*arguments)
    except Exception as error:  # noqa: BLE001
        return error


def told(found, length):
    if isinstance(found, Unexpected):
        found = attempted(found.numbers)
    if isinstance(found, Exception):
        return {"raised": f"{type(found).__name__}: {' '.join(str(found).split())[:500]}"}
    if isinstance(found, bool):
        return {"success": found}
    return {"rows": "".join("F" if number in found else "T" for number in range(length))}


def main():
    answers, sys.stdout = sys.stdout, sys.stderr  # libraries print
    os.environ["GX_ANALYTICS_ENABLED"] = os.environ["GE_USAGE_STATS"] = "false"
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), file=answers, flush=True)


if __name__ == "__main__":
    main()
