"""Makes the sample rows in samples/orders/data from the TPC-H generator `tpchgen-cli` (PyPI).

    python tests/make_orders.py

1,000 orders and the keys of the first 1,000 customers; six planted rows, five of which break a rule
that drops and one a rule that warns; one row without its key. Needs `tpchgen-cli` and `duckdb`.
"""

import csv
import subprocess
import tempfile
from pathlib import Path

import duckdb

DATA = Path(__file__).parents[1] / "samples" / "orders" / "data"
COLUMNS = (
    "o_orderkey", "o_custkey", "o_orderstatus", "o_totalprice", "o_orderdate", "o_orderpriority",
    "o_clerk", "o_shippriority", "o_comment",
)  # fmt: skip
REST = ("Clerk#000000001", 0, "planted by hand")
PLANTED = (
    (900000001, 1, "F", "-5.00", "1995-01-01", "1-URGENT"),  # a negative price
    (900000002, 1, "X", "100.00", "1995-01-01", "1-URGENT"),  # a status that doesn't exist
    (900000003, 999999999, "F", "100.00", "1995-01-01", "1-URGENT"),  # a customer that doesn't
    (900000004, 1, "F", "100.00", "", "1-URGENT"),  # no date
    (900000005, 1, "F", "100.00", "1995-01-01", "9-WHENEVER"),  # an unknown priority: only warned
    (900000006, 999999999, "X", "100.00", "1995-01-01", "1-URGENT"),  # breaks two rules
)
NULL_KEY = (("", 1, "F", "100.00", "1995-01-01", "1-URGENT"),)


def generated(folder: str) -> tuple[list[tuple], list[tuple]]:
    command = ("tpchgen-cli", "parquet", "-s", "0.01", "--tables", "orders,customer", "-o", folder)
    subprocess.run(command, check=True)
    orders = f"SELECT {', '.join(COLUMNS)} FROM read_parquet('{folder}/orders.parquet')"
    orders += " WHERE o_custkey <= 1000 ORDER BY o_orderkey LIMIT 1000"
    customers = f"SELECT c_custkey FROM read_parquet('{folder}/customer.parquet')"
    customers += " WHERE c_custkey <= 1000 ORDER BY c_custkey"
    return duckdb.sql(orders).fetchall(), duckdb.sql(customers).fetchall()


def write(name: str, header: tuple[str, ...], rows: list[tuple]) -> None:
    with (DATA / name).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        orders, customers = generated(folder)
    DATA.mkdir(exist_ok=True)
    write("orders.csv", COLUMNS, orders)
    write("customers.csv", ("c_custkey",), customers)
    write("planted.csv", COLUMNS, [(*row, *REST) for row in PLANTED])
    write("null_key.csv", COLUMNS, [(*row, *REST) for row in NULL_KEY])


if __name__ == "__main__":
    main()
