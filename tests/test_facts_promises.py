"""Whatever is told: nothing raises, no id changes, the books balance, the files are the same."""

from datetime import date
from itertools import count
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from suites import between, outputs, present, suite, values
from told_facts import convert, ids, profiled

from ruleferry.converters.account import About
from ruleferry.converters.config import Config
from ruleferry.converters.decided import Decision, Decisions, Told
from ruleferry.converters.decisions_file import decisions_text, read_decisions
from ruleferry.converters.facts import with_facts

FILES = {
    "s/orders.json": suite("orders", present("o_key"), between("o_price", 0, 9),
                           values("be_increasing", "o_key")),
    "c.sql": "SELECT * FROM orders WHERE o_key < 0;\n"
             "SELECT o.* FROM b o LEFT JOIN orders i ON i.id = o.o_key WHERE i.id IS NULL;\n",
    "d.csv": "Table,Column,Required,Zzz\norders,o_key,yes,1\nb,id,yes,2\n",
    "schema.csv": "table_name,column_name,data_type\norders,o_key,int\norders,key,int\n",
    "p.toml": '[[sheets]]\nmatch = ""\n[sheets.columns]\nignore = "Zzz"\n',
}  # fmt: skip
TEXTS = st.sampled_from([
    "main.x.orders", "orders", "b", "pandas", "postgres", "o_key", "o_key = key", "o_key = id",
    "id = `a b`", "id = o_key, o_key = id", "orders = b", "b = orders", "ignore", "", "=",
])  # fmt: skip
ABOUT = st.builds(
    About,
    st.sampled_from(["s/orders.json", "c.sql", "d.csv", "gone", None]),
    st.sampled_from(["orders", "b", "ORDERS", "main.x.orders", None]),
    st.sampled_from(["D", "A", None]),
    st.sampled_from(["Zzz", "Table", None]),
)
TAKES = st.sampled_from(["table", "engine", "dialect", "order_by", "columns", "tables", "meaning"])
BY = st.sampled_from(["Ann", "Bob"])
DAYS = st.sampled_from([None, date(2026, 1, 1), date(2026, 1, 2)])
FACTS = st.one_of(
    st.builds(lambda takes, text, by, on, about: Decision(Told(takes, text), by, on, about=about),
              TAKES, TEXTS, BY, DAYS, ABOUT),
    st.builds(lambda file, profile: profiled(profile, file=file),
              st.sampled_from(["d.csv", "c.sql"]), st.sampled_from(["p.toml", "gone.toml"])),
)  # fmt: skip
NUMBERS = count()


def _is_writable(fact):
    """What decisions.toml can hold; all else is a fault of that file."""
    text = decisions_text(Decisions(decisions=(fact,)))
    return isinstance(read_decisions(text, "decisions.toml"), Decisions)


FACTS = FACTS.filter(_is_writable)


def converted(folder, facts):
    return convert(
        folder / str(next(NUMBERS)), FILES, *facts, schema=["schema.csv"], dialect="hive"
    )


def carried(done):
    return {e.id for e in done.ledger.entries if e.origin.file != "d.csv"}


@settings(max_examples=20, deadline=None)
@given(st.lists(FACTS, max_size=5))
def test_ids_and_books(tmp_path_factory, facts):
    folder = tmp_path_factory.mktemp("facts")
    plain, done = converted(folder, []), converted(folder, facts)
    assert carried(plain) == carried(done)
    for source in done.ledger.sources:
        of_file = [e for e in done.ledger.entries if e.origin.file == source.file]
        assert len(of_file) == source.entries == sum(source.outcomes.values())
    assert len(set(ids(done))) == len(ids(done))
    again = converted(folder, facts)
    numbers = sorted(int(path.name) for path in folder.iterdir())[-2:]
    assert outputs(folder / str(numbers[0])) == outputs(folder / str(numbers[1]))
    assert done.notices == again.notices


@settings(max_examples=300, deadline=None)
@given(st.lists(FACTS, min_size=2, max_size=5, unique_by=lambda f: (f.by, str(f.about))))
def test_the_order_of_several_peoples_facts_changes_nothing(facts):
    config = Config(Path(), Path())
    done = with_facts(config, Decisions(decisions=tuple(facts)))
    turned = with_facts(config, Decisions(decisions=tuple(facts[::-1])))
    assert {(f.decision.by, str(f.about)) for f in done.known} == {
        (f.decision.by, str(f.about)) for f in turned.known
    }
    assert {str(p.answered) for p in done.problems} == {str(p.answered) for p in turned.problems}
