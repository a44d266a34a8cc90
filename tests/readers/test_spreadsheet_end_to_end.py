"""Workbooks as stewards make them: what each cell becomes, from the file to the condition."""

from steward_books import book, conditions, converted, outcomes


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
