"""The questions of the gap report: each asked once, with the rules that it is about."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ruleferry.converters.account import Entry, Ledger, Proposal, Question
from ruleferry.converters.mappings import caveat_titles, gap_titles
from ruleferry.converters.reports.cells import (
    OPEN_ROWS,
    RULE,
    TABLE,
    WHERE,
    grouped,
    listing,
    more_rules,
)
from ruleferry.converters.reports.markdown import folding_table, paragraph, prose
from ruleferry.converters.reports.text import count, natural

# The rules that stand below a question; of the others their number is told, table by table.
SHOWN = 10
# About most of the rules of a first conversion, and about no rule's meaning.
_LAST = ("table_not_stated", "action_undecided")


@dataclass(frozen=True, slots=True)
class Asked:
    """Questions about one topic with the same answers: a person reads them as one.

    `wordings`: what is asked -> how many rules it is about; `entries`: all of these rules.
    """

    code: str
    wordings: Mapping[str, int]
    proposals: tuple[Proposal, ...]
    until_answered: str
    entries: tuple[Entry, ...]


def question_sections(ledger: Ledger) -> Iterator[str]:
    """One section a topic: first what is not checked at all, last what is only undecided."""
    asked = questions_asked(ledger)
    if asked:
        yield f"## {how_many(ledger.questions)}\n"
    for number, one in enumerate(asked, start=1):
        yield from _section(number, one)


def questions_asked(ledger: Ledger) -> tuple[Asked, ...]:
    """The topics in the order in which they matter; their rules in the order of the ledger."""
    numbers: dict[str, list[int]] = defaultdict(list)
    for number, entry in enumerate(ledger.entries):
        numbers[entry.id].append(number)

    def entries_of(questions: Iterable[Question]) -> tuple[Entry, ...]:
        ids = {id_ for question in questions for id_ in question.entries}
        about = sorted(number for id_ in ids for number in numbers.get(id_, ()))
        return tuple(ledger.entries[number] for number in about)

    def asked(questions: Sequence[Question]) -> Asked:
        code, proposals, until_answered = _topic(questions[0])
        alike = grouped(questions, lambda question: question.question)
        of_words = {words: entries_of(found) for words, found in alike.items()}
        counts = {words: len(entries) for words, entries in of_words.items()}
        wordings = dict(sorted(counts.items(), key=lambda item: (-item[1], natural(item[0]))))
        entries = entries_of(questions) if len(alike) > 1 else of_words.popitem()[1]
        return Asked(code, wordings, proposals, until_answered, entries)

    return tuple(sorted(map(asked, grouped(ledger.questions, _topic).values()), key=_weight))


def how_many(questions: Iterable[Question]) -> str:
    """The number of questions that a person reads, and of topics where these are fewer."""
    read = {(_topic(question), question.question) for question in questions}
    topics = {topic for topic, _ in read}
    told = count(len(read), "question")
    return f"{told} on {count(len(topics), 'topic')}" if len(topics) < len(read) else told


def _topic(question: Question) -> tuple[str, tuple[Proposal, ...], str]:
    return question.code, question.proposals, question.until_answered


def _weight(asked: Asked) -> tuple[object, ...]:
    if any(entry.gap is not None and entry.gap.code == asked.code for entry in asked.entries):
        rank = 0
    elif asked.code in _LAST:
        rank = 3 + _LAST.index(asked.code)
    else:
        rank = 2 if asked.code in caveat_titles() else 1
    return rank, -len(asked.entries), asked.code, *asked.wordings


def _section(number: int, asked: Asked) -> Iterator[str]:
    title = gap_titles().get(asked.code) or caveat_titles().get(asked.code) or asked.code
    about = count(len(asked.entries), "rule")
    if len(asked.wordings) == 1:
        yield f"### {number}. {prose(*asked.wordings)}\n"
        yield f"{paragraph(title)}: {about}.\n"
    else:
        yield f"### {number}. {prose(title)}\n"
        yield f"{count(len(asked.wordings), 'question')} about {about}.\n"
        rows = [(prose(words), f"{rules:,}") for words, rules in asked.wordings.items()]
        yield folding_table(("question", "rules:"), rows, OPEN_ROWS, "questions")
    if asked.proposals:
        yield "".join(f"- **{prose(p.label)}** – {prose(p.effect)}\n" for p in asked.proposals)
    yield f"Until somebody answers: {prose(asked.until_answered)}\n"
    yield listing(asked.entries[:SHOWN], (RULE, TABLE, WHERE))
    if len(asked.entries) > SHOWN:
        yield f"… and {more_rules(asked.entries[SHOWN:])}.\n"
