"""Texts that tell two engines apart, and random patterns, for test_regex.py."""

import random
import re
import warnings

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import InvalidArgument, Unsatisfiable
from hypothesis.strategies import from_regex

_HOSTILE = "\n\r\t\x0b\x1c\x85\xa0\u2028\u200d\u0301٣²½‿é𝒳𝟘😀İıßẞKſµμΐﬅ_-^[]&{}$#\\"
_PLAIN = "abkKsSiIZz09_- .\n"


def texts_for(pattern, count=2):
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
