"""The conditions of all cases on the DuckDB engine of a rehearsal: no verdict differs from Spark's.

The verdicts of Spark are those of the comparison with Great Expectations, made once.
"""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "proof"))
from duckdb_verdicts import duck_verdicts

from ruleferry.converters.express import Condition


def test_no_verdict_differs(compared, tmp_path):
    frames = {}
    for case in (case for cases in compared.values() for case in cases):
        if isinstance(case.result, Condition) and case.new is not None:
            frames.setdefault(id(case.rows), (case.rows, {}))[1][case.result.text] = case.new
    answered, refused, verdicts = 0, 0, 0
    for rows, spark in frames.values():
        found, needing = duck_verdicts({text: text for text in spark}, rows, tmp_path)
        assert {text: spark[text] for text in found} == found
        answered, refused = answered + len(found), refused + len(needing)
        verdicts += sum(map(len, found.values()))
    assert answered >= 600
    assert refused <= answered / 4
    assert verdicts >= 600 * 60
