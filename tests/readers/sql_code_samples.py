"""Code that converts: name, dialect, code, its rules."""

CONVERTS = [
    # What others are passed over for --------------------------------------------------------------
    (
        "the records that a trigger lets pass before",
        "oracle",
        "CREATE TRIGGER g BEFORE INSERT ON t FOR EACH ROW BEGIN"
        " IF :NEW.kind = 'draft' THEN RETURN; END IF;"
        " IF :NEW.a IS NULL THEN RAISE_APPLICATION_ERROR(-20001, 'a is missing'); END IF; END;",
        ["t: CASE WHEN kind = 'draft' THEN FALSE ELSE TRUE END AND a IS NULL -> raise"],
    ),
    (
        "a variable of the loop passes over no record",
        "mysql",
        "CREATE PROCEDURE p(IN b INT) BEGIN DECLARE done INT; DECLARE v INT;"
        " DECLARE c CURSOR FOR SELECT amt FROM t WHERE batch_id = b; OPEN c;"
        " r: LOOP FETCH c INTO v; IF done THEN LEAVE r; END IF;"
        " IF v IS NULL THEN INSERT INTO err (code) VALUES ('E1'); END IF; END LOOP; END",
        ["t: amt IS NULL -> insert"],
    ),
    (
        "a variable that is a table",
        "tsql",
        "DECLARE @err TABLE (id INT); INSERT @err SELECT id FROM t WHERE a < 0;"
        " IF @@ERROR <> 0 PRINT 'x';",
        ["t: a < 0 -> insert"],
    ),
    (
        "a parameter that may be left out",
        "tsql",
        "CREATE PROCEDURE p @run INT = NULL AS"
        " IF EXISTS (SELECT 1 FROM t WHERE run_id = @run AND a < 0) THROW 50000, 'Negative', 1;",
        ["t: a < 0 -> raise"],
    ),
    # What must not be there -----------------------------------------------------------------------
    (
        "a query of bad records",
        "tsql",
        "IF EXISTS (SELECT 1 FROM dbo.policy WHERE premium < 0) RAISERROR('Negative', 16, 1);",
        ["dbo.policy: premium < 0 -> raise"],
    ),
    (
        "the first record is enough",
        "tsql",
        "IF EXISTS (SELECT TOP 1 1 FROM t WHERE a < 0 ORDER BY id) THROW 50000, 'Negative', 1",
        ["t: a < 0 -> raise"],
    ),
    (
        "a mild severity is a message",
        "tsql",
        "IF EXISTS (SELECT 1 FROM t WHERE a IS NULL) RAISERROR('Missing a', 10, 1) WITH NOWAIT",
        ["t: a IS NULL -> notice"],
    ),
    (
        "a count in the condition",
        "tsql",
        "IF (SELECT COUNT(*) FROM dbo.t WHERE amt < 0) > 0 THROW 50001, 'Negative amount', 1;",
        ["dbo.t: amt < 0 -> raise"],
    ),
    (
        "a count by way of a variable",
        "tsql",
        "DECLARE @n INT; SELECT @n = COUNT(*) FROM t WHERE a IS NULL\n"
        "IF @n <> 0 THROW 50000, 'x', 1",
        ["t: a IS NULL -> raise"],
    ),
    (
        "a variable with a query as its value",
        "tsql",
        "DECLARE @n INT = (SELECT COUNT(*) FROM t WHERE a < 0); IF 1 <= @n RAISERROR('x', 16, 1);",
        ["t: a < 0 -> raise"],
    ),
    (
        "a count of a query with a name",
        "tsql",
        "DECLARE @n INT; WITH c AS (SELECT id FROM t WHERE a < 0) SELECT @n = COUNT(*) FROM c; "
        "IF @n > 0 THROW 50000, 'x', 1",
        ["t: a < 0 -> raise"],
    ),
    (
        "each variable is paired with its last query",
        "oracle",
        "DECLARE v NUMBER; BEGIN SELECT COUNT(*) INTO v FROM t WHERE a IS NULL;"
        " IF v > 0 THEN RAISE_APPLICATION_ERROR(-20001, 'A'); END IF;"
        " SELECT COUNT(*) INTO v FROM u WHERE b < 0;"
        " IF v > 0 THEN RAISE_APPLICATION_ERROR(-20002, 'B'); END IF; END;",
        ["t: a IS NULL -> raise", "u: b < 0 -> raise"],
    ),
    (
        "several values of one query",
        "oracle",
        "DECLARE a NUMBER; b NUMBER; BEGIN"
        " SELECT COUNT(*), SUM(CASE WHEN amt < 0 THEN 1 ELSE 0 END) INTO a, b FROM t;"
        " IF b > 0 THEN RAISE_APPLICATION_ERROR(-20001, 'x'); END IF; END;",
        ["t: amt < 0 -> raise"],
    ),
    (
        "ELSE turns the condition",
        "oracle",
        "DECLARE v NUMBER; BEGIN SELECT COUNT(*) INTO v FROM t WHERE a IS NULL;"
        " IF v = 0 THEN NULL; ELSE RAISE_APPLICATION_ERROR(-20001, 'a is null'); END IF; END;",
        ["t: a IS NULL -> raise"],
    ),
    (
        "the message of IF says that all is well",
        "tsql",
        "DECLARE @n INT; SELECT @n = COUNT(*) FROM t WHERE a < 0;"
        " IF @n = 0 PRINT 'No errors found' ELSE PRINT 'Negative values found';",
        ["t: a < 0 -> notice"],
    ),
    (
        "OR is several rules",
        "oracle",
        "DECLARE a NUMBER; b NUMBER; BEGIN SELECT COUNT(*) INTO a FROM t WHERE x < 0;"
        " SELECT COUNT(*) INTO b FROM u WHERE y < 0;"
        " IF a > 0 OR b > 0 THEN RAISE_APPLICATION_ERROR(-20001, 'x'); END IF; END;",
        ["t: x < 0 -> raise", "u: y < 0 -> raise"],
    ),
    (
        "ELSE IF",
        "tsql",
        "IF EXISTS (SELECT 1 FROM t WHERE a < 0) THROW 50000, 'A', 1"
        " ELSE IF EXISTS (SELECT 1 FROM t WHERE b < 0) THROW 50000, 'B', 1",
        ["t: a < 0 -> raise", "t: b < 0 -> raise"],
    ),
    (
        "CASE as a statement",
        "mysql",
        "CREATE PROCEDURE p() BEGIN DECLARE n INT; SELECT COUNT(*) INTO n FROM t WHERE a < 0;"
        " CASE WHEN n > 0 THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'x'; ELSE BEGIN END;"
        " END CASE; END",
        ["t: a < 0 -> raise"],
    ),
    (
        "a jump to where the error is raised",
        "tsql",
        "CREATE PROC p AS DECLARE @msg VARCHAR(99)\nIF EXISTS (SELECT 1 FROM t WHERE a < 0)"
        " BEGIN SET @msg = 'A negative' GOTO Err END\nRETURN 0\nErr:\nRAISERROR(@msg, 16, 1)",
        ["t: a < 0 -> raise"],
    ),
    (
        "a count of errors that is raised later",
        "tsql",
        "DECLARE @e INT = 0; IF EXISTS (SELECT 1 FROM t WHERE a < 0) SET @e = @e + 1;"
        " IF EXISTS (SELECT 1 FROM t WHERE b < 0) SET @e += 1; IF @e > 0 THROW 50000, 'x', 1;",
        ["t: a < 0 -> raise", "t: b < 0 -> raise"],
    ),
    (
        "how many records were shown",
        "tsql",
        "SELECT id FROM t WHERE a < 0; IF @@ROWCOUNT > 0 THROW 50000, 'x', 1;",
        ["t: a < 0 -> raise"],
    ),
    (
        "PL/pgSQL",
        "postgres",
        "DO $$ DECLARE n int; BEGIN SELECT count(*) INTO n FROM t WHERE a < 0;\n"
        " IF n > 0 THEN RAISE EXCEPTION 'Bad: %', n; END IF;\n"
        " IF EXISTS (SELECT 1 FROM t WHERE b IS NULL) THEN RAISE WARNING 'b'; END IF;\n"
        " PERFORM 1 FROM t WHERE c < 0;\n IF FOUND THEN RAISE EXCEPTION 'c'; END IF; END $$;",
        ["t: a < 0 -> raise", "t: b IS NULL -> notice", "t: c < 0 -> raise"],
    ),
    (
        "a class 01 is a warning",
        "mysql",
        "CREATE PROCEDURE p() BEGIN SET @x = (SELECT COUNT(*) FROM t WHERE b < 0);"
        " IF @x > 0 THEN SIGNAL SQLSTATE '01000' SET MESSAGE_TEXT = 'x'; END IF; END",
        ["t: b < 0 -> notice"],
    ),
    (
        "Db2",
        "db2",
        "BEGIN ATOMIC DECLARE n INTEGER; SET n = (SELECT COUNT(*) FROM t WHERE a < 0);"
        " IF n > 0 THEN SIGNAL SQLSTATE '75001' ('x'); END IF; END",
        ["t: a < 0 -> raise"],
    ),
    (
        "Snowflake",
        "snowflake",
        "EXECUTE IMMEDIATE $$ DECLARE n INT; e EXCEPTION (-20001, 'Negative'); BEGIN"
        " SELECT COUNT(*) INTO :n FROM t WHERE a < 0; IF (n > 0) THEN RAISE e; END IF; END; $$",
        ["t: a < 0 -> raise"],
    ),
    (
        "BigQuery",
        "bigquery",
        "DECLARE n INT64; SET n = (SELECT COUNT(*) FROM d.t WHERE a < 0);"
        " IF n > 0 THEN RAISE USING MESSAGE = 'x'; END IF;",
        ["d.t: a < 0 -> raise"],
    ),
    (
        "ASSERT of a count",
        "bigquery",
        "ASSERT (SELECT COUNT(*) FROM `p.d.t` WHERE a < 0) = 0 AS 'no negative amounts'",
        ["p.d.t: a < 0 -> raise"],
    ),
    (
        "ASSERT NOT EXISTS",
        "bigquery",
        "ASSERT NOT EXISTS (SELECT 1 FROM d.t WHERE a < 0)",
        ["d.t: a < 0 -> raise"],
    ),
    (
        "ABORT of records",
        "teradata",
        "ABORT 'negative' FROM stg.t WHERE amt < 0",
        ["stg.t: amt < 0 -> raise"],
    ),
    (
        "ABORT where something exists",
        "teradata",
        "ABORT 'negative' WHERE EXISTS (SELECT 1 FROM stg.t WHERE amt < 0)",
        ["stg.t: amt < 0 -> raise"],
    ),
    # What must be there, figures ------------------------------------------------------------------
    (
        "something must exist",
        "tsql",
        "IF NOT EXISTS (SELECT 1 FROM t WHERE d = '2024-01-01') RAISERROR('No rows', 16, 1)",
        ["t: (SELECT COUNT(*) FROM ruleferry_batch WHERE d = '2024-01-01') = 0 -> raise"],
    ),
    (
        "a count of none",
        "oracle",
        "DECLARE v NUMBER; BEGIN SELECT COUNT(*) INTO v FROM t;"
        " IF v = 0 THEN RAISE_APPLICATION_ERROR(-20001, 'no rows'); END IF; END;",
        ["t: (SELECT COUNT(*) FROM ruleferry_batch) = 0 -> raise"],
    ),
    (
        "nothing was found",
        "postgres",
        "DO $$ BEGIN PERFORM 1 FROM t; IF NOT FOUND THEN RAISE EXCEPTION 'x'; END IF; END $$",
        ["t: (SELECT COUNT(*) FROM ruleferry_batch) = 0 -> raise"],
    ),
    (
        "an assertion holds only where it is true",
        "postgres",
        "DO $$ BEGIN ASSERT (SELECT count(*) FROM t) > 0, 'empty'; END $$",
        ["t: good (SELECT COUNT(*) FROM ruleferry_batch) > 0 -> raise"],
    ),
    (
        "a threshold",
        "tsql",
        "IF (SELECT COUNT(*) FROM t WHERE a < 0) > 10 THROW 50000, 'x', 1",
        ["t: (SELECT COUNT(*) FROM ruleferry_batch WHERE a < 0) > 10 -> raise"],
    ),
    (
        "two counts",
        "tsql",
        "DECLARE @s INT, @t INT; SELECT @s = COUNT(*) FROM stg.o; SELECT @t = COUNT(*) FROM dw.o;"
        " IF @s <> @t THROW 50001, 'x', 1;",
        ["stg.o: (SELECT COUNT(*) FROM ruleferry_batch) <> (SELECT COUNT(*) FROM dw.o) -> raise"],
    ),
    (
        "a sum is NULL of an empty table, and ELSE is taken then",
        "tsql",
        "DECLARE @n INT; SELECT @n = SUM(CASE WHEN a < 0 THEN 1 ELSE 0 END) FROM t;"
        " IF @n = 0 PRINT 'ok' ELSE THROW 50000, 'x', 1",
        [
            "t: good (SELECT SUM(CASE WHEN a < 0 THEN 1 ELSE 0 END) FROM ruleferry_batch) = 0"
            " -> raise"
        ],
    ),
    # Errors that are caught -----------------------------------------------------------------------
    (
        "a handler hands the error on",
        "tsql",
        "BEGIN TRY IF EXISTS (SELECT 1 FROM t WHERE a < 0) THROW 50001, 'x', 1; END TRY"
        " BEGIN CATCH ROLLBACK; THROW; END CATCH",
        ["t: a < 0 -> raise"],
    ),
    (
        "a handler keeps the error",
        "tsql",
        "BEGIN TRY IF EXISTS (SELECT 1 FROM t WHERE a < 0) THROW 50001, 'x', 1; END TRY"
        " BEGIN CATCH INSERT INTO log VALUES (ERROR_MESSAGE()); END CATCH",
        ["t: a < 0 -> notice"],
    ),
    (
        "BigQuery's handler of any error",
        "bigquery",
        "BEGIN ASSERT (SELECT COUNT(*) FROM t WHERE a < 0) = 0 AS 'x';"
        " SELECT ERROR('y') FROM t WHERE b < 0;"
        " EXCEPTION WHEN ERROR THEN SELECT @@error.message; END",
        ["t: a < 0 -> notice", "t: b < 0 -> notice"],
    ),
    (
        "a handler that hands the error on",
        "bigquery",
        "BEGIN ASSERT (SELECT COUNT(*) FROM t WHERE a < 0) = 0 AS 'x';"
        " EXCEPTION WHEN ERROR THEN RAISE; END",
        ["t: a < 0 -> raise"],
    ),
    (
        "Snowflake's handler of any error",
        "snowflake",
        "BEGIN LET n := (SELECT COUNT(*) FROM t WHERE a < 0); IF (n > 0) THEN RAISE e_bad; END IF;"
        " EXCEPTION WHEN OTHER THEN RETURN 'x'; END",
        ["t: a < 0 -> notice"],
    ),
    (
        "an exception with a name, and what its handler raises",
        "oracle",
        "DECLARE v NUMBER; e_bad EXCEPTION; BEGIN SELECT COUNT(*) INTO v FROM t WHERE a IS NULL;"
        " IF v > 0 THEN RAISE e_bad; END IF; EXCEPTION WHEN e_bad THEN"
        " RAISE_APPLICATION_ERROR(-20001, 'a is null'); WHEN OTHERS THEN NULL; END;",
        ["t: a IS NULL -> raise"],
    ),
    # Triggers -------------------------------------------------------------------------------------
    (
        "one statement",
        "mysql",
        "CREATE TRIGGER tr BEFORE INSERT ON t FOR EACH ROW"
        " IF NEW.a < 0 THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'x'; END IF",
        ["t: a < 0 -> raise"],
    ),
    (
        "WHEN and its branches",
        "oracle",
        "CREATE OR REPLACE TRIGGER trg BEFORE INSERT OR UPDATE OF amt ON pay FOR EACH ROW"
        " WHEN (NEW.status <> 'X') BEGIN\n IF :NEW.amt < 0 THEN"
        " RAISE_APPLICATION_ERROR(-20001, 'A');\n ELSIF :NEW.cur IS NULL THEN"
        " RAISE_APPLICATION_ERROR(-20002, 'B'); END IF; END;",
        ["pay: status <> 'X' AND amt < 0 -> raise", "pay: status <> 'X' AND cur IS NULL -> raise"],
    ),
    (
        "a look into another table",
        "oracle",
        "CREATE TRIGGER trg BEFORE INSERT ON pay FOR EACH ROW DECLARE n NUMBER; BEGIN"
        " SELECT COUNT(*) INTO n FROM curs WHERE code = :NEW.cur;"
        " IF n = 0 THEN RAISE_APPLICATION_ERROR(-20003, 'x'); END IF; END;",
        ["pay: in curs by cur=code -> raise"],
    ),
    (
        "a look into its own table",
        "mysql",
        "CREATE TRIGGER tr BEFORE INSERT ON t FOR EACH ROW BEGIN"
        " IF EXISTS (SELECT 1 FROM t WHERE t.code = NEW.code) THEN"
        " SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'x'; END IF; END",
        ["t: unique code -> raise"],
    ),
    (
        "Teradata",
        "teradata",
        "CREATE TRIGGER tr AFTER INSERT ON db.t REFERENCING NEW ROW AS n FOR EACH ROW"
        " WHEN (n.amt < 0) (INSERT INTO db.err_t VALUES (n.id, 'Negative');)",
        ["db.t: amt < 0 -> insert"],
    ),
    (
        "the records of a statement",
        "tsql",
        "CREATE TRIGGER trg ON dbo.acc AFTER INSERT, UPDATE AS BEGIN"
        " IF EXISTS (SELECT 1 FROM inserted WHERE bal < 0) BEGIN"
        " RAISERROR('Negative', 16, 1); ROLLBACK TRANSACTION; END END",
        ["dbo.acc: bal < 0 -> raise"],
    ),
    (
        "the records of a statement, and another table",
        "tsql",
        "CREATE TRIGGER trg ON dbo.acc AFTER INSERT AS IF EXISTS (SELECT 1 FROM inserted i LEFT"
        " JOIN dbo.cur c ON c.code = i.cur WHERE c.code IS NULL) ROLLBACK",
        ["dbo.acc: in dbo.cur by cur=code -> raise"],
    ),
    # Loops over records ---------------------------------------------------------------------------
    (
        "texts of errors are collected",
        "oracle",
        "CREATE PROCEDURE chk IS v_err VARCHAR2(4000); BEGIN\n FOR r IN (SELECT id, amt, cur FROM"
        " stg.pay) LOOP v_err := NULL;\n IF r.amt < 0 THEN v_err := v_err || 'Negative; '; END IF;"
        "\n IF r.cur IS NULL THEN v_err := v_err || 'Currency missing; '; END IF;\n"
        " IF v_err IS NOT NULL THEN INSERT INTO err_pay VALUES (r.id, v_err);"
        " ELSE INSERT INTO pay VALUES (r.id); END IF; END LOOP; END chk;",
        ["stg.pay: amt < 0 -> insert", "stg.pay: cur IS NULL -> insert"],
    ),
    (
        "texts of errors that are raised after the loop",
        "oracle",
        "DECLARE e VARCHAR2(99); BEGIN FOR r IN (SELECT * FROM t) LOOP"
        " IF r.amt < 0 THEN e := e || 'Negative'; END IF; END LOOP;"
        " IF e IS NOT NULL THEN RAISE_APPLICATION_ERROR(-20001, e); END IF; END;",
        ["t: amt < 0 -> raise"],
    ),
    (
        "the filter of the loop",
        "oracle",
        "DECLARE CURSOR c IS SELECT id, amt FROM t WHERE st = 1; a NUMBER; b NUMBER; BEGIN OPEN c;"
        " LOOP FETCH c INTO a, b; EXIT WHEN c%NOTFOUND; IF b < 0 THEN"
        " RAISE_APPLICATION_ERROR(-20001, 'x'); END IF; END LOOP; CLOSE c; END;",
        ["t: st = 1 AND amt < 0 -> raise"],
    ),
    (
        "variables of a cursor",
        "tsql",
        "DECLARE @id INT, @amt INT; DECLARE c CURSOR FOR SELECT id, amt FROM stg.pay; OPEN c;"
        " FETCH NEXT FROM c INTO @id, @amt; WHILE @@FETCH_STATUS = 0 BEGIN"
        " IF @amt < 0 INSERT INTO dq_errors VALUES (@id, 'Negative');"
        " FETCH NEXT FROM c INTO @id, @amt; END CLOSE c;",
        ["stg.pay: amt < 0 -> insert"],
    ),
    (
        "ELSE of a record is also taken where nothing is known",
        "oracle",
        "BEGIN FOR r IN (SELECT id, amt FROM t) LOOP IF r.amt >= 0 THEN NULL;"
        " ELSE RAISE_APPLICATION_ERROR(-20001, 'x'); END IF; END LOOP; END;",
        ["t: good amt >= 0 -> raise"],
    ),
    (
        "a branch before that does not complain",
        "oracle",
        "BEGIN FOR r IN (SELECT id, amt FROM t) LOOP IF r.amt = 0 THEN NULL; ELSIF r.id IS NULL"
        " THEN RAISE_APPLICATION_ERROR(-20001, 'x'); END IF; END LOOP; END;",
        ["t: CASE WHEN amt = 0 THEN FALSE ELSE id IS NULL END -> raise"],
    ),
    (
        "a lookup for each record",
        "oracle",
        "DECLARE n NUMBER; BEGIN FOR r IN (SELECT id, cur FROM t) LOOP"
        " SELECT COUNT(*) INTO n FROM curs c WHERE c.code = r.cur;"
        " IF n = 0 THEN INSERT INTO dq_err VALUES (r.id, 'unknown'); END IF; END LOOP; END;",
        ["t: in curs by cur=code -> insert"],
    ),
    (
        "every record of the loop is bad",
        "oracle",
        "BEGIN FOR r IN (SELECT id FROM t WHERE amt < 0) LOOP"
        " RAISE_APPLICATION_ERROR(-20001, 'Negative ' || r.id); END LOOP; END;",
        ["t: amt < 0 -> raise"],
    ),
    (
        "a mark beside the record, in nested blocks",
        "oracle",
        "BEGIN BEGIN FOR r IN (SELECT id, amt FROM t) LOOP BEGIN IF r.amt < 0 THEN"
        " UPDATE t SET status = 'E' WHERE id = r.id; END IF; EXCEPTION WHEN OTHERS THEN NULL;"
        " END; END LOOP; END; END;",
        ["t: amt < 0 -> update"],
    ),
    # Routines -------------------------------------------------------------------------------------
    (
        "a package, its constant, and a parameter that only picks the load",
        "oracle",
        "CREATE PACKAGE BODY dq IS c_max CONSTANT NUMBER := 100;\n"
        " PROCEDURE a(p_d DATE) IS v NUMBER;"
        " BEGIN SELECT COUNT(*) INTO v FROM t WHERE x > c_max AND load_date = p_d;"
        " IF v > 0 THEN RAISE_APPLICATION_ERROR(-20001, 'x'); END IF; END a;\nEND dq;",
        ["t: x > 100 -> raise"],
    ),
    (
        "the default of a parameter",
        "tsql",
        "CREATE PROC p @full INT = 1 AS IF @full = 1 BEGIN"
        " IF EXISTS (SELECT 1 FROM t WHERE a < 0) THROW 50000, 'x', 1 END",
        ["t: a < 0 -> raise"],
    ),
    (
        "one constant text",
        "bigquery",
        "EXECUTE IMMEDIATE 'ASSERT (SELECT COUNT(*) FROM d.t WHERE a < 0) = 0'",
        ["d.t: a < 0 -> raise"],
    ),
]
