"""What a subscriber does, in Python. TestClientsInPythonAndR runs it and looks at what it writes."""
import csv
import datetime
import os
from decimal import Decimal

import larder_index
from larder_index import Client, LarderError, Refused, compound, wide

framed = larder_index.tables.pandas is not None
print("pandas", framed)
waits = []
source = (lambda: open(os.environ["LARDER_KEY_FILE"]).read()) if framed else None
client = Client(key=source, page=2500, sleep=waits.append, numbers=Decimal)


def write(name, rows):
    if framed:
        rows.to_csv(name + ".csv", index=False)
        return
    with open(name + ".csv", "w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, rows[0])
        table.writeheader()
        table.writerows(rows)


def refusal(what, ask):
    try:
        ask()
        print(what, "was not refused")
    except Refused as why:
        print(what, "refused:", why)
    except LarderError as why:
        print(what, why.status, why.code, len(why.request_id or ""), why.parameter, len(why.accepted or []), why)


days = {"from_": datetime.date(2026, 11, 9), "to": "2026-11-15"}
write("prices", client.prices(**days))  # the key is used up at first, and rotated behind the first page
again = client.prices(**days)
write("again", again)
write("index", client.index(from_="2026-09-27", to="2026-11-15"))
write("pilot", client.index("v1", from_="2026-03-01", to="2026-06-30"))
write("regular", client.index("regular", from_="2026-09-27", to="2026-11-15"))
write("public", client.index(public=True, from_="2026-09-27", to="2026-11-15"))
products = client.products()
write("products", products)
sizes = products["standard_size"] if framed else [row["standard_size"] for row in products]
print("products as of", len(client.products(as_of="r1")))
print("sizes", {type(size).__name__ for size in sizes}, {type(rows).__name__ for rows in [products]})
write("shrinkflation", client.shrinkflation(confidence="low", from_="2026-07-19", to="2026-11-15"))
write("releases", client.releases())
write("as_of", client.as_of("r1", level="banner", to="2026-11-15"))
write("changed", client.prices(changed_since="2026-01-01T00:00:00Z", from_="2026-11-14", to="2026-11-15"))
print("unchanged", len(client.prices(changed_since="r1")))
lately = client.index()  # the day changes behind the first page
cities = client.index(level="city", category="overall", view="since", since="2026-08-23", to="2026-11-15", from_="2026-08-23")
pilot = client.index("v1", from_="2026-03-01", level="city", category="overall")
side = wide(cities, "pct_change_since")
if framed:
    print("types", *(lately.dtypes[c] for c in ("date", "item_count", "index_value")), again.dtypes["observed_at"], type(lately.index_value[0]).__name__)
    print("wide", side.shape[1], side["Toronto.overall"].iloc[-1])
    refusal("concat", lambda: larder_index.tables.pandas.concat([cities, pilot]))
    refusal("cumprod", lambda: (1 + cities["pct_change_wow"] / 100).cumprod())
else:
    print("types", *(type(lately[0][c]).__name__ for c in ("date", "item_count", "index_value")), type(again[0]["observed_at"]).__name__)
    print("wide", len(side[-1]) - 1, side[-1]["Toronto.overall"])
    refusal("concat", lambda: wide(cities + pilot, "basket_cost_cad"))
plain = Client(key=source)
nation = plain.index(level="national", from_=datetime.datetime(2026, 11, 9, 23), to=datetime.date(2026, 11, 15))
print("floats", nation.dtypes["pct_change_yoy"] if framed else type(nation[0]["index_value"]).__name__, len(nation))
moment = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=3650)
print("before any release", len(plain.as_of(moment, to="2026-11-15")))
try:
    plain.as_of(datetime.datetime(2026, 11, 9))
except ValueError as why:
    print("naive", why)
for name, ask in {
        "index": lambda **days: plain.index(view="since", since="2026-08-23", include="quality,wow_interval", level="city", **days),
        "public": lambda **days: plain.index(public=True, view="yoy", include="contributions", **days),
        "regular": lambda **days: plain.index("regular", **days), "prices": lambda **days: plain.prices(product_id=1, **days),
        "shrinkflation": lambda **days: plain.shrinkflation(confidence="low", **days)}.items():
    rows, none = ask(from_="2026-07-19", to="2026-11-15"), ask(from_="2026-07-20", to="2026-07-19")
    if framed:
        rows = rows.drop(columns=[c for c in rows if c == "regular_price_source" or c.startswith("promo_detail")])
        print("empty", name, len(none), list(none) == list(rows), all(none.dtypes == rows.dtypes), *(wide(none).shape if name == "index" else ()))
refusal("splice", lambda: client.index(["v1", "v2"]))
refusal("levels", lambda: wide(cities))
refusal("compound", lambda: compound(cities))
refusal("city", lambda: client.index(city="Torono"))
refusal("rotated", lambda: Client(key=os.environ["OLD_KEY"]).products())
refusal("spent", lambda: Client(key=os.environ["SPENT_KEY"], sleep=waits.append).products())
refusal("moved", lambda: Client(os.environ["MOVED_URL"], key=source).products())
refusal("gone", lambda: Client("http://127.0.0.1:1", key=source, sleep=waits.append).products())
refusal("page", lambda: Client(os.environ["LARDER_URL"] + "/docs#", key=source).products())
refusal("tier", lambda: Client(key=os.environ["RESEARCH_KEY"]).prices())
try:
    Client(key=os.environ["OLD_KEY"] + "\r\nX: y").products()
except ValueError as why:
    print("malformed", why)
try:
    Client(key=lambda: open("no-such-key").read(), sleep=waits.append).products()
except (FileNotFoundError, LarderError) as why:
    print("missing", type(why).__name__, why)
print("waits", waits, client, {name: x for name, x in vars(client).items() if name != "_kept"})
