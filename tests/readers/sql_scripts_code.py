"""Scripts of blocks, batches and templates, and broken ones; each statement stands in « »."""

from sql_cut_scripts import CLIENTS, COMMENTS, SEPARATORS, STRINGS

BLOCKS = [
    (
        "CASE without END at the end",
        "oracle",
        "«BEGIN x := CASE WHEN b THEN 1; END»;\n«SELECT 1 FROM t»;",
    ),
    ("a block", "oracle", "«BEGIN a; b; END»;\n/\n«SELECT 1 FROM t»;"),
    ("a block without slash", "oracle", "«BEGIN a; END»;\n«SELECT 1 FROM t»;"),
    (
        "DECLARE",
        "oracle",
        "«DECLARE v NUMBER; PROCEDURE q IS BEGIN a; END; BEGIN BEGIN b; END; END»;\n"
        "«SELECT 1 FROM t»;",
    ),
    ("a label", "oracle", "«<<x>>\nBEGIN a; END x»;\n«SELECT 1 FROM t»;"),
    (
        "a package",
        "oracle",
        "«CREATE OR REPLACE PACKAGE BODY p AS\n"
        "  CURSOR c IS SELECT 1 FROM t;\n"
        "  PROCEDURE a(x NUMBER := 1);\n"
        "  PROCEDURE a(x NUMBER := 1) IS\n"
        "    v NUMBER := CASE WHEN x IS NULL THEN 1 END;\n"
        "    FUNCTION inner RETURN NUMBER IS BEGIN RETURN 1; END;\n"
        "  BEGIN\n"
        "    IF x > 1 THEN NULL; ELSIF x = 0 THEN NULL; END IF;\n"
        "    FOR r IN c LOOP NULL; END LOOP;\n"
        "    CASE x WHEN 1 THEN NULL; ELSE NULL; END CASE;\n"
        "    BEGIN NULL; EXCEPTION WHEN OTHERS THEN NULL; END;\n"
        "  END a;\n"
        "BEGIN\n"
        "  NULL;\n"
        "END p»;\n"
        "«SELECT 1 FROM t»;",
    ),
    (
        "a trigger",
        "oracle",
        "«CREATE TRIGGER g BEFORE INSERT ON t REFERENCING NEW AS n\n"
        "FOR EACH ROW WHEN (n.a IS NOT NULL)\n"
        "DECLARE v NUMBER; BEGIN SELECT 1 INTO v FROM u; END»;\n"
        "«SELECT 1 FROM t»;",
    ),
    (
        "a compound trigger",
        "oracle",
        "«CREATE TRIGGER g FOR INSERT ON t COMPOUND TRIGGER\n"
        "  v NUMBER;\n"
        "  BEFORE EACH ROW IS BEGIN NULL; END BEFORE EACH ROW;\n"
        "END g»;\n"
        "«SELECT 1 FROM t»;",
    ),
    (
        "types",
        "oracle",
        "«CREATE TYPE a AS OBJECT (x NUMBER)»;\n«CREATE TYPE b AS TABLE OF a»;\n«SELECT 1 FROM t»;",
    ),
    (
        "a function of Java",
        "oracle",
        "«CREATE FUNCTION f RETURN NUMBER AS LANGUAGE JAVA NAME 'x'»;\n«SELECT 1 FROM t»;",
    ),
    (
        "a function in a query",
        "oracle",
        "«WITH FUNCTION f RETURN NUMBER IS BEGIN RETURN 1; END;\n"
        "SELECT f FROM t»;\n"
        "«SELECT 2 FROM u»;",
    ),
    (
        "CASE without END",
        "oracle",
        "«BEGIN IF a THEN x := CASE WHEN b THEN 1; END IF; END»;\n«SELECT 1 FROM t»;",
    ),
    ("a block without END", "oracle", "«CREATE PROCEDURE a IS BEGIN x;»\n/\n«SELECT 1 FROM t»;"),
    (
        "another routine begins",
        "oracle",
        "«CREATE PROCEDURE a IS BEGIN x;»\n"
        "«CREATE OR REPLACE FUNCTION b RETURN NUMBER IS BEGIN RETURN 1; END»;\n"
        "«SELECT 1 FROM t»;",
    ),
    (
        "MySQL with a delimiter",
        "mysql",
        "DELIMITER //\n"
        "«CREATE PROCEDURE p(IN a INT)\n"
        "BEGIN\n"
        "  DECLARE n INT DEFAULT IF(a > 1, 2, 3);\n"
        "  x: LOOP LEAVE x; END LOOP;\n"
        "  WHILE n > 0 DO SET n = n - 1; END WHILE;\n"
        "  REPEAT SET n = CASE WHEN n THEN 1 ELSE 2 END; UNTIL n END REPEAT;\n"
        "  IF n THEN SELECT 1; END IF;\n"
        "END»//\n"
        "DELIMITER ;\n"
        "«SELECT 1»;",
    ),
    (
        "MySQL without",
        "mysql",
        "«CREATE PROCEDURE p(IN a INT)\n"
        "BEGIN\n"
        "  DECLARE n INT DEFAULT IF(a > 1, 2, 3);\n"
        "  x: LOOP LEAVE x; END LOOP;\n"
        "  WHILE n > 0 DO SET n = n - 1; END WHILE;\n"
        "  REPEAT SET n = CASE WHEN n THEN 1 ELSE 2 END; UNTIL n END REPEAT;\n"
        "  IF n THEN SELECT 1; END IF;\n"
        "END»;\n"
        "«SELECT 1»;",
    ),
    (
        "a definer",
        "mysql",
        "«CREATE DEFINER=`a`@`b` TRIGGER t BEFORE INSERT ON u FOR EACH ROW BEGIN x; END»;\n"
        "«SELECT 1»;",
    ),
    ("BEGIN of a transaction", "mysql", "«BEGIN»;\n«SELECT 1»;\n«COMMIT»;"),
    (
        "transactions of PostgreSQL",
        "postgres",
        "«BEGIN TRANSACTION»;\n«SELECT 1»;\n«END»;\n«SELECT 2»;",
    ),
    (
        "BEGIN ATOMIC",
        "postgres",
        "«CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1; SELECT 2; END»;\n«SELECT 3»;",
    ),
    (
        "a rule of PostgreSQL",
        "postgres",
        "«CREATE RULE r AS ON INSERT TO t DO ALSO (SELECT 1; SELECT 2)»;\n«SELECT 3»;",
    ),
    (
        "Db2",
        "db2",
        "«CREATE TRIGGER t AFTER INSERT ON u REFERENCING NEW AS n FOR EACH ROW BEGIN "
        "ATOMIC a; IF n.x THEN b; END IF; END»;\n"
        "«SELECT 1 FROM t»;",
    ),
    (
        "a temporary table of Db2",
        "db2",
        "«DECLARE GLOBAL TEMPORARY TABLE t (a INT)»;\n«SELECT 1 FROM t»;",
    ),
    (
        "a procedure of Teradata",
        "teradata",
        "«REPLACE PROCEDURE p() BEGIN a; x: BEGIN b; END x; END»;\n«SEL 1»;",
    ),
    ("a macro of Teradata", "teradata", "«REPLACE MACRO m AS (SEL 1; SEL 2;)»;\n«SEL 3»;"),
    (
        "Snowflake",
        "snowflake",
        "«DECLARE n INT; BEGIN n := 1; IF (n > 0) THEN RETURN 1; END IF; END»;\n«SELECT 1»;",
    ),
    (
        "a procedure of Snowflake",
        "snowflake",
        "«CREATE PROCEDURE p() RETURNS INT AS DECLARE n INT; BEGIN RETURN 1; END»;\n"
        "«CREATE FUNCTION f() RETURNS INT AS '1;'»;\n"
        "«SELECT 1»;",
    ),
    ("transactions of Snowflake", "snowflake", "«BEGIN TRANSACTION»;\n«SELECT 1»;\n«COMMIT»;"),
    (
        "BigQuery",
        "bigquery",
        "«BEGIN SELECT 1; EXCEPTION WHEN ERROR THEN SELECT 2; END»;\n"
        "«IF TRUE THEN SELECT 3; END IF»;\n"
        "«WHILE FALSE DO SELECT 4; END WHILE»;\n"
        "«SELECT IF(a, 1, 2)»;",
    ),
    (
        "variables of BigQuery",
        "bigquery",
        "«SELECT 0»;\n"
        "«DECLARE n INT64;\n"
        "SET n = 1;\n"
        "SELECT 1;\n"
        "SELECT a FROM t WHERE a > n»;\n"
        "«SELECT 2»;",
    ),
    ("variables without use", "bigquery", "«DECLARE n INT64»;\n«SELECT t.n»;\n«SELECT 1»;"),
    (
        "a procedure of Netezza",
        "netezza",
        "«CREATE PROCEDURE p() LANGUAGE NZPLSQL AS BEGIN_PROC a; b; END_PROC»;\n«SELECT 1»;",
    ),
]

BATCHES = [
    (
        "no semicolons",
        "tsql",
        "«SELECT 1»\n"
        "«SELECT 2 FROM t WHERE a = 1»\n"
        "«DELETE FROM t WHERE b = 2»\n"
        "«UPDATE t SET a = 1»\n"
        "«SET NOCOUNT ON»\n"
        "«PRINT 'x'»\n"
        "«SELECT 3»",
    ),
    ("a query goes on", "tsql", "«SELECT 1\nUNION ALL\nSELECT 2\nEXCEPT\nSELECT 3»\n«SELECT 4»"),
    (
        "INSERT goes on",
        "tsql",
        "«INSERT INTO t (a)\nSELECT 1»\n«INSERT t EXEC p»\n«INSERT t VALUES (1)»\n«SELECT 2»",
    ),
    (
        "WITH",
        "tsql",
        "«WITH a AS (SELECT 1 x), b AS (SELECT 2 y)\n"
        "SELECT * FROM a»;\n"
        "«WITH a AS (SELECT 1 x)\n"
        "INSERT INTO t\n"
        "SELECT * FROM a»\n"
        "«SELECT 3»",
    ),
    (
        "MERGE",
        "tsql",
        "«MERGE a USING b ON a.i = b.i WHEN MATCHED THEN UPDATE SET x = 1\n"
        "WHEN NOT MATCHED THEN INSERT (i) VALUES (1)»;\n"
        "«SELECT 1»",
    ),
    (
        "keys",
        "tsql",
        "«ALTER TABLE t ADD CONSTRAINT c FOREIGN KEY (a) REFERENCES b (a) ON DELETE SET "
        "NULL ON UPDATE CASCADE»\n"
        "«SELECT 1»",
    ),
    (
        "ALTER",
        "tsql",
        "«ALTER TABLE t DROP COLUMN a»\n"
        "«ALTER TABLE t ALTER COLUMN b INT»\n"
        "«DROP TABLE IF EXISTS t»\n"
        "«CREATE TABLE #t (a INT)»\n"
        "«SELECT 1»",
    ),
    ("a view", "tsql", "«CREATE VIEW v AS\nSELECT 1 a»\nGO\n«SELECT 2»"),
    ("rights", "tsql", "«GRANT SELECT, INSERT, UPDATE ON t TO u»\n«SELECT 1»"),
    ("CASE", "tsql", "«SELECT CASE WHEN a = 1 THEN 2 END»\n«SELECT 3»"),
    (
        "FETCH",
        "tsql",
        "«SELECT a FROM t ORDER BY a OFFSET 5 ROWS FETCH NEXT 5 ROWS ONLY»\n«SELECT 1»",
    ),
    ("a transaction", "tsql", "«BEGIN TRAN»\n«DELETE FROM t»\n«COMMIT»\n«SELECT 1»"),
    (
        "control flow",
        "tsql",
        "«SELECT 0»\n"
        "GO\n"
        "«SELECT 1;\n"
        "IF EXISTS (SELECT 1 FROM t)\n"
        "BEGIN\n"
        "  RAISERROR('a', 16, 1);\n"
        "END;\n"
        "SELECT 2»;\n"
        "GO\n"
        "«SELECT 3»",
    ),
    (
        "a variable that is used",
        "tsql",
        "«DECLARE @a INT;\nSELECT @a = COUNT(*) FROM t;\nSELECT 2»;\nGO\n«SELECT 3»",
    ),
    ("a variable that is not", "tsql", "«DECLARE @a INT = 1»;\n«SELECT 1»;\nGO\n«SELECT @a»;"),
    (
        "TRY",
        "tsql",
        "«BEGIN TRY\n SELECT 1;\nEND TRY\nBEGIN CATCH\n THROW;\nEND CATCH»\nGO\n«SELECT 2»",
    ),
    ("a cursor", "tsql", "«DECLARE c CURSOR FOR SELECT 1;\nOPEN c;\nCLOSE c»;\nGO\n«SELECT 2»"),
    ("a procedure", "tsql", "«CREATE PROC p @a INT AS\nSELECT 1;\nSELECT 2»;\nGO\n«SELECT 3»"),
    (
        "procedures in one batch",
        "tsql",
        "«SET NOCOUNT ON»\n"
        "«CREATE OR ALTER PROCEDURE p AS SELECT 1»;\n"
        "«CREATE FUNCTION f() RETURNS INT AS BEGIN RETURN 1 END»",
    ),
    (
        "a trigger",
        "tsql",
        "«CREATE TRIGGER g ON t AFTER INSERT, UPDATE AS\n"
        "IF UPDATE(a) SELECT 1\n"
        "SELECT 2»\n"
        "GO\n"
        "«SELECT 3»",
    ),
]

TEMPLATES = [
    ("a call", "dbt-snowflake", "«select {{ var('a;b') }}»; «select 2»"),
    ("a quote in a template", "dbt-snowflake", "«select '{{ var('it;s') }}'»; «select 2»"),
    ("a note", "dbt-snowflake", "{# it's; a #} «select 1»; «select 2»"),
    ("a configuration", "dbt-snowflake", "«{{ config(severity='warn') }}\nselect 1»"),
    (
        "tests",
        "dbt-snowflake",
        "«{% test a(m) %}\n"
        "select 1;\n"
        "{% endtest %}»\n"
        "\n"
        "«{%- test b(m) -%} select 2 {%- endtest -%}»",
    ),
    (
        "macros",
        "dbt-snowflake",
        "«{% macro a() %} {% if x %} select 1; {% endif %} {% endmacro %}»\n"
        "«{% macro b() %} c {% endmacro %}»",
    ),
    (
        "a condition within",
        "dbt-snowflake",
        "«select 1 {% if x %} where a {% endif %}»; «select 2»",
    ),
    (
        "statements under a condition",
        "dbt-snowflake",
        "«{% if x %} select 1; select 2; {% endif %}»\n«select 3»;",
    ),
    ("a condition without end", "dbt-snowflake", "«{% if x %} select 1»; «select 2»;"),
    ("a value", "dbt-snowflake", "«{% set a = 1 %}\nselect 1»; «select 2»"),
    (
        "marks of BigQuery's checks",
        "bigquery+jinja",
        "#fail\n«{{ a(x='1;') }}»\n#warn\n«{{ b() }}»\n\n#fail\n«SELECT 1»;\n",
    ),
    ("calls", "bigquery+jinja", "#fail\n«{{ a() }}»\n«{{ b() }}»\n"),
    (
        "SQLMesh",
        "sqlmesh",
        "«MODEL (name a, kind FULL)»;\n«SELECT 1»;\n«AUDIT (name b)»;\n«SELECT 2»;",
    ),
    (
        "Dataform",
        "dataform",
        "«config {\n"
        " a: {b: 'c; }'}\n"
        "}»\n"
        "«pre_operations {\n"
        " SELECT 1;\n"
        "}»\n"
        '«select 2 from ${ref({a: "b;"})}»',
    ),
]

BROKEN = [
    ("a quote too few", "postgres", "«SELECT 'a FROM t»;\n«SELECT 'x' FROM u»;\n«SELECT 2»;"),
    (
        "a quote too few at the end",
        "oracle",
        "«SELECT 'a' FROM t»;\n«SELECT 'b FROM u»;\n«SELECT 2 FROM v»;",
    ),
    ("before a comment", "oracle", "«SELECT 'b FROM u»;\n\n-- next\n«SELECT 2 FROM v»;"),
    ("before a slash", "oracle", "«SELECT 'b FROM u»\n/\n«SELECT 2 FROM v»;"),
    ("before GO", "tsql", "«SELECT 'b FROM u»\nGO\n«SELECT 2 FROM v»"),
    ("nothing is sure", "oracle", "«SELECT 'b; c»"),
    ("a script in a literal", "postgres", "«SELECT 'a;\nSELECT b;\n' AS x»; «SELECT 2»"),
    ("a bracket too few", "postgres", "«SELECT (a FROM t»;\n«SELECT 2»;"),
    ("a name without end", "oracle", '«SELECT "a FROM t»;\n«SELECT 2 FROM u»;'),
    ("a comment without end", "oracle", "«SELECT 1 FROM t»;\n«/* a\nSELECT 2 FROM u»;"),
    ("a nested comment without end", "postgres", "/* a /* b */\n«SELECT 1»; «SELECT 2»"),
    ("dollars without end", "postgres", "«DO $$ a»; «SELECT 2»;"),
    ("a template without end", "dbt-snowflake", "«select {{ a»; «select 2»"),
    ("cut in the middle", "oracle", "«SELECT a FROM t WHERE»;\n«SELECT 2 FROM»"),
]

ALL = {
    "strings": STRINGS,
    "comments": COMMENTS,
    "separators": SEPARATORS,
    "clients": CLIENTS,
    "blocks": BLOCKS,
    "batches": BATCHES,
    "templates": TEMPLATES,
    "broken": BROKEN,
}
