\set ON_ERROR_STOP on
-- product catalogue checks / owner: catalogue squad
BEGIN;

-- CAT-001 (blocker): sku has two letters, a dash and four digits
SELECT product_id FROM stage.product WHERE sku !~ '^[A-Z]{2}-[0-9]{4}$';

-- CAT-002: a list price is at least the cost
SELECT count(*) FROM stage.product WHERE list_price < cost::numeric;

SELECT count(*) FILTER (WHERE title IS NULL OR btrim(title) = '') AS cat_003_title_missing,
       count(*) FILTER (WHERE weight_g <= 0) AS cat_004_weight,
       count(*) FILTER (WHERE lower(state) NOT IN ('live', 'draft')) AS cat_005_state
FROM stage.product;

-- CAT-006: nothing is valid twice at once
SELECT * FROM (
  SELECT product_id, valid_from, LAG(valid_to) OVER (PARTITION BY product_id ORDER BY valid_from) AS before
  FROM stage.price
) p WHERE p.before > p.valid_from;

-- CAT-007: every price is of a product
SELECT pr.product_id FROM stage.price pr WHERE NOT EXISTS (SELECT 1 FROM stage.product p WHERE p.product_id = pr.product_id AND p.state = 'live');

-- CAT-008: one sku, one product
SELECT sku FROM stage.product GROUP BY sku HAVING count(*) > 1;

DO $$
BEGIN
  IF EXISTS (SELECT 1 FROM stage.price WHERE valid_to < valid_from) THEN
    RAISE EXCEPTION 'CAT-009 price ends before it begins';
  END IF;
  IF EXISTS (SELECT 1 FROM stage.price WHERE amount = 0) THEN
    RAISE WARNING 'CAT-010 price of nothing';
  END IF;
END
$$;

SELECT product_id FROM stage.product WHERE WHERE x;

CREATE TABLE mart.price (
  price_id bigint PRIMARY KEY,
  product_id bigint NOT NULL REFERENCES mart.product (product_id),
  amount numeric(12,2) NOT NULL CHECK (amount >= 0),
  currency char(3) DEFAULT 'EUR' CONSTRAINT price_currency CHECK (currency ~ '^[A-Z]{3}$')
);
ALTER TABLE mart.price ADD CONSTRAINT price_period CHECK (valid_from <= valid_to);

INSERT INTO dq.rejects (product_id, rule) SELECT product_id, 'CAT-017' FROM stage.product WHERE units % 6 <> 0 AND pack = 'dozen';

SELECT CASE WHEN (SELECT count(*) FROM stage.product) = (SELECT count(*) FROM mart.product) THEN 'PASS' ELSE 'FAIL' END AS cat_018_counts;

VACUUM ANALYZE mart.price;
COMMIT;
