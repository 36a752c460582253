-- The method of the price index as SQL, for {{.Title}}. Tests run it.
-- Written by larder. Method {{.Method}}, gate {{.Gate}}, base week {{.Base}}, through {{.Through}}.
--
-- It reads two tables with columns of the files that "larder release --publish" writes:
--   prices    retailer_product_id, store_id, effective_price, product_id, brand, banner, city, week
--   products  id, category, subcategory, basket_weight
-- It makes the table cells, the log price of each series in each week, and from it the table
-- price_index, the published rows. Tables whose names begin with larder_ are steps on the way.
-- A table of the same name is replaced.
--
{{.Load}}
-- Sections 1 and 2: weeks, and what goes in. A price belongs to the week, Monday to Sunday in
-- {{.City}}, of the moment that it was seen. The column week is the date of that Sunday:
--   {{.WeekOf}}
-- The table prices has the rows that passed the gate, of active stores, listings and products.
-- Of these the prices of index banners count. A series is one listing at one store. Its price in
-- a week is the geometric mean of its prices there.
{{table "cells"}}
SELECT retailer_product_id AS listing_id, store_id, week,
  avg(ln(CAST(effective_price AS {{.Double}}))) AS mean_log_price, CAST(count(*) AS INT) AS prices
FROM prices
WHERE banner IN ({{.BannerList}})
GROUP BY retailer_product_id, store_id, week
ORDER BY week, retailer_product_id, store_id;
{{analyze "cells"}}
-- Section 3: slices and places. A slice is all products or those of a category. Its total is taken over
-- its active products; whole_weight is the weight in whole billionths, whose sums are exact.
{{table "larder_products"}}
SELECT id AS product_id, category, subcategory, CAST(basket_weight AS {{.Double}}) AS weight,
  CAST(round(CAST(basket_weight AS {{.Double}}) * 1000000000) AS {{.Whole}}) AS whole_weight
FROM products;

{{table "larder_slices"}}
SELECT product_id, category FROM larder_products
UNION ALL SELECT product_id, 'overall' FROM larder_products;

{{table "larder_totals"}}
SELECT s.category AS category, count(*) AS items, sum(i.weight) AS weight, sum(i.whole_weight) AS whole_weight
FROM larder_slices s JOIN larder_products i ON i.product_id = s.product_id
GROUP BY s.category;

-- A series belongs to one product and one store. min() takes the value that all its rows have.
{{table "larder_series"}}
SELECT p.retailer_product_id AS listing_id, p.store_id AS store_id, min(p.product_id) AS product_id, min(NULLIF(p.brand, '')) AS brand,
  min(p.city) AS city, min(p.banner) AS banner
FROM prices p JOIN larder_products i ON i.product_id = p.product_id
WHERE p.banner IN ({{.BannerList}})
GROUP BY p.retailer_product_id, p.store_id;
{{analyze "larder_series"}}

-- Section 12: products of one category, subcategory and brand have one maker, the id of the first of them. A
-- product has a brand if all its listings have it. Any other product is its own maker.
{{table "larder_makers"}}
SELECT b.product_id AS product_id,
  CASE WHEN b.brand IS NULL THEN b.product_id ELSE min(b.product_id) OVER (PARTITION BY i.category, i.subcategory, b.brand) END AS maker
FROM (
  SELECT product_id, CASE WHEN count(brand) = count(*) AND min(brand) = max(brand) THEN min(brand) END AS brand
  FROM larder_series
  GROUP BY product_id
) b
JOIN larder_products i ON i.product_id = b.product_id;
{{analyze "larder_makers"}}

-- A place is the nation (no city, no banner), a city (no banner), or a banner in a city. Place 1 is
-- the nation. A store belongs to one of each kind.
{{table "larder_store_places"}}
SELECT DISTINCT store_id, '' AS city, '' AS banner FROM larder_series
UNION ALL SELECT DISTINCT store_id, city, '' FROM larder_series
UNION ALL SELECT DISTINCT store_id, city, banner FROM larder_series;

{{table "larder_places"}}
SELECT row_number() OVER (ORDER BY d.city, d.banner) AS place, d.city, d.banner
FROM (SELECT DISTINCT city, banner FROM larder_store_places) d;

{{table "larder_stores"}}
SELECT s.store_id AS store_id, g.place AS place
FROM larder_store_places s JOIN larder_places g ON g.city = s.city AND g.banner = s.banner;
{{analyze "larder_stores"}}

-- Section 7: the price of a product in a place, whether matched with the base or not. A store's log
-- price is the mean over its series. Of n stores floor(n/10) are dropped at each end.
{{table "larder_store_prices"}}
SELECT c.week AS week, s.product_id AS product_id, c.store_id AS store_id, avg(c.mean_log_price) AS log_price
FROM cells c JOIN larder_series s ON s.listing_id = c.listing_id AND s.store_id = c.store_id
WHERE c.week >= {{.BaseDate}} AND c.week <= {{.ThroughDate}}
GROUP BY c.week, s.product_id, c.store_id;

{{table "larder_prices"}}
SELECT t.place, t.week, t.product_id, exp(avg(t.log_price)) AS price
FROM (
  SELECT s.place AS place, p.week AS week, p.product_id AS product_id, p.log_price AS log_price,
    row_number() OVER (PARTITION BY s.place, p.week, p.product_id ORDER BY p.log_price) AS nth,
    count(*) OVER (PARTITION BY s.place, p.week, p.product_id) AS n
  FROM larder_store_prices p JOIN larder_stores s ON s.store_id = p.store_id
) t
WHERE {{kept "t.nth" "t.n"}}
GROUP BY t.place, t.week, t.product_id;
{{analyze "larder_prices"}}

-- The cost of a slice: the place's prices, grossed up by what the products that it lacks cost
-- nationally.
{{table "larder_costs"}}
SELECT p.place AS place, p.week AS week, s.category AS category, sum(p.price) * max(t.total) / sum(q.price) AS cost
FROM larder_prices p
JOIN larder_slices s ON s.product_id = p.product_id
JOIN larder_prices q ON q.week = p.week AND q.product_id = p.product_id AND q.place = 1
JOIN (
  SELECT n.week AS week, x.category AS category, sum(n.price) AS total
  FROM larder_prices n JOIN larder_slices x ON x.product_id = n.product_id
  WHERE n.place = 1
  GROUP BY n.week, x.category
) t ON t.week = p.week AND t.category = s.category
GROUP BY p.place, p.week, s.category;

-- Section 5: the base of a category is the base week. That of a headline is the place's entry week: the
-- first in which at least 60% of the active products are priced.
{{table "larder_entries"}}
SELECT e.place, min(e.week) AS entry_week
FROM (
  SELECT p.place AS place, p.week AS week
  FROM larder_prices p CROSS JOIN larder_totals t
  WHERE t.category = 'overall'
  GROUP BY p.place, p.week, t.items
  HAVING 100 * count(*) >= 60 * t.items
) e
GROUP BY e.place;

{{table "larder_bases"}}
SELECT DISTINCT u.place, u.base_week
FROM (
  SELECT place, {{.BaseDate}} AS base_week FROM larder_places
  UNION ALL SELECT place, entry_week FROM larder_entries
) u;

{{table "larder_store_bases"}}
SELECT z.store_id AS store_id, y.place AS place, y.base_week AS base_week
FROM larder_bases y JOIN larder_stores z ON z.place = y.place;
{{analyze "larder_store_bases"}}

-- Section 4, steps 1 and 2: series with a price in the base and in the week, and the mean of their
-- log relatives for each product and store.
{{table "larder_relatives"}}
SELECT x.base_week AS base_week, c.week AS week, s.product_id AS product_id, c.store_id AS store_id, avg(c.mean_log_price - b.mean_log_price) AS relative, count(*) AS series
FROM (SELECT DISTINCT base_week, store_id FROM larder_store_bases) x
JOIN cells b ON b.store_id = x.store_id AND b.week = x.base_week
JOIN cells c ON c.store_id = b.store_id AND c.listing_id = b.listing_id
JOIN larder_series s ON s.store_id = c.store_id AND s.listing_id = c.listing_id
WHERE c.week >= x.base_week AND c.week <= {{.ThroughDate}}
GROUP BY x.base_week, c.week, s.product_id, c.store_id;
{{analyze "larder_relatives"}}

-- Step 3: the trimmed mean over stores.
{{table "larder_rhos"}}
SELECT t.place, t.base_week, t.week, t.product_id,
  avg(CASE WHEN {{kept "t.nth" "t.n"}} THEN t.relative END) AS rho, sum(t.series) AS series, max(2 * {{div "t.n" "10"}}) AS trimmed
FROM (
  SELECT b.place AS place, r.base_week AS base_week, r.week AS week, r.product_id AS product_id, r.relative AS relative, r.series AS series,
    row_number() OVER (PARTITION BY b.place, r.base_week, r.week, r.product_id ORDER BY r.relative) AS nth,
    count(*) OVER (PARTITION BY b.place, r.base_week, r.week, r.product_id) AS n
  FROM larder_relatives r JOIN larder_store_bases b ON b.store_id = r.store_id AND b.base_week = r.base_week
) t
GROUP BY t.place, t.base_week, t.week, t.product_id;
{{analyze "larder_rhos"}}

-- Step 4: a category is the weighted mean of its matched products. Its variance is section 12's: the
-- products of one maker are left out at a time.
{{table "larder_categories"}}
{{template "strata" (strata . "larder_rhos" "r.rho")}};

-- Steps 5 and 6, and section 5: a headline is the mean of its categories, each with the weight of all its
-- active products. A row is published when at least 60% of the products of its slice are
-- matched. units is the level in ten-thousandths.
{{table "larder_levels"}}
SELECT l.place AS place, l.base_week AS base_week, l.week AS week, l.category AS category, l.rho AS rho, l.items AS items, t.items AS total_items, l.tenths AS tenths, l.variance AS variance,
  {{round "100 * exp(l.rho)" "10000"}} AS units
FROM (
  SELECT place, base_week, week, category, mean AS rho, items, greatest(5 * (makers - 1), 10 * least(makers - 1, 1)) AS tenths, variance
  FROM larder_categories
  WHERE base_week = {{.BaseDate}}
  UNION ALL
  SELECT h.place AS place, h.base_week AS base_week, h.week AS week, 'overall', h.rho AS rho, h.items AS items, h.tenths AS tenths, h.variance AS variance
  FROM (
{{template "headline" (strata . "larder_categories" "")}}
  ) h
  JOIN larder_entries e ON e.place = h.place AND e.entry_week = h.base_week
) l
JOIN larder_totals t ON t.category = l.category
WHERE 100 * l.items >= 60 * t.items;
{{analyze "larder_levels"}}

-- Section 6, the change of a headline: the estimator of section 4 on the series priced in all of the
-- base week, the previous published week and this one.
{{table "larder_steps"}}
SELECT l.place, l.base_week, l.week, l.previous
FROM (
  SELECT place, base_week, week,
    max(week) OVER (PARTITION BY place ORDER BY week ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS previous
  FROM larder_levels
  WHERE category = 'overall'
) l
WHERE l.previous >= {{.BaseDate}};

{{table "larder_store_steps"}}
SELECT z.store_id AS store_id, y.place AS place, y.base_week AS base_week, y.previous AS previous, y.week AS week
FROM larder_steps y JOIN larder_stores z ON z.place = y.place;
{{analyze "larder_store_steps"}}

{{table "larder_now"}}
SELECT x.base_week AS base_week, x.previous AS previous, c.week AS week, c.listing_id AS listing_id, c.store_id AS store_id, c.mean_log_price AS mean_log_price
FROM (SELECT DISTINCT base_week, previous, week, store_id FROM larder_store_steps) x
JOIN cells c ON c.store_id = x.store_id AND c.week = x.week;
{{analyze "larder_now"}}

{{table "larder_common"}}
SELECT c.base_week AS base_week, c.previous AS previous, c.week AS week, s.product_id AS product_id, c.store_id AS store_id,
  avg(u.mean_log_price - b.mean_log_price) AS earlier, avg(c.mean_log_price - b.mean_log_price) AS later
FROM larder_now c
JOIN cells u ON u.week = c.previous AND u.store_id = c.store_id AND u.listing_id = c.listing_id
JOIN cells b ON b.week = c.base_week AND b.store_id = c.store_id AND b.listing_id = c.listing_id
JOIN larder_series s ON s.store_id = c.store_id AND s.listing_id = c.listing_id
GROUP BY c.base_week, c.previous, c.week, s.product_id, c.store_id;
{{analyze "larder_common"}}

{{table "larder_moves"}}
SELECT t.place, t.base_week, t.week, t.product_id,
  avg(CASE WHEN {{kept "t.now_nth" "t.n"}} THEN t.later END) - avg(CASE WHEN {{kept "t.then_nth" "t.n"}} THEN t.earlier END) AS rho
FROM (
  SELECT y.place AS place, r.base_week AS base_week, r.week AS week, r.product_id AS product_id, r.earlier AS earlier, r.later AS later,
    row_number() OVER (PARTITION BY y.place, r.base_week, r.week, r.product_id ORDER BY r.earlier) AS then_nth,
    row_number() OVER (PARTITION BY y.place, r.base_week, r.week, r.product_id ORDER BY r.later) AS now_nth,
    count(*) OVER (PARTITION BY y.place, r.base_week, r.week, r.product_id) AS n
  FROM larder_common r
  JOIN larder_store_steps y ON y.store_id = r.store_id AND y.base_week = r.base_week AND y.previous = r.previous AND y.week = r.week
) t
GROUP BY t.place, t.base_week, t.week, t.product_id;
{{analyze "larder_moves"}}

{{table "larder_move_categories"}}
{{template "strata" (strata . "larder_moves" "r.rho")}};

{{table "larder_changes"}}
SELECT h.place AS place, h.week AS week, 'overall' AS category, h.tenths AS tenths, {{round "100 * (exp(h.rho) - 1)" "10000"}} AS units,
  {{round "100 * exp(h.rho) * sqrt(h.variance)" "10000"}} AS se
FROM (
{{template "headline" (strata . "larder_move_categories" "")}}
) h
CROSS JOIN larder_totals t
WHERE t.category = 'overall' AND 100 * h.items >= 60 * t.items;

-- Section 12: what a level rests on. Series and stores are counted before the trim.
{{table "larder_support"}}
SELECT r.place AS place, r.base_week AS base_week, r.week AS week, s.category AS category, sum(r.series) AS series, sum(r.trimmed) AS trimmed,
  sum(i.whole_weight) AS whole_weight, count(DISTINCT i.category) AS categories
FROM larder_rhos r
JOIN larder_slices s ON s.product_id = r.product_id
JOIN larder_products i ON i.product_id = r.product_id
GROUP BY r.place, r.base_week, r.week, s.category;

{{table "larder_matched_stores"}}
SELECT b.place AS place, r.base_week AS base_week, r.week AS week, x.category AS category, count(DISTINCT r.store_id) AS stores
FROM larder_relatives r
JOIN larder_slices x ON x.product_id = r.product_id
JOIN larder_store_bases b ON b.store_id = r.store_id AND b.base_week = r.base_week
GROUP BY b.place, r.base_week, r.week, x.category;
{{analyze "larder_support"}}{{analyze "larder_matched_stores"}}

-- The 97.5% quantile of Student's t by tenths of degrees of freedom. Fewer than {{.LeastTenths}} tenths give no interval.
DROP TABLE IF EXISTS larder_t;
CREATE TABLE larder_t (tenths {{.Whole}}, t {{.Double}}){{.Engine}};
INSERT INTO larder_t VALUES
{{.Quantiles}};

-- The figures of each published row, not rounded, and the levels that changes compare with.
{{table "larder_figures"}}
SELECT l.place AS place, l.week AS week, l.category AS category, l.items AS items, l.total_items AS total_items, l.tenths AS tenths, l.units AS units, w.units AS week_units, m.units AS month_units, y.units AS year_units,
  k.cost AS cost, h.units AS change_units, CASE WHEN h.tenths >= {{.LeastTenths}} THEN h.se END AS change_se,
  CASE WHEN l.tenths >= {{.LeastTenths}} THEN 100 * exp(l.rho) * sqrt(l.variance) END AS se,
  CASE WHEN l.category = 'overall' AND l.variance > 0 THEN 100 * exp(l.rho - q.t * sqrt(l.variance)) END AS low,
  CASE WHEN l.category = 'overall' AND l.variance > 0 THEN 100 * exp(l.rho + q.t * sqrt(l.variance)) END AS high,
  u.series AS series, v.stores AS stores, u.trimmed AS trimmed, CAST(u.whole_weight AS {{.Double}}) / CAST(t.whole_weight AS {{.Double}}) AS share,
  CASE WHEN l.week = f.week THEN 'B'
    WHEN 100 * u.whole_weight < 80 * t.whole_weight THEN 'E'
    WHEN l.category = 'overall' AND u.categories < a.categories THEN 'E'
    ELSE 'A' END AS status
FROM larder_levels l
JOIN larder_totals t ON t.category = l.category
JOIN larder_costs k ON k.place = l.place AND k.week = l.week AND k.category = l.category
JOIN larder_support u ON u.place = l.place AND u.base_week = l.base_week AND u.week = l.week AND u.category = l.category
JOIN larder_matched_stores v ON v.place = l.place AND v.base_week = l.base_week AND v.week = l.week AND v.category = l.category
JOIN (SELECT place, category, min(week) AS week FROM larder_levels GROUP BY place, category) f ON f.place = l.place AND f.category = l.category
LEFT JOIN larder_changes h ON h.place = l.place AND h.week = l.week AND h.category = l.category
LEFT JOIN larder_levels w ON w.place = l.place AND w.category = l.category AND w.week = l.week - 7
LEFT JOIN larder_levels m ON m.place = l.place AND m.category = l.category AND m.week = l.week - 28
LEFT JOIN larder_levels y ON y.place = l.place AND y.category = l.category AND y.week = l.week - 364
LEFT JOIN larder_t q ON q.tenths = l.tenths
CROSS JOIN (SELECT count(DISTINCT category) AS categories FROM larder_products) a;

-- The published rows. Changes of categories, and changes in 4 and in 52 weeks, are exact ratios of
-- published levels. Values that are computed are rounded half away from zero, and those within a
-- ten-millionth of a unit in the last place of a tie count as the tie.
{{table "price_index"}}
SELECT x.week AS date, NULLIF(g.city, '') AS city, NULLIF(g.banner, '') AS retailer, NULLIF(x.category, 'overall') AS category,
  {{decimal "x.units"}} AS index_value,
  {{decimal (round "x.cost" "100" | printf "100 * %s")}} AS {{.BasketCost}},
  {{decimal (ratio "x.units" "x.week_units" | printf "CASE WHEN x.category = 'overall' THEN x.change_units ELSE %s END")}} AS pct_change_wow,
  {{decimal (ratio "x.units" "x.month_units")}} AS pct_change_mom,
  CAST(x.items AS {{.Whole}}) AS item_count, CAST(x.total_items AS {{.Whole}}) AS total_items,
  {{decimal (ratio "x.units" "x.year_units")}} AS pct_change_yoy,
  {{decimal (round "x.se" "10000")}} AS se,
  {{decimal (round "x.low" "10000")}} AS ci95_low,
  {{decimal (round "x.high" "10000")}} AS ci95_high,
  {{decimal "1000 * x.tenths"}} AS df,
  {{decimal "x.change_se"}} AS se_wow,
  CAST(x.series AS {{.Whole}}) AS matched_series, CAST(x.stores AS {{.Whole}}) AS matched_stores, CAST(x.trimmed AS {{.Whole}}) AS trimmed,
  {{decimal (round "x.share" "10000")}} AS matched_weight, x.status AS status
FROM larder_figures x JOIN larder_places g ON g.place = x.place;
{{/* What follows is used above. */ -}}
{{define "strata" -}}
SELECT k.place AS place, k.base_week AS base_week, k.week AS week, k.category AS category, sum(k.items) AS items, count(*) AS makers,
  max(k.mean) AS mean,
  CASE WHEN count(*) > 1 THEN greatest(CAST(0 AS {{.Double}}), (count(*) - 1) * (sum(k.t * k.t) - sum(k.t) * sum(k.t) / count(*)) / count(*)) END AS variance
FROM (
  SELECT j.place AS place, j.base_week AS base_week, j.week AS week, j.category AS category, max(j.mean) AS mean, count(*) AS items,
    sum(j.weight * (j.mean - j.value)) / NULLIF(max(j.matched_weight) - sum(j.weight), 0) AS t
  FROM (
    SELECT r.place AS place, r.base_week AS base_week, r.week AS week, i.category AS category, m.maker AS maker, i.weight AS weight,
      {{.Value}} AS value,
      sum(i.weight) OVER (PARTITION BY r.place, r.base_week, r.week, i.category) AS matched_weight,
      sum(i.weight * {{.Value}}) OVER (PARTITION BY r.place, r.base_week, r.week, i.category)
        / sum(i.weight) OVER (PARTITION BY r.place, r.base_week, r.week, i.category) AS mean
    FROM {{.From}} r JOIN larder_products i ON i.product_id = r.product_id JOIN larder_makers m ON m.product_id = r.product_id
  ) j
  GROUP BY j.place, j.base_week, j.week, j.category, j.maker
) k
GROUP BY k.place, k.base_week, k.week, k.category
{{- end -}}
{{/* The degrees of freedom are half of Satterthwaite's, not below 1, rounded down to tenths. A variance under 1e-24 counts as 0. */ -}}
{{define "headline"}}    SELECT k.place, k.base_week, k.week, k.rho, k.items, CASE WHEN k.v >= 1e-24 THEN k.v ELSE 0 * k.v END AS variance,
      CASE WHEN k.v >= 1e-24 THEN greatest(10, CAST(floor(5 * k.v * k.v / k.squares + 0.0000001) AS {{.Whole}}))
        ELSE greatest(5 * k.df, 10 * least(k.df, 1)) END AS tenths
    FROM (
      SELECT c.place AS place, c.base_week AS base_week, c.week AS week, sum(t.weight * c.mean) / sum(t.weight) AS rho,
        sum(c.items) AS items, sum(c.makers) - count(*) AS df,
        CASE WHEN count(c.variance) = count(*) THEN sum(t.weight * t.weight * c.variance) / (sum(t.weight) * sum(t.weight)) END AS v,
        sum(t.weight * t.weight * c.variance * t.weight * t.weight * c.variance / NULLIF(c.makers - 1, 0))
          / (sum(t.weight) * sum(t.weight) * sum(t.weight) * sum(t.weight)) AS squares
      FROM {{.From}} c JOIN larder_totals t ON t.category = c.category
      GROUP BY c.place, c.base_week, c.week
    ) k
{{- end -}}
