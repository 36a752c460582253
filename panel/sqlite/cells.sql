-- A snapshot of cells has this table, no observations, and a version of its own.

PRAGMA user_version = 105;

-- The mean log prices of series, week by week. cells.go says how they are packed.
CREATE TABLE IF NOT EXISTS cells (
    week   INTEGER NOT NULL, -- its Sunday, in days since 1970-01-01
    part   INTEGER NOT NULL, -- from 0, in the order of listing and store
    cells  INTEGER NOT NULL, -- how many
    packed BLOB NOT NULL,
    PRIMARY KEY (week, part)
) STRICT, WITHOUT ROWID;
