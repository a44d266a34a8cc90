"""Scripts, and the statements that a person sees in them: (what, dialect, script).

Each statement stands in « ». The dialect may be a word with a wrapper. Every script is put together
so that a cut in a wrong place, or one too few, shows.
"""

STRINGS = [
    ("doubled quotes", "postgres", "«SELECT 'it''s; a'»; «SELECT 2»;"),
    ("backslash is a sign", "postgres", "«SELECT 'C:\\'»; «SELECT 2»"),
    ("E'' escapes", "postgres", "«SELECT E'it\\'s;'»; «SELECT 2»"),
    ("backslash escapes", "mysql", "«SELECT 'it\\'s; a'»; «SELECT 2»"),
    ("double quotes hold text", "mysql", '«SELECT "a;\'b"»; «SELECT 2»'),
    ("double quotes hold names", "oracle", '«SELECT "a;\'b" FROM t»; «SELECT 2 FROM u»'),
    ("backticks", "mysql", "«SELECT `a;'b` FROM t»; «SELECT 2»"),
    ("brackets", "tsql", "«SELECT [a;'b] FROM t»; «SELECT 2»"),
    ("a bracket is doubled", "tsql", "«SELECT [a]];'b] FROM t»; «SELECT 2»"),
    ("an array is no name", "postgres", "«SELECT ARRAY['a'»; «SELECT ']'»"),
    ("N''", "tsql", "«SELECT N'a;b'»; «SELECT 2»"),
    ("own brackets", "oracle", "«SELECT q'[it's; a]' FROM t»; «SELECT 2 FROM u»"),
    ("own signs", "oracle", "«SELECT Nq'!it's; a!' FROM t»; «SELECT 2 FROM u»"),
    ("q'' is Oracle's", "mysql", "«SELECT q'[a'»; «SELECT 2»"),
    ("raw", "bigquery", "«SELECT r'\\d;\\'x'»; «SELECT 2»"),
    (
        "cells of a notebook",
        "databricks",
        "-- Databricks notebook source\n«SELECT 1 FROM t»\n-- COMMAND ----------\n-- x\n"
        "«SELECT 2 FROM u»\n\n-- COMMAND ----------\n«SELECT 3»;",
    ),
    ("no cells elsewhere", "hive", "«SELECT 1\n-- COMMAND ----------\nFROM u»; «SELECT 2»"),
    ("raw ends at its quote", "databricks", "«SELECT r'\\d;\\'»; «SELECT 2»"),
    ("three quotes", "bigquery", "«SELECT '''it's;\n a''', \"\"\"b\";\"\"\"»; «SELECT 2»"),
    ("dollars", "postgres", "«DO $$ BEGIN a; END $$»; «SELECT 2»"),
    ("dollars with a tag", "postgres", "«DO $x$ a; $$;$$ $x$»; «SELECT 2»"),
    ("parameters are no dollars", "postgres", "«SELECT $1»; «SELECT $2»"),
    (
        "$$X is a placeholder",
        "snowflake",
        "«SELECT 1 FROM t WHERE d > $$FROM_DT»;\n«SELECT 2 FROM u WHERE d > $$TO_DT»;",
    ),
    (
        "dollars of a body",
        "snowflake",
        "«CREATE FUNCTION f() RETURNS INT AS $$a;\n b$$»;\n«SELECT 2»;",
    ),
    ("dollars on a line", "snowflake", "«SELECT $$it's; a$$»;\n«SELECT 2»;"),
    ("${x}", "hive", "«SELECT '${hivevar:d}', ${a;b} FROM t»; «SELECT 2»"),
    ("-- in a literal", "tsql", "«SELECT '--'»; «SELECT 2»"),
    ("/* in a literal", "tsql", "«SELECT '/*'»; «SELECT '*/'»"),
]

COMMENTS = [
    ("a line", "oracle", "-- it's; a\n«SELECT 1 FROM t»;"),
    ("a line inside", "oracle", "«SELECT 1 -- it's; a\nFROM t»; «SELECT 2 FROM u»"),
    ("a block", "oracle", "«SELECT 1 /* it's; */ FROM t»; «SELECT 2 FROM u»"),
    ("blocks nest", "postgres", "/* a /* b */ ; */ «SELECT 1»; «SELECT 2»"),
    ("blocks nest in T-SQL", "tsql", "/* a /* b */ ; */ «SELECT 1»; «SELECT 2»"),
    ("blocks don't nest", "oracle", "/* a /* b */ «SELECT 1 FROM t»; «SELECT 2 FROM u»"),
    ("# of MySQL", "mysql", "# it's; a\n«SELECT 1»; # b;\n«SELECT 2»;"),
    ("# of BigQuery", "bigquery", "# it's; a\n«SELECT 1»;"),
    ("#temp of T-SQL", "tsql", "«SELECT 1 FROM #t»; «SELECT 2 FROM ##u»"),
    ("#MACRO", "mysql", "# note;\n«SELECT 1 FROM #DB.t WHERE a = #VAL»; «SELECT 2 FROM #DB»;"),
    ("#TODO is no macro", "mysql", "«SELECT 1» #TODO; mend it\n; «SELECT 2»"),
    ("-- needs a blank in MySQL", "mysql", "«SELECT 5--3»; «SELECT 2»"),
    ("--x at the margin", "mysql", "--it's; a\n«SELECT 1»;"),
    (
        "// of Snowflake",
        "snowflake",
        "// it's; a\n«SELECT 1»; // b;\n«PUT file:///tmp/x @s»; «SELECT 2»",
    ),
    ("// elsewhere", "postgres", "«SELECT 1 // 2»; «SELECT 2»"),
    ("REM and PROMPT", "oracle", "REM it's; a\nPROMPT don't; b\n«SELECT 1 FROM t»;"),
    ("a column called prompt", "oracle", "«CREATE TABLE t (\nprompt VARCHAR2(9),\nrem NUMBER)»;"),
    ("code in a comment of MySQL", "mysql", "«/*!50003 CREATE TRIGGER t; */»;\n«SELECT 1»;"),
    (
        "rules that are switched off",
        "oracle",
        "-- SELECT 1 FROM t;\n/* SELECT 2 FROM u; */\n«SELECT 3 FROM v»;",
    ),
    ("comments alone", "tsql", "-- nothing;\n/* here */\n"),
    ("nothing", "tsql", ""),
]

SEPARATORS = [
    ("no end", "oracle", "«SELECT 1 FROM t»"),
    ("empty ones", "oracle", ";;«SELECT 1 FROM t»;;"),
    ("GO", "tsql", "«SELECT 1»\nGO\n«SELECT 2»\n  go 5\n«SELECT 3»\nGo -- x\n«SELECT 4»"),
    ("GO is on its own line", "tsql", "«SELECT GO FROM t\nWHERE GO = 1»"),
    ("GO in other dialects", "mysql", "«SELECT 1 AS\nGO\nFROM t»"),
    ("GO with CRLF and CR", "tsql", "«SELECT 1»\r\nGO\r\n«SELECT 2»\rGO\r«SELECT 3»"),
    ("slash", "oracle", "«SELECT 1 FROM t»\n/\n«SELECT 2 FROM u»\n  / \n«SELECT 3 FROM v»"),
    ("a slash divides", "oracle", "«SELECT 1\n/ 2 FROM t»;"),
    (
        "DELIMITER",
        "mysql",
        "DELIMITER //\n«SELECT 1; SELECT 2»//\nDELIMITER ;\n«SELECT 3»; «SELECT 4»",
    ),
    (
        "a delimiter touches a word",
        "mysql",
        "DELIMITER $$\n«BEGIN a; END»$$\n«SELECT 2»$$\ndelimiter ;\n«SELECT 3»;",
    ),
    (";; as delimiter", "mysql", "DELIMITER ;;\n«SELECT 1; SELECT 2» ;;\nDELIMITER ;\n«SELECT 3»;"),
    ("@", "db2", "«SELECT 1 FROM t»@\n«SELECT 2 FROM u»\n@\n«SELECT a@b FROM v»"),
    ("SET TERMINATOR", "db2", "--#SET TERMINATOR !\n«SELECT 1; SELECT 2»!\n«SELECT 3»!"),
    ("&", "oracle-odi", "«select 1 from a»\n& /*-----*/\n«select 2 from b»\n&\n«select 3 from c»"),
    ("& with a ruler", "snowflake", "«select 1 from a»\n& /*-----*/\n«select 2 from b»"),
    ("& is an operator", "tsql", "«SELECT a\n& b FROM t»"),
    ("ET", "teradata", "BT;\n«DEL FROM t»;\nET;\n«SEL 1»;"),
    ("\\G", "mysql", "«SELECT 1»\\G\n«SELECT 2»\\g"),
    ("\\g and \\gx", "postgres", "«SELECT 1» \\gx\n«SELECT 2»\\g\n«SELECT 3»"),
    ("BOM", "tsql", "\ufeff«SELECT 1»\nGO\n«SELECT 2»"),
    ("CRLF", "oracle", "«SELECT 1\r\nFROM t»;\r\n-- x;\r\n«SELECT 2 FROM u»;\r\n"),
    ("CR alone", "oracle", "-- a; b\r«SELECT 1\rFROM t»;\r/\r-- x;\r«SELECT 2 FROM u»"),
]

CLIENTS = [
    (
        "SQL*Plus",
        "oracle",
        "SET ECHO ON\n"
        "WHENEVER SQLERROR EXIT 1\n"
        "SPOOL x.log\n"
        "DEFINE a = 'b;'\n"
        "VAR n NUMBER\n"
        "ACCEPT x PROMPT 'it''s'\n"
        "@other.sql\n"
        "«SELECT 1 FROM t»;\n"
        "SPOOL OFF\n"
        "EXIT",
    ),
    ("a command goes on", "oracle", "TTITLE 'a' -\n  'b'\n«SELECT 1 FROM t»;"),
    (
        "SET of SQL",
        "oracle",
        "«SET TRANSACTION READ ONLY»;\n«SET ROLE a»;\n«SET CONSTRAINTS ALL DEFERRED»;",
    ),
    ("SET of UPDATE", "oracle", "«UPDATE t\nSET echo = 1\nWHERE a = 2»;"),
    (
        "EXEC ends with its line",
        "oracle",
        "«EXEC p('a;b')»\n«SELECT 1 FROM t»;\n«exec q»;\n«SELECT 2 FROM u»;",
    ),
    ("a semicolon that lacks", "oracle", "«SELECT 1 FROM t»\nPROMPT next\n«SELECT 2 FROM u»;"),
    (
        "psql",
        "postgres",
        "\\set ON_ERROR_STOP 1\n\\i other's.sql\n«SELECT 1»;\n\\echo 'done;'\n«SELECT 2»;",
    ),
    (
        "a choice within a statement",
        "postgres",
        "«SELECT a FROM t\n\\if :x\nWHERE b < 0\n\\endif»\n;",
    ),
    ("rows of COPY", "postgres", "«COPY t (a) FROM stdin»;\n1\tit's;\n2\tb\n\\.\n\n«SELECT 1»;"),
    (
        "BTEQ",
        "teradata",
        ".LOGON a/b,c\n"
        ".SET WIDTH 200\n"
        "«SEL 1»;\n"
        ".IF ERRORCODE <> 0 THEN .QUIT 8;\n"
        "«SEL 2»;\n"
        ".LABEL X\n"
        ".QUIT 0",
    ),
    (
        "a statement without its end",
        "teradata",
        "«SEL 1 FROM t»\n.IF ERRORCODE <> 0 THEN .QUIT 8\n«SEL 2»;",
    ),
    ("a comment behind a command", "teradata", ".GOTO X /* a;\n b */\n«SEL 1»;"),
    (
        "MultiLoad",
        "teradata",
        "«.LAYOUT a»;\n«.BEGIN IMPORT MLOAD TABLES t\n WORKTABLES w»;\n«SEL 1»;",
    ),
    ("sqlcmd", "tsql", ":setvar db it's\n:r other.sql\n!!dir\nUSE $(db)\nGO\n«SELECT 1»"),
    ("USE", "tsql", "USE [a b];\n«SELECT 1»;\nUSE c\n«SELECT 2»"),
    ("USE of Snowflake", "snowflake", "USE WAREHOUSE w;\nUSE DATABASE d;\n«SELECT 1»;"),
    (
        "beeline",
        "hive",
        "!set verbose it's\n!connect jdbc:x\n«SELECT 1»;\ndfs -rm /tmp/*;\n«SELECT 2»; -- */",
    ),
    ("SnowSQL", "snowflake", "!set variable_substitution=true\n!source x's.sql\n«SELECT 1»;"),
    ("mysql", "mysql", "source it's.sql\nUSE db\n«SELECT 1»;"),
    ("Db2's shell", "db2", "ECHO it's;\n!date\n«SELECT 1 FROM t»;"),
]
