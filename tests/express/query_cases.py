"""Queries that return bad records, by what becomes of them."""

FLAGS = [
    "SELECT * FROM {batch} o LEFT ANTI JOIN customers c ON o.ck = c.ck",
    "SELECT o.* FROM {batch} o LEFT JOIN customers c ON o.ck = c.ck WHERE c.ck IS NULL",
    "SELECT o.id FROM {batch} AS o LEFT OUTER JOIN customers AS c ON c.ck = o.ck AND c.st = 'A' "
    "WHERE c.ck IS NULL AND o.id > 2",
    "SELECT * FROM {batch} o LEFT JOIN lines l ON o.ck = l.ck AND o.st = l.st "
    "WHERE l.st IS NULL AND l.ck IS NULL",
    "SELECT 1 FROM {batch} o WHERE NOT EXISTS (SELECT 1 FROM customers c WHERE c.ck = o.ck)",
    "SELECT * FROM {batch} o WHERE o.st = 'A' AND NOT EXISTS "
    "(SELECT * FROM customers c WHERE o.ck = c.ck AND c.st IN ('A', 'B'))",
    "SELECT * FROM {batch} o WHERE EXISTS (SELECT c.ck FROM customers c WHERE c.ck = o.ck)",
    "SELECT * FROM {batch} WHERE ck NOT IN (SELECT ck FROM customers)",
    "SELECT * FROM {batch} WHERE ck NOT IN (SELECT ck FROM customers WHERE ck IS NOT NULL)",
    "SELECT o.id FROM {batch} o JOIN customers c ON o.ck = c.ck WHERE c.st = 'B'",
    "SELECT * FROM {batch} WHERE st = 'B' AND (ck IN (SELECT c.ck FROM customers c))",
    "select * from {batch} o left join customers c on o.CK = c.Ck where c.cK is null order by o.id",
]
# Flags where the types are known, else datasets.
VALUES = [
    "SELECT o.id FROM {batch} o JOIN customers c ON o.ck = c.ck WHERE o.price < c.least",
    "SELECT o.id FROM {batch} o INNER JOIN customers c ON o.ck = c.ck AND c.st = 'A' "
    "WHERE c.least >= o.price AND o.id > 1",
    "SELECT o.id FROM {batch} o JOIN customers c ON o.ck = c.ck WHERE o.st <> c.st",
]
DATASETS = [
    "SELECT o.id FROM {batch} o LEFT JOIN customers c ON o.ck = c.ck "
    "WHERE c.ck IS NULL AND (c.st IS NULL OR o.id > 3)",
    "SELECT ck, count(*) AS n FROM {batch} GROUP BY ck HAVING count(*) > 1",
    "SELECT ck FROM {batch} WHERE ck IS NOT NULL GROUP BY 1 HAVING count(DISTINCT id) > 1 LIMIT 5",
    "SELECT st, sum(price) AS s FROM {batch} GROUP BY st HAVING sum(price) > 60",
    "SELECT st FROM {batch} GROUP BY st HAVING avg(price) < 11 OR max(price) > 30",
    "SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY ck ORDER BY id DESC) AS rn "
    "FROM {batch}) t WHERE rn > 1",
    "SELECT * FROM (SELECT id, id - lag(id) OVER (ORDER BY id) AS gap FROM {batch}) t "
    "WHERE gap > 1",
    "SELECT ck FROM {batch} EXCEPT SELECT ck FROM customers",
    "SELECT ck FROM customers EXCEPT SELECT ck FROM {batch}",
    "SELECT st FROM {batch} EXCEPT ALL SELECT st FROM {batch} WHERE id = 1",
    "SELECT ck FROM {batch} INTERSECT SELECT ck FROM customers",
    "WITH newest AS (SELECT max(id) AS i FROM {batch}) SELECT * FROM newest WHERE i < 4",
    "WITH a AS (SELECT ck FROM {batch}), b AS (SELECT ck FROM a WHERE ck > 10) SELECT * FROM b",
    "SELECT o.id FROM {batch} o FULL OUTER JOIN customers c ON o.ck = c.ck "
    "WHERE o.id IS NULL OR c.ck IS NULL",
    "SELECT o.id FROM {batch} o LEFT JOIN customers c USING (ck) WHERE c.st IS NULL",
    "SELECT * FROM {batch} WHERE price > (SELECT 2 * avg(price) FROM {batch})",
    "SELECT * FROM {batch} WHERE price > (SELECT max(least) FROM customers)",
    "SELECT * FROM {batch} o WHERE price > "
    "(SELECT min(c.least) FROM customers c WHERE c.ck = o.ck)",
    "SELECT 1 FROM (SELECT count(*) AS n, count_if(st = 'A') AS a FROM {batch}) t "
    "WHERE a / n < 0.5",
    "SELECT 1 FROM (SELECT count(*) FILTER (WHERE price > 10) AS n FROM {batch}) WHERE n = 0",
    "WITH a AS (SELECT ck FROM {batch}) SELECT ck FROM a WHERE ck > 10 UNION ALL "
    "SELECT ck FROM customers WHERE least > 20 ORDER BY ck LIMIT 3",
    "SELECT st FROM {batch} GROUP BY st HAVING sum(DISTINCT price) > 60 OR stddev(price) > 30",
    "SELECT DISTINCT st FROM {batch} UNION SELECT st FROM customers",
    "SELECT a.id FROM {batch} a CROSS JOIN {batch} b WHERE a.id <> b.id AND a.price = b.price",
    "SELECT count(*) FROM {batch} HAVING count(*) < 3",
    "SELECT * FROM customers WHERE least > 20",
    "SELECT CASE WHEN price > 10 THEN 'high' ELSE 'low' END AS k FROM {batch} "
    "GROUP BY CASE WHEN price > 10 THEN 'high' ELSE 'low' END HAVING count(*) > 2",
    "SELECT o.id FROM {batch} o WHERE o.ck NOT IN (SELECT c.ck FROM customers c WHERE c.st = o.st)",
]
# What they can't be carried over for.
GAPS = [
    ("SELECT count(*) FROM {batch} WHERE price < 0", "never_passes", "always returns one row"),
    ("SELECT * FROM {batch}", "never_passes", "no WHERE"),
    ("SELECT my_check(id) FROM {batch} GROUP BY id HAVING my_check(id) > 1",
     "unsupported_function", "my_check()"),
    ("SELECT * FROM {batch} TABLESAMPLE (10 PERCENT) GROUP BY ck", "unsupported_query",
     "TABLESAMPLE"),
    ("SELECT id FROM {batch} GROUP BY ROLLUP (id) HAVING count(*) > 1", "unsupported_query",
     "ROLLUP"),
    ("SELECT * FROM {batch} LATERAL VIEW explode(tags) t AS tag WHERE tag = 'x'",
     "unsupported_query", "LATERAL VIEW"),
    ("SELECT * FROM {batch} NATURAL JOIN customers", "unsupported_query", "a NATURAL JOIN"),
    ("SELECT ck FROM {batch} GROUP BY ck HAVING rand() > 0.5", "not_lakeflow", "rand()"),
    ("SELECT * FROM range(5)", "unsupported_query", "a table function"),
    ("SELECT * FROM {batch} x LEFT JOIN customers x ON x.ck = x.ck WHERE x.ck IS NULL",
     "not_readable", "two of its tables"),
    ("SELECT * FROM {batch} a JOIN {batch} a ON a.id = a.ck", "not_readable", "two of its tables"),
    ("SELECT ck FROM {batch} GROUP BY ck HAVING count(*) > 1; DROP TABLE x", "not_readable",
     "more than one"),
    ("DELETE FROM {batch} WHERE id = 1", "not_readable", "a SELECT was expected"),
    ("SELECT ck FROM {batch} GROUP BY ck HAVING collect_list(id)[0] > 1", "unsupported_query",
     "collect_list() is not carried over"),
    ("SELECT * FROM {schema}.t GROUP BY ck", "template", "placeholder"),
    # Braces that stand for the table's name in a module.
    ("SELECT st FROM {batch} WHERE st LIKE '%{{SOURCE_TABLE}}%' GROUP BY st", "unsafe_text",
     "{SOURCE_TABLE}"),
    ("SELECT * FROM (SELECT id FROM {batch} UNION SELECT ck FROM customers LIMIT 1) t WHERE id > 1",
     "unsupported_query", "a LIMIT within a query"),
    ("SELECT id FROM {batch} GROUP BY id LIMIT 0", "never_fails", "LIMIT 0"),
    ("SELECT id FROM {batch} UNION SELECT ck FROM customers LIMIT 0", "never_fails", "LIMIT 0"),
    ("SELECT * FROM {batch} WHERE ck IN (SELECT ck FROM customers LIMIT 1)", "unsupported_query",
     "a LIMIT within a query"),
    ("SELECT * FROM {batch} WHERE (ck, st) IN (SELECT ck, st FROM customers)",
     "unsupported_query", "(a, b)"),
    ("SELECT * FROM {batch} WHERE id > (SELECT max(ck) FROM customers c WHERE c.ck = tmp_view.ck)",
     "not_readable", "tmp_view"),
    ("SELECT * FROM {batch} o WHERE id > (SELECT max(c.ck) FROM customers c WHERE c.ck = x.ck)",
     "not_readable", "no table of the query is called x"),
]  # fmt: skip
