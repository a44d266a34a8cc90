"""A suite that was converted, and what drift says once something of it is another."""

from collections.abc import Callable
from pathlib import Path

from suites import between, convert, present, suite, values, write

from ruleferry.converters.config import load_config
from ruleferry.converters.drift import drift
from ruleferry.converters.drifted import Drift
from ruleferry.converters.errors import InputFaults
from ruleferry.converters.options import Options, with_options

MODULE = "expectations/t_expectations.py"
LEDGER = "expectations/ledger.json"
SUITE = "suites/t.json"
CONFIG = """
reports = ["md"]
[[source]]
path = ["suites/**"]
table = "t"
engine = "spark"
schema = "schema.csv"
[actions.rules]
"t.n_range" = "drop"
"""
SCHEMA = (
    "table_name,column_name,data_type\n"
    't,n,INT\nt,d,"DECIMAL(10,2)"\nt,s,STRING\nt,u,BIGINT\nt,day,DATE\nt,more,INT\n'
)


def share(high, mostly):
    return values("be_between", "n", min_value=5, max_value=high, mostly=mostly)


RULES = {
    "n_range": between("n", 0, 100),
    "s_allowed": values("be_in_set", "s", value_set=["a", "b"]),
    "s_present": present("s"),
    "d_range": between("d", 1),
    "u_unique": values("be_unique", "u"),
    "share": share(9, 0.9),
}


def converted(folder: Path, config: str = CONFIG, **rules) -> Path:
    """The folder, with the suite of RULES and what `rules` makes of them (None: left out)."""
    write(folder, {"ruleferry.toml": config, "schema.csv": SCHEMA})
    state(folder, **rules)
    convert(folder)
    return folder


def state(folder: Path, **rules) -> None:
    """Write the suite anew, with other rules."""
    stated = [rule for rule in {**RULES, **rules}.values() if rule is not None]
    write(folder, {SUITE: suite("t", *stated)})


def edit(folder: Path, *changes: tuple[str, str], file: str = MODULE) -> None:
    """Each text stands in the file once, and is another one now."""
    path = folder / file
    text = path.read_text("utf-8")
    for old, new in changes:
        assert text.count(old) == 1, (old, text)
        text = text.replace(old, new)
    path.write_text(text, "utf-8", newline="")


def look(folder: Path, *given: str, **options) -> Drift:
    return drift(with_options(load_config(None, folder), Options(**options)), given)


def found(folder: Path) -> list[tuple[str, str, str, str]]:
    """Of each difference: what it is, whose it is, how much it matters, of which rule."""
    return [(d.change, d.side, d.level, d.rule) for d in look(folder).differences]


def faults(folder: Path, act: Callable[[Path], object] = look) -> str:
    """What can't be told, and why."""
    try:
        act(folder)
    except InputFaults as wrong:
        return str(wrong)
    raise AssertionError("it could be told")
