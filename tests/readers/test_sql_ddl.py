"""Constraints of definitions: what each dialect's become, and what must not become a rule."""

from __future__ import annotations

import pytest
from sql_shown import setting, shown

from ruleferry.converters.readers.sql.ddl import facts_of, is_ddl, read_ddl, types_in


def read(dialect, text):
    return [shown(found) for found in read_ddl(text, 0, setting(dialect))]


def in_table(dialect, item):
    return read(dialect, f"CREATE TABLE t ({item})")


CASES = {
    "s022_postgres_ddl.sql": [
        "order_id_not_null: order_id present -> fail",
        "order_id_unique: unique order_id (any_missing) -> fail",
        "customer_id_not_null: customer_id present -> fail",
        "customer_id_fk: in sales.customers by customer_id = customer_id (missing good) -> fail",
        "status_not_null: status present -> fail",
        "status_check: bad NOT (status IN ('new', 'paid', 'sent')) -> fail",
        "qty_positive: bad NOT (qty > 0) -> fail",
        "price_check: bad NOT (price >= 0) -> fail",
        "ship_after_order: bad NOT (ship_date >= order_date) -> fail",
        "order_id_customer_id_unique: unique order_id, customer_id (any_missing) -> fail",
    ],
    "s023_oracle_alter.sql": [
        "ck_acct_typ: bad NOT (typ IN ('CUR', 'SAV')) -> fail",
        "nn_acct_no: acct_no present -> fail",
        "ck_acct_fmt: bad NOT (REGEXP_LIKE(acct_no, '^[A-Z]{2}[0-9]{10}$')) -> warn",
    ],
}


@pytest.mark.parametrize("file", CASES)
def test_a_case(shared, file):
    text = (shared / "cases" / "sql" / file).read_text("utf-8")
    dialect = file.split("_")[1]
    assert read(dialect, text) == CASES[file]


def test_each_constraint_has_a_place_of_its_own(shared):
    text = (shared / "cases" / "sql" / "s022_postgres_ddl.sql").read_text("utf-8")
    founds = read_ddl(text, 0, setting("postgres"))
    assert len({(found.start, found.part) for found in founds}) == len(founds)
    assert text[founds[7].start : founds[7].end] == "CHECK (price >= 0)"
    assert {found.checked.table for found in founds} == {"sales.orders"}


CONVERTS = [
    # dialect, item of CREATE TABLE, rules
    ("postgres", "a int NOT NULL DEFAULT 0", ["a_not_null: a present -> fail"]),
    ("postgres", "a int DEFAULT NULL CHECK (a > 0)", ["a_check: bad NOT (a > 0) -> fail"]),
    (
        "postgres",
        "a text DEFAULT 'x, NOT NULL ('::text NOT NULL",
        ["a_not_null: a present -> fail"],
    ),
    ("postgres", "UNIQUE NULLS NOT DISTINCT (a, b)", ["a_b_unique: unique a, b (never) -> fail"]),
    (
        "postgres",
        "a int REFERENCES p (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED",
        ["a_fk: in p by a = id (missing good) -> fail"],
    ),
    ("postgres", 'a text COLLATE "de_DE" NOT NULL', ["a_not_null: a present -> fail"]),
    ("postgres", "CHECK (a < b) NO INHERIT", ["a_b_check: bad NOT (a < b) -> fail"]),
    (
        "postgres",
        "FOREIGN KEY (a, b) REFERENCES p (x, y) MATCH FULL",
        [
            "a_b_fk: in p by a = x, b = y (missing good) -> fail",
            'a_b_fk_whole: bad ("a" IS NULL OR "b" IS NULL) AND NOT ("a" IS NULL AND "b" IS NULL)'
            " -> fail",
        ],
    ),
    (
        "tsql",
        "[Unit Price] money CONSTRAINT [CK p] CHECK ([Unit Price] > 0)",
        ["CK p: bad NOT ([Unit Price] > 0) -> fail"],
    ),
    ("tsql", "a int CONSTRAINT df DEFAULT ((0)) NOT NULL", ["a_not_null: a present -> fail"]),
    (
        "tsql",
        "CONSTRAINT pk PRIMARY KEY CLUSTERED (a ASC) WITH (PAD_INDEX = OFF) ON [PRIMARY]",
        ["a_not_null: a present -> fail", "pk: unique a (any_missing) -> fail"],
    ),
    ("tsql", "a int UNIQUE", ["a_unique: unique a (never) -> fail"]),
    (
        "tsql",
        "a int FOREIGN KEY REFERENCES dbo.p(id)",
        ["a_fk: in dbo.p by a = id (missing good) -> fail"],
    ),
    ("oracle", "a VARCHAR2(9 CHAR) CONSTRAINT nn NOT NULL ENABLE", ["nn: a present -> fail"]),
    (
        "oracle",
        "CONSTRAINT u UNIQUE (a, b) USING INDEX TABLESPACE x",
        ["u: unique a, b (all_missing) -> fail"],
    ),
    ("oracle", "CONSTRAINT c CHECK (a > 0) DISABLE", ["c: bad NOT (a > 0) -> warn"]),
    ("mysql", "a int unsigned", ["a_unsigned: a [0, None] -> fail"]),
    (
        "mysql",
        "a enum('x','it''s') NOT NULL COMMENT 'b, c'",
        ["a_enum: a in ('x', \"it's\") -> fail", "a_not_null: a present -> fail"],
    ),
    (
        "mysql",
        "a int KEY",
        ["a_not_null: a present -> fail", "a_unique: unique a (any_missing) -> fail"],
    ),
    ("mysql", "UNIQUE KEY uq (a, b)", ["uq: unique a, b (any_missing) -> fail"]),
    (
        "mysql",
        "CONSTRAINT c CHECK ((a > 0)) /*!80016 NOT ENFORCED */",
        ["c: bad NOT ((a > 0)) -> warn"],
    ),
    (
        "mysql",
        "ts timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP",
        ["ts_not_null: ts present -> fail"],
    ),
    (
        "snowflake",
        "a int PRIMARY KEY RELY",
        ["a_not_null: a present -> fail", "a_unique: unique a (any_missing) -> warn"],
    ),
    (
        "snowflake",
        "a int AUTOINCREMENT START 1 INCREMENT 1 NOT NULL",
        ["a_not_null: a present -> fail"],
    ),
    (
        "bigquery",
        "a INT64 NOT NULL OPTIONS(description='x'), PRIMARY KEY (b) NOT ENFORCED",
        [
            "a_not_null: a present -> fail",
            "b_not_null: b present -> warn",
            "b_unique: unique b (any_missing) -> warn",
        ],
    ),
    (
        "databricks",
        "CONSTRAINT f FOREIGN KEY (a) REFERENCES c.s.t (b) NOT ENFORCED",
        ["f: in c.s.t by a = b (missing good) -> warn"],
    ),
    ("databricks", "CONSTRAINT v EXPECT (a > 0) ON VIOLATION DROP ROW", ["v: good a > 0 -> drop"]),
    ("redshift", "a int ENCODE lzo DISTKEY UNIQUE", ["a_unique: unique a (any_missing) -> warn"]),
    (
        "teradata",
        "a DATE FORMAT 'YYYY-MM-DD' NOT NULL CHECK (a > b) NOT CASESPECIFIC",
        ["a_not_null: a present -> fail", "a_check: bad NOT (a > b) -> fail"],
    ),
    (
        "hive",
        "a int NOT NULL ENABLE, PRIMARY KEY (b) DISABLE NOVALIDATE",
        [
            "a_not_null: a present -> fail",
            "b_not_null: b present -> warn",
            "b_unique: unique b (any_missing) -> warn",
        ],
    ),
    (
        "db2",
        "a INTEGER NOT NULL WITH DEFAULT, CONSTRAINT c CHECK (a > 0) NOT ENFORCED",
        ["a_not_null: a present -> fail", "c: bad NOT (a > 0) -> warn"],
    ),
]


@pytest.mark.parametrize(("dialect", "item", "rules"), CONVERTS)
def test_converts(dialect, item, rules):
    assert in_table(dialect, item) == rules


MUST_NOT = [
    # dialect, item, what it is instead, why
    (
        "postgres",
        "EXCLUDE USING gist (a WITH =)",
        ["constraint: gap no_equivalent"],
        "an operator of its own",
    ),
    (
        "postgres",
        "LIKE other INCLUDING ALL",
        ["constraint: gap unknown_shape"],
        "constraints elsewhere",
    ),
    ("postgres", "a int REFERENCES p", ["a_fk: gap key_elsewhere"], "the key of p is unknown"),
    ("postgres", "CHECK (a > 0) FROBNICATED", ["check: gap not_readable"], "a word nobody knows"),
    (
        "postgres",
        "a int NOT NULL FROBNICATED",
        ["a_not_null: gap not_readable"],
        "it may change NOT NULL",
    ),
    ("postgres", "a int FROBNICATED 3", ["no rule"], "a word within the type is the type's"),
    ("postgres", "CHECK (a >)", ["check: gap not_readable"], "no condition"),
    (
        "postgres",
        "FOREIGN KEY (a) REFERENCES p (x, y)",
        ["a_fk: gap not_readable"],
        "two columns for one",
    ),
    (
        "postgres",
        "FOREIGN KEY (a, b) REFERENCES p (x, y) MATCH PARTIAL",
        ["a_b_fk: gap no_equivalent"],
        "it looks for a part of a key",
    ),
    (
        "postgres",
        "a int CHECK (a > ${low})",
        ["a_check: gap template"],
        "a placeholder without a value",
    ),
    ("mysql", "UNIQUE KEY uq (a(20))", ["uq: gap dialect_meaning"], "only the beginning is unique"),
    ("mysql", "tags set('x','y')", ["tags_constraint: gap dialect_meaning"], "a list of words"),
    ("mysql", "KEY ix (a)", ["no rule"], "a plain index"),
    ("oracle", "SUPPLEMENTAL LOG DATA (ALL) COLUMNS", ["no rule"], "no constraint"),
    (
        "bigquery",
        "a STRUCT<b INT64 NOT NULL>",
        ["a_constraint: gap dialect_meaning"],
        "a field within",
    ),
    ("databricks", "a DATE GENERATED ALWAYS AS (CAST(ts AS DATE))", ["no rule"], "computed"),
    ("postgres", "a int GENERATED BY DEFAULT AS IDENTITY", ["no rule"], "a number that is given"),
    ("postgres", "a int, b text", ["no rule"], "types alone"),
]


@pytest.mark.parametrize(("dialect", "item", "instead", "why"), MUST_NOT)
def test_must_not_convert(dialect, item, instead, why):
    assert in_table(dialect, item) == instead, why


def test_a_broken_item_hides_no_other():
    text = (
        "CREATE TABLE t (a int NOT NULL, CHECK (a ! b ~~~), b int CHECK (b > 0), PRIMARY KEY (c))"
    )
    found = read("postgres", text)
    assert found == [
        "a_not_null: a present -> fail",
        "check: gap not_readable",
        "b_check: bad NOT (b > 0) -> fail",
        "c_not_null: c present -> fail",
        "c_unique: unique c (any_missing) -> fail",
    ]


def test_a_list_that_never_ends_is_told_and_read_as_far_as_it_goes():
    found = read("postgres", "CREATE TABLE t (a int NOT NULL, CHECK ((b > 0), c int NOT NULL")
    assert found[:2] == ["constraint: gap not_readable", "a_not_null: a present -> fail"]
    assert all("gap" in rule for rule in found[2:])


ALTERS = [
    (
        "postgres",
        "ALTER TABLE ONLY s.t ADD CONSTRAINT c UNIQUE (a, b)",
        ["c: unique a, b (any_missing) -> fail"],
    ),
    (
        "postgres",
        "ALTER TABLE t ALTER COLUMN a SET NOT NULL, ADD CHECK (a > 0) NOT VALID",
        ["a_not_null: a present -> fail", "a_check: bad NOT (a > 0) -> fail"],
    ),
    (
        "tsql",
        "ALTER TABLE t ADD a int NOT NULL, b int, CONSTRAINT c CHECK (b > 0)",
        ["a_not_null: a present -> fail", "c: bad NOT (b > 0) -> fail"],
    ),
    ("tsql", "ALTER TABLE t ADD CONSTRAINT df DEFAULT 0 FOR a", ["no rule"]),
    ("tsql", "ALTER TABLE t ALTER COLUMN a int NOT NULL", ["a_not_null: a present -> fail"]),
    (
        "oracle",
        "ALTER TABLE t ADD (CONSTRAINT c CHECK (a > 0), b NUMBER NOT NULL)",
        ["c: bad NOT (a > 0) -> fail", "b_not_null: b present -> fail"],
    ),
    ("oracle", "ALTER TABLE t MODIFY b NOT NULL ENABLE", ["b_not_null: b present -> fail"]),
    (
        "mysql",
        "ALTER TABLE t ADD UNIQUE INDEX u (a), ADD INDEX i (b), MODIFY c int unsigned NOT NULL",
        [
            "u: unique a (any_missing) -> fail",
            "c_unsigned: c [0, None] -> fail",
            "c_not_null: c present -> fail",
        ],
    ),
    (
        "databricks",
        "ALTER TABLE m.s.t ADD CONSTRAINT pos CHECK (amount > 0)",
        ["pos: bad NOT (amount > 0) -> fail"],
    ),
    ("postgres", "ALTER TABLE t OWNER TO joe", ["no rule"]),
    ("postgres", "ALTER TABLE t FROBNICATE", ["constraint: gap not_readable"]),
    (
        "postgres",
        "CREATE UNIQUE INDEX CONCURRENTLY u ON t USING btree (a DESC NULLS LAST) WHERE b > 0",
        ["u: unique a (any_missing) where b > 0 -> fail"],
    ),
    (
        "tsql",
        "CREATE UNIQUE NONCLUSTERED INDEX u ON dbo.t (a) INCLUDE (b) WHERE a IS NOT NULL "
        "WITH (FILLFACTOR = 80) ON [PRIMARY]",
        ["u: unique a (never) where a IS NOT NULL -> fail"],
    ),
    (
        "tsql",
        "CREATE UNIQUE INDEX u ON t (a) WITH (IGNORE_DUP_KEY = ON)",
        ["u: gap dialect_meaning"],
    ),
    ("postgres", "CREATE UNIQUE INDEX u ON t (lower(a))", ["u: gap dialect_meaning"]),
    ("postgres", "CREATE UNIQUE INDEX u ON t (a) FROBNICATED", ["u: gap not_readable"]),
    ("postgres", "CREATE INDEX i ON t (a)", ["no rule"]),
    (
        "teradata",
        "CREATE MULTISET TABLE d.t, NO FALLBACK (a INT NOT NULL) UNIQUE PRIMARY INDEX (a, b)",
        ["a_not_null: a present -> fail", "a_b_unique: unique a, b (never) -> fail"],
    ),
    ("hive", "CREATE EXTERNAL TABLE t (a int NOT NULL)", ["a_not_null: a present -> warn"]),
    (
        "databricks",
        "CREATE TABLE t (a int) TBLPROPERTIES ('delta.constraints.c' = 'a > 0')",
        ["constraint: gap unknown_shape"],
    ),
    (
        "postgres",
        "CREATE TABLE c PARTITION OF p FOR VALUES FROM (1) TO (2)",
        ["constraint: gap unknown_shape"],
    ),
]


@pytest.mark.parametrize(("dialect", "text", "rules"), ALTERS)
def test_changes_and_indexes(dialect, text, rules):
    assert is_ddl(text, setting(dialect).dialect)
    assert read(dialect, text) == rules


LATER = [
    # dialect, the constraint, what follows in the script, what becomes of the constraint
    ("postgres", "CONSTRAINT c CHECK (a > 0)", "ALTER TABLE t DROP CONSTRAINT c", "c: no rule"),
    (
        "postgres",
        "a int CHECK (a > 0)",
        "ALTER TABLE t DROP CONSTRAINT t_a_check",
        "a_check: no rule",
    ),
    ("postgres", "a int NOT NULL", "ALTER TABLE t ALTER a DROP NOT NULL", "a_not_null: no rule"),
    ("mysql", "a int NOT NULL", "ALTER TABLE t MODIFY a bigint", "a_not_null: no rule"),
    (
        "oracle",
        "a int NOT NULL",
        "ALTER TABLE t MODIFY a NUMBER(9)",
        "a_not_null: a present -> fail",
    ),
    ("mysql", "a int unsigned", "ALTER TABLE t MODIFY a bigint", "a_unsigned: no rule"),
    ("mysql", "UNIQUE KEY u (a)", "ALTER TABLE t DROP CONSTRAINT u", "u: no rule"),
    ("postgres", "a int CHECK (a > 0)", "ALTER TABLE t DROP COLUMN a", "a_check: no rule"),
    ("postgres", "a int CHECK (a > 0)", "DROP TABLE t", "a_check: no rule"),
    (
        "postgres",
        "a int CHECK (a > 0)",
        "ALTER TABLE u DROP COLUMN a",
        "a_check: bad NOT (a > 0) -> fail",
    ),
    (
        "oracle",
        "CONSTRAINT c CHECK (a > 0)",
        "ALTER TABLE t DISABLE CONSTRAINT c",
        "c: bad NOT (a > 0) -> warn",
    ),
    (
        "oracle",
        "CONSTRAINT c CHECK (a > 0) DISABLE",
        "ALTER TABLE t ENABLE CONSTRAINT c",
        "c: bad NOT (a > 0) -> fail",
    ),
    (
        "tsql",
        "CONSTRAINT c CHECK (a > 0)",
        "ALTER TABLE t NOCHECK CONSTRAINT ALL",
        "c: bad NOT (a > 0) -> warn",
    ),
    (
        "postgres",
        "a int CHECK (a > 0)",
        "ALTER TABLE t RENAME COLUMN a TO b",
        "a_check: gap unknown_shape",
    ),
]


@pytest.mark.parametrize(("dialect", "item", "later", "becomes"), LATER)
def test_what_follows_in_the_script(dialect, item, later, becomes):
    assert read(dialect, f"CREATE TABLE s.t ({item});\n{later};")[0] == becomes


def test_what_came_before_changes_nothing():
    text = "DROP TABLE IF EXISTS t; CREATE TABLE t (a int NOT NULL);"
    assert read("postgres", text) == ["no rule", "a_not_null: a present -> fail"]


def test_a_renamed_table_has_its_constraints_under_the_new_name():
    text = "CREATE TABLE t_new (a int NOT NULL); ALTER TABLE t_new RENAME TO t;"
    assert read_ddl(text, 0, setting("postgres"))[0].checked.table == "t"


def test_the_script_around_a_statement_tells_keys_and_drops():
    script = "CREATE TABLE p (id int PRIMARY KEY); {} ALTER TABLE t DROP CONSTRAINT c;"
    statement = "CREATE TABLE t (a int REFERENCES p, CONSTRAINT c CHECK (a > 0));"
    script = script.format(statement)
    facts = facts_of(script, setting("postgres").dialect)
    founds = read_ddl(statement, script.index(statement), setting("postgres"), facts)
    assert [shown(found) for found in founds] == [
        "a_fk: in p by a = id (missing good) -> fail",
        "c: no rule",
    ]


def test_types_of_a_domain_hold_for_each_column():
    text = """
        CREATE DOMAIN email AS text NOT NULL CHECK (VALUE LIKE '%@%');
        CREATE TYPE mood AS ENUM ('sad', 'ok');
        CREATE TABLE t (e email, m mood);
    """
    assert read("postgres", text) == [
        "no rule",
        "no rule",
        "e_not_null: e present -> fail",
        "e_check: bad NOT (\"e\" LIKE '%@%') -> fail",
        "m_enum: m in ('sad', 'ok') -> fail",
    ]


def test_domains_that_name_each_other_end():
    text = "CREATE DOMAIN a AS b NOT NULL; CREATE DOMAIN b AS a; CREATE TABLE t (x a);"
    assert read("postgres", text)[2:] == ["x_not_null: x present -> fail"]


IS_DDL = [
    ("CREATE TABLE t (a int)", True),
    ("-- c\n/* d */ CREATE OR REPLACE TEMPORARY TABLE t (a int)", True),
    ("alter table t add x int", True),
    ("CREATE UNIQUE INDEX u ON t (a)", True),
    ("CREATE DOMAIN d AS int CHECK (VALUE > 0)", True),
    ("CREATE TABLE t AS SELECT 1", False),
    ("CREATE TABLE t AS (WITH x AS (SELECT 1) SELECT * FROM x)", False),
    ("CREATE TABLE t (a int NOT NULL) AS SELECT 1", True),
    ("CREATE VIEW v AS SELECT 1", False),
    ("CREATE OR REPLACE TYPE BODY x", False),
    ("CREATE TRIGGER tr BEFORE INSERT ON t", False),
    ("SELECT 'CREATE TABLE t (a int)'", False),
    ("INSERT INTO t VALUES (1)", False),
    ("", False),
]


@pytest.mark.parametrize(("text", "known"), IS_DDL)
def test_is_ddl(text, known):
    assert is_ddl(text, setting("postgres").dialect) is known


def test_a_query_that_picks_records_beside_constraints_is_told():
    text = "CREATE TABLE t (a int NOT NULL) AS SELECT a FROM s WHERE a > 0"
    assert read("mysql", text) == ["a_not_null: a present -> fail", "constraint: gap unknown_shape"]


def test_types_as_they_are_written():
    text = (
        "CREATE TABLE s.t (a decimal(10, 2) NOT NULL, b varchar(10) CHARACTER SET utf8, c m.d[]);"
    )
    text += "ALTER TABLE s.t ADD COLUMN d timestamp with time zone DEFAULT now();"
    assert types_in(text, setting("postgres").dialect) == {
        "s.t": {
            "a": "decimal(10, 2)",
            "b": "varchar(10)",
            "c": "m.d[]",
            "d": "timestamp with time zone",
        }
    }


def test_what_is_not_in_force_is_told():
    founds = read_ddl("CREATE TABLE t (a int UNIQUE)", 0, setting("snowflake"))
    assert [caveat.code for caveat in founds[0].checked.caveats] == ["disabled_constraint"]
    text = "ALTER TABLE t WITH NOCHECK ADD CONSTRAINT c CHECK (a > 0)"
    founds = read_ddl(text, 0, setting("tsql"))
    assert [caveat.code for caveat in founds[0].checked.caveats] == ["not_validated"]

    text = "ALTER TABLE t ADD CONSTRAINT c CHECK (a > 0) ENABLE NOVALIDATE"
    founds = read_ddl(text, 0, setting("oracle"))
    assert [caveat.code for caveat in founds[0].checked.caveats] == ["not_validated"]


@pytest.mark.parametrize(
    "sign", ["NOT NULL ", "(", "{{ ", "/* ", "'", "$a$ ", "DEFAULT (", '"', "[", "<%"]
)
def test_what_never_ends_is_read(sign):
    """In time that grows with its length: else this would take minutes."""
    assert read_ddl("CREATE TABLE t (a int " + sign * 5_000, 0, setting("postgres"))


def test_a_name_of_bigquery_has_the_parts_of_its_backticks():
    found = read_ddl("CREATE TABLE `p.d.t` (a INT64 NOT NULL)", 0, setting("bigquery"))
    assert found[0].checked.table == "p.d.t"


def test_a_placeholder_in_a_name_stays_as_it_is_written():
    found = read_ddl("CREATE TABLE ${db}.t (a int NOT NULL)", 0, setting("hive"))
    assert found[0].checked.table == "${db}.t"
