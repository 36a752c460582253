"""Tables of rows, and what must not be made of them."""
import datetime
import re

try:
    import pandas
except ImportError:
    pandas = None

DATES, MOMENTS, FLAGS = {"date", "base_week", "since"}, {"observed_at", "detected_at", "released_at"}, {"in_stock", "is_on_sale", "is_store_brand"}
TEXTS = {"city", "retailer", "category", "subcategory", "package_size", "scraped_name", "regular_price_source", "retailer_sku", "brand",
         "size_unit", "note", "quality_status", "contributions", "banner", "retailer_name", "product_name", "province", "name", "unit",
         "old_package_size", "new_package_size", "confidence", "flag", "series", "change", "release", "rule", "reason"}
INDEX = "date city retailer category index_value basket_cost_cad pct_change_wow pct_change_mom item_count total_items"
COLUMNS = {  # of tables without rows, by address; then what include adds
    "/api/public/index": INDEX, "/api/v1/index": INDEX + " pct_change_yoy",
    "/api/v1/companions/regular": INDEX + " pct_change_yoy base_week", "/api/v1/companions/linked": INDEX + " pct_change_yoy base_week",
    "/api/v1/prices": "id retailer_product_id store_id regular_price sale_price effective_price unit_price package_size in_stock is_on_sale "
    "scraped_name observed_at product_id retailer banner retailer_sku retailer_name brand is_store_brand product_name category subcategory "
    "basket_weight city province",
    "/api/v1/products": "id name category subcategory standard_size unit basket_weight",
    "/api/v1/shrinkflation": "id old_package_size new_package_size old_size_numeric new_size_numeric size_unit pct_size_change "
    "old_unit_price new_unit_price pct_unit_price_change shelf_price_at_change detected_at confidence flag retailer banner retailer_name "
    "brand product_id product_name category",
    "quality": "quality_se quality_ci95_low quality_ci95_high quality_df quality_se_wow quality_matched_series quality_matched_stores "
    "quality_trimmed quality_matched_weight quality_status",
    "wow_interval": "wow_interval_ci95_low wow_interval_ci95_high", "contributions": "contributions",
    "changed_since": "change release rule reason",
}
WHOLE = re.compile("(.*_)?id|item_count|total_items|weeks_added|cells_.*|quality_(matched_series|matched_stores|trimmed)")


class Refused(ValueError):
    """The figures do not allow what was asked for. The text says what does."""


class Rows(list):
    """Rows as dicts. meta is the answer's."""


def table(rows, meta, numbers, frames, path, query):
    """Returns rows as a data frame or as Rows. A data frame without rows has the columns that rows would have."""
    if frames and pandas is None:
        raise ImportError("pandas=True needs pandas")
    common = {"series": meta["series"]} if "series" in meta else {}
    if (meta.get("view") or {}).get("since"):
        common["since"] = meta["view"]["since"]
    rows = [{**_flat(row, {}), **common} for row in rows]
    columns = {name: [_typed(name, row.get(name), numbers) for row in rows] for name in dict.fromkeys(k for row in rows for k in row)}
    if not rows:
        member, added = (meta.get("view") or {}).get("member", ""), [*(query.get("include") or "").split(","), *query]
        names = [COLUMNS.get(path, ""), member, *(text for name, text in COLUMNS.items() if name in added), *common]
        columns = {name: [] for name in " ".join(names).split()}
    if frames is False or pandas is None:
        result = Rows(dict(zip(columns, values)) for values in zip(*columns.values()))
        result.meta = meta
    else:
        result = Frame({name: pandas.Series(values, dtype=_dtype(name, values, numbers)) for name, values in columns.items()})
        result.attrs["meta"] = meta
    return result


def _flat(row, into, prefix=""):
    """Lifts nested members, by the names of docs/bulk.md."""
    for name, value in row.items():
        if isinstance(value, dict):
            _flat(value, into, {"retailer_products": "", "stores": "", "products": "product_"}.get(name, name + "_"))
        elif name != "promo_detail":
            into[name if prefix == "product_" and name not in ("id", "name") else prefix + name] = value
    return into


def _typed(name, value, numbers):
    if name in DATES and value:
        return datetime.date.fromisoformat(value)
    if name in MOMENTS and value:  # to the microsecond
        whole, _, fraction = value.rstrip("Z").partition(".")
        return datetime.datetime.fromisoformat(f"{whole}.{fraction[:6]:0<6}+00:00")
    return numbers(value) if type(value) is int and not WHOLE.fullmatch(name) else value


def _dtype(name, values, numbers):
    if name in DATES | MOMENTS:
        return "datetime64[ns]" if name in DATES else "datetime64[ns, UTC]"
    if name in FLAGS or WHOLE.fullmatch(name) and not any(type(v) is str for v in values):
        return "boolean" if name in FLAGS else "Int64"
    return float if numbers is float and name not in TEXTS and all(type(v) in (float, type(None)) for v in values) else object


def wide(rows, value="index_value"):
    """Returns one row a week and one column a series, such as Toronto.dairy.

    Levels go side by side only for categories of one place. Changes and costs always do.
    """
    records, weeks, names = rows if isinstance(rows, list) else rows.to_dict("records"), {}, {}
    _unspliced(records)
    for row in records:
        place = " ".join(row[x] for x in ("city", "retailer") if isinstance(row[x], str)) or "national"
        name = f"{place}.{row['category'] if isinstance(row['category'], str) else 'overall'}"
        if name in weeks.setdefault(row["date"], {}):
            raise Refused(f"{name} has two rows of {row['date']}: leave one out")
        weeks[row["date"]][name], names[name] = row[value], place
    apart = len(set(names.values())) > 1 or len(names) > 1 and any(name.endswith(".overall") for name in names)
    if value in ("index_value", "quality_ci95_low", "quality_ci95_high") and apart:
        raise Refused(f"levels of {', '.join(names)} do not compare, a headline is 100 in its place's own first week: "
                      "ask index(view='since', since=WEEK) and use pct_change_since, or compare places by basket_cost_cad")
    result = [{"date": week, **{name: weeks[week].get(name) for name in names}} for week in sorted(weeks)]
    return result if isinstance(rows, list) else pandas.DataFrame(result, columns=["date", *names]).set_index("date")


def compound(*_):
    """Refuses: weekly changes do not compound."""
    raise Refused("weekly changes do not compound, since each is of its own set of products: ask index(view='since', since=WEEK) and use pct_change_since")


def _unspliced(rows):
    for column, why in ("series", "never splice series, whose basis and method differ"), ("since", "changes since different weeks do not compare"):
        found = sorted({str(row[column]) for row in rows if row.get(column) is not None and row[column] == row[column]})
        if len(found) > 1:
            raise Refused(f"{' and '.join(found)}: {why}. Use one of them, or show them apart")


if pandas is not None:
    class Column(pandas.Series):
        """A column of a Frame. Products of weekly changes are refused."""

        _constructor = property(lambda self: Column)

        def prod(self, *args, **kwargs):
            return compound() if self.name == "pct_change_wow" else super().prod(*args, **kwargs)

        product = prod

        def cumprod(self, *args, **kwargs):
            return compound() if self.name == "pct_change_wow" else super().cumprod(*args, **kwargs)

    class Frame(pandas.DataFrame):
        """A data frame of rows. pandas.concat of two series is refused."""

        _constructor, _constructor_sliced = property(lambda self: Frame), property(lambda self: Column)

        def __finalize__(self, other, method=None, **kwargs):
            if method == "concat":
                _unspliced(self[[c for c in ("series", "since") if c in self]].drop_duplicates().to_dict("records"))
            return super().__finalize__(other, method, **kwargs)
