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

-- Words of titles, besides the bundled ones or in their place.
CREATE TABLE IF NOT EXISTS words (
    class      TEXT NOT NULL,
    word       TEXT NOT NULL,
    synonyms   TEXT, -- "|" between
    product_id INTEGER REFERENCES products, -- the only one for whose titles it counts; NULL: all
    note       TEXT
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS words_key ON words (word, coalesce(product_id, 0));

-- Operators' verdicts on listings; rows are only ever added, and the newest rules.
CREATE TABLE IF NOT EXISTS matches (
    retailer_product_id INTEGER NOT NULL REFERENCES retailer_products,
    verdict             TEXT NOT NULL, -- accepted, rejected
    reason              TEXT NOT NULL,
    at                  INTEGER NOT NULL,
    PRIMARY KEY (retailer_product_id, at)
) STRICT, WITHOUT ROWID;
