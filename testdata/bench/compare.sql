-- verdict: do larder's published category levels (variable larder, a file of
-- "index --format csv") equal the table levels where both publish? Only
-- categories: the two weight the headline differently, by design.

CREATE TEMP TABLE ours AS
SELECT l.date AS week, coalesce(l.city, '') AS city, coalesce(l.retailer, '') AS banner, l.category, l.index_value AS index
FROM read_csv(getvariable('larder'),
    types = {'city': 'VARCHAR', 'retailer': 'VARCHAR', 'index_value': 'DOUBLE'}) l
WHERE l.category IS NOT NULL;

-- A cell is published when at least 60% of its products are matched.
CREATE TEMP TABLE theirs AS
SELECT week, coalesce(city, '') AS city, coalesce(banner, '') AS banner, category, index
FROM levels
JOIN (SELECT category, count(*) AS total FROM weights GROUP BY category) USING (category)
WHERE 100 * items >= 60 * total;

CREATE TEMP TABLE pairs AS
SELECT week, city, banner, category, ours.index AS larder, theirs.index AS duckdb, abs(ours.index - theirs.index) AS off
FROM ours FULL JOIN theirs USING (week, city, banner, category);

CREATE TEMP TABLE verdict AS
SELECT count(off), count(*) FILTER (larder IS NULL), count(*) FILTER (duckdb IS NULL), max(off) FROM pairs;

CREATE TEMP TABLE worst AS
FROM pairs ORDER BY off DESC NULLS FIRST LIMIT 5;
