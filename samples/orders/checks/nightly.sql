-- Checks that run every night after the order load, on the PostgreSQL warehouse.

-- ORD-01 | only finished, open and pending orders | severity: HIGH | owner: sales-data
SELECT count(*) AS bad_rows
FROM orders_raw
WHERE o_orderstatus NOT IN ('F', 'O', 'P');

SELECT 'clerk_written_alike' AS check_name, count(*) AS failures
FROM orders_raw WHERE o_clerk !~ '^Clerk#[0-9]{9}$'
UNION ALL
SELECT 'no_order_from_the_future', count(*)
FROM orders_raw WHERE o_orderdate > current_date
UNION ALL
SELECT 'finished_orders_have_a_price', count(*)
FROM orders_raw WHERE o_orderstatus = 'F' AND coalesce(o_totalprice, 0) = 0;

-- ORD-05 orders of the night's load whose priority nobody knows go to the reject table
INSERT INTO rejected_orders (o_orderkey, reason)
SELECT o_orderkey, 'ORD-05' FROM orders_raw
WHERE load_id = :load_id AND o_orderpriority NOT SIMILAR TO '[1-5]-[A-Z ]+';
DELETE FROM orders_raw WHERE o_orderpriority NOT SIMILAR TO '[1-5]-[A-Z ]+';

DO $$
BEGIN
  IF EXISTS (SELECT 1 FROM orders_raw WHERE o_totalprice > 10000000) THEN
    RAISE EXCEPTION 'ORD-09 an order above ten million stops the load';
  END IF;
END $$;

-- How many orders there are of each status
SELECT o_orderstatus, count(*) FROM orders_raw GROUP BY o_orderstatus ORDER BY 2 DESC;
VACUUM ANALYZE orders_raw;
