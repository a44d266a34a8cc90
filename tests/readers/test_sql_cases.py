"""SQL checks of many kinds, each converted as a user would: what is expected of them is made so."""

from collections import defaultdict

import pytest
from sql_cases import PARAMETERS, cases, converted

# Decided otherwise than the table of expectations says, with the reason.
TEMPLATES = {
    "s049_dbt_generic.sql": ("not_a_rule", None),  # each use of it is a rule
    "s051_dqd_style.sql": ("gap", "template"),  # nothing fills @schema.@cdmTableName
}
WITH_PARAMETERS = {"s027_oracle_params.sql", "s032_teradata_abort.sql"}
FILLED = {"&1..stg_txn": "core.stg_txn", "{env}_stg.store_xref": "prod_stg.store_xref"}


@pytest.fixture(scope="module")
def found(shared, tmp_path_factory):
    """file -> its entries."""
    wanted = defaultdict(list)
    for case in cases(shared):
        wanted[case.file].append(case)
    made = {}
    for file, of_file in wanted.items():
        given = PARAMETERS if file in WITH_PARAMETERS else {}
        path = shared / "cases/sql" / file
        folder = tmp_path_factory.mktemp(path.stem)
        made[file] = converted(path, of_file[0].dialect, of_file, folder, given)
    return made


def _expected(shared):
    return [case for case in cases(shared) if case.file not in TEMPLATES]


def test_names_tables_outcomes_and_actions(found, shared):
    wrong = [told for case in _expected(shared) if (told := _difference(case, found[case.file]))]
    assert not wrong, "\n".join(wrong)


def _difference(case, entries) -> str | None:
    if case.outcomes == {"not_a_rule"}:
        kept = [e["name"] for e in entries if e["outcome"] != "not_a_rule"]
        return f"{case.file}: {kept}" if kept else None
    named = [e for e in entries if e["name"] == case.rule and e["outcome"] != "merged"]
    if len(named) != 1:
        return f"{case.file}: {case.rule} among {sorted(e['name'] for e in entries)}"
    entry = named[0]
    got = entry["table"].lower(), entry["outcome"], entry.get("action", "")
    table = FILLED.get(case.table, case.table or entry["table"]).lower()
    if got[0] == table and got[1] in case.outcomes and got[2] == case.action:
        return None
    return f"{case.file}: {case.rule} is {got}, wanted {table, set(case.outcomes), case.action}"


def test_no_rule_beside_those_expected(found, shared):
    names = defaultdict(set)
    for case in cases(shared):
        names[case.file].add(case.rule)
    more = [
        (file, entry["name"], entry["outcome"])
        for file, entries in found.items()
        for entry in entries
        if entry["outcome"] in ("record", "flag", "dataset") and entry["name"] not in names[file]
    ]
    assert more == []


@pytest.mark.parametrize("file", sorted(TEMPLATES))
def test_a_template_states_no_rule_of_its_own(found, file):
    outcome, code = TEMPLATES[file]
    assert {e["outcome"] for e in found[file]} == {outcome}
    assert {e.get("gap", {}).get("code") for e in found[file]} == {code}


@pytest.mark.parametrize("file", sorted(WITH_PARAMETERS))
def test_without_their_values_placeholders_are_questions(shared, tmp_path, file):
    wanted = [case for case in cases(shared) if case.file == file]
    entries = converted(shared / "cases/sql" / file, wanted[0].dialect, wanted, tmp_path)
    assert {(e["outcome"], e["gap"]["code"]) for e in entries} == {("gap", "template")}


def test_every_probe_has_the_expected_verdict(found, shared, spark):
    asked = list(_probes(found, shared))
    assert len(asked) > 270
    query = " UNION ALL ".join(
        f"SELECT {number} AS n, ({condition}) AS verdict FROM (SELECT {row})"
        for number, (condition, row, _, _) in enumerate(asked)
    )
    verdicts = {row["n"]: row["verdict"] for row in spark.sql(query).collect()}
    wrong = [
        f"{told}: {condition} of {row}"
        for number, (condition, row, passes, told) in enumerate(asked)
        if verdicts[number] is not passes
    ]
    assert not wrong, "\n".join(wrong)


def _probes(found, shared):
    """Condition, the record as a select list, what is expected, and of which rule."""
    for case in _expected(shared):
        entries = [e for e in found[case.file] if e["name"] == case.rule]
        for row, passes in case.probes if entries and "condition" in entries[0] else ():
            columns = dict(case.columns)
            flags = {name: "boolean" for name in row if name not in columns}
            listed = ", ".join(
                f"{_cast(row.get(name), kind)} AS `{name}`"
                for name, kind in {**columns, **flags}.items()
            )
            yield entries[0]["condition"], listed, passes, f"{case.file} {case.rule}"


def _cast(value: object, kind: str) -> str:
    if value is None:
        return f"CAST(NULL AS {kind})"
    text = str(value).replace("\\", "\\\\").replace("'", "\\'")
    return f"CAST('{text}' AS {kind})"
