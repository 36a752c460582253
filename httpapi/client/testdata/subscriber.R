# What a subscriber does, in R. TestClientsInPythonAndR runs it and looks at what it writes.
library(larderindex)

waits <- c()
key <- function() readLines(Sys.getenv("LARDER_KEY_FILE"), 1)
client <- larder(key = key, page = 2500, sleep = \(s) waits <<- c(waits, s))

write <- function(name, rows) {
  rows <- rows[!vapply(rows, is.list, NA)]
  write.csv(rows, paste0(name, ".csv"), row.names = FALSE, na = "", fileEncoding = "UTF-8")
}

refusal <- function(what, asked) {
  tryCatch({
    asked
    cat(what, "was not refused\n")
  }, larder_refused = function(why) {
    cat(what, "refused:", conditionMessage(why), "\n")
  }, larder_error = function(why) {
    cat(what, why$status, why$code, sum(nchar(why$request_id)), if (is.null(why$parameter)) "None" else why$parameter, length(why$accepted), conditionMessage(why), "\n")
  })
}

from <- as.Date("2026-11-09")
write("prices", prices(client, from = from, to = "2026-11-15")) # the key is used up at first, and rotated behind the first page
again <- prices(client, from = from, to = "2026-11-15")
write("again", again)
write("index", index(client, from = "2026-09-27", to = "2026-11-15"))
write("pilot", index(client, "v1", from = "2026-03-01", to = "2026-06-30"))
write("regular", index(client, "regular", from = "2026-09-27", to = "2026-11-15"))
write("public", index(client, public = TRUE, from = "2026-09-27", to = "2026-11-15"))
write("products", products(client))
cat("products as of", nrow(products(client, as_of = "r1")), "\n")
write("shrinkflation", shrinkflation(client, confidence = "low", from = "2026-07-19", to = "2026-11-15"))
write("releases", releases(client))
write("as_of", as_of(client, "r1", level = "banner", to = "2026-11-15"))
write("changed", prices(client, changed_since = "2026-01-01T00:00:00Z", from = "2026-11-14", to = "2026-11-15"))
cat("unchanged", nrow(prices(client, changed_since = "r1")), "\n")
lately <- index(client) # the day changes behind the first page
cities <- index(client, level = "city", category = "overall", view = "since", since = "2026-08-23", to = "2026-11-15", from = "2026-08-23")
pilot <- index(client, "v1", from = "2026-03-01", level = "city", category = "overall")
side <- wide(cities, "pct_change_since")
cat("types", class(lately$date), class(lately$item_count), class(lately$index_value), class(lately$pct_change_yoy), class(again$observed_at)[1], "\n")
cat("wide", ncol(side) - 1, side[nrow(side), "Toronto.overall"], "\n")
refusal("concat", rbind(cities, pilot))
refusal("cumprod", cumprod(1 + cities[cities$city == "Toronto", ]$pct_change_wow / 100))
evening <- as.POSIXct("2026-11-14 23:30", tz = "America/Toronto")
cat("moments", nrow(index(client, level = "national", from = evening, to = evening + 86400)), nrow(as_of(client, evening - 1e8)), "\n")
for (what in list(c("Toronto", "Calgary"), NULL, NA)) tryCatch(prices(client, city = what), error = function(why) cat("vector", conditionMessage(why), "\n"))
asks <- list(
  index = \(...) index(client, view = "since", since = "2026-08-23", include = "quality,wow_interval", level = "city", ...),
  public = \(...) index(client, public = TRUE, view = "yoy", ...), regular = \(...) index(client, "regular", ...),
  prices = \(...) prices(client, product_id = 1, ...), shrinkflation = \(...) shrinkflation(client, confidence = "low", ...)
)
for (name in names(asks)) {
  rows <- asks[[name]](from = "2026-07-19", to = "2026-11-15")
  rows <- rows[!grepl("^(regular_price_source|promo_detail.*)$", names(rows))]
  none <- asks[[name]](from = "2026-07-20", to = "2026-07-19")
  cat("empty", name, nrow(none), identical(names(none), names(rows)), identical(lapply(none, class), lapply(rows, class)), if (name == "index") dim(wide(none)), "\n")
}
refusal("splice", index(client, c("v1", "v2")))
refusal("levels", wide(cities))
refusal("compound", compound(cities))
refusal("city", index(client, city = "Torono"))
refusal("rotated", products(larder(key = Sys.getenv("OLD_KEY"))))
refusal("spent", products(larder(key = Sys.getenv("SPENT_KEY"), sleep = client$sleep)))
refusal("moved", products(larder(Sys.getenv("MOVED_URL"), key = key)))
refusal("gone", products(larder("http://127.0.0.1:1", key = key, sleep = client$sleep)))
refusal("page", products(larder(paste0(Sys.getenv("LARDER_URL"), "/docs#"), key = key)))
refusal("tier", prices(larder(key = Sys.getenv("RESEARCH_KEY"))))
tryCatch(products(larder(key = paste0(Sys.getenv("OLD_KEY"), "\r\nX: y"))), error = function(why) cat("malformed", conditionMessage(why), "\n"))
cat("waits", waits, "\n")
print(client)
str(client)
print(mget(c("renew", "get"), envir = client))
