-- From version 1 to 2. The log gives the sums by day. What a purge has deleted
-- goes to the first day of its month, so that every month keeps its sum.
ALTER TABLE keys ADD COLUMN start TEXT NOT NULL DEFAULT '';
ALTER TABLE requests ADD COLUMN request_id TEXT NOT NULL DEFAULT '';
ALTER TABLE monthly_usage RENAME TO months;

CREATE TABLE refusals (
    key_id   INTEGER NOT NULL REFERENCES keys,
    minute   INTEGER NOT NULL, -- minutes since 1970
    endpoint TEXT NOT NULL,
    status   INTEGER NOT NULL,
    requests INTEGER NOT NULL,
    bytes    INTEGER NOT NULL,
    first_at INTEGER NOT NULL,
    last_at  INTEGER NOT NULL,
    PRIMARY KEY (key_id, minute, endpoint, status)
) STRICT, WITHOUT ROWID;

-- The sums of requests by UTC day, refusals included. The transaction that adds
-- a request updates its sum. Quotas and bills use these sums.
CREATE TABLE daily_usage (
    key_id       INTEGER NOT NULL, -- 0: no known key
    day          TEXT NOT NULL,    -- YYYY-MM-DD
    endpoint     TEXT NOT NULL,
    status_class INTEGER NOT NULL, -- 2 for 200 to 299
    requests     INTEGER NOT NULL,
    counted      INTEGER NOT NULL,
    bytes        INTEGER NOT NULL,
    first_at     INTEGER NOT NULL,
    last_at      INTEGER NOT NULL,
    PRIMARY KEY (key_id, day, endpoint, status_class)
) STRICT, WITHOUT ROWID;

-- The same by month.
CREATE VIEW monthly_usage AS
SELECT key_id, substr(day, 1, 7) AS month, endpoint, status_class,
       sum(requests) AS requests, sum(counted) AS counted, sum(bytes) AS bytes,
       min(first_at) AS first_at, max(last_at) AS last_at
FROM daily_usage
GROUP BY key_id, month, endpoint, status_class;

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
