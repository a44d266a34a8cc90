"""A rules module read back as text: its rules, and whether the rest is as it was written.

The module is never run. `conversion` keeps the rules that are marked `# manual: reason`, `drift`
compares all of them with the sources.
"""

import ast
import hashlib
import io
import re
import tokenize
import warnings
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from ruleferry.converters.account import KeysOf
from ruleferry.converters.errors import Fault, InputFaults
from ruleferry.converters.rule import Action

# What a rule is tested on: a record of the table, or the one row of its figures, of its schema, or
# of a query of its own.
Over: TypeAlias = Literal["record", "figures", "schema", "query"]
# In the order in which the module has them.
DICTIONARIES: Mapping[Action, str] = {
    "fail": "RULES_FAIL",
    "drop": "RULES_DROP",
    "warn": "RULES_WARN",
}
# Those that a module has only where it has such rules.
OTHER_DICTIONARIES: Mapping[Over, Mapping[Action, str]] = {
    "figures": {"fail": "FIGURE_RULES_FAIL", "warn": "FIGURE_RULES_WARN"},
    "schema": {"fail": "SCHEMA_RULES_FAIL", "warn": "SCHEMA_RULES_WARN"},
    "query": {"fail": "QUERY_RULES_FAIL", "warn": "QUERY_RULES_WARN"},
}
_ALL: tuple[tuple[Over, Action, str], ...] = (
    *(("record", action, name) for action, name in DICTIONARIES.items()),
    *(
        (over, action, name)
        for over, names in OTHER_DICTIONARIES.items()
        for action, name in names.items()
    ),
)
# Dictionaries of columns, in the order of the block: LOOKUPS holds keys, QUERIES the SQL of a rule,
# the others SQL by column.
COLUMNS = ("LOOKUPS", "COMPARED", "FLAGS", "FIGURES_REQUIRED", "FIGURES", "QUERIES")
# What the edit block assigns.
BLOCK_NAMES = frozenset({"SOURCE_TABLE", *COLUMNS, *(name for _, _, name in _ALL)})
BLOCK_START = "# ---- EDIT FROM HERE ".ljust(100, "-")
BLOCK_END = "# ---- TO HERE: what follows only applies the rules ".ljust(100, "-")

_MANUAL = re.compile(r"#\s*manual:\s*(\S.*?)\s*$")
_SHORT_ID = re.compile(r"#\s*\[([0-9a-f]{6,12})\](?:\s|$)")
_EXPECTED = "a rules module as ruleferry writes it"


@dataclass(frozen=True, slots=True)
class ModuleRule:
    """One rule as the module has it; `manual` is the reason of a person who changed it.

    `short_id`: the first digits of its id, as the comment above it says.
    """

    name: str
    action: Action
    condition: str
    manual: str | None = None
    line: int = 0
    over: Over = "record"
    short_id: str | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class BlockColumn:
    """A column that a dataset computes, by the dictionary that it stands in.

    `value`: its SQL, or the keys that LOOKUPS has. In QUERIES it is called as its rule.
    """

    dictionary: str
    name: str
    value: str | KeysOf
    manual: str | None = None
    line: int = 0


@dataclass(frozen=True, slots=True)
class ModuleRules:
    """What the edit block says: the table as Spark gets it, rules and columns in their order."""

    source_table: str
    rules: tuple[ModuleRule, ...]
    columns: tuple[BlockColumn, ...] = ()

    def conditions(self, action: Action) -> dict[str, str]:
        """One dictionary of the module: name -> condition."""
        return {rule.name: rule.condition for rule in self.rules if rule.action == action}


def read_module(text: str, file: str) -> ModuleRules:
    """The edit block of the module's text; `file` is its name in messages.

    Raises InputFaults with all that is wrong, where the text is no such module: it isn't Python, a
    dictionary is missing, computed or changed later on, a name stands twice.
    """
    tree = _parsed(text, file)
    values, faults = _block_values(tree, file)
    rules: list[ModuleRule] = []
    comments = _comments(text)
    for over, action, name in _ALL:
        match values.get(name):
            case ast.Dict() as shown:
                found, wrong = _rules(shown, action, comments, file)
                rules += [replace(rule, over=over) for rule in found]
                faults += wrong
            case ast.expr() as value:
                faults.append(_fault(file, value.lineno, f"{name} computed", "a plain dictionary"))
            case None:
                pass
    columns: list[BlockColumn] = []
    for name in COLUMNS:
        match values.get(name):
            case ast.Dict() as shown:
                made, wrong = _columns(shown, name, comments, file)
                columns += made
                faults += wrong
            case ast.expr() as value:
                faults.append(_fault(file, value.lineno, f"{name} computed", "a plain dictionary"))
            case None:
                pass
    faults += _repeated("rule", rules, file)
    for name in COLUMNS:
        faults += _repeated("item", [c for c in columns if c.dictionary == name], file)
    table = values.get("SOURCE_TABLE")
    source_table = _text(table)
    if table is not None and source_table is None:
        faults.append(_fault(file, table.lineno, "SOURCE_TABLE computed", "one string"))
    if faults:
        raise InputFaults(faults)
    return ModuleRules(source_table or "", tuple(rules), tuple(columns))


def body_sha256(text: str, file: str) -> str:
    """SHA-256 (hex) of what follows the edit block, in UTF-8 with "\\n" at the ends of lines.

    It stays the same while only the header and the rules are edited. Raises InputFaults where the
    line that ends the block is missing or stands twice.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if lines.count(BLOCK_END) != 1:
        what = f"{lines.count(BLOCK_END)} lines that end the edit block"
        raise InputFaults([_fault(file, None, what, f"one line {BLOCK_END.rstrip('-')}---")])
    body = "\n".join(lines[lines.index(BLOCK_END) + 1 :])
    return hashlib.sha256(body.encode("utf-8", "surrogatepass")).hexdigest()


def _fault(file: str, line: int | None, found: str, expected: str) -> Fault:
    place = None if line is None else f"line {line}"
    todo = "Correct the module, or delete it and convert again."
    return Fault(file=file, place=place, found=found, expected=expected, todo=todo)


def _parsed(text: str, file: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # "\d" in a condition is the pipeline's matter
        try:
            return ast.parse(text)
        except SyntaxError as error:
            found = f"text that is not Python ({error.msg})"
            raise InputFaults([_fault(file, error.lineno, found, _EXPECTED)]) from error
        except (ValueError, RecursionError, MemoryError) as error:  # null bytes, deep nesting
            raise InputFaults([_fault(file, None, "text that is not Python", _EXPECTED)]) from error


def _block_values(tree: ast.Module, file: str) -> tuple[dict[str, ast.expr], list[Fault]]:
    """The value of each name of the block, and what is missing or said twice."""
    values: dict[str, ast.expr] = {}
    faults: list[Fault] = []
    read: set[str] = set()
    for statement in tree.body:
        match statement:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ) if name in BLOCK_NAMES and name not in values:
                values[name] = value
            case ast.FunctionDef() | ast.ClassDef():
                read |= BLOCK_NAMES & _read_in(statement)
            case _:
                for name in sorted(BLOCK_NAMES & set(_names(statement))):
                    found = f"another statement about {name}"
                    faults.append(_fault(file, statement.lineno, found, "one plain assignment"))
    wanted = dict.fromkeys(("SOURCE_TABLE", *DICTIONARIES.values(), *sorted(read)))
    missing = [name for name in wanted if name not in values]
    if missing:
        faults.insert(0, _fault(file, None, f"no {', '.join(missing)}", _EXPECTED))
    return values, faults


def _read_in(statement: ast.stmt) -> set[str]:
    """The names that it reads and does not set itself."""
    names = [node for node in ast.walk(statement) if isinstance(node, ast.Name)]
    return {n.id for n in names if isinstance(n.ctx, ast.Load)} - {
        n.id for n in names if not isinstance(n.ctx, ast.Load)
    }


def _names(statement: ast.stmt) -> Iterator[str]:
    return (node.id for node in ast.walk(statement) if isinstance(node, ast.Name))


def _text(value: ast.expr | None) -> str | None:
    match value:
        case ast.Constant(value=str() as text):
            return text
        case _:
            return None


def _rules(
    shown: ast.Dict, action: Action, comments: Iterable[tuple[int, bool, str]], file: str
) -> tuple[list[ModuleRule], list[Fault]]:
    rules: list[ModuleRule] = []
    faults: list[Fault] = []
    reasons, ids = _marks(shown, comments, _MANUAL), _marks(shown, comments, _SHORT_ID)
    for key, value in zip(shown.keys, shown.values, strict=True):
        name, condition = _text(key), _text(value)
        if key is None or name is None:
            found = "a rule whose name is computed"
            faults.append(_fault(file, value.lineno, found, "the name as one string"))
        elif condition is None:
            found = f"a computed condition of {name!r}"
            faults.append(_fault(file, value.lineno, found, "the condition as one string"))
        else:
            line = key.lineno
            found_id, manual = ids.get(line), reasons.get(line)
            rules.append(ModuleRule(name, action, condition, manual, line, short_id=found_id))
    return rules, faults


def _columns(
    shown: ast.Dict, dictionary: str, comments: Iterable[tuple[int, bool, str]], file: str
) -> tuple[list[BlockColumn], list[Fault]]:
    columns: list[BlockColumn] = []
    faults: list[Fault] = []
    reasons = _marks(shown, comments, _MANUAL)
    wanted = "a table and its keys" if dictionary == "LOOKUPS" else "its SQL as one string"
    for key, node in zip(shown.keys, shown.values, strict=True):
        name = _text(key)
        value = _keys(node) if dictionary == "LOOKUPS" else _text(node)
        if key is None or name is None:
            found = f"a computed name in {dictionary}"
            faults.append(_fault(file, node.lineno, found, "the name as one string"))
        elif value is None:
            found = f"another value of {name!r} in {dictionary}"
            faults.append(_fault(file, node.lineno, found, wanted))
        else:
            manual = reasons.get(key.lineno)
            columns.append(BlockColumn(dictionary, name, value, manual, key.lineno))
    return columns, faults


def _keys(node: ast.expr) -> KeysOf | None:
    """What an item of LOOKUPS says; None where it says something else."""
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError):  # a name or a call; a list as a key
        return None
    match value:
        case {"table": str(table), "keys": [*pairs], **more} if pairs and set(more) <= {"where"}:
            where = more.get("where")
            keys = tuple(pair for pair in pairs if _is_pair(pair))
            fits = len(keys) == len(pairs) and isinstance(where, str | None)
            return KeysOf(table, keys, where) if fits else None  # type: ignore[arg-type]
    return None


def _is_pair(pair: object) -> bool:
    match pair:
        case (str(), str()):
            return isinstance(pair, tuple)
    return False


def _comments(text: str) -> list[tuple[int, bool, str]]:
    """Line, whether the line holds nothing else, text of each comment."""
    tokens = tokenize.generate_tokens(io.StringIO(text, newline=None).readline)
    return [
        (token.start[0], not token.line[: token.start[1]].strip(), token.string)
        for token in tokens
        if token.type == tokenize.COMMENT
    ]


def _marks(
    shown: ast.Dict, comments: Iterable[tuple[int, bool, str]], mark: re.Pattern[str]
) -> dict[int, str]:
    """The line of a rule's name -> what a comment of that form above it or beside it says."""
    spans = [
        (key.lineno, value.end_lineno or value.lineno)
        for key, value in zip(shown.keys, shown.values, strict=True)
        if key is not None
    ]
    starts, ends = [start for start, _ in spans], [end for _, end in spans]
    marks: dict[int, str] = {}
    for line, alone, text in comments:
        said = mark.match(text)
        if not said or not shown.lineno <= line <= (shown.end_lineno or line):
            continue
        owner = bisect_left(ends, line) if alone else bisect_right(starts, line) - 1
        if 0 <= owner < len(spans):
            marks[starts[owner]] = said[1]
    return marks


def _repeated(what: str, items: Iterable[ModuleRule | BlockColumn], file: str) -> list[Fault]:
    """The event log knows a rule by its name alone, so a name is one rule's in the whole module.

    Of two items of one name Python itself would drop the first.
    """
    seen: dict[str, int] = {}
    faults = []
    for item in items:
        if item.name in seen:
            found = f"the {what} {item.name!r} a second time (first in line {seen[item.name]})"
            faults.append(_fault(file, item.line, found, f"a name of its own for each {what}"))
        seen.setdefault(item.name, item.line)
    return faults
