"""Names and ids: stable from run to run, and never made from a position."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set

from ruleferry.converters.mappings import kind_words
from ruleferry.converters.rule import Figure, LegacyRule

LONGEST = 63
SUFFIX = 4


def sha256(text: str) -> str:
    # A lone surrogate, which JSON can hold, has no UTF-8 form of its own.
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def rule_ids(rules: Sequence[LegacyRule], sources: Mapping[str, str]) -> list[str]:
    """12 hex digits each. `sources`: file -> the name that stands for it in the hash.

    Rules that share source, table, columns, kind and the author's id add their own text, each of
    them; where even that is the same, they are numbered, and which has which makes no difference.
    """
    keys = [_key(rule, sources) for rule in rules]
    shared = Counter(keys)
    full = [
        k if shared[k] == 1 else k + sha256(r.origin.text) for k, r in zip(keys, rules, strict=True)
    ]
    seen: Counter[str] = Counter()
    ids: list[str] = []
    for key in full:
        seen[key] += 1
        ids.append(sha256(key if seen[key] == 1 else f"{key}#{seen[key]}")[:12])
    return ids


def _key(rule: LegacyRule, sources: Mapping[str, str]) -> str:
    source = sources.get(rule.origin.file, rule.origin.file)
    author = rule.author_id or rule.author_name
    key = [source, rule.table.name, sorted(rule.columns), rule.kind, author]
    return json.dumps([*key, rule.part] if rule.part else key)


_PARAMETERS = ("parameter_given", "parameter_assumed")


def text_sha256(rule: LegacyRule) -> str:
    """Of a rule's text, and of what it depends on beside it: other cells, values of parameters."""
    given = (caveat.detail for caveat in rule.caveats if caveat.code in _PARAMETERS)
    return sha256("\n".join(part for part in (rule.origin.text, rule.beside, *given) if part))


def plain(text: str) -> str:
    """Letters a to z, digits and `_` between them, accents folded; empty where nothing is left."""
    folded = text.casefold()
    if not folded.isascii():
        folded = "".join(map(_ascii, unicodedata.normalize("NFKD", folded)))
    return re.sub(r"[^a-z0-9]+", "_", folded).strip("_")


def _ascii(char: str) -> str:
    """A letter of another script is left out, and a dash or a space still parts two words."""
    if char.isascii():
        return char
    return "" if char.isalnum() or unicodedata.combining(char) else " "


def base_name(rule: LegacyRule, rule_id: str) -> str:
    """The author's own name, else the columns and the word of the kind, which is never cut off.

    SQL names no columns: there the author's title does, as the event log knows a rule by its name.
    """
    own = rule.author_name or (rule.title if _is_unnamed(rule) else None)
    word = "" if own else _word(rule)
    said = plain(own or "_".join(rule.columns))
    if not said and (own or rule.columns):
        return f"rule_{rule_id}"
    if said and not said[0].isalpha():
        said = f"rule_{said}"
    said = said[: LONGEST - len(word) - bool(word)].rstrip("_")
    return f"{said}_{word}".strip("_")


def _is_unnamed(rule: LegacyRule) -> bool:
    return rule.kind == "predicate" and not rule.columns


def _word(rule: LegacyRule) -> str:
    if isinstance(rule.check, Figure):
        return plain(rule.check.measure)
    return kind_words()[rule.kind]


def distinct_names(bases: Mapping[str, str], left: Set[str] = frozenset()) -> dict[str, str]:
    """id -> name. On a clash every clashing name ends in digits of its id.

    What is `left` gives way: a rule is not renamed when a gap beside it opens or is answered.
    """
    taken = Counter(bases.values())
    named = Counter(base for i, base in bases.items() if i not in left)
    digits = SUFFIX
    names = {
        i: with_digits(b, i, digits if (taken if i in left else named)[b] > 1 else 0)
        for i, b in bases.items()
    }
    while len(set(names.values())) < len(names):
        digits += 1
        again = Counter(names.values())
        names = {
            i: with_digits(bases[i], i, digits) if again[n] > 1 else n for i, n in names.items()
        }
    return names


def with_digits(base: str, rule_id: str, digits: int) -> str:
    """The name with digits of the rule's id behind it."""
    if not digits:
        return base
    return f"{base[: LONGEST - digits - 1].rstrip('_')}_{rule_id[:digits]}"


def stems(tables: Mapping[str, Sequence[str]], pinned: Mapping[str, str]) -> dict[str, str]:
    """table key -> stem of its module: the last part of its name, or more where two share it.

    What even the whole name can't tell apart ends in digits of a hash of the key. `pinned` stems,
    no two of them alike, stay as they are: another table gives way.
    """
    names = {key: _stem(parts[-1:]) for key, parts in tables.items()} | dict(pinned)
    names = _told_apart(names, pinned, lambda key: _stem(tables[key][-2:]))
    names = _told_apart(names, pinned, lambda key: _stem(tables[key]))
    digits = SUFFIX
    while len(set(names.values())) < len(names):
        ending = {key: f"{_stem(tables[key])}_{sha256(key)[:digits]}" for key in tables}
        names = _told_apart(names, pinned, ending.__getitem__)
        digits += 1
    return names


def _stem(parts: Sequence[str]) -> str:
    stem = "_".join(plain(part) for part in parts).strip("_") or "table"
    stem = stem if stem[0].isalpha() else f"table_{stem}"
    return stem[:LONGEST].rstrip("_")


def _told_apart(
    names: Mapping[str, str], pinned: Mapping[str, str], longer: Callable[[str], str]
) -> dict[str, str]:
    shared = Counter(names.values())
    return {
        key: longer(key) if shared[name] > 1 and key not in pinned else name
        for key, name in names.items()
    }
