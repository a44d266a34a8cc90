"""Report pages for tests: the parsed page, and ledgers whose every text is hostile."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from html.parser import HTMLParser

from ledgers import digest, entry, left, orders_ledger

from ruleferry.converters.account import Answered, Because, Ledger, Question
from ruleferry.converters.naming import sha256
from ruleferry.converters.proved import DifferingRow, Proved
from ruleferry.converters.reports.html import gap_page
from ruleferry.converters.reports.report import Report, report
from ruleferry.converters.rule import Skipped

VOID = {"br", "col", "hr", "input", "link", "meta", "img", "rect", "wbr"}


@dataclass
class Node:
    tag: str
    attributes: dict[str, str | None] = field(default_factory=dict)
    children: list["Node | str"] = field(default_factory=list)

    def all(self, tag: str = "", **wanted: str) -> list["Node"]:
        """What is of a tag and has these words in these attributes (`class_`, `data_f`)."""
        wanted = {k.rstrip("_").replace("_", "-"): v for k, v in wanted.items()}
        return [node for node in self.walk() if node.fits(tag, wanted)]

    def one(self, tag: str = "", **wanted: str) -> "Node":
        (found,) = self.all(tag, **wanted)
        return found

    def walk(self) -> Iterator["Node"]:
        for child in self.children:
            if isinstance(child, Node):
                yield child
                yield from child.walk()

    def fits(self, tag: str, wanted: Mapping[str, str]) -> bool:
        held = {key: (self.attributes.get(key) or "").split() for key in wanted}
        return tag in ("", self.tag) and all(v in held[k] for k, v in wanted.items())

    @property
    def text(self) -> str:
        return "".join(c if isinstance(c, str) else c.text for c in self.children)


class _Reader(HTMLParser):
    """Every element is closed by its own end tag, and in order."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open = [Node("")]

    def handle_starttag(self, tag, attrs):
        assert len(dict(attrs)) == len(attrs), f"an attribute of {tag} stands twice"
        node = Node(tag, dict(attrs))
        self.open[-1].children.append(node)
        if tag not in VOID:
            self.open.append(node)

    def handle_startendtag(self, tag, attrs):
        self.open[-1].children.append(Node(tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop().tag == tag

    def handle_data(self, data):
        self.open[-1].children.append(data)


def parsed(page: str) -> Node:
    reader = _Reader()
    reader.feed(page)
    reader.close()
    assert [node.tag for node in reader.open] == [""]
    return reader.open[0]


def rule_of(page: Node, name: str) -> Node:
    (found,) = (r for r in page.all("details", class_="r") if f"{name}, " in r.text)
    return found


# Reports ------------------------------------------------------------------------------------------


def full_ledger() -> Ledger:
    """All that a page can show: the orders ledger, with answers of before and what is not read."""
    made = orders_ledger()
    words = entry(
        "o_clerk_format",
        "Fields!D9",
        file="dictionary.xlsx",
        text="Clerk#000000001",
        words="o_clerk looks like Clerk#000000001",
        decided=("condition, by Ann Smith on 2026-11-30: as in the manual",),
    )
    words = replace(words, origin=replace(words.origin, tool="spreadsheet", engine="words"))
    no_table = left("no_table", "line 3", "not_a_check", "It counts nothing.", table="")
    asked = Question(
        "q-again",
        "regex",
        (words.id,),
        "What should the clerk look like?",
        (),
        "Nothing checks it.",
        takes="condition",
        answered=(
            Answered(
                "refused", "o_clerk RLIKE '('", "Ann Smith", "2026-11-30", "It doesn't parse."
            ),
            Answered("pending", "mend the file", "Bob"),
        ),
    )
    sources = tuple(
        replace(s, cells={"rule": 12, "skipped": 3}, skipped=(Skipped("Notes", "is empty", 3),))
        for s in made.sources
    )
    return replace(
        made,
        sources=sources,
        questions=(*made.questions, asked),
        entries=(*made.entries, words, no_table),
    )


def proofs_of(ledger: Ledger) -> tuple[Proved, ...]:
    """One rule agrees, one differs, one can't be compared, one has changed since."""
    by_name = {e.name: e for e in ledger.entries}
    row = DifferingRow((("o_orderstatus", "X"), ("o_orderkey", "7")), "bad", "good")

    def proved(name, verdict, **more) -> Proved:
        e = by_name[name]
        return Proved(e.id, e.text_sha256, sha256(e.condition or ""), verdict, 1000, **more)

    return (
        proved("o_totalprice_range", "agrees"),
        proved("o_orderstatus_allowed", "differs", differing=2, examples=(row,)),
        proved("c_email_pattern", "untested", why="no data was given"),
        replace(proved("c_custkey_unique", "agrees"), text_sha256=digest("before")),
    )


def full_report() -> Report:
    ledger = full_ledger()
    return report(ledger, proofs_of(ledger))


def full_page() -> str:
    return gap_page(full_report())


# Words that the program itself writes: all other texts may come from anywhere.
_OURS = {
    "outcome", "kind", "nulls", "action", "grade", "code", "engine", "state", "does", "takes",
    "over", "merged_into", "text_sha256", "condition_sha256", "verdict", "outcomes",
    "cells", "id",
}  # fmt: skip

_IDS = {Because: {"by"}, Question: {"entries"}}


def poisoned(thing, poison: str):
    """The same with `poison` in every text that may come from anywhere."""
    if isinstance(thing, str):
        return thing + poison
    if isinstance(thing, tuple):
        return tuple(poisoned(item, poison) for item in thing)
    if is_dataclass(thing):
        kept = _OURS | _IDS.get(type(thing), set())
        changed = {f.name: getattr(thing, f.name) for f in fields(thing) if f.name not in kept}
        return replace(thing, **{k: poisoned(v, poison) for k, v in changed.items()})
    return thing


def poisoned_report(poison: str) -> Report:
    ledger = poisoned(full_ledger(), poison)
    proofs = poisoned(proofs_of(full_ledger()), poison)
    by_id = {e.id: e for e in ledger.entries}
    same = tuple(replace(p, condition_sha256=sha256(by_id[p.id].condition or "")) for p in proofs)
    return report(ledger, same)
