"""Whole scripts of ETL jobs, one of each dialect: where they are, and what their columns are."""

import csv
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from ruleferry.converters.config import Config, Source, TableSettings
from ruleferry.converters.conversion import convert

FOLDER = Path(__file__).parent / "sql_scripts_of_dialects"
# file -> table -> its columns, as they are on Databricks.
COLUMNS = {
    "claims_oracle.sql": {
        "stg_claim": "claim_id bigint, policy_no string, loss_dt timestamp, report_dt timestamp, "
        "load_dt date, reserve_amt decimal(12,2), paid_amt decimal(12,2), status_cd string, "
        "claimant_nm string, currency_cd string, zip_cd string",
        "stg_claim_line": "claim_id bigint, seq_no int",
        "claim": "claim_id bigint, policy_no string, status_cd string",
        "policy": "policy_no string",
    },
    "orders_tsql.sql": {
        "stg.OrderLine": "OrderId int, Qty int, Sku string, UnitPrice decimal(10,2), "
        "Currency string",
        "stg.OrderHeader": "OrderNo string, OrderDate date, ShipDate date, CustomerId int, "
        "ErrorCode string, Total decimal(12,2), Phone string",
        "dbo.OrderLine": "OrderLineId int, Qty int, Discount decimal(5,2)",
        "dbo.OrderHeader": "OrderNo string, Total decimal(12,2)",
        "dbo.Customer": "CustomerId int",
    },
    "crm_mysql.sql": {
        "stg_contact": "id int, email string, birthday date, country string, gender string, "
        "phone string, zip string, `opt in` int, score int, company_id int, last_name string, "
        "is_valid int, err string, first_order_dt date, last_order_dt date, status string",
        "contact": "id int, discount decimal(5,2)",
        "company": "id int",
        "contact_tag": "contact_id int, tag string, weight decimal(4,1)",
    },
    "catalogue_postgres.sql": {
        "stage.product": "product_id bigint, sku string, list_price decimal(12,2), cost string, "
        "title string, weight_g int, state string, units int, pack string",
        "stage.price": "product_id bigint, valid_from date, valid_to date, amount decimal(12,2)",
        "mart.price": "price_id bigint, product_id bigint, amount decimal(12,2), currency string, "
        "valid_from date, valid_to date",
        "mart.product": "product_id bigint",
    },
    "billing_teradata.btq": {
        "BILL_STG.INVOICE": "INV_ID bigint, ACCT_ID bigint, DUE_DT date, INV_DT date, "
        "CURR_CD string, INV_NO string, REJ_FLG string, PAID_AMT decimal(12,2), "
        "TOT_AMT decimal(12,2), INV_TYPE string, LOAD_TS timestamp",
        "BILL_STG.INVOICE_LINE": "INV_ID bigint, LINE_NO int, AMT decimal(12,2), "
        "TAX_RT decimal(5,4), QTY int",
    },
    "events_bigquery.sql": {
        "acme.raw.events": "event_id string, event_name string, user_id string, amount string, "
        "country string, event_ts timestamp, ingest_ts timestamp, "
        "device struct<category: string>, url string",
        "acme.raw.sessions": "session_id string, start_ts timestamp, end_ts timestamp, pages int, "
        "referrer string",
        "acme.core.users": "user_id string",
    },
    "sales_snowflake.sql": {
        "sales.landing.order_line": "line_id bigint, order_no string, qty_txt string, "
        "amount decimal(12,2), discount decimal(12,2), tax decimal(12,2), qty int",
        "sales.landing.order_head": "order_no string, country string, ship_dt date, "
        "order_dt date, email string, total decimal(12,2)",
        "sales.core.order_head": "order_no string, total decimal(12,2)",
    },
    "spectrum_redshift.sql": {
        "ads.daily": "campaign_id bigint, day date, clicks int, impressions int, channel string, "
        "spend decimal(12,2), campaign_nm string, currency string, country string",
        "ads.plan": "campaign_id bigint, active string, budget decimal(12,2), start_dt date, "
        "end_dt date",
        "ads.fact": "campaign_id bigint, day date, spend decimal(12,2)",
    },
    "customers_hive.hql": {
        "stage.customer": "cust_no string, dt string, birth_dt date, segment string, name string, "
        "email string, branch string, income double",
        "stage.address": "cust_no string, start_dt date, end_dt date, city string",
        "ref.office": "branch string",
    },
    "trades_impala.sql": {
        "risk.trade": "trade_id bigint, notional decimal(18,2), maturity_dt date, trade_dt date, "
        "desk string, ccy string, rate double, isin string, party_id int, book_id int, "
        "price double",
        "risk.position": "pos_id bigint, qty int, ticker string, ts timestamp",
        "risk.party": "party_id int",
        "risk.book": "book_id int",
        "risk.trade_core": "trade_id bigint",
    },
    "accounts_db2.sql": {
        "STG.ACCOUNT": "ACCT_NO string, OWNER_ID int, OPEN_DT date, CLOSE_DT date, "
        "BALANCE decimal(15,2), STATUS string, IBAN string, BRANCH_ID int, CURRENCY string, "
        "LIMIT_AMT decimal(15,2), PRODUCT string",
        "CORE.ACCOUNT": "STATUS string, BRANCH_ID int, RATE double",
        "REF.BRANCH": "BRANCH_ID int",
    },
    "stock_netezza.sql": {
        "ADMIN.STOCK": "item_id int, qty int, site_cd string, unit string, cost decimal(10,2), "
        "kind string, expiry_dt date, made_dt date, bin string",
        "ADMIN.ITEM": "item_id int, descr string, weight double, ean string, price decimal(10,2)",
        "ADMIN.SITE": "site_cd string, name string",
    },
    "sensors_databricks.sql": {
        "plant.bronze.reading": "device_id string, ts timestamp, temp_c double, unit string, "
        "raw_value string, battery int",
        "plant.ref.device": "device_id string, serial string, site string, model string, "
        "installed date",
        "plant.silver.reading": "device_id string, temp_c double",
    },
    "web_spark.sql": {
        "weblog.hit": "hit_id bigint, status int, bytes bigint, method string, path string, "
        "ip string, session_id string, referrer string, agent string",
        "weblog.session": "session_id string, visitor_id bigint, start_ts timestamp, "
        "end_ts timestamp, pages int, day string",
        "weblog.visitor": "visitor_id bigint",
        "weblog.visitor_new": "visitor_id bigint, mail string",
    },
}  # fmt: skip


def dialect_of(file: str) -> str:
    return file.split("_")[-1].split(".")[0]


def expected() -> Iterator[dict]:
    with (FOLDER / "expected.tsv").open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter="\t")


def converted(files, folder: Path, *, typed: bool, parameters=()) -> dict:
    """The ledger of some of the scripts, converted as a user would; `typed`: with schemas."""
    for file in files:
        (folder / file).write_bytes((FOLDER / file).read_bytes())
    sources = tuple(Source(path=(file,), dialect=dialect_of(file)) for file in files)
    tables = dict(_schemas(files, folder)) if typed else {}
    config = Config(folder, folder, "ruleferry.toml", sources=sources, tables=tables)
    convert(replace(config, parameters=dict(parameters)))
    return json.loads((folder / "expectations/ledger.json").read_text("utf-8"))


def _schemas(files, folder: Path) -> Iterator[tuple[str, TableSettings]]:
    stated = {table: columns for file in files for table, columns in COLUMNS[file].items()}
    for number, (table, columns) in enumerate(sorted(stated.items())):
        name = f"schema_{number}.sql"
        (folder / name).write_text(f"CREATE TABLE `{table.split('.')[-1]}` ({columns})", "utf-8")
        yield table, TableSettings(schema=(name,))
