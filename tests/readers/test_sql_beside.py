"""Tables beside scripts, tests of dbt in files of their own, and what tells the dialect."""

import json
from decimal import Decimal
from pathlib import Path

import pytest

from ruleferry.converters.config import Config, Source
from ruleferry.converters.conversion import convert
from ruleferry.converters.predicates import SqlText
from ruleferry.converters.readers.spreadsheet.lists import rule_sql
from ruleferry.converters.readers.sql.clues import proposal
from ruleferry.converters.rule import NotARule, Row

NONE = (("=", Decimal(0)),)


@pytest.fixture
def entries(tmp_path):
    """Files -> the entries of the ledger, and how each file was read."""

    def read(files: dict[str, str], dialect: str | None = "postgres"):
        for name, text in files.items():
            path: Path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        source = Source(path=("**/*",), dialect=dialect)
        convert(Config(tmp_path, tmp_path, None, sources=(source,)))
        ledger = json.loads((tmp_path / "expectations/ledger.json").read_text("utf-8"))
        return ledger["entries"], {each["file"]: each["read_as"] for each in ledger["sources"]}

    return read


SIDE = "rule_label,query_name,severity_name,rule_error_message,owner\n"


def test_a_table_beside_scripts_names_them(entries):
    found, read_as = entries(
        {
            "checks/A16_amount.sql": "SELECT id FROM award WHERE amount < 0",
            "checks/B2_name.sql": "SELECT id FROM award WHERE name IS NULL",
            "checks/rules.csv": f"{SIDE}A16,A16_amount,fatal,No negative amount,finance\n"
            "B2,B2_name,warning,A name is required,\n",
        }
    )
    told = {
        e["name"]: (e["title"], e["tags"].get("severity"), e["tags"].get("owner")) for e in found
    }
    assert told == {
        "a16": ("No negative amount", "fatal", "finance"),
        "b2": ("A name is required", "warning", None),
    }
    assert read_as["checks/rules.csv"] == "used"


def test_a_table_of_other_things_is_no_table_beside(entries):
    found, read_as = entries(
        {
            "checks/A16_amount.sql": "SELECT id FROM award WHERE amount < 0",
            "rules.csv": f"{SIDE}Z1,other_check,fatal,Another check,x\n",
        }
    )
    assert [e["name"] for e in found if e["origin"]["tool"] == "sql"] == ["a16_amount"]
    assert read_as["rules.csv"] != "used"


@pytest.mark.parametrize(
    ("config", "action"),
    [
        ("", "fail"),
        ("{{ config(severity='warn') }}", "warn"),
        ("{{ config(severity='error') }}", "fail"),
    ],
)
def test_a_test_of_dbt_is_called_like_its_file(entries, config, action):
    text = f"{config}\nselect id from {{{{ ref('orders') }}}} where amount < 0"
    (found,), _ = entries({"tests/no_negative_amount.sql": text})
    assert (found["name"], found["table"], found["action"]) == (
        "no_negative_amount",
        "orders",
        action,
    )
    assert found["because"]["by"] == "behaviour"


@pytest.mark.parametrize(
    ("file", "text", "outcome", "code"),
    [
        ("models/orders.sql", "select id from {{ ref('raw') }} where a > 0", "not_a_rule", None),
        ("tests/a.sql", "{{ config(enabled=false) }} select 1 from {{ ref('t') }} where a < 0",
         "not_a_rule", None),
        ("tests/a.sql", "{{ config(error_if='>10') }} select 1 from {{ ref('t') }} where a < 0",
         "gap", "unknown_shape"),
        ("tests/a.sql", "{% if x %} select 1 from {{ ref('t') }} {% endif %}", "gap", "template"),
        ("tests/a.sql", "delete from {{ ref('t') }} where a < 0", "gap", "unknown_shape"),
    ],
)  # fmt: skip
def test_what_is_no_test_of_dbt(entries, file, text, outcome, code):
    (found,), _ = entries({file: text})
    assert (found["outcome"], found.get("gap", {}).get("code")) == (outcome, code)


USE = """version: 2
models:
  - name: orders
    columns:
      - name: qty
        tests:
          - at_least: {least: 2}
"""
TEMPLATE = """{% test at_least(model, column_name, least) %}
select * from {{ model }} where {{ column_name }} < {{ least }}
{% endtest %}"""


def test_a_template_is_filled_where_it_is_used(entries):
    found, _ = entries({"tests/at_least.sql": TEMPLATE, "models/schema.yml": USE})
    kept = [e for e in found if e["outcome"] == "record"]
    assert [(e["table"], e["columns"], e["action"]) for e in kept] == [("orders", ["qty"], "fail")]
    assert ">= 2" in kept[0]["condition"]
    assert [e["outcome"] for e in found if e["outcome"] != "record"] == ["not_a_rule"]


def test_a_script_of_no_known_dialect_is_one_question_with_a_proposal(entries):
    text = "SELECT 1 FROM dbo.t WHERE ISNULL(a, 0) < 0\nGO\nSELECT 2 FROM dbo.t\n"
    (found,), _ = entries({"checks.sql": text}, dialect=None)
    assert (found["outcome"], found["gap"]["code"]) == ("gap", "dialect_unknown")
    assert "--dialect tsql" in found["gap"]["reason"]


@pytest.mark.parametrize(
    ("file", "called"),
    [("a.btq", "SQL of Teradata"), ("a.hql", "SQL of Hive"), ("a.pkb", "SQL of Oracle")],
)
def test_some_endings_tell_the_dialect(entries, file, called):
    _, read_as = entries({file: "SELECT 1 FROM t WHERE a < 0;"}, dialect=None)
    assert read_as[file] == called


@pytest.mark.parametrize(
    ("expression", "outcome"),
    [
        ("a >= 1", "record"),
        ("a >= b", "gap"),  # if they are texts
        ("a is not null or b > 0", "record"),
        ("a / b > 1", "gap"),  # whole numbers divide to one on some databases
        ("a = 'x '", "gap"),  # blanks at the end
        ('"a" > 0', "gap"),  # a text or a name
        ("isnull(a, 0) > 0", "gap"),
    ],
)
def test_without_a_dialect_only_what_all_of_them_mean(entries, expression, outcome):
    text = f"""models:
  - name: t
    tests:
      - dbt_utils.expression_is_true: {{expression: '{expression.replace("'", "''")}'}}
"""
    (found,), _ = entries({"schema.yml": text}, dialect=None)
    assert found["outcome"] == outcome, found
    assert outcome == "record" or found["gap"]["code"] == "dialect_unknown"


@pytest.mark.parametrize(
    ("dialect", "condition"),
    [
        ("tsql", "code IS NOT NULL AND rtrim(lower(code)) = 'x'"),
        ("oracle", "code IS NOT NULL AND CAST(code AS STRING) = 'x'"),
    ],
)
def test_sql_in_cells_has_the_dialect_of_its_source(entries, dialect, condition):
    rules = "Rule ID,Table,Column,SQL\nR1,t,code,code = 'x'\n"
    (found,), _ = entries({"rules.csv": rules}, dialect)
    assert (found["name"], found["table"], found["origin"]["engine"]) == ("r1", "t", dialect)
    assert found["condition"] == condition


def test_a_query_in_a_cell_has_the_dialect_of_its_source():
    counted = rule_sql.counted("SELECT COUNT(*) FROM t WHERE LEN(a) < 2", NONE, ("a",), "tsql")
    statement, table = counted
    assert table == "t"
    assert statement.check == Row(SqlText("len(a) < 2", "tsql", bad=True))


@pytest.mark.parametrize(
    ("query", "wanted", "code"),
    [
        ("SELECT COUNT(*) FROM t WHERE LEN(a) < 2", (("<", Decimal(5)),), "other_records"),
        ("SELECT SUM(a) FROM t", NONE, "not_a_rule"),
        ("SELECT COUNT(*) FROM", NONE, "not_readable"),
        ("SELECT COUNT(*) FROM t WHERE a < @x", NONE, "template"),
    ],
)
def test_what_a_query_in_a_cell_does_not_say(query, wanted, code):
    statement, _ = rule_sql.counted(query, wanted, ("a",), "tsql")
    if code == "not_a_rule":
        assert isinstance(statement.check, NotARule)
    else:
        assert statement.check.code == code


@pytest.mark.parametrize(
    ("query", "outcomes"),
    [
        # A table joined with itself: the records that have a double, or overlap another one.
        ("SELECT a.id FROM t a JOIN t b ON a.mail = b.mail AND a.id <> b.id", ["dataset"]),
        ("SELECT COUNT(*) FROM t a JOIN t b ON a.mail = b.mail AND a.id < b.id", ["dataset"]),
        ("SELECT a.id FROM t a JOIN u b ON a.k = b.k AND a.v > b.v", ["gap"]),  # if they are texts
        # How two tables belong together asks nothing of the records.
        ("SELECT a.id FROM t a JOIN u b ON a.k = b.k", ["not_a_rule"]),
        ("SELECT a.id FROM t a LEFT JOIN u b ON a.k = b.k AND b.v > 1", ["not_a_rule"]),
        ("SELECT COUNT(*) FROM t a JOIN u b ON a.k = b.k", ["not_a_rule"]),
    ],
)
def test_what_a_join_asks(entries, query, outcomes):
    found, _ = entries({"checks.sql": query})
    assert [entry["outcome"] for entry in found] == outcomes


@pytest.mark.parametrize(
    ("script", "name"),
    [
        ("SELECT 'POL_01' chk, COUNT(*) cnt FROM t WHERE a < 0", "pol_01"),
        ("SELECT 'POL_01' whatever, COUNT(*) cnt FROM t WHERE a < 0", "pol_01"),
        ("SELECT 'v2' version, 'POL_01' rule_id, COUNT(*) cnt FROM t WHERE a < 0", "pol_01"),
        (
            "REM ======\nREM POL_01 not below nothing\nREM ======\nSELECT a FROM t WHERE a < 0",
            "pol_01",
        ),
    ],
)
def test_what_names_a_rule(entries, script, name):
    (found,), _ = entries({"checks.sql": script}, "oracle")
    assert found["name"] == name


@pytest.mark.parametrize(
    ("script", "code", "reason"),
    [
        ("SELECT id FROM t WHERE dbo.fn_risk(id) > 5", "unsupported_function", "fn_risk() is a"),
        ("SELECT id FROM t WHERE a > @most", "parameter", "@most"),
        ("INSERT INTO core.t SELECT id FROM t WHERE a > 5", "rule_or_filter", "core.t"),
        ("SELEC id FROM t", "not_readable", "SQL Server"),
    ],
)
def test_a_gap_says_why(entries, script, code, reason):
    (found,), _ = entries({"checks.sql": script}, "tsql")
    assert found["gap"]["code"] == code
    assert reason in found["gap"]["reason"]


@pytest.mark.parametrize("kind", ["ANTI", "SEMI"])
def test_an_anti_or_semi_join_asks(entries, kind):
    query = f"SELECT a.id FROM t a LEFT {kind} JOIN u b ON a.k = b.k"
    (found,), _ = entries({"checks.sql": query}, "hive")
    assert found["outcome"] == "flag"


def test_the_text_of_a_branch_is_all_of_it(entries):
    branches = ["SELECT 'A1' AS rule_id, COUNT(*) FROM t WHERE a < 0",
                "SELECT 'A2', COUNT(*) FROM t WHERE b < 0"]  # fmt: skip
    found, _ = entries({"checks.sql": "\nUNION ALL\n".join(branches)})
    assert [entry["origin"]["text"] for entry in found] == branches


def test_an_operator_is_turned_with_its_sides(entries):
    (found,), _ = entries({"checks.sql": "SELECT id FROM t WHERE 0 < (a IS NULL)"}, "mysql")
    assert found["condition"] == "(a IS NULL) <= FALSE"


@pytest.mark.parametrize(
    "text",
    [
        "SELECT GETDATE()",
        "SELECT nvl(a, 1), decode(a, 1, 2) FROM dual WHERE a = b(+)",
        "SELECT ISNULL(a, 0), TOP (5), DATEDIFF(day, a, b)",
        "INSERT INTO t PARTITION (d = 1) SELECT any (array[1]), now()",
        "SELECT 1",
    ],
)
def test_what_it_points_to_leaves_no_bracket_open(text):
    told = proposal(text)
    opened = 0
    for sign in told:
        opened += (sign == "(") - (sign == ")")
        assert opened >= 0, told
    assert opened == 0, told
