-- The state of a server: keys, sessions, the request log and the months billed
-- from it.
--
-- Only package httpapi/state writes it. Read it with any SQLite tool, also
-- while the server runs:  sqlite3 -readonly larder-state.db
--
-- Conventions: times are Unix nanoseconds in UTC; hashes are SHA-256; NULL is
-- "none". No secret is stored, neither of a key nor of a session or link.

PRAGMA application_id = 0x4C525354; -- "LRST"
PRAGMA user_version = 1;            -- version of this schema

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
    disabled_at INTEGER                                -- NULL: enabled
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

-- One row is one answered request. Old rows may be purged; what they add up to
-- stays in monthly_usage.
CREATE TABLE requests (
    id       INTEGER PRIMARY KEY,
    at       INTEGER NOT NULL,                -- when it came in
    key_id   INTEGER REFERENCES keys,         -- NULL: none that is known
    auth     TEXT NOT NULL CHECK (auth IN ('none', 'key', 'session')),
    endpoint TEXT NOT NULL,                   -- the route, without parameters
    status   INTEGER NOT NULL,
    counted  INTEGER NOT NULL,                -- 1: against the month's quota
    bytes    INTEGER NOT NULL,                -- of the body
    latency  INTEGER NOT NULL,                -- nanoseconds
    query    TEXT NOT NULL                    -- parameters, as sent; keys in it are cut out
) STRICT;
CREATE INDEX requests_by_time ON requests (at);

-- The sums of requests by UTC calendar month, brought up to date in the
-- transaction that adds the rows. This is what quotas and bills go by.
CREATE TABLE monthly_usage (
    key_id       INTEGER NOT NULL, -- 0: none
    month        TEXT NOT NULL,    -- YYYY-MM
    endpoint     TEXT NOT NULL,
    status_class INTEGER NOT NULL, -- 2 for 200 to 299
    requests     INTEGER NOT NULL,
    counted      INTEGER NOT NULL,
    bytes        INTEGER NOT NULL,
    first_at     INTEGER NOT NULL,
    last_at      INTEGER NOT NULL,
    PRIMARY KEY (key_id, month, endpoint, status_class)
) STRICT, WITHOUT ROWID;
