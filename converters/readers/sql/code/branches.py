"""The branches of IF and CASE, and what each of them does: complain, or something else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ruleferry.converters.readers.sql.code.conditions import Test, test_of
from ruleferry.converters.readers.sql.code.effects import Outcome, is_complaint, outcome
from ruleferry.converters.readers.sql.code.fates import fate
from ruleferry.converters.readers.sql.code.nodes import Arm, Block, If, Node, Raise, Skip
from ruleferry.converters.readers.sql.code.place import Place, Work
from ruleferry.converters.readers.sql.code.values import Values


@dataclass(frozen=True, slots=True)
class Branch:
    """`test`: None for ELSE; `before`: the branches that are tried first.

    `unsure`: why nobody can tell whether it complains.
    """

    arm: Arm
    test: Test | None
    before: tuple[Branch, ...] = ()
    done: Outcome | None = None
    unsure: str = ""

    @property
    def deciding(self) -> tuple[Test, ...]:
        """The tests that decide whether it is taken."""
        own = () if self.test is None else (self.test,)
        return (*(b.test for b in self.before if b.test is not None), *own)

    @property
    def of_data(self) -> bool:
        return any(test.of_data or test.of_record for test in self.deciding[-1:])


def branches_of(node: If, values: Values, place: Place, work: Work) -> tuple[Branch, ...]:
    found: list[Branch] = []
    for arm in flattened(node):
        test = None if arm.condition is None else test_of(arm.condition, node, values, place)
        plain = Branch(arm, test, tuple(found))
        found.append(_with_outcome(plain, place, work))
    return _together(found)


def flattened(node: If) -> tuple[Arm, ...]:
    """ELSE IF as one of its own branches."""
    arms = node.arms
    while arms and arms[-1].condition is None:
        body = arms[-1].body
        while len(body) == 1 and isinstance(body[0], Block) and not body[0].handlers:
            body = body[0].body
        if len(body) != 1 or not isinstance(body[0], If) or body[0].operand:
            break
        arms = (*arms[:-1], *body[0].arms)
    return arms


def _with_outcome(branch: Branch, place: Place, work: Work) -> Branch:
    done = outcome(branch.arm.body, place.around, place.code.tokens)
    if done is None:
        return branch
    if done.collected:
        return _collected(branch, done, place, work)
    well = is_complaint(done)
    if well is None:
        reason = "whether its message complains or tells how the run goes can't be told"
        return replace(branch, unsure=reason, done=done)
    return replace(branch, done=done) if well else branch


def _collected(branch: Branch, done: Outcome, place: Place, work: Work) -> Branch:
    """A text or a mark in a variable: what becomes of it later decides."""
    found = fate(done.collected, place.around, place.code.tokens)
    well = is_complaint(done) if done.labels else True
    if found is None and done.labels and well:
        return replace(branch, done=done, unsure=f"what becomes of {done.collected} can't be told")
    if found is None or well is False:
        return branch
    work.collected.add(done.collected)
    return replace(branch, done=Outcome(found, done.labels))


def _together(found: Sequence[Branch]) -> tuple[Branch, ...]:
    """A message of one branch says how to read that of another.

    Where one complains for sure, a message that may be anything is none; where IF and ELSE both
    seem to complain by their words alone, nobody can tell which one does.
    """
    sure = [b for b in found if b.done is not None and not b.unsure]
    messages = [b for b in sure if b.done is not None and _is_message(b.done)]
    otherwise = found[-1] if found and found[-1].test is None else None
    if len(sure) > len(messages):
        found = [replace(b, done=None, unsure="") if _only_words(b) else b for b in found]
    elif otherwise in messages and len(messages) > 1:
        reason = "the messages of both branches seem to complain"
        found = [replace(b, unsure=reason) if b in messages else b for b in found]
    elif sure:
        found = [replace(b, done=None, unsure="") if b.unsure else b for b in found]
    return tuple(found)


def _is_message(done: Outcome) -> bool:
    return done.effect.kind == "notice" and not done.sure and not done.effect.detail


def _only_words(branch: Branch) -> bool:
    """A message of ELSE, or one that may be anything, beside an error."""
    if branch.done is None or not _is_message(branch.done):
        return False
    return bool(branch.unsure) or branch.test is None


def ends(body: Sequence[Node]) -> bool:
    """What comes behind it is not run any more."""
    for node in body:
        if isinstance(node, Raise) and node.stops:
            return True
        if isinstance(node, Skip) and node.leaves == "routine":
            return True
        if isinstance(node, Block) and not node.handlers and ends(node.body):
            return True
    return False
