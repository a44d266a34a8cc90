"""The sentences of a cell: its bullets, lines, and what stands between full stops."""

from __future__ import annotations

from ruleferry.converters.readers.spreadsheet.phrases.tokens import Token, Tokens

# A point after these ends no sentence.
_SHORT = frozenset(("max", "min", "approx", "incl", "no", "vs", "etc", "fig", "sec", "ca", "resp"))
_ENDS = (".", "!", "?")


def sentences(tokens: Tokens) -> tuple[Tokens, ...]:
    found: list[list[Token]] = [[]]
    for place, token in enumerate(tokens):
        if token.kind in ("break", "bullet") or token.norm == ";":
            found.append([])
            continue
        found[-1].append(token)
        if _ends_here(tokens, place):
            found.append([])
    return tuple(s for s in (_unnumbered(tuple(words)) for words in found) if s)


def _ends_here(tokens: Tokens, place: int) -> bool:
    token = tokens[place]
    if token.kind != "punct" or token.norm not in _ENDS:
        return False
    if token.norm == "." and place and tokens[place - 1].norm in _SHORT:
        return False
    following = tokens[place + 1] if place + 1 < len(tokens) else None
    return following is None or following.kind != "word" or not following.text[0].islower()


def _unnumbered(tokens: Tokens) -> Tokens:
    """Without the dash or number that opens an item of a list."""
    dashed = len(tokens) > 1 and tokens[0].kind == "sign" and tokens[0].norm == "-"
    if dashed and tokens[1].kind != "number":  # it may be a minus
        return tokens[1:]
    numbered = len(tokens) > 2 and tokens[0].kind == "number" and tokens[1].norm in (")", ".")
    if numbered and tokens[2].kind == "word":
        return tokens[2:]
    return tokens
