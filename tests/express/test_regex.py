"""Regular expressions: Python's `re.search` and Spark's RLIKE give one verdict on every text."""

import json
import random
import re
import unicodedata
import warnings
from functools import cache
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from regex_random import Patterns, texts_for
from regex_samples import JAVA, KEPT, NOT_JAVA, REFUSED, REWRITTEN
from sqlglot import exp

from ruleferry.converters.express import regex, regex_engines
from ruleferry.converters.express.regex import Pattern, Refused, to_java
from ruleferry.converters.express.regex_engines import meaning_differs
from ruleferry.converters.express.regex_java import check_java
from ruleferry.converters.express.regex_python import _Reader, read
from ruleferry.converters.express.regex_tree import NotRead
from ruleferry.converters.express.sql_text import column, string_literal, to_sql

ACCEPTED = [*KEPT, *(python for python, _, _ in REWRITTEN)]


# Tables -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pattern", KEPT)
def test_a_pattern_that_both_read_alike_is_kept(pattern):
    assert to_java(pattern, "python") == Pattern(pattern)


@pytest.mark.parametrize(("python", "java", "caveats"), REWRITTEN)
def test_a_pattern_is_rewritten(python, java, caveats):
    found = to_java(python, "python")
    assert isinstance(found, Pattern)
    assert found.text == java
    assert [caveat.code for caveat in found.caveats] == [f"regex_{c}" for c in caveats.split()]


@pytest.mark.parametrize(("pattern", "reason"), REFUSED)
def test_a_pattern_is_refused(pattern, reason):
    found = to_java(pattern, "python")
    assert isinstance(found, Refused)
    assert reason in found.reason


def test_the_tables_are_long_enough_and_hold_nothing_twice():
    patterns = [*ACCEPTED, *(pattern for pattern, _ in REFUSED)]
    assert len(patterns) == len(set(patterns)) >= 120


def test_a_pattern_that_python_reads_otherwise_than_we_do_is_refused(monkeypatch):
    """Should our reader go wrong, or Python's grammar change, nothing comes out."""
    monkeypatch.setattr(_Reader, "quantifier", lambda self: None)
    with pytest.raises(NotRead, match="read in two ways"):
        read("ab{2}")


@pytest.mark.parametrize("pattern", JAVA)
def test_a_java_pattern_stays(pattern):
    assert to_java(pattern, "java") == Pattern(pattern)


@pytest.mark.parametrize(("pattern", "reason"), NOT_JAVA)
def test_a_java_pattern_is_refused(pattern, reason):
    found = to_java(pattern, "java")
    assert isinstance(found, Refused)
    assert reason in found.reason


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (r"\${2}", "[$]{2}"),
        ("${2}", "(?:$){2}"),
        ("[${]", r"[$\{]"),
        (r"[\${]x${1}", r"[\$\{]x(?:$){1}"),
        (r"\\${1}", r"\\(?:$){1}"),
        ("[[${]a]${1}", r"[[$\{]a](?:$){1}"),
        ("$[{]", "$[{]"),
    ],
)
def test_no_java_pattern_brings_a_variable_of_spark(pattern, text, spark):
    assert to_java(pattern, "java") == Pattern(text)
    texts = ["", "$", "$$", "{", "${", "x", "x$", "\\", "a", "${1}", "{x"]
    with_it, without_it = (compiled(spark, each) for each in (pattern, text))
    assert [found(with_it, t) for t in texts] == [found(without_it, t) for t in texts]


# Both engines -------------------------------------------------------------------------------------


def compiled(spark, pattern):
    return spark._jvm.java.util.regex.Pattern.compile(pattern)


def found(pattern, text):
    return pattern.matcher(text).find()


def test_every_suite_of_the_corpus(shared):
    patterns = set(corpus_patterns(shared))
    assert len(patterns) >= 15
    for pattern in patterns:
        result = to_java(pattern, "python")
        assert isinstance(result, Pattern) or result.reason


def corpus_patterns(shared):
    for path in sorted((shared / "corpus" / "great_expectations").rglob("*.json")):
        yield from regexes(json.loads(path.read_text("utf-8")))


def regexes(value):
    if isinstance(value, dict):
        if isinstance(value.get("kwargs"), dict) and isinstance(value["kwargs"].get("regex"), str):
            yield value["kwargs"]["regex"]
        value = list(value.values())
    if isinstance(value, list):
        for part in value:
            yield from regexes(part)


def spark_verdicts(spark, patterns, texts):
    """For each pattern one letter a text: does it hold a match?"""
    tests = [exp.RegexpLike(this=column("t"), expression=string_literal(p)) for p in patterns]
    frame = spark.createDataFrame(list(enumerate(texts)), "id int, t string")
    letters = [f"CAST(CAST({to_sql(test)} AS INT) AS STRING)" for test in tests]
    rows = frame.selectExpr("id", f"concat({', '.join(letters)}) AS found").collect()
    by_text = [row.found for row in sorted(rows, key=lambda row: row.id)]
    return ["".join(column) for column in zip(*by_text, strict=True)]


def python_verdicts(pattern, texts):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        search = re.compile(pattern).search
    return "".join("1" if search(text) else "0" for text in texts)


def explained(result, text, newer):
    """A caveat of the result names this text."""
    codes = {caveat.code for caveat in result.caveats}
    if "regex_unicode" in codes and any(char in newer for char in text):
        return True
    return "regex_astral" in codes and any(char > "\uffff" for char in text)


def check_alike(spark, patterns, texts):
    """No verdict differs, but for what the caveats name."""
    results = {pattern: to_java(pattern, "python") for pattern in patterns}
    java = spark_verdicts(spark, [result.text for result in results.values()], texts)
    newer = newer_than_java(spark)
    wrong = [
        (pattern, result.text, text)
        for (pattern, result), verdicts in zip(results.items(), java, strict=True)
        for text, old, new in zip(texts, python_verdicts(pattern, texts), verdicts, strict=True)
        if old != new and not explained(result, text, newer)
    ]
    assert not wrong


@cache
def everything():
    """Every character that Python's Unicode assigns, but for those of private use; a few others."""
    kept = (
        chr(code) for code in range(0x110000) if unicodedata.category(chr(code))[1] not in "nso"
    )
    return "".join([*kept, "\u0378\ue000\uffff\U000e0080\U00100000\U0010ffff"])


@cache
def everything_in_java(spark):
    """The same, kept in Java: to send it takes longer than to search it."""
    return spark._jvm.java.lang.StringBuilder(everything())


@cache
def newer_than_java(spark):
    """The characters that Python's Unicode assigns and Java's does not."""
    unassigned = compiled(spark, r"\P{Cn}").matcher(everything_in_java(spark)).replaceAll("")
    return frozenset(char for char in unassigned if unicodedata.category(char) != "Cn")


def test_tables_and_corpus_on_spark(spark, shared):
    real = [p for p in corpus_patterns(shared) if isinstance(to_java(p, "python"), Pattern)]
    patterns = list(dict.fromkeys([*ACCEPTED, *real]))
    texts = list(dict.fromkeys(text for pattern in patterns for text in texts_for(pattern)))
    assert len(texts) > 1000
    check_alike(spark, patterns, texts)


def test_random_patterns_on_spark(spark):
    source = Patterns(20240229)
    patterns = list(islice(accepted_ones(source), 400))
    texts = [source.text() for _ in range(400)]
    check_alike(spark, patterns, texts)


def accepted_ones(source):
    while True:
        pattern = source.one()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if isinstance(to_java(pattern, "python"), Pattern):
                yield pattern


def test_where_the_meaning_does_not_differ_spark_agrees_with_the_text_as_it_is(spark):
    source = Patterns(19000228)
    patterns = [*ACCEPTED, *islice(accepted_ones(source), 600)]
    alike = list(dict.fromkeys(p for p in patterns if meaning_differs(p) is None and "${" not in p))
    assert len(alike) > 100
    texts = [source.text() for _ in range(300)]
    java = spark_verdicts(spark, alike, texts)
    assert [p for p, v in zip(alike, java, strict=True) if v != python_verdicts(p, texts)] == []


@pytest.mark.parametrize(
    "pattern",
    [
        *(r"\d", r"\D", r"\w", r"\W", r"\s", r"\S", ".", "(?s)."),
        *(r"[^\W_]", r"[^\S\n]", r"[\W\d]", r"[^\D\s]", r"[a\W]", r"[^a\w]", r"[\s\w]"),
        *("(?i)[a-z]", "(?i)[A-Z]", "(?i)[^a-z]", "(?i)[^K]", "(?i)[à-ü]", r"(?i)[\x80-\uffff]"),
        *(r"(?a)\d", r"(?a)\w", r"(?a)\s", "(?ai)[a-z]", r"[\x00-\uffff]", "[😀-😎]", "[^😀]"),
    ],
)
def test_a_class_takes_the_same_characters_of_all_unicode(spark, pattern):
    result = to_java(pattern, "python")
    left = compiled(spark, result.text).matcher(everything_in_java(spark)).replaceAll("")
    newer = newer_than_java(spark)
    differing = set(left) ^ set(re.sub(pattern, "", everything()))
    assert differing <= (newer if result.caveats else set())


def test_every_cased_letter_is_found_in_the_same_ones(spark):
    """Each letter up to U+FFFF under (?i), searched in all of them."""
    newer = newer_than_java(spark)
    cased = (c for c in everything() if not c == c.lower() == c.upper() == c.casefold())
    letters = [c for c in cased if c <= "\uffff" and c not in newer]
    text = "".join(letters)
    wrong = [
        letter
        for letter in letters
        if compiled(spark, to_java(f"(?i){letter}", "python").text).matcher(text).replaceAll("")
        != re.sub(f"(?i){letter}", "", text)
    ]
    assert wrong == []


def test_what_is_accepted_as_java_compiles(spark):
    accepted, refused = 0, 0
    for pattern in islice(mutated(random.Random(7), [*JAVA, *(p for p, _ in NOT_JAVA)]), 1500):
        if isinstance(to_java(pattern, "java"), Pattern):
            accepted += 1
            compiled(spark, pattern)  # raises where Java refuses it
        else:
            refused += 1
    assert min(accepted, refused) > 300


def mutated(source, patterns):
    pieces = [
        *"abc()[]{}*+?|^$.\\-&,=!<>:01",
        "&&",
        "[^",
        "(?:",
        "(?<=",
        "{2}",
        "-[",
        "--",
        r"\Q",
        r"\E",
    ]
    while True:
        pattern = source.choice(patterns)
        for _ in range(source.randint(0, 3)):
            at = source.randint(0, len(pattern))
            cut = source.choice([0, 0, 1, 2])
            pattern = pattern[:at] + source.choice([*pieces, ""]) + pattern[at + cut :]
        if pattern.isprintable() and len(pattern) < 60:
            yield pattern


# What holds for every text ------------------------------------------------------------------------


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(max_size=20), st.text("ab()[]{}*+?|^$\\dwbB.-&<>=!:iPn01,", max_size=25)))
def test_every_text_is_converted_or_refused(pattern):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for flavour in ("python", "java"):
            result = to_java(pattern, flavour)
            assert result.reason if isinstance(result, Refused) else "${" not in result.text
        assert meaning_differs(pattern) != ""


@settings(max_examples=500, deadline=None)
@given(st.from_regex(regex._PLAIN, fullmatch=True))
def test_a_plain_pattern_needs_no_reading(pattern):
    assert to_java(pattern, "python") == regex_engines._from_python(pattern)
    check_java(pattern)
    assert to_java(pattern, "java") == Pattern(pattern)


@pytest.mark.parametrize(
    ("pattern", "sentence"),
    [
        ("[A-Z]{3}", None),
        (r"^\x41b?", None),
        ("(?iu)k", None),
        ("^[A-Z]{3}$", "Java ends a line"),
        ("a.b", "Java ends a line"),
        (r"\d", r"\d takes the digits of every script in Python"),
        (r"[\w.]", r"\w takes"),
        (r"\s", r"\s takes"),
        (r"\bx", r"\b goes by"),
        (r"a\Z", r"\Z allows a line end"),
        ("(?m)^a", "at the end of the text"),
        ("(?m:^)a", "at the end of the text"),
        ("(?i)k", "ASCII letters only"),
        ("[a&&b]", "[ and && within a class"),
        ("[a[b]c]", "[ and && within a class"),
        (r"\v", "any vertical blank"),
        (r"(a)\101", "Java may not compile it"),
        ("(?P<n>a)", "Java may not compile it"),
        (r"\p{L}", "Python rejects the pattern (bad escape \\p), Java runs it"),
        ("[", "and Java may not compile it"),
        (r"(a)?\1", "read the pattern differently"),
        ("(?<!a)(?!a)", "beyond U+FFFF"),
        ("(?:ab?)*", "StackOverflowError"),
    ],
)
def test_how_the_meaning_differs(pattern, sentence):
    told = meaning_differs(pattern)
    if sentence is None:
        assert told is None
    else:
        assert sentence in told
        assert told.endswith(".")
