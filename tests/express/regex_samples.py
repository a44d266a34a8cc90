"""Patterns for test_regex.py: tables, random patterns, and texts that tell two engines apart."""

import random
import re
import warnings

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import InvalidArgument, Unsatisfiable
from hypothesis.strategies import from_regex

# Java reads these as Python does: not a character changes.
KEPT = [
    "[A-Z]{3}",
    "abc",
    "a|b",
    "^abc",
    r"\Aabc",
    "[0-9]+",
    "(a)(b)",
    "(?:ab)+",
    "a{2,3}",
    "a{2,}",
    "a*?b+?c??",
    r"\.\-\/\_\"",
    "a}",
    "a]",
    "(?=a)b",
    "(?!a)b",
    "(?<=a)b",
    "(?<!ab)b",
    "(?>a+)b",
    "a++b",
    "[^a]",
    r"[\]\[\\]",
    r"[a\-z]",
    "[-a]",
    "[a-]",
    r"\x41\u00e9",
    r"[\s\S]+",
    r"[\d\D]",
    r"(a)\1",
    "(|a)",
    "a||b",
    "",
    "(?s)a.b",
    "é+",
    r"\n\t\r\f\a",
    "(?i)abc",
    "(?i)[0-9a-f]",
    "😀",
    "[😀-😎]",
    "a#b c",
    r"(a|b)c\1",
    "(?i:abc)d",
    "(?s:.)",
    "(?=a)?b",
    "[.$^]",
    "[{]",
    r"\{a\}",
    "[$][{]",
    r"\$\{x\}",
    "[a^]",
    "[a&b]",
    "[a||b]",
    "[a~~b]",
    r"[a-\x7f]",
    r"\x0b",
    r"\€",
    r"\ ",
    "(?i)a(?-i:b)",
    "(?i)😀",
    "(?iu)k",
]

# Python's text, Java's text, the caveats (without "regex_").
REWRITTEN = [
    (r"^\d{3}$", r"(?dU)^\d{3}$", "unicode"),
    (r"\d", r"(?U)\d", "unicode"),
    (r"\D", r"(?U)\D", "unicode"),
    (r"[\d.]", r"(?U)[\d.]", "unicode"),
    (r"[^\d]", r"(?U)[^\d]", "unicode"),
    (r"\w+", r"[\p{L}\p{N}_]+", "unicode"),
    (r"\W", r"[^\p{L}\p{N}_]", "unicode"),
    (r"[\w.-]+@[\w-]+", r"[\p{L}\p{N}_.-]+@[\p{L}\p{N}_-]+", "unicode"),
    (r"[^\w]", r"[^\p{L}\p{N}_]", "unicode"),
    (r"[^\W_]", r"[^[^\p{L}\p{N}_]_]", "unicode"),
    (r"[\W\d]", r"(?U)[[^\p{L}\p{N}_]\d]", "unicode"),
    (r"\s", r"(?U)[\s\x1C-\x1F]", ""),
    (r"\S+", r"(?U)[^\s\x1C-\x1F]+", ""),
    (r"[\s,]", r"(?U)[\s\x1C-\x1F,]", ""),
    (r"[^\s]", r"(?U)[^\s\x1C-\x1F]", ""),
    (r"[\S ]", r"(?U)[[^\s\x1C-\x1F] ]", ""),
    (r"(?a)\d\w\s", r"\d\w\s", ""),
    (r"(?a)^\d$", r"(?d)^\d$", ""),
    (r"\bfoo\b", r"(?<![\p{L}\p{N}_]{1,2})foo(?![\p{L}\p{N}_])", "unicode"),
    (r"\b\d+\b", r"(?U)(?<![\p{L}\p{N}_]{1,2})\d+(?![\p{L}\p{N}_])", "unicode"),
    (
        r".\b.",
        r"(?d).(?:(?<=[\p{L}\p{N}_]{1,2})(?![\p{L}\p{N}_])|(?<![\p{L}\p{N}_]{1,2})(?=[\p{L}\p{N}_])).",
        "unicode",
    ),
    (
        r"a\Bb",
        r"a(?:(?<=[\p{L}\p{N}_]{1,2})(?=[\p{L}\p{N}_])|(?<![\p{L}\p{N}_]{1,2})(?![\p{L}\p{N}_])(?!\A\z))b",
        "unicode empty_text",
    ),
    (r"(?a)\bfoo\b", r"(?<!\w)foo(?!\w)", ""),
    (r"(?a)a\Bb", r"a(?:(?<=\w)(?=\w)|(?<!\w)(?!\w)(?!\A\z))b", "empty_text"),
    (r"\b[A-Z]", r"(?<![\p{L}\p{N}_]{1,2})[A-Z]", "unicode"),
    (r"foo\b bar", r"foo(?![\p{L}\p{N}_]) bar", "unicode"),
    (".", "(?d).", ""),
    ("a.c", "(?d)a.c", ""),
    ("^a$", "(?d)^a$", ""),
    ("(?m)^a$", "(?md)^a$", ""),
    ("(?m)^", r"(?md)(?:\A|(?<=\n))", ""),
    ("(?m)^|a", r"(?md)(?:\A|(?<=\n))|a", ""),
    ("(?m)(?:^|,)a", r"(?md)(?:(?:\A|(?<=\n))|,)a", ""),
    (r"a\Z", r"a\z", ""),
    ("(?s).$", "(?sd).$", ""),
    ("(?m:^a$)", "(?d)(?m:^a$)", ""),
    ("(?s:.)a.", "(?d)(?s:.)a.", ""),
    ("(?P<year>[0-9]{4})", "(?<year>[0-9]{4})", ""),
    ("(?P<a_b>x)(?P=a_b)", r"(?<ab>x)\k<ab>", ""),
    ("(?P<_1>x)", "(?<g1>x)", ""),
    ("(?P<a_b>x)(?P<ab>y)", "(?<ab>x)(?<abx2>y)", ""),
    ("(?P<größe>x)", "(?<gre>x)", ""),
    (r"(a)(?#0)0\1(?#x)0", r"(a)0(?:\1)0", ""),
    ("(?P<n>a)b(?P=n)0", r"(?<n>a)b(?:\k<n>)0", ""),
    ("(?#c)a(?#d)+", "a+", ""),
    ("a{,3}", "a{0,3}", ""),
    ("a{,}", "a{0,}", ""),
    ("a{", r"a\{", ""),
    ("a{}", r"a\{}", ""),
    ("a{x}", r"a\{x}", ""),
    ("a{1", r"a\{1", ""),
    ("a{1,x}", r"a\{1,x}", ""),
    ("{", r"\{", ""),
    ("x{,y}", r"x\{,y}", ""),
    ("a{ 1}", r"a\{ 1}", ""),
    (r"\${2}", "[$]{2}", ""),
    ("a${", r"(?d)a$\{", ""),
    ("[${]", r"[$\{]", ""),
    ("${x}", r"(?d)$\{x}", ""),
    ("[[]", r"[\[]", ""),
    ("[[a]", r"[\[a]", ""),
    ("[[^a]", r"[\[\^a]", ""),
    (r"[\[^a]", r"[\[\^a]", ""),
    ("[]a]", r"[\]a]", ""),
    ("[^]a]", r"[^\]a]", ""),
    ("[^^]", r"[^\^]", ""),
    ("[a&&b]", r"[a&\&b]", ""),
    ("[&&]", r"[&\&]", ""),
    ("[+--]", r"[+-\-]", ""),
    ("[a-c-e]", r"[a-c\-e]", ""),
    (r"[a\b]", r"[a\x08]", ""),
    (r"[\v]", r"[\x0B]", ""),
    ("[#&&# ]", r"[#&\&# ]", ""),
    (r"[\w-]", r"[\p{L}\p{N}_-]", "unicode"),
    (r"[\w\-.]", r"[\p{L}\p{N}_\-.]", "unicode"),
    (r"\v", r"\x0B", ""),
    (r"\0", r"\x00", ""),
    (r"\012", r"\n", ""),
    (r"\101", r"\x41", ""),
    (r"\N{DEGREE SIGN}", r"\xB0", ""),
    (r"\U0001F600", r"\x{1F600}", ""),
    (r"\é", "é", ""),
    (r"\²", r"\xB2", ""),
    ("a\tb", r"a\tb", ""),
    ("a\nb", r"a\nb", ""),
    ("a\x00b", r"a\x00b", ""),
    ("a\u200bb", r"a\x{200B}b", ""),
    ("(?x) a b # c\n c", "abc", ""),
    (r"(?x)[ #]\ \#", r"[ #]\ \#", ""),
    ("(?x)( a | b )+ # x", "(a|b)+", "long_text"),
    ("(?x:a b)c d", "(?:ab)c d", ""),
    ("(?x)a (?-x:b c)", "a(?:b c)", ""),
    ("(?i)k", "(?iu)k", ""),
    ("(?i)straße", "(?iu)stra[ßẞ]e", ""),
    ("(?i)[a-z]", "(?iu)[a-z]", ""),
    ("(?i)[A-Z]", "(?iu)[A-Za-z]", ""),
    ("(?i)[H-L]", "(?iu)[H-Lh-l]", ""),
    ("(?i)[^A-Z]", "(?iu)[^A-Za-z]", ""),
    ("(?i)é", "(?iu)é", ""),
    ("(?i)[à-ü]", "(?iu)(?-i:[À-ÖØ-Üà-üÅ])", ""),
    ("(?ai)k", "(?i)k", ""),
    ("(?i:k)K", "(?iu:k)K", ""),
    ("(?im)^k$", "(?iumd)^k$", ""),
    ("(?i)ﬅ", "(?iu)[ﬅﬆ]", ""),
    ("(?i)[a-z€]", "(?iu)[a-z€]", ""),
    (r"(?i)\w", r"(?i)[\p{L}\p{N}_]", "unicode"),
    (r"(?u)\w", r"[\p{L}\p{N}_]", "unicode"),
    (r"(?<=\w)a", r"(?<=[\p{L}\p{N}_]{1,2})a", "unicode"),
    (r"(?<!\d)5", r"(?U)(?<!\d{1,2})5", "unicode"),
    ("(?<=a.)b", "(?d)(?<=a.)b", "astral"),
    (r"(?<=\W)a", r"(?<=[^\p{L}\p{N}_])a", "unicode astral"),
    ("(?<=.)a", "(?d)(?<=.)a", ""),
    (r"(?<=\s)a", r"(?U)(?<=[\s\x1C-\x1F])a", ""),
    ("(?<!a)(?!a)", "(?<!a)(?!a)", "astral"),
    ("^(a|b)*$", "(?d)^(a|b)*$", "long_text"),
    (r"^[a-z]+(\.[a-z]+)*$", r"(?d)^[a-z]+(\.[a-z]+)*$", "long_text"),
    ("^(?:ab)*$", "(?d)^(?:ab)*$", ""),
    ("(?:^|a)+", "(?:^|a)+", "long_text"),
]

# No Java pattern is made of these, and a part of the reason.
REFUSED = [
    # Python itself raises
    ("[", "unterminated character set"),
    ("(", "unterminated subpattern"),
    (")", "unbalanced parenthesis"),
    ("*a", "nothing to repeat"),
    ("^*", "nothing to repeat"),
    (r"\Z*", "nothing to repeat"),
    ("a**", "multiple repeat"),
    ("a{2}{3}", "multiple repeat"),
    ("a{3,2}", "min repeat greater"),
    ("a{4294967295}", "too large"),
    ("(?z)", "unknown extension"),
    ("(?-i)a", "missing :"),
    ("(?P>n)", "unknown extension"),
    ("(?L)a", "bad inline flags"),
    (r"\q", "bad escape"),
    (r"\p{L}", "bad escape"),
    (r"a\Q", "bad escape"),
    ("a\\", "bad escape"),
    (r"\x4", "incomplete escape"),
    (r"\u12", "incomplete escape"),
    (r"\N{NO SUCH}", "undefined character name"),
    ("[z-a]", "bad character range"),
    (r"[\w-z]", "bad character range"),
    ("(?<=a+)b", "fixed-width"),
    ("(?P<1a>x)", "bad character in group name"),
    ("(?P<n>a)(?P<n>b)", "redefinition of group name"),
    ("(?P=n)", "unknown group name"),
    (r"\2(a)", "invalid group reference"),
    # Python changed its mind
    ("a(?i)b", "since 3.11"),
    # Java has nothing like it
    ("(?P<n>a)(?(n)b|c)", "condition on a group"),
    ("(a)?(?(1)b)", "condition on a group"),
    (r"(a)(?<=\1)b", "look-behind"),
    ("a{3000000000}", "more often than Java can count"),
    # Java has it and finds other texts
    (r"(a)?\1", "may not have taken part"),
    (r"(?:(a)|b)\1", "may not have taken part"),
    (r"(a)*\1", "may not have taken part"),
    (r"(?!(a))\1", "may not have taken part"),
    (r"(?=(a))\1", "may not have taken part"),
    (r"(?P<n>a)?(?P=n)", "may not have taken part"),
    (r"(?i)(a)\1", "differently under (?i)"),
    ("(?:^|a){2}", "match of nothing"),
    (r"(?:\b|a){2,}", "match of nothing"),
    ("(?:a*+|b){2,}c", "match of nothing"),
    ("(?i)𐐀", "beyond U+FFFF"),
    ("(?i)[𐐀-𐐧]", "beyond U+FFFF"),
    (r"(?i)[a-\U0001F600]", "beyond U+FFFF"),
    # neither is worth it
    (r"(?a:\d)", "between ASCII and Unicode"),
    (r"(?a)(?u:\d)", "between ASCII and Unicode"),
    (r"\ud83d", "surrogate"),
    (r"[\ud800-\udfff]", "surrogate"),
    ("(" * 60 + "a" + ")" * 60, "nested too deeply"),
]

# java.util.regex: accepted as they are ...
JAVA = [
    "",
    "^[A-Z]{3}$",
    r"^\d{3}-\d{2}$",
    r"(?i)[a-z&&[^b]]+",
    r"(?<name>a|b)\k<name>",
    "(?<=ab{1,3})c(?<!x)",
    r"\p{L}+\p{IsLatin}\pN[\p{Punct}&&[^.]]",
    r"\Qa.b(\E+",
    r"(a|b)\1(?:x)?+",
    "(?>a*)b{2,}?",
    r"[\x{1F600}-\x{1F64F}\u00e9😀]",
    r"\0123\x41\e\a",
    "(?s-m:.)(?!x)(?dU)$",
    r"[a-z&&def&&[g]]",
    "[[a-c][^d]]",
    r"\h\R\X\b\B\A\z\Z\G\v\V",
    "[a||b][a~~b][-a][a-]",
    "[[:alpha:]]",
    "^*$+",
]
# ... and refused, since Java rejects them or we are not sure that it compiles them.
NOT_JAVA = [
    ("(?P<n>a)", "(?P"),
    ("(?(1)a)", "(?("),
    ("(?#c)a", "(?#"),
    ("(?x) a", "(?x"),
    ("a{,3}", "no quantifier"),
    ("a{", "no quantifier"),
    ("*a", "no quantifier"),
    ("a**", "quantifier follows"),
    ("a{2}{3}", "quantifier follows"),
    ("a{3,2}", "no range"),
    ("a{2147483648}", "no range"),
    ("[a", "ends too early"),
    ("[", "ends too early"),
    ("[[a]", "ends too early"),
    ("[]a]", "starts with ]"),
    ("[&&a]", "starts with ] or &&"),
    ("[a&&]", "nothing on one side"),
    ("[z-a]", "range in a class"),
    (r"[a-\d]", "range in a class"),
    (r"[\[^a]", "not plain"),
    (r"\q", "not known to be an escape"),
    (r"[\b]", "not known to be an escape"),
    (r"[\Z]", "not known to be an escape"),
    (r"\cA", "not known to be an escape"),
    (r"\N{DEGREE SIGN}", "not known to be an escape"),
    (r"\b{g}", r"\b{"),
    (r"\p{Foo}", "not known to exist"),
    (r"\p", "needs a property"),
    (r"\0", "octal"),
    (r"\x4", "hexadecimal"),
    (r"\x{110000}", "no character"),
    (r"\uD83D", "no character"),
    (r"\1(a)", "closed by then"),
    (r"(a)\2", "closed by then"),
    (r"\k<n>(?<n>a)", "no group before it"),
    ("(?<n>a)(?<n>b)", "two groups"),
    ("(?<a_b>x)", "no name"),
    ("(?<=a+)b", "no greatest length"),
    (r"(a)(?<=\1)b", "no greatest length"),
    (r"\Qa", r"no \E"),
    (r"\Q\E", "no text"),
    ("(a", "not closed"),
    ("a)", "too many"),
    ("a\\", "ends too early"),
    ("a\0", "NUL"),
    (r"\Q${x}\E", "Spark replaces"),
    ("(" * 60 + "a" + ")" * 60, "nested too deeply"),
]

_HOSTILE = "\n\r\t\x0b\x1c\x85\xa0\u2028\u200d\u0301٣²½‿é𝒳𝟘😀İıßẞKſµμΐﬅ_-^[]&{}$#\\"
_PLAIN = "abkKsSiIZz09_- .\n"


def texts_for(pattern, count=3):
    """Texts that hold a match, their near misses, and hostile ones."""
    found = ["", *_HOSTILE]
    for text in _matching(pattern, count):
        found += [
            text,
            f"{text}\n",
            f"{text}\r",
            f"{text}\u2028",
            f"x{text}",
            f"😀{text}",
            text[:-1],
        ]
        found += [text.swapcase(), text.translate({ord("1"): "١", ord("a"): "á", ord("k"): "K"})]
    return [text for text in found if not any("\ud800" <= char <= "\udfff" for char in text)]


def _matching(pattern, count):
    found = []
    try:

        @settings(
            max_examples=count,
            database=None,
            derandomize=True,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(from_regex(re.compile(pattern)))
        def collect(text):
            found.append(text)

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            collect()
    except (InvalidArgument, Unsatisfiable, NotImplementedError):
        pass  # look-arounds and atomic groups are beyond it: the hostile texts remain
    return found


class Patterns:
    """Random patterns of Python, valid or not, from a seed."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def one(self):
        flags = ["", "", "", "(?i)", "(?m)", "(?s)", "(?a)", "(?ai)", "(?im)"]
        return self.random.choice(flags) + self._branches(3)

    def text(self):
        choose = self.random.choice
        size = self.random.randint(0, 5)
        return "".join(
            choose(_PLAIN if self.random.random() < 0.6 else _HOSTILE) for _ in range(size)
        )

    def _branches(self, depth):
        count = self.random.choice([1, 1, 1, 2, 2, 3])
        return "|".join(self._sequence(depth) for _ in range(count))

    def _sequence(self, depth):
        return "".join(self._piece(depth) for _ in range(self.random.randint(0, 3)))

    def _piece(self, depth):
        quantifiers = ["*", "+", "?", "{2}", "{1,2}", "{,2}", "{2,}", "*?", "+?", "*+", "{1,2}+"]
        repeated = self.random.random() < 0.3
        return self._atom(depth) + (self.random.choice(quantifiers) if repeated else "")

    def _atom(self, depth):
        choose = self.random.choice
        kind = self.random.randint(0, 9 if depth else 6)
        if kind <= 2:
            return re.escape(choose(_PLAIN if kind else _HOSTILE))
        if kind <= 4:
            return self._class()
        if kind == 5:
            return choose([r"\d", r"\w", r"\s", r"\D", r"\W", r"\S", ".", r"\1", r"(?<=a.)"])
        if kind == 6:
            return choose(["^", "$", r"\b", r"\B", r"\Z", r"\A", r"(?<!\w)", r"(?<=[ab])"])
        openings = ["(", "(", "(?:", "(?=", "(?!", "(?>", "(?i:", "(?-i:", "(?m:", "(?s:"]
        return f"{choose(openings)}{self._branches(depth - 1)})"

    def _class(self):
        ranges = [
            "a-z",
            "A-Z",
            "H-L",
            "à-ü",
            "Α-ω",
            " -/",
            r"\[-^",
            "\x20-\xff",
            "\x80-\uffff",
            "+--",
        ]
        odd = ["[", "&&", "^", "-", "$", "{", "|", "~~", r"\b", r"\d", r"\w", r"\s", r"\W", r"\S"]
        parts = [self.random.choice([*ranges, *odd, *_PLAIN]) for _ in range(3)]
        return f"[{'^' * (self.random.random() < 0.3)}{''.join(parts)}]"
