-- From version 1 to 2. The log gives the sums by day. What a purge has deleted
-- goes to the first day of its month, so that every month keeps its sum.
ALTER TABLE keys ADD COLUMN start TEXT NOT NULL DEFAULT '';
ALTER TABLE requests ADD COLUMN request_id TEXT NOT NULL DEFAULT '';
ALTER TABLE monthly_usage RENAME TO months;

-- The tables and the view of version 2 come here: schema.sql from "Refusals" on.

INSERT INTO daily_usage
SELECT coalesce(key_id, 0), date(at / 1000000000, 'unixepoch') AS day, endpoint, status / 100,
       count(*), sum(counted), sum(bytes), min(at), max(at)
FROM requests
GROUP BY 1, 2, 3, 4;

INSERT INTO daily_usage
SELECT m.key_id, m.month || '-01', m.endpoint, m.status_class,
       m.requests - coalesce(u.requests, 0), m.counted - coalesce(u.counted, 0), m.bytes - coalesce(u.bytes, 0), m.first_at, m.last_at
FROM months AS m
LEFT JOIN monthly_usage AS u USING (key_id, month, endpoint, status_class)
WHERE m.requests > coalesce(u.requests, 0)
ON CONFLICT DO UPDATE SET requests = requests + excluded.requests, counted = counted + excluded.counted,
    bytes = bytes + excluded.bytes, first_at = min(first_at, excluded.first_at), last_at = max(last_at, excluded.last_at);

DROP TABLE months;
PRAGMA user_version = 2;
