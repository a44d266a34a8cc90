"""Whatever a source or a module holds, a drift report stays whole and commands nothing."""

import json
import re
from dataclasses import fields, replace
from importlib.resources import files
from xml.etree.ElementTree import fromstring

import pytest
from drifts import BY_DECISION, BY_MARK, PRICE, SEVERAL, drift_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from log_readers import azure_commands, github_commands
from test_markdown import COMMONMARK, MISTUNE, tags

from ruleferry.converters.drifted import Accepted, At, Drift, Said
from ruleferry.converters.reports.drift import FORMATS, drift_lines, report_text
from ruleferry.converters.reports.text import display_width

VALIDATOR = Draft202012Validator(
    json.loads((files("ruleferry") / "mappings" / "drift.schema.json").read_text("utf-8"))
)
HOSTILE = {
    "controls": "a\x00b\x07c\x1b[31md\x7f\x85\x9b",
    "surrogates": "a\ud800b\udfff",
    "no characters": "\ufffe\uffff\U0001ffff",
    "right to left": "a\u202eb\u2066c\u200f",
    "end of CDATA": "]]> <![CDATA[ ]]&gt; --> <!--",
    "script": "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "ticks and bars": "`a` ``b`` | c \\| d \\",
    "long": "x" * 32_767,
    "long digits": "9" * 32_767,
    "long commands": "##vso[task.complete result=Succeeded;]" * 800,
    "long breaks": "\n::error::x" * 3_000,
    "github": "a\n::error file=x::y\r\n::set-output name=a::b",
    "github at once": "::stop-commands::x",
    "github spaced": "  ::add-mask::x",
    "github of old": "a ##[set-env name=PATH;]x ##[add-mask]x",
    "azure": "a\n##vso[task.setvariable variable=PATH;]x",
    "azure at once": "##vso[task.complete result=Succeeded;]done",
    "azure, other case": "x ##VSO[task.complete result=Succeeded;]",
    "hashes": "####vso[task.complete]#",
    "hash and hash": "#",
    "percent": "%0A::error::x %250A %AZP25 100% %3A %2C",
    "separators": "a;b]c,d=e:f",
    "details": "</details></summary></td></tr></table>",
    "Markdown": "# x\n---\n- [ ] x\n[x](http://evil.example) ![x](y) @user www.evil.example",
    "SARIF link": "[x](1) [a [b](2) {0} {{1}}",
    "wide": "表" * 200,
    "combining": "e\u0301" * 300,
    "spaces": "  a\xa0\u3000\t b  ",
    "empty": "",
    "blank": " ",
}


def everywhere(text: str) -> Drift:
    """A comparison in which every text is this one."""
    at, said = At(text, text, None), Said(text, "drop", text)
    texts = {"rule": text, "table": text, "detail": text, "todo": text, "id": text, "title": text}
    said_of = {"source_says": said, "module_says": replace(said, condition=f"{text}#")}
    places = {"source": at, "module": replace(at, line=7)}
    one = replace(PRICE, columns=(text,), last_said=said, **texts, **said_of, **places)
    mark = Accepted("manual", text, text, text, text, **said_of, **places)
    return Drift(
        (one, replace(one, source=None, level="any"), replace(one, module=None, level="removed")),
        (mark, replace(mark, how="decision", module=None)),
        {text: 3, f"{text}2": 0},
        3,
        (text, f"{text}."),
        (text,),
    )


def each_alone(text: str) -> list[Drift]:
    """Comparisons in which one text is this one."""
    names = [f.name for f in fields(PRICE) if isinstance(getattr(PRICE, f.name), str)]
    changed = [replace(PRICE, **{n: text}) for n in names if n not in ("change", "side", "level")]
    changed += [replace(PRICE, **{n: At(text, text)}) for n in ("source", "module")]
    said = ("source_says", "module_says", "last_said")
    changed += [replace(PRICE, **{n: Said(text, "drop", text)}) for n in said]
    changed = [] if len(text) > 9_000 else changed  # they take long, and are all together above
    return [drift_of(one, accepted=(BY_MARK,)) for one in changed]


PLAIN = [form for form in FORMATS if form not in ("github", "azure")]


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("form", FORMATS)
def test_no_text_becomes_a_command_or_hides_anything(form, text):
    for drift in (everywhere(text), *each_alone(text)):
        report = report_text(drift, form, fail_on="changed")
        assert report.encode().decode() == report
        assert re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e]", report) is None
        number = len(drift.differences)
        expected = (number if form == "github" else 0, number if form == "azure" else 0)
        assert (len(github_commands(report)), len(azure_commands(report))) == expected
        names = {n for n, _, _ in (*github_commands(report), *azure_commands(report))}
        assert names <= {"error", "warning", "notice", "task.logissue"}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_junit_stays_valid(text, junit_schema):
    for drift in (everywhere(text), drift_of(*SEVERAL)):
        root = fromstring(report_text(drift, "junit", fail_on="any"))
        assert [e.reason for e in junit_schema.iter_errors(root)] == []


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_json_and_sarif_stay_valid(text, sarif_schema):
    for drift in (everywhere(text), drift_of(*SEVERAL)):
        told = json.loads(report_text(drift, "json", fail_on="any"))
        assert [f"{e.json_path}: {e.message[:200]}" for e in VALIDATOR.iter_errors(told)] == []
        log = json.loads(report_text(drift, "sarif", fail_on="any"))
        assert [e.message[:200] for e in sarif_schema.iter_errors(log)] == []


def test_json_and_sarif_hold_the_text_itself():
    for text in HOSTILE.values():
        drift = drift_of(replace(PRICE, source_says=Said(text), detail=text))
        told = json.loads(report_text(drift, "json", fail_on="any"))["differences"][0]
        assert told["detail"] == text
        assert told["source_says"] == {"condition": text}
        (run,) = json.loads(report_text(drift, "sarif", fail_on="any"))["runs"]
        assert run["results"][0]["properties"]["source_says"] == {"condition": text}


ALLOWED = {"h3", "h4", "p", "strong", "em", "code", "table", "thead", "tbody", "tr", "th", "td",
           "details", "summary"}  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_markdown_stays_as_it_was_laid_out(text):
    benign = COMMONMARK.render(report_text(everywhere("x"), "markdown", fail_on="changed"))
    for drift in (everywhere(text), *each_alone(text)):
        report = report_text(drift, "markdown", fail_on="changed")
        assert len(report.encode()) < 60_000
        for html in (COMMONMARK.render(report), MISTUNE(report)):
            assert tags(html) <= ALLOWED
            assert html.count("<details>") == html.count("</details>") <= 2
        if drift.accepted[0].rule == text and "left out" not in report:
            html = COMMONMARK.render(report)
            assert [html.count(t) for t in ("<h4>", "<table>")] == [
                benign.count(t) for t in ("<h4>", "<table>")
            ]


@pytest.mark.parametrize("columns", [60, 80, 100, 140])
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_no_line_of_a_terminal_is_too_long(text, columns):
    for drift in (everywhere(text), *each_alone(text)):
        lines = drift_lines(drift, fail_on="changed", width=columns)
        assert [t for t, _ in lines if display_width(t) > columns] == []


PIECES = st.lists(
    st.one_of(
        st.sampled_from(
            ["##vso[", "##[", "#", "::", "error", "::error::", "]", "\n", "\r", " ", "%", "%0A",
             "`", "|", "<", "'", "IN (", "…", "\ud800", "\u202e", "task.complete "]
        ),
        st.text(max_size=4),
    ),
    max_size=12,
).map("".join)  # fmt: skip


@pytest.mark.parametrize("form", FORMATS)
@given(texts=st.lists(PIECES, min_size=8, max_size=8), room=st.integers(0, 700))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_no_text_beside_another_becomes_a_command(form, texts, room):
    a, b, c, d, e, f, g, h = texts
    one = replace(
        PRICE, table=a, rule=b, title=c, detail=d, todo=e, id=None,
        source=At(f, g), module=At(h, a, 3),
        source_says=Said("x" * room + a, None, b), module_says=Said("x" * room + c + d, "fail", e),
    )  # fmt: skip
    drift = drift_of(one, accepted=(replace(BY_DECISION, reason=f, rule=g),), notices=(h,))
    report = report_text(drift, form, fail_on="any")
    report.encode()
    expected = (1 if form == "github" else 0, 1 if form == "azure" else 0)
    assert (len(github_commands(report)), len(azure_commands(report))) == expected
