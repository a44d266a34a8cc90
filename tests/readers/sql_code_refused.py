"""Code that must not become a rule: why, dialect, code, the codes of its gaps."""

_FAIL = "RAISE_APPLICATION_ERROR(-20001, 'wrong')"

REFUSED = [
    (
        "the variable is set in one branch only",
        "tsql",
        "DECLARE @n INT = 0; IF @m = 1 SET @n = (SELECT COUNT(*) FROM t WHERE a < 0);"
        " IF @n > 0 THROW 50000, 'x', 1;",
        ["procedural"],
    ),
    (
        "the variable grows in a loop",
        "oracle",
        "DECLARE s NUMBER := 0; BEGIN FOR r IN (SELECT amt FROM t) LOOP s := s + r.amt;"
        f" IF s > 100 THEN {_FAIL}; END IF; END LOOP; END;",
        ["procedural"],
    ),
    (
        "a procedure may set the variable",
        "oracle",
        f"DECLARE n NUMBER := 0; BEGIN n := 1; fix(n); IF n > 0 THEN {_FAIL}; END IF; END;",
        ["procedural"],
    ),
    (
        "a text that is run may set the variable",
        "oracle",
        "DECLARE n NUMBER := 0; BEGIN EXECUTE IMMEDIATE 'SELECT 1 FROM ' || v INTO n;"
        f" IF n > 0 THEN {_FAIL}; END IF; END;",
        ["dynamic_sql", "procedural"],
    ),
    (
        "a routine beside it sets the variable",
        "oracle",
        "CREATE PACKAGE BODY p IS g NUMBER := 0;\n PROCEDURE a IS BEGIN g := f(1); END;\n"
        f" PROCEDURE b IS BEGIN IF g > 0 THEN {_FAIL}; END IF; END;\nEND;",
        ["procedural"],
    ),
    (
        "a handler may set the variable",
        "oracle",
        "DECLARE n NUMBER; BEGIN BEGIN n := 1; EXCEPTION WHEN OTHERS THEN n := 0; END;"
        f" IF n > 0 THEN {_FAIL}; END IF; END;",
        ["procedural"],
    ),
    (
        "another condition stands around it",
        "tsql",
        "IF @full = 1 BEGIN IF EXISTS (SELECT 1 FROM t WHERE a < 0) THROW 50000, 'x', 1 END",
        ["procedural"],
    ),
    (
        "it runs in a loop",
        "tsql",
        "DECLARE @i INT = 1; WHILE @i < 3 BEGIN IF EXISTS (SELECT 1 FROM t WHERE k = @i AND a < 0)"
        " THROW 50000, 'x', 1; SET @i += 1; END",
        ["procedural"],
    ),
    (
        "the loop runs over two tables",
        "oracle",
        "BEGIN FOR r IN (SELECT t.id, t.amt FROM t JOIN u ON u.id = t.id) LOOP"
        f" IF r.amt < 0 THEN {_FAIL}; END IF; END LOOP; END;",
        ["procedural"],
    ),
    (
        "the value of some record",
        "oracle",
        f"DECLARE n NUMBER; BEGIN SELECT a INTO n FROM t WHERE b = 1; IF n > 0 THEN {_FAIL};"
        " END IF; END;",
        ["procedural"],
    ),
    (
        "an aggregate always gives a row",
        "tsql",
        "IF EXISTS (SELECT COUNT(*) FROM t WHERE a < 0) THROW 50000, 'x', 1",
        ["unknown_shape"],
    ),
    (
        "a count is never negative",
        "tsql",
        "IF (SELECT COUNT(*) FROM t WHERE a < 0) < 0 THROW 50000, 'x', 1",
        ["never_fails"],
    ),
    (
        "a message that may be anything",
        "tsql",
        "IF EXISTS (SELECT 1 FROM t WHERE a = 1) PRINT 'Rows of kind 1'",
        ["unknown_shape"],
    ),
    (
        "both messages seem to complain",
        "tsql",
        "DECLARE @n INT; SELECT @n = COUNT(*) FROM t WHERE a < 0;"
        " IF @n = 0 PRINT 'not good' ELSE PRINT 'missing things';",
        ["unknown_shape", "unknown_shape"],
    ),
    (
        "a text is put together",
        "tsql",
        "EXEC('SELECT * FROM ' + @t)",
        ["dynamic_sql"],
    ),
    (
        "rules that stand in a table",
        "oracle",
        "BEGIN FOR r IN (SELECT tab, cond FROM dq_rules) LOOP"
        " EXECUTE IMMEDIATE 'SELECT COUNT(*) FROM ' || r.tab || ' WHERE ' || r.cond INTO n;"
        " END LOOP; END;",
        ["rules_in_table"],
    ),
    (
        "a catalogue is no table of rules",
        "oracle",
        "BEGIN FOR r IN (SELECT table_name FROM user_tables) LOOP"
        " EXECUTE IMMEDIATE 'ANALYZE TABLE ' || r.table_name; END LOOP; END;",
        ["dynamic_sql"],
    ),
    (
        "records are passed over",
        "oracle",
        "BEGIN FOR r IN (SELECT * FROM t) LOOP IF r.amt < 0 THEN CONTINUE; END IF;"
        " INSERT INTO u VALUES (r.id); END LOOP; END;",
        ["rule_or_filter"],
    ),
    (
        "others are passed over before it, by a condition of their own",
        "postgres",
        "DO $$ BEGIN FOR r IN SELECT * FROM t LOOP CONTINUE WHEN r.kind = 'new';"
        " IF r.amt < 0 THEN RAISE EXCEPTION 'x'; END IF; END LOOP; END $$",
        ["procedural"],
    ),
    (
        "others are passed over within a block",
        "oracle",
        "BEGIN FOR r IN (SELECT * FROM t) LOOP BEGIN IF r.k = 1 THEN CONTINUE; END IF; END;"
        f" IF r.amt < 0 THEN {_FAIL}; END IF; END LOOP; END;",
        ["rule_or_filter", "procedural"],
    ),
    (
        "the record as it was",
        "oracle",
        "CREATE TRIGGER trg BEFORE INSERT OR UPDATE ON pay FOR EACH ROW BEGIN"
        f" IF :OLD.amt > :NEW.amt THEN {_FAIL}; END IF; END;",
        ["old_record"],
    ),
    (
        "records as they were",
        "tsql",
        "CREATE TRIGGER trg ON acc AFTER INSERT, UPDATE AS IF EXISTS (SELECT 1 FROM inserted i JOIN"
        " deleted d ON d.id = i.id WHERE i.bal < d.bal) RAISERROR('x', 16, 1)",
        ["old_record"],
    ),
    (
        "a trigger of deletions",
        "oracle",
        "CREATE TRIGGER trg BEFORE DELETE ON pay FOR EACH ROW BEGIN"
        f" IF :OLD.amt > 0 THEN {_FAIL}; END IF; END;",
        ["old_record"],
    ),
    (
        "the column is changed before it is tested",
        "oracle",
        "CREATE TRIGGER trg BEFORE INSERT ON pay FOR EACH ROW BEGIN :NEW.cur := UPPER(:NEW.cur);"
        f" IF :NEW.cur = 'X' THEN {_FAIL}; END IF; END;",
        ["procedural"],
    ),
    (
        "a trigger of whole statements",
        "oracle",
        "CREATE TRIGGER trg AFTER INSERT ON pay DECLARE n NUMBER; BEGIN SELECT COUNT(*) INTO n FROM"
        f" pay WHERE amt < 0; IF n > 0 THEN {_FAIL}; END IF; END;",
        ["procedural"],
    ),
    (
        "its own table, and more than a key",
        "mysql",
        "CREATE TRIGGER tr BEFORE INSERT ON t FOR EACH ROW BEGIN IF EXISTS (SELECT 1 FROM t WHERE"
        " t.code = NEW.code AND t.live = 1) THEN SIGNAL SQLSTATE '45000'; END IF; END",
        ["procedural"],
    ),
    (
        "what happens to the record",
        "postgres",
        "CREATE FUNCTION chk() RETURNS trigger AS $$ BEGIN IF TG_OP = 'INSERT' AND NEW.a < 0 THEN"
        " RAISE EXCEPTION 'x'; END IF; RETURN NEW; END $$ LANGUAGE plpgsql",
        ["no_table"],
    ),
    (
        "another language",
        "postgres",
        "CREATE FUNCTION f() RETURNS int AS $$ return 1 $$ LANGUAGE plpython3u",
        ["not_readable"],
    ),
    (
        "a count is no condition",
        "bigquery",
        "ASSERT (SELECT COUNT(*) FROM d.t WHERE a < 0)",
        ["procedural"],
    ),
    (
        "what is aborted is no table",
        "teradata",
        "ABORT 'x' FROM SELECT 1 FROM d.t WHERE a < 0",
        ["unknown_shape"],
    ),
    ("a cursor without a name", "oracle", "DECLARE CURSOR", ["not_readable"]),
    ("it is cut off", "tsql", "IF EXISTS (SELECT 1 FROM t WHERE a < 0", ["not_readable"]),
    (
        "a parenthesis is missing",
        "tsql",
        "IF EXISTS (SELECT 1 FROM t WHERE a < 0 RAISERROR('x', 16, 1)",
        ["not_readable"],
    ),
    (
        "an IF without its END",
        "oracle",
        f"DECLARE n NUMBER := 0; BEGIN IF n > 0 THEN {_FAIL};",
        ["not_readable"],
    ),
]

# What is no rule, and no gap either.
NO_RULES = [
    (
        "setting up",
        "tsql",
        "USE db SET NOCOUNT ON DECLARE @x INT SET @x = 1 PRINT 'start' COMMIT",
    ),
    ("a call", "oracle", "BEGIN pkg.load(p_x => 1); COMMIT; END;"),
    ("rights", "tsql", "DECLARE @x INT GRANT SELECT, INSERT ON t TO u"),
    (
        "a seed",
        "tsql",
        "IF NOT EXISTS (SELECT 1 FROM dim WHERE id = -1) INSERT INTO dim VALUES (-1, 'Unknown')",
    ),
    (
        "the catalogue",
        "tsql",
        "IF NOT EXISTS (SELECT * FROM sys.tables WHERE name = 't') RAISERROR('Missing', 16, 1)",
    ),
    ("how the run goes", "tsql", "IF @@ERROR <> 0 RAISERROR('Failed', 16, 1)"),
    (
        "how it was called",
        "oracle",
        "CREATE PROCEDURE p(d DATE) IS BEGIN IF d IS NULL THEN"
        " RAISE_APPLICATION_ERROR(-20001, 'date missing'); END IF; END;",
    ),
    (
        "an audit",
        "oracle",
        "CREATE TRIGGER trg AFTER INSERT ON pay FOR EACH ROW BEGIN"
        " INSERT INTO pay_audit VALUES (:NEW.id, SYSDATE); END;",
    ),
    (
        "an error that is handed on",
        "oracle",
        "BEGIN NULL; EXCEPTION WHEN OTHERS THEN RAISE_APPLICATION_ERROR(-20001, SQLERRM); END;",
    ),
    (
        "a result of another procedure",
        "tsql",
        "DECLARE @rc INT; EXEC @rc = dbo.load; IF @rc <> 0 RAISERROR('Load failed', 16, 1)",
    ),
]
