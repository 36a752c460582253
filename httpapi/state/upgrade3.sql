-- From version 2 to 3: a key may have two live secrets, and networks. Counts of months have
-- rows of their own.
ALTER TABLE keys ADD COLUMN networks TEXT NOT NULL DEFAULT '';
ALTER TABLE keys ADD COLUMN used_at INTEGER;
ALTER TABLE keys ADD COLUMN old_hash BLOB;
ALTER TABLE keys ADD COLUMN old_start TEXT;
ALTER TABLE keys ADD COLUMN old_until INTEGER;
ALTER TABLE keys ADD COLUMN old_used_at INTEGER;
CREATE UNIQUE INDEX keys_old_hash ON keys (old_hash);
CREATE TABLE quotas (
    key_id  INTEGER NOT NULL,
    month   TEXT NOT NULL,
    counted INTEGER NOT NULL,
    PRIMARY KEY (key_id, month)
) STRICT, WITHOUT ROWID;
INSERT INTO quotas SELECT key_id, substr(day, 1, 7), sum(counted) FROM daily_usage WHERE counted > 0 GROUP BY 1, 2;
PRAGMA user_version = 3;
