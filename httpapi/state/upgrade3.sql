-- From version 2 to 3: a key may have two live secrets, and networks.
ALTER TABLE keys ADD COLUMN networks TEXT NOT NULL DEFAULT '';
ALTER TABLE keys ADD COLUMN used_at INTEGER;
ALTER TABLE keys ADD COLUMN old_hash BLOB;
ALTER TABLE keys ADD COLUMN old_start TEXT;
ALTER TABLE keys ADD COLUMN old_until INTEGER;
ALTER TABLE keys ADD COLUMN old_used_at INTEGER;
CREATE UNIQUE INDEX keys_old_hash ON keys (old_hash);
PRAGMA user_version = 3;
