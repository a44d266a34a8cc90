"""What a run prints: plain and whole in a pipe, within its columns in a terminal."""

import io
import time
from dataclasses import replace

import pytest
from ledgers import ORDERS, entry, ledger_of, orders_ledger

from ruleferry.converters.account import Because, Module, Source
from ruleferry.converters.errors import Fault
from ruleferry.converters.reports.rendering import view
from ruleferry.converters.reports.terminal import (
    aligned,
    error_lines,
    fault_lines,
    print_lines,
    reported,
    summary,
    width,
    working,
)
from ruleferry.converters.reports.text import display_width

WRITTEN = ("orders_expectations.py", "customers_expectations.py", "ledger.json", "gap_report.md")


def printed(lines) -> str:
    stream = io.StringIO()
    print_lines(lines, stream)
    return stream.getvalue()


def test_the_summary_of_a_conversion():
    notice = "customers: no schema file has this table"
    figures = view(orders_ledger()).total
    lines = summary(
        orders_ledger(), (), "expectations", WRITTEN, figures=figures, notices=[notice, notice]
    )
    assert (
        printed(lines)
        == """\
Sources
  great_expectations suite  3 files  11 rules
  used                       1 file   0 rules
  not read: 1 file
    suites/notes.txt: no reader knows this file

Rules: 11
  record      4  checked on each record
  flag        1  checked on each record, with the help of an added column
  dataset     1  checked over many records, in a dataset of its own
  schema      1  checked against the table's columns and types
  merged      1  says the same as another rule, which stands for it
  gap         1  left for a person
  not_a_rule  1  read, and not a rule
  waived      1  not carried over, as a person decided

Tables               warn  drop  fail  exact  differs  assumed  left
  customers             2     0     0      1        0        1     0
  main.sales.orders     2     1     1      4        1        0     1

No action is decided for 4 rules: they warn.
0 of 10 old checks may be switched off; 6 of them may be once old and new are seen to agree.
3 questions for the owner of the rules: expectations/gap_report.md

Written to expectations: 2 modules, gap_report.md and ledger.json

Note: 1 rule to fail: Lakeflow records no counts for it, as the update stops.
Note: customers: no schema file has this table
"""
    )


def test_what_does_not_occur_is_not_told():
    settled = entry("a", because=Because("config", "[actions] default"))
    lines = printed(summary(ledger_of([settled]), (), "out", ("orders_expectations.py",)))
    assert lines.endswith("0     0\n\nWritten to out: 1 module\n")
    assert "not read" not in lines
    assert "Note" not in lines


def test_nothing_at_all():
    assert printed(summary(ledger_of([]), (), "out", ())) == (
        "Sources\n\nRules: 0\n\nWritten to out: 0 modules\n"
    )


def test_books_that_do_not_balance_are_told():
    ledger = ledger_of([entry("a")])
    short = replace(ledger, sources=(replace(ledger.sources[0], atoms=2),))
    assert "  The books do not balance: suites/orders.json: 2 places counted, 1" in printed(
        summary(short, (), "out", ())
    )


def test_a_lowered_action_is_counted_as_it_is_in_the_module():
    rule = entry("a", action="fail")
    module = Module(ORDERS, "orders", ORDERS, (replace(rule, action="warn"),), {rule.id: ()})
    lines = printed(summary(ledger_of([rule]), (module,), "out", ()))
    assert "main.sales.orders     1     0     0" in lines
    assert "Note: 1 rule weaker than decided, by --max-action." in lines
    assert "to fail" not in lines


def test_long_lists_are_counted():
    rows = [entry("a", f"expectations[{n}]", table=f"t{n:03}") for n in range(60)]
    extra = tuple(Source(f"f{n:03}.txt", "not read", "", 0, 0, {}, "why") for n in range(30))
    lines = printed(summary(ledger_of(rows, extra=extra), (), "out", WRITTEN))
    assert lines.count(": why\n") == 20
    assert "    … and 10 more files: see ledger.json\n" in lines
    assert "    … and 40 more tables: see gap_report.md\n" in lines
    lines = printed(summary(ledger_of(rows), (), "out", (*WRITTEN, "gap_report.html")))
    assert "    … and 40 more tables: see gap_report.html\n" in lines


def test_the_summary_of_a_report():
    lines = reported(view(orders_ledger()).total, "out", ["gap_report.md"], ["a\x1bb"])
    assert printed(lines) == (
        "0 of 10 old checks may be switched off; "
        "6 of them may be once old and new are seen to agree.\n"
        "Written to out: gap_report.md\nNote: a⟨U+001B⟩b\n"
    )


def test_names_are_cut_to_the_columns_of_a_terminal_and_never_in_a_pipe():
    long = f"main.{'x' * 100}.orders"
    ledger = ledger_of([entry("a", table=long), entry("b", table="表")])
    cut = printed(summary(ledger, (), "out", (), width=80)).splitlines()
    (line,) = [line for line in cut if "main." in line]
    assert line.startswith("  main.")
    assert "xxx.orders  " in line
    assert len(line) == 80
    (wide,) = [line for line in cut if "表" in line]
    assert display_width(wide) == 80
    assert long in printed(summary(ledger, (), "out", ()))


@pytest.mark.parametrize("text", ["\x1b[31mred\x1b[0m", "a\rb", "\u202eabc", "a\nb"])
def test_no_text_of_a_source_steers_the_terminal(text):
    extra = (Source(text, "not read", "", 0, 0, {}, text), Source(text + "2", text, "", 0, 0, {}))
    rows = [entry("a", file=text, table=text)]
    lines = printed(summary(ledger_of(rows, extra=extra), (), text, (text,), notices=[text]))
    faults = printed(fault_lines([Fault(text, text, text, text, text)]))
    assert text not in lines + faults
    assert "[red" not in text or "⟨U+001B⟩[31mred" in lines


def test_columns_stand_below_each_other():
    assert aligned([("a", "1", "x"), ("表bc", "10", "")], right=(1,)) == ["a      1  x", "表bc  10"]


def test_faults_are_paragraphs():
    faults = [
        Fault("a.json", "line 3", "x", "y", "Mend it."),
        Fault("b.json", None, "p", "q", "Go."),
    ]
    assert (
        printed(fault_lines(faults))
        == """\
a.json, line 3
  found     x
  expected  y
  to do     Mend it.

b.json
  found     p
  expected  q
  to do     Go.
"""
    )


def test_an_internal_error_is_one_line_that_says_where():
    try:
        raise KeyError("a\nb")
    except KeyError as error:
        told = printed(error_lines(error))
    assert told.startswith(r"internal error: KeyError: 'a\nb' at test_terminal.py:")
    assert told.count("\n") == 1


def test_a_file_that_can_not_be_used_is_no_internal_error(tmp_path):
    with pytest.raises(OSError, match="No such file") as raised:
        (tmp_path / "x").read_text()
    told = printed(error_lines(raised.value))
    assert told.startswith(f"{tmp_path}/x\n  found     No such file or directory\n  expected  ")


def test_an_error_of_the_system_without_a_file_is_an_internal_one():
    assert printed(error_lines(OSError("x"))).startswith("internal error: OSError: x.")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_colours_only_in_a_terminal(monkeypatch):
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    screen = Terminal()
    print_lines([("[bold]a", "bold"), ("b", ""), ("x" * 200, "")], screen)
    bold, plain, *rest = screen.getvalue().splitlines()
    assert bold == "\x1b[1m[bold]a\x1b[0m"
    assert plain == "b"
    assert "".join(rest) == "x" * 200
    assert printed([("a", "bold")]) == "a\n"


def test_the_width_of_a_pipe_is_none():
    assert width(io.StringIO()) is None
    assert width(Terminal()) is not None


def test_the_bar_appears_after_a_while_and_in_a_terminal_only(monkeypatch):
    monkeypatch.setenv("TERM", "xterm-256color")
    for seconds, quiet, stream, bar in (
        (0.3, False, Terminal(), True),
        (0.0, False, Terminal(), False),
        (0.3, True, Terminal(), False),
        (0.3, False, io.StringIO(), False),
    ):
        monkeypatch.setattr("sys.stderr", stream)
        with working("Converting", quiet=quiet, after=0.1):
            time.sleep(seconds)
        assert ("Converting" in stream.getvalue()) is bar
