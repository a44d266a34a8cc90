"""Workbooks as stewards make them: what each cell becomes, from the file to the condition."""

from openpyxl.comments import Comment
from openpyxl.styles import Font
from steward_books import book, conditions, converted, outcomes, skipped


def number(column):
    return f"try_cast(regexp_extract(CAST({column} AS STRING), '^[-+.0-9eE]+\\\\z', 0) AS DOUBLE)"


def test_a_rule_list_may_name_the_column_of_its_row(tmp_path):
    """No sheet of the workbook describes the table."""
    rows = [
        ["Rule ID", "Table", "Field", "Rule description", "Severity"],
        ["DQ001", "loans", "amount", "amount must be greater than 0", "High"],
        ["DQ002", "loans", "Status", "status must be one of Open, Closed", "Low"],
        ["DQ003", "loans", "amount", "paid must be greater than 0", "Low"],
    ]
    done = converted(tmp_path, book(rows, "Rules"))
    assert conditions(done) == {
        "loans.dq001": f"amount IS NULL OR coalesce({number('amount')} > 0, FALSE)",
        "loans.dq002": "Status IS NULL OR CAST(Status AS STRING) IN ('Open', 'Closed')",
    }
    assert outcomes(done)["Rules!D4"] == "name_unresolved"


def test_a_form_of_questions(tmp_path):
    """The end of a group is no question to anybody, and `or_other` adds a choice."""
    rows = [
        ["type", "name", "label", "required", "relevant", "constraint"],
        ["begin group", "home", "Your home", None, "${kind} = 'a'", None],
        ["integer", "rooms", "How many rooms?", "yes", None, ". > 0"],
        ["end group"],
        ["text", "street", "Which street?"],
        ["select_one kinds or_other", "kind", "What kind of home?", "yes", None, None],
    ]
    made = book(rows, "survey")
    choices = [["list_name", "name", "label"], ["kinds", "a", "A"], ["kinds", "b", "B"]]
    done = converted(tmp_path, book(choices, "choices", made))
    assert conditions(done)["book.kind_allowed"] == (
        "kind IS NULL OR CAST(kind AS STRING) IN ('a', 'b', 'other')"
    )
    assert conditions(done)["book.rooms_present"] == (
        "kind IS NULL OR CAST(kind AS STRING) <> 'a' OR rooms IS NOT NULL"
    )
    assert outcomes(done)["survey!A4"] == "not_a_rule"
    assert [entry.origin.place for entry in done.ledger.entries if entry.gap] == []


def test_a_column_of_keys_beside_the_names(tmp_path):
    """`Key` may hold names too; here the column of the names stands beside it."""
    rows = [
        ["Table", "Column", "Key"],
        ["lines", "order_id", "PK, FK"],
        ["lines", "line_no", "PK"],
        ["lines", "sku", "FK"],
        ["orders", "id", "PK"],
        ["orders", "ref", "UK"],
    ]
    done = converted(tmp_path, book(rows))
    assert conditions(done) == {
        "lines.order_id_present": "order_id IS NOT NULL",
        "lines.line_no_present": "line_no IS NOT NULL",
        "lines.line_no_order_id_unique": (
            "line_no IS NULL OR order_id IS NULL OR line_no_order_id_unique_copies <= 1"
        ),
        "orders.id_present": "id IS NOT NULL",
        "orders.id_unique": "id IS NULL OR id_unique_copies <= 1",
        "orders.ref_unique": "ref IS NULL OR ref_unique_copies <= 1",
    }
    assert outcomes(done)["Fields!C2"] == ["not_a_rule", "record", "other_records"]
    assert outcomes(done)["Fields!C4"] == "other_records"


def test_what_a_database_says_of_its_columns(tmp_path):
    """DESCRIBE of MySQL and of Oracle, pasted into a sheet each."""
    rows = [
        ["Field", "Type", "Null", "Key", "Default"],
        ["id", "int(11)", "NO", "PRI", "NULL"],
        ["name", "varchar(45)", "YES", "MUL", "NULL"],
        ["mail", "varchar(99)", "NO", "UNI", None],
    ]
    oracle = [["Name", "Null?", "Type"], ["EMP_ID", "NOT NULL", "CHAR(6)"], ["BORN", None, "DATE"]]
    done = converted(tmp_path, book(oracle, "EMPLOYEES", book(rows, "users")))
    found = conditions(done)
    assert {name for name in found if name.endswith(("present", "unique"))} == {
        "users.id_present",
        "users.id_unique",
        "users.mail_present",
        "users.mail_unique",
        "EMPLOYEES.emp_id_present",
    }
    assert found["users.name_length"] == "name IS NULL OR length(CAST(name AS STRING)) <= 45"
    assert outcomes(done)["users!D3"] == "not_a_rule"


def test_a_running_number_is_no_key(tmp_path):
    rows = [["Key", "Column", "Required"], [1, "id", "Y"], [2, "name", "N"], [3, "mail", "N"]]
    done = converted(tmp_path, book(rows))
    assert conditions(done) == {"book.id_present": "id IS NOT NULL"}
    assert outcomes(done)["Fields!A2"] == "column_unsure"


def test_the_table_and_the_column_that_a_field_refers_to(tmp_path):
    rows = [
        ["Field Name", "Required", "Reference Table", "Reference Column"],
        ["dept_id", "Y", "departments", "id"],
    ]
    done = converted(tmp_path, book(rows, "staff"))
    assert conditions(done) == {
        "staff.dept_id_present": "dept_id IS NOT NULL",
        "staff.dept_id_exists": "dept_id IS NULL OR dept_id_exists_found",
    }


def test_types_that_are_not_sure_still_tell_what_a_length_is_not(tmp_path):
    """One unknown type of five leaves the column to a person; 4 is no length of a whole number."""
    rows = [
        ["Column", "Type", "Length", "Min"],
        ["a", "INTEGER", 4, None],
        ["b", "Frobnicate", 9, None],
        ["c", "VARCHAR", 20, None],
        ["d", "DATE", None, 20200101],
        ["e", "DATE", None, 43831],
    ]
    done = converted(tmp_path, book(rows))
    assert set(conditions(done)) == {"book.c_length", "book.d_range"}
    assert conditions(done)["book.c_length"] == "c IS NULL OR length(CAST(c AS STRING)) <= 20"
    assert conditions(done)["book.d_range"].endswith(">= DATE'2020-01-01', FALSE)")
    assert outcomes(done) == {
        **{f"Fields!B{row}": "column_unsure" for row in range(2, 7)},
        "Fields!C2": "not_a_rule",
        "Fields!C3": "not_understood",
        "Fields!C4": "record",
        "Fields!D5": "record",
        "Fields!D6": "corrupted_cell",
    }


def test_digits_before_and_after_the_point_in_a_column_of_lengths(tmp_path):
    rows = [
        ["Column", "Data Type", "Length"],
        ["amount", "decimal", "18,2"],
        ["share", "numeric", "(5,4)"],
        ["name", "varchar", 50],
        ["note", "varchar", "10,2"],
    ]
    sorts = {"amount": "decimal(38,10)", "share": "double", "name": "string", "note": "string"}
    schema = [("book", *pair) for pair in sorts.items()]
    done = converted(tmp_path, book(rows), schema=schema)
    found = conditions(done)
    assert found["book.name_length"] == "name IS NULL OR length(name) <= 50"
    digits = {name: said for name, said in found.items() if "amount" in name}
    assert any("round(amount, 2)" in said for said in digits.values()), digits
    assert outcomes(done)["Fields!C3"] == "record"
    assert outcomes(done)["Fields!C5"] == "not_understood"


def test_a_condition_in_the_cell_that_says_required(tmp_path):
    """As the question about such a cell proposes to write it."""
    rows = [
        ["Field", "Required"],
        ["status", "Y"],
        ["closed_on", "required if status = 'closed'"],
        ["reason", "Required unless status = 'open'"],
        ["branch", "Required for closed accounts"],
        ["note", "Yes (if closed)"],
    ]
    done = converted(tmp_path, book(rows))
    assert conditions(done) == {
        "book.status_present": "status IS NOT NULL",
        "book.closed_on_present": (
            "status IS NULL OR CAST(status AS STRING) <> 'closed' OR closed_on IS NOT NULL"
        ),
        "book.reason_present": (
            "status IS NULL OR CAST(status AS STRING) = 'open' OR reason IS NOT NULL"
        ),
    }
    assert outcomes(done)["Fields!B5"] == "condition_elsewhere"
    assert outcomes(done)["Fields!B6"] == "condition_elsewhere"


def test_codes_of_missing_values_pass_the_rules_of_their_field(tmp_path):
    rows = [
        ["Field", "Required", "Valid Values", "Min", "Max", "Missing value codes"],
        ["smoker", "Y", "1=Yes; 0=No", None, None, "-9, 99"],
        ["age", "N", None, 0, 120, "-9"],
        ["weight", "N", None, 0, 300, "see the manual, chapter 3 (or ask)"],
        ["sex", "N", "M; F", None, None, None],
    ]
    sorts = {"smoker": "string", "age": "int", "weight": "int", "sex": "string"}
    schema = [("book", *pair) for pair in sorts.items()]
    done = converted(tmp_path, book(rows), schema=schema)
    assert conditions(done) == {
        "book.smoker_present": "smoker IS NOT NULL",
        "book.smoker_allowed": ("smoker IS NULL OR smoker IN ('-9', '99') OR smoker IN ('1', '0')"),
        "book.age_range": "age IS NULL OR age = -9 OR age BETWEEN 0 AND 120",
        "book.sex_allowed": "sex IS NULL OR sex IN ('M', 'F')",
    }
    assert outcomes(done)["Fields!D4"] == "not_understood"


def test_a_comment_beside_a_field_is_listed_and_no_rule(tmp_path):
    made = book([["Field", "Required"], ["score", "Y"], ["grade", "N"]])
    made.active["A2"].comment = Comment("must be between 1 and 5", "A steward")
    done = converted(tmp_path, made)
    assert conditions(done) == {"book.score_present": "score IS NOT NULL"}
    assert ("Fields", "comments are not read: at A2") in skipped(done)


def test_a_small_number_beside_a_type_of_texts_may_be_a_length(tmp_path):
    rows = [
        ["Field", "Type", "Min", "Max"],
        ["code", "VARCHAR(10)", 5, 9],
        ["name", "NVARCHAR", None, 40],
        ["ratio", "VARCHAR(10)", 0.5, None],
        ["count", "INT", 5, 9],
        ["answer", "text", 1, 5],
    ]
    found = outcomes(converted(tmp_path, book(rows)))
    assert [found[f"Fields!{at}"] for at in ("C2", "D2", "D3")] == ["not_understood"] * 3
    assert [found[f"Fields!{at}"] for at in ("C4", "C5", "C6")] == ["record"] * 3


def test_a_cell_merged_over_several_fields_holds_for_each(tmp_path):
    rows = [
        ["Table", "Field", "Required", "Max Length"],
        ["people", "id", "Y", 5],
        [None, "name", None, 5],
        [None, "note", "N", 9],
    ]
    made = book(rows)
    made.active.merge_cells("A2:A4")
    made.active.merge_cells("C2:C3")
    done = converted(tmp_path, made)
    assert conditions(done) == {
        "people.id_present": "id IS NOT NULL",
        "people.name_present": "name IS NOT NULL",
        "people.id_length": "id IS NULL OR length(CAST(id AS STRING)) <= 5",
        "people.name_length": "name IS NULL OR length(CAST(name AS STRING)) <= 5",
        "people.note_length": "note IS NULL OR length(CAST(note AS STRING)) <= 9",
    }
    assert outcomes(done)["Fields!C2"] == ["record", "record"]


def test_a_csv_that_the_configuration_names_is_read_though_nothing_of_it_is_sure(tmp_path):
    """In a folder it would be taken for data."""
    done = converted(tmp_path, "Column,Required,Required\na,Y,N\nb,N,N\n")
    assert conditions(done) == {}
    assert outcomes(done) == dict.fromkeys(("B2", "C2", "B3", "C3"), "column_unsure")


def test_fields_that_stand_across(tmp_path):
    """What is said of one field alone is a line with one value."""
    rows = [
        ["Field name", "cust_id", "name", "sex", "score"],
        ["Data type", "integer", "varchar(20)", "char(1)", "integer"],
        ["Required", "yes", "yes", "no", "no"],
        ["Allowed values", None, None, "M, F", None],
        ["Minimum", None, None, None, 0],
        ["Maximum", None, None, None, 100],
    ]
    done = converted(tmp_path, book(rows, "customers"))
    found = conditions(done)
    assert found["customers.cust_id_present"] == "cust_id IS NOT NULL"
    assert found["customers.name_length"] == "name IS NULL OR length(CAST(name AS STRING)) <= 20"
    assert found["customers.sex_allowed"] == "sex IS NULL OR CAST(sex AS STRING) IN ('M', 'F')"
    assert found["customers.score_range"] == (
        f"score IS NULL OR coalesce({number('score')} BETWEEN 0 AND 100, FALSE)"
    )
    assert outcomes(done)["customers!D3"] == "not_a_rule"
    assert len(found) == 8


def test_two_rows_of_one_field_that_do_not_agree(tmp_path):
    rows = [
        ["Table", "Field", "Required", "Max Length", "Status"],
        ["t", "a", "Y", 10, None],
        ["t", "a", "Y", 10, None],
        ["t", "b", "Y", None, None],
        ["t", "B", "N", None, None],
        ["u", "b", "N", None, None],
        ["t", "c", "Y", None, None],
        ["t", "c", "N", None, "Retired"],
    ]
    done = converted(tmp_path, book(rows))
    assert conditions(done) == {
        "t.a_present": "a IS NOT NULL",
        "t.a_length": "a IS NULL OR length(CAST(a AS STRING)) <= 10",
        "t.c_present": "c IS NOT NULL",
    }
    found = outcomes(done)
    assert (found["Fields!C3"], found["Fields!D3"]) == ("merged", "merged")
    assert (found["Fields!C4"], found["Fields!C5"]) == ("contradiction", "contradiction")
    assert (found["Fields!C6"], found["Fields!C8"]) == ("not_a_rule", "not_a_rule")
    (gap, _) = [entry.gap for entry in done.ledger.entries if entry.gap]
    assert gap.reason == '"Y" contradicts "N" at Fields!C5, of the same field'


def test_a_point_before_three_digits_may_part_thousands(tmp_path):
    """In a German sheet 2.500 is 2500."""
    rows = [["Feld", "Pflichtfeld", "Maximum"], ["betrag", "Ja", "2.500"], ["satz", "J", "0.125"]]
    done = converted(tmp_path, book(rows))
    assert set(conditions(done)) == {"book.betrag_present", "book.satz_present"}
    assert outcomes(done)["Fields!C2"] == "column_unsure"


def test_a_legend_under_the_fields_describes_no_fields(tmp_path):
    rows = [
        ["Column", "Req", "Type"],
        ["a", "M", "INT"],
        ["notes", None, None],
        ["b", "O", "CHAR(3)"],
        [None],
        ["Legend:"],
        ["M", "Mandatory"],
        ["O", "Optional"],
    ]
    done = converted(tmp_path, book(rows))
    assert set(conditions(done)) == {"book.a_present", "book.a_type", "book.b_length"}
    assert ("Fields!6:8", "it explains the records above") in skipped(done)


def test_a_list_that_names_a_blank_allows_an_empty_text_wherever_it_stands(tmp_path):
    rows = [
        ["Field", "Allowed values", "Business rule"],
        ["a", "Y, N, blank", None],
        ["b", None, "Must be Y, N or blank"],
    ]
    assert conditions(converted(tmp_path, book(rows))) == {
        f"book.{name}_allowed": f"{name} IS NULL OR CAST({name} AS STRING) IN ('Y', 'N', '')"
        for name in ("a", "b")
    }


def test_names_and_texts_that_mean_something_elsewhere(tmp_path):
    rows = [
        ["Column", "Required", "Allowed values", "Validation rule"],
        ["order date", "Y", None, None],
        ["größe", "Y", None, None],
        ["back`tick", "Y", None, None],
        ["select", "Y", None, None],
        ["x; DROP TABLE t", "Y", None, None],
        ["${evil}", "Y", None, None],
        ["kind", "N", "O'Neil; D\\E", "must be 'a'); DROP TABLE t"],
    ]
    done = converted(tmp_path, book(rows))
    assert list(conditions(done).values()) == [
        "`order date` IS NOT NULL",
        "`größe` IS NOT NULL",
        "`back``tick` IS NOT NULL",
        "`select` IS NOT NULL",
        "`x; DROP TABLE t` IS NOT NULL",
        r"kind IS NULL OR CAST(kind AS STRING) IN ('O\'Neil', 'D\\E')",
    ]
    found = outcomes(done)
    assert found["Fields!B7"] == "unsafe_text"
    assert found["Fields!D8"] == ["not_understood", "other_records"]
    module = (tmp_path / "expectations" / "book_expectations.py").read_text()
    compile(module, "book_expectations.py", "exec")


def test_observed_values_hidden_rows_struck_texts_and_old_copies(tmp_path):
    made = book(
        [["Field", "Required", "Max Length"], ["a", "Y", 5], ["b", "Y", 6], ["c", "Y", 7]], "Fields"
    )
    for place in ("A3", "B3", "C3"):
        made["Fields"][place].font = Font(strike=True)
    made["Fields"].row_dimensions[4].hidden = True
    book([["Field", "Required"], ["a", "N"]], "Fields_OLD", made)
    book([["Field", "Min", "Max", "Average"], ["a", 1, 9, 4]], "Profile", made)
    done = converted(tmp_path, made)
    assert [entry.condition for entry in done.ledger.entries if entry.condition] == [
        "a IS NOT NULL",
        "a IS NULL OR length(CAST(a AS STRING)) <= 5",
        "c IS NOT NULL",
        "c IS NULL OR length(CAST(c AS STRING)) <= 7",
    ]
    found = outcomes(done)
    assert (found["Fields!B3"], found["Fields!C3"]) == ("not_a_rule", "not_a_rule")
    assert (found["Profile!B2"], found["Profile!C2"]) == ("observed_values", "observed_values")
    assert "Fields_OLD" in {place for place, _ in skipped(done)}
