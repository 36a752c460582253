-- The release log: one SQLite file that says what was published and when.
--
-- It only grows. Triggers refuse every change and every deletion, and a new row
-- takes the next number. Only "larder release" writes it: it makes a new file
-- with one release more and puts that in the file's place, so the file is always
-- whole. Read it with any SQLite tool:  sqlite3 -readonly 'file:releases.db?immutable=1'
--
-- Blobs are compressed with DEFLATE (RFC 1951), but for the hashes.

PRAGMA application_id = 0x4C524C47; -- "LRLG"
PRAGMA user_version = 4;            -- version of this schema
PRAGMA page_size = 1024;            -- a release is small

-- What answers about a release need besides its rows. A release names its context
-- by the SHA-256 of the content.
CREATE TABLE contexts (
    id      INTEGER PRIMARY KEY, -- from 1
    content BLOB NOT NULL        -- JSON: settings, cities, banners, rows of the pilot series
) STRICT;

CREATE TABLE releases (
    number     INTEGER PRIMARY KEY, -- from 1; the release is called r1
    leaf       BLOB NOT NULL,       -- canonical bytes: the package doc has their form
    hash       BLOB NOT NULL,       -- RFC 6962 hash of the canonical bytes
    checkpoint TEXT NOT NULL,       -- head of the tree with this release as its last leaf
    file       TEXT NOT NULL        -- where the snapshot came from; not a part of the leaf
) STRICT;

CREATE TRIGGER releases_next BEFORE INSERT ON releases
WHEN NEW.number IS NOT (SELECT coalesce(max(number), 0) + 1 FROM releases)
BEGIN SELECT RAISE(ABORT, 'the release log is append-only'); END;
CREATE TRIGGER contexts_next BEFORE INSERT ON contexts
WHEN NEW.id IS NOT (SELECT coalesce(max(id), 0) + 1 FROM contexts)
BEGIN SELECT RAISE(ABORT, 'the release log is append-only'); END;

CREATE TRIGGER releases_update BEFORE UPDATE ON releases BEGIN SELECT RAISE(ABORT, 'the release log is append-only'); END;
CREATE TRIGGER releases_delete BEFORE DELETE ON releases BEGIN SELECT RAISE(ABORT, 'the release log is append-only'); END;
CREATE TRIGGER contexts_update BEFORE UPDATE ON contexts BEGIN SELECT RAISE(ABORT, 'the release log is append-only'); END;
CREATE TRIGGER contexts_delete BEFORE DELETE ON contexts BEGIN SELECT RAISE(ABORT, 'the release log is append-only'); END;
