"""Predicates as PostgreSQL's checks hold them, and rows that they may stumble over."""

import random

COLUMNS = {
    "n": ("integer", "int"),
    "m": ("integer", "int"),
    "x": ("numeric(10,2)", "decimal(10,2)"),
    "f": ("double precision", "double"),
    "s": ("text", "string"),
    "t": ("varchar(20)", "string"),
    "d": ("date", "date"),
    "e": ("date", "date"),
    "ts": ("timestamp", "timestamp_ntz"),
    "b": ("boolean", "boolean"),
}
_VALUES = {
    "n": (None, -7, -1, 0, 1, 2, 7, 2147483647),
    "m": (None, -2, 0, 1, 2, 3),
    "x": (None, "-2.50", "0.00", "0.50", "1.50", "2.50", "99999999.99"),
    "f": (None, "-2.5", "0", "0.5", "2.5", "1e10"),
    "s": (None, "", " ", "abc", "ABC", "abc  ", "a_1", "ab1", "12", "12.5", "x@y.de", "A-1",
          "2024-02-29", "ä", "a\nb", "%", "it's"),
    "t": (None, "", "abc", "Abc", "new", "hot", "007", "a,b", "foo bar"),
    "d": (None, "2024-02-29", "2023-12-31", "2024-01-01", "2024-03-31", "1999-12-31"),
    "e": (None, "2024-01-01", "2024-02-28", "2024-12-30", "2023-01-01"),
    "ts": (None, "2024-02-29 23:59:59", "2024-01-01 00:00:00", "2023-12-31 12:30:00.5"),
    "b": (None, True, False),
}  # fmt: skip
ROWS = tuple(
    {name: random.Random(f"{number} {name}").choice(values) for name, values in _VALUES.items()}
    for number in range(120)
)

# Each is converted, or refused with a reason: none may be wrong.
PREDICATES = (
    "n < 0", "n <> m", "n / m < 1", "n % m = 1", "n / 2 = 3", "7 / 2 = 3", "n + m > 2", "-n > 3",
    "x < 0 OR x > 100000", "x::int = 3", "CAST(x AS integer) = 2", "round(x) = 3", "round(f) = 2",
    "round(x, 1) = 2.5", "trunc(x) = 2", "trunc(x, 1) = 2.5", "abs(n) > 2", "mod(n, m) = 1",
    "ceil(x) = 3", "floor(x) = 2", "power(n, 2) = 49", "sqrt(abs(n)) > 1", "sign(n) = -1",
    "s IS NULL", "s = ''", "s <> ''", "trim(s) = ''", "btrim(s) = 'abc'", "s = 'abc'", "s < 'b'",
    "lower(s) = 'abc'", "upper(t) = 'ABC'", "length(s) > 3", "char_length(t) = 3",
    "octet_length(s) = 2", "s LIKE 'a%'", "s NOT LIKE 'a\\_%'", "s LIKE 'a_1'", "s ILIKE 'A%'",
    "s NOT ILIKE '%B%'", "s LIKE '%!%%' ESCAPE '!'", "s ~ '^[a-z]+$'", "s !~ '^[A-Z]{3}$'",
    "s ~* '^[a-z]+$'", "s !~* '^abc'", "s ~ '\\d'", "s ~ '^[[:digit:]]+$'", "s ~ 'a.b'",
    "s SIMILAR TO '(a|A)(b|B)%'", "s NOT SIMILAR TO '[A-Z]-[0-9]+'", "t IN ('new', 'hot')",
    "t NOT IN ('new', NULL)", "t = ANY (ARRAY['hot', 'new'])", "t <> ALL (ARRAY['hot', 'new'])",
    "NOT (t = ANY (ARRAY['hot', 'new']))", "s IS DISTINCT FROM t", "s IS NOT DISTINCT FROM 'abc'",
    "s || t = 'abcabc'", "s || 'x' IS NULL", "concat(s, t) = 'abcabc'", "concat(s, 'x') = 'x'",
    "concat_ws('-', s, t) = 'abc-abc'", "coalesce(s, 'z') = 'z'", "nullif(s, '') IS NULL",
    "left(s, 2) = 'ab'", "left(s, -1) = 'ab'", "right(t, 2) = 'bc'", "right(t, -1) = 'bc'",
    "substring(s, 1, 2) = 'ab'", "substr(s, 2) = 'bc'", "substring(s from 0 for 2) = 'a'",
    "substring(s from '[0-9]+') = '1'", "position('b' in s) = 2", "strpos(s, 'b') > 0",
    "split_part(t, ',', 2) = 'b'", "replace(s, 'b', '') = 'ac'", "translate(s, '123', '') = s",
    "lpad(t, 5, '0') = '00abc'", "rpad(t, 2) = 'ab'", "reverse(t) = 'cba'", "repeat(t, 2) = ''",
    "initcap(t) = 'Abc'", "ltrim(t, '0') = '7'", "rtrim(s) = 'abc'", "starts_with(s, 'a')",
    "regexp_replace(s, '[0-9]', '', 'g') = 'a_'", "regexp_match(s, '[0-9]+') IS NOT NULL",
    "greatest(n, m) > 2", "least(n, m) < 0", "greatest(n, 1) = 1", "num_nonnulls(s, t) = 1",
    "num_nulls(s, t, d) > 1", "CASE WHEN n > 0 THEN s ELSE t END = 'abc'",
    "CASE n WHEN 1 THEN true WHEN 2 THEN false END", "n BETWEEN m AND 5", "n NOT BETWEEN 0 AND m",
    "n BETWEEN SYMMETRIC 5 AND 0", "(n, m) = (1, 2)", "(n > 0) = (m > 0)", "b", "NOT b",
    "b IS TRUE",
    "b IS NOT TRUE", "b IS UNKNOWN", "b = true", "b <> (n > 0)", "n > 0 IS NULL",
    "d < DATE '2024-01-01'", "d < '2024-01-01'", "d BETWEEN '2024-01-01' AND '2024-12-31'",
    "d - e > 3", "d - DATE '2024-01-01' = 59", "d + 1 = '2024-03-01'", "d + 30 < e", "ts > d",
    "d > ts", "ts::date = d", "CAST(ts AS date) = '2024-02-29'", "ts < timestamp '2024-01-01'",
    "ts + interval '1 day' > '2024-01-01'", "d + interval '1 month' = timestamp '2024-03-29'",
    "extract(year from d) = 2024", "extract(dow from d) = 0", "extract(isodow from d) = 7",
    "extract(doy from d) = 60", "extract(quarter from d) = 1", "date_part('month', d) = 2",
    "extract(week from d) = 52", "extract(hour from ts) = 12",
    "date_trunc('month', d) = '2024-02-01'",
    "date_trunc('year', ts) < '2024-01-01'", "to_char(d, 'YYYY-MM') = '2024-02'",
    "to_char(d, 'YYYYMMDD') = '20240229'", "to_date(t, 'YYYY-MM-DD') < d", "d < now()",
    "d <= current_date", "(d, e) OVERLAPS (DATE '2024-01-01', DATE '2024-02-01')",
    "d = 'infinity'", "age(d, e) > interval '1 year'", "s::int > 5", "s::numeric > 12",
    "CAST(s AS date) = d", "n::text = s", "x::text = '2.50'", "b::int = 1", "t::boolean",
    "n::boolean", "s > 5::text", "md5(s) = 'x'", "ascii(s) = 97", "chr(n) = 'a'", "n & 1 = 1",
    "n | 1 = 1", "n << 1 = 2", "s COLLATE \"C\" < 'b'", "'abc' = s", "0 > n", "NULL = n",
    "n = NULL", "n IN (1, 2, NULL)", "n NOT IN (0, 1)", "s NOTNULL", "s ISNULL AND t NOTNULL",
    "random() < 0.5", "(SELECT 1) = n", "EXISTS (SELECT 1)", "count(*) > 1", "my_check(s)",
    "n = 1.5", "n > 2.5", "x = 2.5", "f = x", "f = 0.5", "x > f", "s > 'a' AND s < 'b'",
    "s LIKE t", "s ~ t", "n IS NOT NULL AND n < 0", "NOT (n > 0 AND m > 0)",
)  # fmt: skip


def joined(count: int) -> list[str]:
    """Tests joined by AND, OR and NOT."""
    chance = random.Random(3)
    found = []
    for _ in range(count):
        first, second, third = chance.sample(PREDICATES[:60], 3)
        word = chance.choice(("AND", "OR"))
        found.append(f"NOT ({first}) {word} ({second}) AND ({third})")
    return found
