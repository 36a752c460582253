"""The levels in Python, out of the files that "duckdb.mjs prepare" wrote:

    levels.py version
    levels.py levels DIR                one timed run, as a line of JSON
    levels.py compare DIR LARDER.csv    are these the levels that larder publishes?

pandas reads the files; the rest is NumPy on one dense array, which is what makes
it fast: grouping the rows of a data frame took several times as long.
"""
import json
import sys
import time

import numpy as np
import pandas as pd


def load(folder):
    panel = pd.read_csv(folder + "/panel.csv", dtype={
        "product": "int32", "store": "int32", "price": "float64", "week": "category",
        "city": "category", "banner": "category", "category": "category"})
    return panel, pd.read_csv(folder + "/weights.csv")


def levels(panel, weights):
    """The index of every city, banner in it and category by week: arrays of index and count."""
    weights = weights.sort_values("product")
    weeks = panel.week.cat.categories  # in order of the text, which is that of time
    place = panel.drop_duplicates("store").sort_values(["city", "banner", "store"])
    stores = pd.Index(place.store)
    product = pd.Index(weights["product"]).get_indexer(panel["product"])
    # The stores of a banner in a city, and of a city, stand side by side.
    logs = np.full((len(weeks), len(weights), len(stores)), np.nan)
    logs[panel.week.cat.codes, product, stores.get_indexer(panel.store)] = np.log(panel.price)
    relatives = logs - logs[:1]

    categories = sorted(weights.category.unique())
    member = np.array([weights.category == c for c in categories], dtype=float)
    weight = weights.weight.to_numpy()
    found = {}
    for (city, banner), part in cells(place):
        mean, seen = trimmed(relatives[:, :, part])
        total = seen @ (member * weight).T
        with np.errstate(invalid="ignore"):
            index = 100 * np.exp((mean * weight) @ member.T / total)
        found[city, banner] = index, seen @ member.T
    return weeks, categories, member.sum(axis=1), found


def cells(place):
    yield ("", ""), slice(0, len(place))
    for keys in ["city"], ["city", "banner"]:
        at = place.reset_index(drop=True).groupby(keys, observed=True).indices
        for key, rows in at.items():
            city, banner = key if len(keys) == 2 else (key, "")
            yield (city, banner), slice(rows[0], rows[-1] + 1)


def trimmed(r):
    """The mean over the last axis without floor(n/10) values at each end; 0 where there is none."""
    n = np.count_nonzero(~np.isnan(r), axis=2)
    t = n // 10
    if not t.any():
        total = np.nansum(r, axis=2)
    else:
        at = np.arange(r.shape[2])
        kept = (at >= t[..., None]) & (at < (n - t)[..., None])
        total = np.where(kept, np.sort(r, axis=2), 0).sum(axis=2)  # gaps are last
    return total / np.maximum(n - 2 * t, 1), (n > 0).astype(float)


def compare(panel, weights, file):
    """As compare.sql does: categories only, where at least 60% of the products are matched."""
    weeks, categories, total, found = levels(panel, weights)
    ours = pd.read_csv(file, keep_default_na=False)
    ours = {(x.date, x.city, x.retailer, x.category): float(x.index_value) for x in ours[ours.category != ""].itertuples()}
    worst, compared, missing = 0.0, 0, 0
    for (city, banner), (index, items) in found.items():
        for w, c in zip(*np.nonzero(100 * items >= 60 * total)):
            own = ours.pop((str(weeks[w]), city, banner, categories[c]), None)
            if own is None:
                missing += 1
            else:
                compared, worst = compared + 1, max(worst, abs(own - index[w, c]))
    print(f"pandas: {compared} category levels, {missing} missing in larder, {len(ours)} only in larder, largest difference {worst}")
    if missing or ours or not compared or worst > 5e-4:
        sys.exit("bench: pandas and larder do not compute the same levels")


command, *args = sys.argv[1:]
if command == "version":
    print(pd.__version__)
    sys.exit()
started = time.perf_counter()
data = load(args[0])
loaded = time.perf_counter()
if command == "compare":
    compare(*data, args[1])
else:
    levels(*data)
    times = {"load_s": loaded - started, "compute_s": time.perf_counter() - loaded}
    print(json.dumps(times, separators=(",", ":")))
