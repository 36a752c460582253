"""The client asks page by page, waits when it is told to, and keeps what it was given."""
import datetime
import gzip
import http.client
import json
import logging
import os
import re
import time
import urllib.error
import urllib.parse
import urllib.request

from .tables import Refused, table

log = logging.getLogger("larder_index")  # without a handler Python prints warnings to stderr


class LarderError(Exception):
    """A refusal in the server's words, or a failure to reach it: status 0. What it does not tell is None."""

    def __init__(self, error="", status=0, code=None, requestId=None, parameter=None, accepted=None, **_):
        where = f"{status} {code}: " if code else f"{status}: " if status else ""
        super().__init__(f"{where}{error}" + (f" (request {requestId})" if requestId else ""))
        self.status, self.code, self.request_id, self.parameter, self.accepted = status, code, requestId, parameter, accepted


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None  # it would take the key to another server


class _Key:  # its repr does not show the text
    def __init__(self, source):
        self.source, self.text = source, None

    def read(self):
        """Reads the key and reports whether it is another one."""
        before, file = self.text, os.environ.get("LARDER_KEY_FILE")
        key = self.source() if callable(self.source) else self.source or os.environ.get("LARDER_KEY")
        if not key and file:
            with open(file, encoding="utf-8") as f:
                key = f.read()
        self.text = (key or "").strip()
        if not re.fullmatch("[!-~]+", self.text):
            raise ValueError("no key, or a text that can't be one: set LARDER_KEY or LARDER_KEY_FILE, or give key=")
        return self.text != before


def _asked(name, value):
    """Returns a filter as the server reads it. Of a moment most filters take its day, as the moment's own zone has it."""
    if not isinstance(value, datetime.date):
        return value
    if name not in ("as_of", "changed_since") or not isinstance(value, datetime.datetime):
        return value.isoformat()[:10]
    if value.tzinfo is None:
        raise ValueError(f"{name}: {value} has no time zone: give tzinfo")
    return value.isoformat()


class Client:
    """Asks one server with one key. A client is for one thread.

    url: the server's address, by default LARDER_URL.
    key: the key, or a function that returns it. By default the key is LARDER_KEY, or else the text of
        the file LARDER_KEY_FILE. After a 401 it is read once more, in case it was rotated.
    numbers: the type of prices, levels and changes: float, or Decimal for every digit as served. Ids and
        counts are whole.
    pandas: True for data frames, False for lists of dicts. By default, whether pandas is installed.
    patience: how many seconds a request may wait in all.
    page: rows of a page. keep: bytes of packed pages to keep, which a 304 gives back.
    """

    def __init__(self, url=None, key=None, *, numbers=float, pandas=None, patience=600, page=10000,
                 keep=64 << 20, sleep=time.sleep):
        self.url = (url or os.environ.get("LARDER_URL", "")).rstrip("/")
        if not re.match("https?://[^/@]+(/|$)", self.url):
            raise ValueError("set LARDER_URL, or give url=, such as https://prices.example.org")
        self._key, self._open = _Key(key), urllib.request.build_opener(_NoRedirect).open
        self._numbers, self._pandas, self._patience, self._page = numbers, pandas, patience, page
        self._keep, self._kept, self._sleep, self._renewed = keep, {}, sleep, False  # _kept: tag and page by address

    def index(self, series="v2", public=False, **filters):
        """Returns the index: v2, the pilot v1, or a companion, regular or linked.

        public asks the address of tier research. The filters are those of docs/api.md; from is from_. Without
        it the server chooses the first day, and a warning says which.
        """
        if series not in ("v2", "v1", "regular", "linked"):
            raise Refused("series is v2, v1, regular or linked, one at a time: never splice them")
        path = "/api/v1/companions/" + series if series in ("regular", "linked") else "/api/v1/index"
        return self._table("/api/public/index" if public else path, "observations", {**filters, "series": series})

    def as_of(self, release, **filters):
        """Returns the index as it was served then. release is an id or an instant: a datetime or RFC 3339 text."""
        return self.index(as_of=release, **filters)

    def prices(self, **filters):
        """Returns single prices, with columns as in docs/bulk.md.

        With changed_since, the id of a release or an instant, they are the rows that changed since: change, release,
        rule and reason say how and why. Of rows that are set aside, only these and id are known.
        """
        return self._table("/api/v1/prices", "observations", filters)

    def products(self, **filters):
        """Returns the products of the basket; with as_of those of a release, with the weights that it had."""
        return self._table("/api/v1/products", "products", filters)

    def shrinkflation(self, **filters):
        """Returns packs that got smaller."""
        return self._table("/api/v1/shrinkflation", "events", filters)

    def releases(self):
        """Returns what was released and when, newest first."""
        return self._table("/api/v1/releases", "releases", {})

    def _table(self, path, member, filters):
        query = {k.rstrip("_"): _asked(k, v) for k, v in filters.items()}
        if query.keys() & {"limit", "offset"}:
            raise ValueError("limit and offset: the client gets all pages; choose rows by other filters")
        self._renewed = False
        for _ in range(4):
            rows, offset, first = [], 0, None
            while offset is not None:
                paged = query if member == "products" else {**query, "limit": self._page, "offset": offset}
                address = f"{self.url}{path}?{urllib.parse.urlencode(paged)}"
                page, tag = self._ask(address)
                first = first or (address, tag)
                rows += page[member] + page.get("set_aside", [])
                meta, offset = page["meta"], page["meta"].get("next_offset")
            if meta.get("scan_truncated"):
                raise LarderError("there are more events than the server looks at: choose a shorter range of dates")
            # The pages are of one snapshot if the first one is still the same.
            if first[0] == address or self._ask(*first)[0] is None:
                days = meta.get("filters", {})
                if "from" in days and not query.keys() & {"from", "changed_since"}:
                    log.warning("%s: days from %s to %s; from_ and to choose others", path, days["from"], days["to"])
                return table(rows, meta, self._numbers, self._pandas, path, query)
            log.warning("%s: the data changed meanwhile; once more", path)
        raise LarderError("the data changed during each of four downloads: try again later")

    def _ask(self, address, unless=None):
        """Returns a page and its tag. The page is None if its tag is still the one given."""
        if self._key.text is None:
            self._key.read()
        kept, waited, attempt = self._kept.get(address), 0, 0
        tag = unless or (kept and kept[0])
        while True:
            try:
                packed, new = self._get(address, tag)
                page = self._parsed(packed)
                self._kept.pop(address, None)
                self._kept[address] = new, packed
                while sum(len(p) for _, p in self._kept.values()) > self._keep:
                    del self._kept[next(iter(self._kept))]
                return page, new
            except urllib.error.HTTPError as refusal:
                if refusal.code == 304:
                    return None if unless else self._parsed(kept[1]), tag
                error, after = self._refused(refusal), refusal.headers["Retry-After"] or ""
                if refusal.code == 401 and not self._renewed:
                    self._renewed = True
                    if self._key.read():
                        log.warning("the key was refused; going on with the one that is there now")
                        continue
                if refusal.code not in (429, 500, 502, 503, 504):
                    raise error from None
            except (OSError, EOFError, http.client.HTTPException) as failure:
                error, after = LarderError(f"{self.url}: {failure}"), ""
            wait = max(1, int(after)) if after.isdigit() else 2**attempt
            if waited + wait > self._patience or attempt == 5 and not after:
                raise error from None
            log.warning("%s; waiting %d s", error, wait)
            self._sleep(wait)
            waited, attempt = waited + wait, attempt + 1

    def _get(self, address, tag):
        request = urllib.request.Request(address, headers={"Accept-Encoding": "gzip", **({"If-None-Match": tag} if tag else {})})
        request.add_unredirected_header("Authorization", "Bearer " + self._key.text)
        with self._open(request, timeout=120) as answer:
            body = answer.read()
            return body if answer.headers["Content-Encoding"] == "gzip" else gzip.compress(body, 1), answer.headers["ETag"]

    def _parsed(self, packed):
        try:
            return json.loads(gzip.decompress(packed), parse_float=self._numbers)
        except ValueError:
            raise LarderError(f"{self.url} does not answer in JSON: is a Larder server there?") from None

    def _refused(self, refusal):
        try:
            body = json.loads(refusal.read())
        except (ValueError, OSError, http.client.HTTPException):
            body = None
        return LarderError(**{**(body if isinstance(body, dict) else {"error": str(refusal.reason)}), "status": refusal.code})
