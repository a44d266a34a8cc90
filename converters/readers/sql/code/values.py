"""What the variables of code are known to hold, and stretches of code as trees over that."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sqlglot import exp

from ruleferry.converters.dialects.parse import Unreadable, parse_expression, parse_statement
from ruleferry.converters.dialects.tree import bare
from ruleferry.converters.readers.sql.code.nodes import (
    Assign,
    Block,
    Declare,
    Dynamic,
    Fetch,
    If,
    Loop,
    Node,
    Other,
    Routine,
    Skip,
    Span,
    Sql,
    Trigger,
)
from ruleferry.converters.readers.sql.code.simple import plain
from ruleferry.converters.readers.sql.code.tokens import Token
from ruleferry.converters.readers.sql.found import STAND_IN, Macro, Prepared, Setting

# How the record at hand is qualified in a tree, and the one that it was before.
CURRENT, FORMER = "ruleferry_current", "ruleferry_former"
_FIRST, _OTHERS = 500_000, 700_000  # stand-ins of variables, and of placeholders in them
_STAND_IN = re.compile(rf"{STAND_IN}\d+_", re.IGNORECASE)
# What the database itself keeps: a statement changes them.
FOUND_WORDS = frozenset({"found", "@@rowcount", "activity_count"})


@dataclass(frozen=True, slots=True)
class Value:
    """`tree`: what gives it, over columns and queries; None: `why` it isn't known.

    `query`: where the query stands that filled it. `parameter`: it comes from outside.
    """

    tree: exp.Expression | None = None
    why: str = ""
    query: Span | None = None
    parameter: bool = False

    @property
    def is_constant(self) -> bool:
        return self.tree is not None and is_constant(self.tree)


def is_constant(tree: exp.Expression) -> bool:
    node = bare(tree)
    if isinstance(node, exp.Neg):
        node = bare(node.this)
    return isinstance(node, exp.Literal | exp.Boolean | exp.Null)


Values = dict[str, Value]


@dataclass(frozen=True, slots=True)
class Code:
    """The text at hand, and where in the script it begins.

    `names`: its variables, `records`: what a record is called -> how it is qualified. `written`:
    the table whose new records `inserted` holds.
    """

    text: str
    offset: int
    tokens: Sequence[Token]
    setting: Setting
    prepare: Callable[[str], Prepared]
    names: Mapping[str, int] = field(default_factory=dict)
    records: Mapping[str, str] = field(default_factory=dict)
    macros: dict[str, Macro] = field(default_factory=dict)  # those of all parts so far
    written: exp.Table | None = None

    def with_record(self, name: str, qualifier: str) -> Code:
        return replace(self, records={**self.records, name: qualifier})

    def stand_in(self, name: str) -> str:
        return f"{STAND_IN}{_FIRST + self.names[name]}_"

    # Text with stand-ins --------------------------------------------------------------------------

    def source(self, span: Span, holes: Iterable[Span] = ()) -> str:
        """What is written there, without the holes; variables and records have stand-ins."""
        gaps = [(hole.first, hole.last) for hole in holes]
        out: list[str] = []
        at = span.start
        for place in range(span.first, span.last):
            token = self.tokens[place]
            out.append(self.text[at : token.start])
            if not any(first <= place < last for first, last in gaps):
                out.append(self._written(place))
            at = token.end
        return "".join(out)

    def _written(self, place: int) -> str:
        token = self.tokens[place]
        if token.kind not in ("word", "name"):
            return token.text
        name = plain(token.value)
        before = self.tokens[place - 1].text if place else ""
        after = self.tokens[place + 1].text if place + 1 < len(self.tokens) else ""
        if after == "." and before != "." and name in self.records:
            return self.records[name]
        if token.kind == "word" and name in self.names and self._is_variable(token, before, after):
            return self.stand_in(name)
        return token.text

    def _is_variable(self, token: Token, before: str, after: str) -> bool:
        if token.text.startswith(("@", ":")):
            return True
        return before != "." and after not in (".", "(") and before.upper() != "AS"

    # Trees ----------------------------------------------------------------------------------------

    def expression(self, span: Span, values: Values) -> tuple[exp.Expression, Setting]:
        """Raises Unreadable."""
        return self.parsed(self.source(span), values, expression=True)

    def parsed(
        self, text: str, values: Values, *, expression: bool = False
    ) -> tuple[exp.Expression, Setting]:
        """With constants put in; a variable without one stays a placeholder. Raises Unreadable."""
        prepared = self.prepare(text)
        if reason := getattr(prepared, "unread", ""):
            raise Unreadable("not_readable", reason)
        parse = parse_expression if expression else parse_statement
        tree = parse(self._numbered(prepared), self.setting.dialect)
        self._name_table_variables(tree)
        tree = self._with_constants(tree, values)
        for name in self.names:
            self.macros.setdefault(self.stand_in(name), Macro(name, name.lstrip("@")))
        if self.written is not None:
            _with_written(tree, self.written)
        return tree, self.here

    def _name_table_variables(self, tree: exp.Expression) -> None:
        """T-SQL: a variable that stands for a table is one, which no value is put in for."""
        ours = {self.stand_in(name): name for name in self.names if name.startswith("@")}
        for table in tree.find_all(exp.Table) if ours else ():
            name = ours.get(table.name.lower())
            if name is not None and not table.db:
                table.set("this", exp.to_identifier(name, quoted=True))

    @property
    def here(self) -> Setting:
        """The setting, with the placeholders of all that was read so far."""
        return replace(self.setting, macros={**self.setting.macros, **self.macros})

    def _numbered(self, prepared: Prepared) -> str:
        """Parts are prepared one by one, and meet in one tree: each placeholder has a number."""
        new: dict[str, str] = {}
        for key, macro in prepared.macros.items():
            new[key.lower()] = f"{STAND_IN}{_OTHERS + len(self.macros)}_"
            self.macros[new[key.lower()]] = macro
        return _STAND_IN.sub(lambda found: new.get(found[0].lower(), found[0]), prepared.text)

    def _with_constants(self, tree: exp.Expression, values: Values) -> exp.Expression:
        known = {
            self.stand_in(name): value.tree
            for name, value in values.items()
            if value.is_constant and name in self.names
        }
        return put_in(tree, known)

    def variables(self, tree: exp.Expression) -> dict[str, str]:
        """Those that stand in a tree: stand-in -> name."""
        ours = {self.stand_in(name): name for name in self.names}
        used = dict.fromkeys(node.name.lower() for node in tree.find_all(exp.Column))
        return {key: ours[key] for key in used if key in ours}


def put_in(tree: exp.Expression, known: Mapping[str, exp.Expression | None]) -> exp.Expression:
    """Each stand-in replaced by what it stands for."""
    if not known:
        return tree

    def other(node: exp.Expr) -> exp.Expr:
        if isinstance(node, exp.Column) and not node.args.get("table"):
            found = known.get(node.name.lower())
            if found is not None:
                new = found.copy()
                plain = isinstance(new, exp.Subquery | exp.Column) or is_constant(new)
                return new if plain else exp.Paren(this=new)
        return node

    found = tree.transform(other)
    assert isinstance(found, exp.Expression)
    return found


def _with_written(tree: exp.Expression, table: exp.Table) -> None:
    """`inserted` of a trigger is its table. Raises Unreadable where `deleted` is looked at."""
    for node in list(tree.find_all(exp.Table)):
        name = node.name.lower()
        if name == "deleted" and not node.db:
            raise Unreadable("old_record", "it looks at records as they were before")
        if name == "inserted" and not node.db:
            new = table.copy()
            alias = node.args.get("alias")
            new.set(
                "alias",
                alias.copy() if alias else exp.TableAlias(this=exp.to_identifier("inserted")),
            )
            node.replace(new)


# Names --------------------------------------------------------------------------------------------


def children(node: Node) -> Iterator[tuple[Node, ...]]:
    """The bodies within."""
    match node:
        case If():
            yield from (arm.body for arm in node.arms)
        case Loop() | Routine() | Trigger():
            yield node.body
        case Block():
            yield node.body
            yield from (handler.body for handler in node.handlers)
        case _:
            pass


def everything(nodes: Iterable[Node]) -> Iterator[Node]:
    """All nodes, in the order of the text."""
    for node in nodes:
        yield node
        for body in children(node):
            yield from everything(body)


def assigned(nodes: Iterable[Node]) -> set[str]:
    """The variables that any of them may change."""
    found: set[str] = set()
    for node in everything(nodes):
        match node:
            case Assign():
                found.update(node.variables)
            case Fetch() | Sql():
                found.update(node.into)
            case Declare() if node.sort in ("variable", "parameter"):
                found.update(node.names)
            case _:
                pass
    return found


def changed(nodes: Sequence[Node], code: Code) -> set[str]:
    """Those that any of them may change, also in what is not understood or runs elsewhere."""
    found = assigned(nodes)
    for node in everything(nodes):
        if isinstance(node, Other | Dynamic) or (isinstance(node, Skip) and node.alone):
            found |= mentioned(node.span, code)
    return found


def mentioned(span: Span, code: Code) -> set[str]:
    words = (plain(t.value) for t in code.tokens[span.first : span.last] if t.kind == "word")
    return {word for word in words if word in code.names}


def variables_of(nodes: Sequence[Node], dialect: str) -> dict[str, int]:
    """Every variable and a number for it."""
    names = assigned(nodes)
    if dialect in ("postgres", "netezza", "redshift", "snowflake"):
        names.add("found")
    names |= {"@@rowcount"} if dialect == "tsql" else set()
    names |= {"activity_count"} if dialect == "teradata" else set()
    plain_names = sorted(name for name in names if name and "." not in name)
    return {name: number for number, name in enumerate(plain_names)}
