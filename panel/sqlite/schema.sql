-- The snapshot: one SQLite file that holds a whole price panel.
--
-- Only Larder writes it, always as a whole: a file that was changed by any
-- other program no longer fits its seal and is refused. Read it with any
-- SQLite tool you like:  sqlite3 -readonly 'file:panel.db?immutable=1'
-- and start with the views at the end.
--
-- Conventions: prices are whole ten-thousandths of the currency; times are Unix
-- nanoseconds in UTC; days count from 1970-01-01; booleans are 0 and 1; NULL is
-- "not known". Names of tables and columns are those of the panel directory.

PRAGMA application_id = 0x4C524452; -- "LRDR"
PRAGMA user_version = 8;            -- version of this schema

-- One row: 1 if an operator decided on a quarantine entry since the entries were derived.
CREATE TABLE unsettled (
    entries INTEGER NOT NULL
) STRICT;
INSERT INTO unsettled VALUES (0);

-- base_week: the Sunday that names the week the series is based on.
CREATE TABLE settings (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The categories in published order; without a row the nine of Canada's basket.
CREATE TABLE categories (
    place   INTEGER PRIMARY KEY,
    slug    TEXT NOT NULL UNIQUE,
    name    TEXT NOT NULL,
    name_fr TEXT
) STRICT;

-- The canonical products: the basket.
CREATE TABLE products (
    id            INTEGER PRIMARY KEY,
    name          TEXT NOT NULL,
    category      TEXT NOT NULL, -- slug
    subcategory   TEXT,
    standard_size REAL NOT NULL,
    unit          TEXT NOT NULL, -- g, mL or unit
    basket_weight REAL NOT NULL, -- raw: normalize where you use it
    sold_by       TEXT NOT NULL, -- package or kg
    active        INTEGER NOT NULL,
    name_fr       TEXT,
    aliases       TEXT,          -- "|" between, as in the next two
    official_codes TEXT,
    gtins         TEXT
) STRICT;

CREATE TABLE cities (
    slug     TEXT PRIMARY KEY,
    name     TEXT NOT NULL, -- display name, of one city only
    province TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE banners (
    key        TEXT PRIMARY KEY,
    name       TEXT NOT NULL,
    retailer   TEXT NOT NULL,
    in_index   INTEGER NOT NULL,
    in_shopper INTEGER NOT NULL,
    verified   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE stores (
    id               INTEGER PRIMARY KEY,
    banner           TEXT NOT NULL REFERENCES banners,
    city             TEXT NOT NULL REFERENCES cities,
    active           INTEGER NOT NULL,
    location_certain INTEGER NOT NULL,
    code             TEXT
) STRICT;

-- The banners' listings, each with the product that it is taken for.
CREATE TABLE retailer_products (
    id             INTEGER PRIMARY KEY,
    product_id     INTEGER NOT NULL REFERENCES products,
    banner         TEXT NOT NULL REFERENCES banners,
    sku            TEXT,
    name           TEXT NOT NULL,
    brand          TEXT,
    is_store_brand INTEGER,
    active         INTEGER NOT NULL,
    gtin           TEXT -- 14 digits
) STRICT;

-- A label is one (listing, scraped title, package size) triple. Many observations
-- share one, and the quality gate judges it once.
CREATE TABLE labels (
    id                  INTEGER PRIMARY KEY,
    retailer_product_id INTEGER NOT NULL REFERENCES retailer_products,
    scraped_name        TEXT,
    package_size        TEXT
) STRICT;

-- One row for each price that was seen; rows are only ever added. What the
-- index needs comes first, so that reading a row for it stops there.
CREATE TABLE observations (
    id                   INTEGER PRIMARY KEY,
    label_id           INTEGER NOT NULL REFERENCES labels,
    store_id             INTEGER NOT NULL REFERENCES stores,
    effective_price      INTEGER NOT NULL, -- the comparable price
    observed_at          INTEGER NOT NULL,
    regular_price        INTEGER,
    sale_price           INTEGER,
    unit_price           REAL,             -- in dollars, as given
    in_stock             INTEGER,
    is_on_sale           INTEGER NOT NULL,
    sale_ends_on         INTEGER,
    sale_condition       INTEGER,          -- 1 multi_buy, 2 member
    regular_price_source INTEGER,          -- 1 scraped, 2 derived, 3 assumed_equal
    promo_detail         TEXT              -- JSON
) STRICT;

-- The words and sizes that a scraped row needs to be taken for a product.
CREATE TABLE product_specs (
    product_id INTEGER PRIMARY KEY REFERENCES products,
    require    TEXT, -- "|" between alternatives, "&" between groups
    forbid     TEXT, -- "|" between
    min_size   REAL,
    max_size   REAL
) STRICT;

-- Entries that set rows aside: those that fit every column that is given, from
-- retailer_product_id to "to". What became of an entry, the acts on it say.
CREATE TABLE quarantine (
    id                  INTEGER PRIMARY KEY,
    retailer_product_id INTEGER REFERENCES retailer_products,
    store_id            INTEGER REFERENCES stores,
    observation_id      INTEGER REFERENCES observations,
    city                TEXT REFERENCES cities,
    banner              TEXT REFERENCES banners,
    product_id          INTEGER REFERENCES products,
    "from"              INTEGER, -- the first and the last day in Toronto
    "to"                INTEGER,
    rule                TEXT NOT NULL, -- listed, wrong_product, wrong_basis, wrong_basis_row, wrong_scale_row, corrected
    reason              TEXT,
    found_at            INTEGER
) STRICT;

-- What operators and imports did to entries, in the order of ids. An entry sets nothing
-- aside if the last act on it is lifted or withdrawn.
CREATE TABLE acts (
    id             INTEGER PRIMARY KEY,
    entry_id       INTEGER NOT NULL REFERENCES quarantine,
    act            TEXT NOT NULL, -- corrected, lifted, restored, confirmed, withdrawn (by import)
    at             INTEGER,
    reason         TEXT,          -- NULL: the entry's reason has it, as a file gave it
    observation_id INTEGER REFERENCES observations -- of corrected: what took the place of the entry's
) STRICT;
CREATE INDEX acts_entry ON acts (entry_id);

-- Recorded changes to a smaller pack; their grades are never stored.
CREATE TABLE shrink_events (
    id                    INTEGER PRIMARY KEY,
    retailer_product_id   INTEGER NOT NULL REFERENCES retailer_products,
    old_package_size      TEXT,
    new_package_size      TEXT,
    old_size_numeric      REAL,
    new_size_numeric      REAL,
    size_unit             TEXT,
    pct_size_change       INTEGER, -- ten-thousandths of a percent
    old_unit_price        REAL,
    new_unit_price        REAL,
    pct_unit_price_change INTEGER, -- ten-thousandths of a percent
    shelf_price_at_change INTEGER,
    detected_at           INTEGER NOT NULL,
    observation_ids       TEXT,    -- "|" between
    detected              INTEGER  -- 0: a file gave it
) STRICT;

-- The pilot series (v1) as published; numbers in ten-thousandths.
CREATE TABLE index_v1 (
    id              INTEGER PRIMARY KEY,
    date            INTEGER NOT NULL,
    city            TEXT REFERENCES cities,
    banner          TEXT REFERENCES banners,
    category        TEXT, -- NULL: the headline
    index_value     INTEGER NOT NULL,
    basket_cost_cad INTEGER,
    pct_change_wow  INTEGER,
    pct_change_mom  INTEGER,
    item_count      INTEGER,
    total_items     INTEGER
) STRICT;

-- Words of titles, besides the bundled ones or in their place.
CREATE TABLE words (
    class      TEXT NOT NULL,
    word       TEXT NOT NULL,
    synonyms   TEXT, -- "|" between
    product_id INTEGER REFERENCES products, -- the only one for whose titles it counts; NULL: all
    note       TEXT
) STRICT;
CREATE UNIQUE INDEX words_key ON words (word, coalesce(product_id, 0));

-- Operators' verdicts on listings; rows are only ever added, and the newest rules.
CREATE TABLE matches (
    retailer_product_id INTEGER NOT NULL REFERENCES retailer_products,
    verdict             TEXT NOT NULL, -- accepted, rejected
    reason              TEXT NOT NULL,
    at                  INTEGER NOT NULL,
    PRIMARY KEY (retailer_product_id, at)
) STRICT, WITHOUT ROWID;

-- Observations with prices in the currency, times in UTC and texts spelled out.
CREATE VIEW prices AS
SELECT o.id, l.retailer_product_id, o.store_id,
       o.regular_price / 1e4 AS regular_price,
       o.sale_price / 1e4 AS sale_price,
       o.effective_price / 1e4 AS effective_price,
       o.unit_price, l.package_size, o.in_stock, o.is_on_sale,
       date(o.sale_ends_on * 86400, 'unixepoch') AS sale_ends_on,
       CASE o.sale_condition WHEN 1 THEN 'multi_buy' WHEN 2 THEN 'member' END AS sale_condition,
       l.scraped_name,
       strftime('%Y-%m-%dT%H:%M:%SZ', o.observed_at / 1000000000, 'unixepoch') AS observed_at,
       CASE o.regular_price_source WHEN 1 THEN 'scraped' WHEN 2 THEN 'derived' WHEN 3 THEN 'assumed_equal' END AS regular_price_source,
       o.promo_detail
FROM observations AS o
JOIN labels AS l ON l.id = o.label_id;

-- The same with the names of product, banner and place.
CREATE VIEW priced_products AS
SELECT p.id AS observation_id, p.observed_at, c.name AS city, s.banner,
       b.id AS product_id, b.name AS product, b.category,
       p.effective_price, p.regular_price, p.is_on_sale, p.package_size, p.scraped_name
FROM prices AS p
JOIN stores AS s ON s.id = p.store_id
JOIN cities AS c ON c.slug = s.city
JOIN retailer_products AS m ON m.id = p.retailer_product_id
JOIN products AS b ON b.id = m.product_id;
