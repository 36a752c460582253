-- The state of a server: keys, sessions, the request log and the months billed
-- from it.
--
-- Only package httpapi/state writes it. Read it with any SQLite tool, also
-- while the server runs:  sqlite3 -readonly larder-state.db
--
-- Conventions: times are Unix nanoseconds in UTC; hashes are SHA-256; NULL is
-- "none". No secret is stored, neither of a key nor of a session or link.

PRAGMA application_id = 0x4C525354; -- "LRST"
PRAGMA user_version = 6;            -- version of this schema

-- Licence keys. A row is never deleted, so that an id means one key for ever.
CREATE TABLE keys (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    name        TEXT NOT NULL,
    tier        TEXT NOT NULL CHECK (tier IN ('research', 'standard', 'professional', 'enterprise')),
    prefix      TEXT NOT NULL,                         -- of the secret; a rotation keeps it
    hash        BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
    per_minute  INTEGER CHECK (per_minute > 0),        -- NULL: the tier's
    per_month   INTEGER CHECK (per_month > 0),         -- NULL: the tier's; 9223372036854775807: no limit
    created_at  INTEGER NOT NULL,
    expires_at  INTEGER,                               -- the first moment at which it is refused
    rotated_at  INTEGER,                               -- last time
    disabled_at INTEGER,                               -- NULL: enabled
    start       TEXT NOT NULL DEFAULT '',              -- of the secret's random part: 4 characters
    networks    TEXT NOT NULL DEFAULT ''               -- from which it may be used, CIDR with commas; empty: anywhere
) STRICT;

-- Signed-in subscribers. Signing out deletes the row.
CREATE TABLE sessions (
    hash       BLOB PRIMARY KEY CHECK (length(hash) = 32),
    key_id     INTEGER NOT NULL REFERENCES keys,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_of_key ON sessions (key_id, created_at);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

-- One-time sign-in links. Redeeming one deletes the row.
CREATE TABLE signin_links (
    hash       BLOB PRIMARY KEY CHECK (length(hash) = 32),
    key_id     INTEGER NOT NULL REFERENCES keys,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX signin_links_of_key ON signin_links (key_id);
CREATE INDEX signin_links_by_expiry ON signin_links (expires_at);

-- One row is one answered request. Refusals of a key (402, 403, 429) beyond its first 20
-- in a UTC minute are in refusals. Purging deletes old rows; daily_usage keeps their sums.
CREATE TABLE requests (
    id         INTEGER PRIMARY KEY,
    at         INTEGER NOT NULL,                -- when it came in
    key_id     INTEGER REFERENCES keys,         -- NULL: no known key
    auth       TEXT NOT NULL CHECK (auth IN ('none', 'key', 'session')),
    endpoint   TEXT NOT NULL,                   -- the route, without parameters
    status     INTEGER NOT NULL,
    counted    INTEGER NOT NULL,                -- 1: against the month's quota
    bytes      INTEGER NOT NULL,                -- of the body
    latency    INTEGER NOT NULL,                -- nanoseconds
    query      TEXT NOT NULL,                   -- parameters, as sent, without keys
    request_id TEXT NOT NULL DEFAULT ''         -- the X-Request-Id of the response
) STRICT;
CREATE INDEX requests_by_time ON requests (at);

-- The counted requests of a key in a UTC month. The transaction that logs a request
-- counts it here: the row is what servers that share a state agree by.
CREATE TABLE quotas (
    key_id  INTEGER NOT NULL,
    month   TEXT NOT NULL, -- YYYY-MM
    counted INTEGER NOT NULL,
    PRIMARY KEY (key_id, month)
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
       CAST(sum(requests) AS BIGINT) AS requests, CAST(sum(counted) AS BIGINT) AS counted, CAST(sum(bytes) AS BIGINT) AS bytes,
       min(first_at) AS first_at, max(last_at) AS last_at
FROM daily_usage
GROUP BY key_id, month, endpoint, status_class;

-- Refusals of a key beyond its first 20 in a UTC minute, by endpoint and status.
CREATE TABLE refusals (
    key_id   INTEGER NOT NULL,
    minute   INTEGER NOT NULL, -- minutes since 1970
    endpoint TEXT NOT NULL,
    status   INTEGER NOT NULL,
    requests INTEGER NOT NULL,
    bytes    INTEGER NOT NULL, -- of their bodies
    first_at INTEGER NOT NULL,
    last_at  INTEGER NOT NULL,
    PRIMARY KEY (key_id, minute, endpoint, status)
) STRICT, WITHOUT ROWID;
