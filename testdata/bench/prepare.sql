-- panel: one price per week, product and store, of the rows that count in the
-- index, out of an exported panel directory (variable source) through a week
-- (variable last). weights: weight and category of the active products.
--
-- What the quality gate leaves out is taken from larder (variable filtered, a
-- file of "check --filtered"): the two are compared in what they compute of the
-- same rows. That the gate leaves out the right ones is for tests to show.

CREATE TEMP TABLE series AS
SELECT date_trunc('week', o.observed_at AT TIME ZONE 'America/Toronto')::DATE + 6 AS week,
  r.product_id AS product, s.id AS store, r.id AS mapping, c.name AS city, s.banner, p.category,
  avg(ln(o.effective_price)) AS lp
FROM read_csv(getvariable('source') || '/observations.csv',
    types = {'effective_price': 'DOUBLE', 'observed_at': 'TIMESTAMPTZ'}) o
ANTI JOIN read_csv(getvariable('filtered'), header = true, types = {'observation_id': 'BIGINT'}) f ON f.observation_id = o.id
JOIN read_csv(getvariable('source') || '/retailer_products.csv') r ON r.id = o.retailer_product_id AND r.active = 1
JOIN read_csv(getvariable('source') || '/products.csv') p ON p.id = r.product_id AND p.active = 1
JOIN read_csv(getvariable('source') || '/stores.csv') s ON s.id = o.store_id AND s.active = 1
JOIN read_csv(getvariable('source') || '/cities.csv') c ON c.slug = s.city
JOIN read_csv(getvariable('source') || '/banners.csv') b ON b.key = s.banner AND b.in_index = 1
GROUP BY ALL;

CREATE TEMP TABLE base AS
SELECT mapping, product, store, lp FROM series
WHERE week = (SELECT value::DATE FROM read_csv(getvariable('source') || '/settings.csv', all_varchar = true) WHERE key = 'base_week');

-- Only a listing is matched with itself. Where a store has two listings of a
-- product, or replaced one by another, the price is therefore the base price
-- moved by the mean of the listings that were there in the base week; a plain
-- mean would set one listing against another.
CREATE TEMP TABLE panel AS
WITH first AS (SELECT product, store, avg(lp) AS lp FROM base GROUP BY ALL)
SELECT s.week, s.product, s.store,
  exp(CASE WHEN any_value(f.lp) IS NULL THEN avg(s.lp) ELSE any_value(f.lp) + avg(s.lp - b.lp) END) AS price,
  s.city, s.banner, s.category
FROM series s
LEFT JOIN base b USING (mapping, product, store)
LEFT JOIN first f USING (product, store)
WHERE s.week BETWEEN (SELECT value::DATE FROM read_csv(getvariable('source') || '/settings.csv', all_varchar = true) WHERE key = 'base_week')
  AND getvariable('last')::DATE
GROUP BY s.week, s.product, s.store, s.city, s.banner, s.category
HAVING price IS NOT NULL
ORDER BY s.week, s.product, s.store;

CREATE TEMP TABLE weights AS
SELECT id AS product, basket_weight AS weight, category
FROM read_csv(getvariable('source') || '/products.csv') WHERE active = 1 ORDER BY id;
