-- The release log: one SQLite file that says what was published and when.
--
-- It only grows. Triggers refuse every change and every deletion, and a new row
-- takes the next number. Only "larder release" writes it: it appends to a copy and
-- puts the copy in the file's place, so the file is always whole. Read it with any
-- SQLite tool:  sqlite3 -readonly 'file:releases.db?immutable=1'
--
-- Conventions: times are Unix nanoseconds in UTC; weeks are days since 1970-01-01;
-- blobs are compressed with DEFLATE (RFC 1951).

PRAGMA application_id = 0x4C524C47; -- "LRLG"
PRAGMA user_version = 1;            -- version of this schema
PRAGMA page_size = 1024;            -- a release is small

-- A cell of the index. Releases name it by its id.
CREATE TABLE cells (
    id       INTEGER PRIMARY KEY, -- from 1, in the order of the first release with the cell
    level    TEXT NOT NULL,       -- national, city or banner
    city     TEXT NOT NULL,       -- display name, or empty
    banner   TEXT NOT NULL,       -- key, or empty
    category TEXT NOT NULL        -- overall is the headline
) STRICT;

-- What answers about a release need besides its rows. A release without another
-- context than the one before has the same.
CREATE TABLE contexts (
    id      INTEGER PRIMARY KEY, -- from 1
    content BLOB NOT NULL        -- JSON: settings, cities, banners, rows of the pilot series
) STRICT;

CREATE TABLE releases (
    number           INTEGER PRIMARY KEY, -- from 1; the release is called r1
    released_at      INTEGER NOT NULL,
    snapshot         TEXT NOT NULL,    -- hash of the snapshot, as its seal has it
    file             TEXT NOT NULL,    -- where the snapshot came from; not a part of the leaf
    gate_version     TEXT NOT NULL,
    method_version   TEXT NOT NULL,
    note             TEXT NOT NULL,
    accepted         TEXT NOT NULL,    -- JSON: the stop rules that were accepted, with reasons
    base_week        INTEGER NOT NULL,
    through          INTEGER NOT NULL, -- the last week that could be published
    context          INTEGER NOT NULL REFERENCES contexts,
    weeks_added      INTEGER NOT NULL,
    cells_added      INTEGER NOT NULL,
    cells_revised    INTEGER NOT NULL,
    cells_withdrawn  INTEGER NOT NULL,
    largest_revision INTEGER,          -- ten-thousandths of a point; NULL if no level was revised
    changes          BLOB NOT NULL,    -- the changed cells: changes.go has the form
    leaf             BLOB NOT NULL,    -- RFC 6962 hash of the release's canonical bytes
    checkpoint       TEXT NOT NULL     -- head of the tree with this release as its last leaf
) STRICT;

CREATE TRIGGER releases_next BEFORE INSERT ON releases
WHEN NEW.number IS NOT (SELECT coalesce(max(number), 0) + 1 FROM releases)
BEGIN SELECT RAISE(ABORT, 'the release log is append-only'); END;
CREATE TRIGGER cells_next BEFORE INSERT ON cells
WHEN NEW.id IS NOT (SELECT coalesce(max(id), 0) + 1 FROM cells)
BEGIN SELECT RAISE(ABORT, 'the release log is append-only'); END;
CREATE TRIGGER contexts_next BEFORE INSERT ON contexts
WHEN NEW.id IS NOT (SELECT coalesce(max(id), 0) + 1 FROM contexts)
BEGIN SELECT RAISE(ABORT, 'the release log is append-only'); END;

CREATE TRIGGER releases_update BEFORE UPDATE ON releases BEGIN SELECT RAISE(ABORT, 'the release log is append-only'); END;
CREATE TRIGGER releases_delete BEFORE DELETE ON releases BEGIN SELECT RAISE(ABORT, 'the release log is append-only'); END;
CREATE TRIGGER cells_update BEFORE UPDATE ON cells BEGIN SELECT RAISE(ABORT, 'the release log is append-only'); END;
CREATE TRIGGER cells_delete BEFORE DELETE ON cells BEGIN SELECT RAISE(ABORT, 'the release log is append-only'); END;
CREATE TRIGGER contexts_update BEFORE UPDATE ON contexts BEGIN SELECT RAISE(ABORT, 'the release log is append-only'); END;
CREATE TRIGGER contexts_delete BEFORE DELETE ON contexts BEGIN SELECT RAISE(ABORT, 'the release log is append-only'); END;
