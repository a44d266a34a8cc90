"""A script of many SQL checks, in PostgreSQL's dialect, as ETL jobs have them."""

import sys
from collections.abc import Iterator
from pathlib import Path

_TESTS = (
    "amount_{n} <= 0",
    "code_{n} NOT IN ('A', 'B', '{n}')",
    "status_{n} = 'open' AND closed_{n} IS NOT NULL",
    "name_{n} IS NULL OR trim(name_{n}) = ''",
    "start_{n} > end_{n}",
    "qty_{n} NOT BETWEEN 1 AND {n}",
    "zip_{n} !~ '^[0-9]{{5}}$'",
    "coalesce(price_{n}, 0) < {n}",
    "email_{n} NOT LIKE '%@%'",
    "length(ref_{n}) <> 8",
)


def statements(rules: int) -> Iterator[str]:
    for n in range(rules):
        test = _TESTS[n % len(_TESTS)].format(n=n)
        yield f"SELECT count(*) FROM stage.t{n // 50} WHERE {test}"


def write(path: Path, rules: int) -> None:
    lines = (f"-- CHK_{n:05}\n{text};\n" for n, text in enumerate(statements(rules)))
    path.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]), int(sys.argv[2]))
