-- Tables that a snapshot has if its panel directory has their files. The version of
-- the schema is the same with and without them.

-- Events that charts mark.
CREATE TABLE IF NOT EXISTS annotations (
    date    INTEGER NOT NULL, -- days since 1970-01-01
    text    TEXT NOT NULL,
    series  TEXT NOT NULL,    -- name of the only series that it belongs to; "" for all
    text_fr TEXT,
    PRIMARY KEY (date, series)
) STRICT, WITHOUT ROWID;
