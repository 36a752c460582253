# Tables of rows, and what must not be made of them.

dates <- c("date", "base_week", "since")
moments <- c("observed_at", "detected_at", "released_at")
flags <- c("in_stock", "is_on_sale", "is_store_brand")
texts <- c("city", "retailer", "category", "subcategory", "package_size", "scraped_name", "regular_price_source", "retailer_sku",
           "brand", "size_unit", "note", "quality_status", "contributions", "banner", "retailer_name", "product_name", "province",
           "name", "unit", "old_package_size", "new_package_size", "confidence", "flag", "change", "release", "rule", "reason")

# Columns of tables without rows, by address; then what include adds.
of_index <- c("date", "city", "retailer", "category", "index_value", "basket_cost_cad", "pct_change_wow", "pct_change_mom", "item_count",
              "total_items")
columns <- list(
  "/api/public/index" = of_index, "/api/v1/index" = c(of_index, "pct_change_yoy"),
  "/api/v1/companions/regular" = c(of_index, "pct_change_yoy", "base_week"),
  "/api/v1/companions/linked" = c(of_index, "pct_change_yoy", "base_week"),
  "/api/v1/prices" = c("id", "retailer_product_id", "store_id", "regular_price", "sale_price", "effective_price", "unit_price",
                       "package_size", "in_stock", "is_on_sale", "scraped_name", "observed_at", "product_id", "retailer", "banner",
                       "retailer_sku", "retailer_name", "brand", "is_store_brand", "product_name", "category", "subcategory",
                       "basket_weight", "city", "province"),
  "/api/v1/products" = c("id", "name", "category", "subcategory", "standard_size", "unit", "basket_weight"),
  "/api/v1/shrinkflation" = c("id", "old_package_size", "new_package_size", "old_size_numeric", "new_size_numeric", "size_unit",
                              "pct_size_change", "old_unit_price", "new_unit_price", "pct_unit_price_change", "shelf_price_at_change",
                              "detected_at", "confidence", "flag", "retailer", "banner", "retailer_name", "brand", "product_id",
                              "product_name", "category"),
  quality = paste0("quality_", c("se", "ci95_low", "ci95_high", "df", "se_wow", "matched_series", "matched_stores", "trimmed",
                                 "matched_weight", "status")),
  wow_interval = c("wow_interval_ci95_low", "wow_interval_ci95_high"), contributions = "contributions",
  changed_since = c("change", "release", "rule", "reason")
)

# Returns the rows of pages as one data frame. Without rows it has the columns that rows would have.
as_table <- function(pages, meta, path, filters) {
  pages <- lapply(Filter(is.data.frame, pages), lift)
  rows <- sum(vapply(pages, nrow, 0L))
  column <- function(name) {
    parts <- lapply(pages, function(page) if (is.null(page[[name]])) rep(NA, nrow(page)) else page[[name]])
    typed(name, if (length(parts)) do.call(c, parts) else logical())
  }
  names <- unique(unlist(lapply(pages, names)))
  if (rows == 0) {
    added <- if (!is.null(filters$include)) strsplit(filters$include, ",")[[1]]
    added <- c(added, names(filters))
    names <- unique(c(columns[[path]], meta$view$member, unlist(columns[names(columns) %in% added])))
  }
  result <- structure(lapply(names, column), names = names)
  if (!is.null(meta$series)) result$series <- rep(meta$series, rows)
  if (!is.null(meta$view$since)) result$since <- rep(as.Date(meta$view$since), rows)
  structure(result, class = c("larder_table", "data.frame"), row.names = seq_len(rows), meta = meta)
}

# Lifts nested members, by the names of docs/bulk.md.
lift <- function(page, prefix = "") {
  result <- list()
  for (name in names(page)) {
    within <- switch(name, retailer_products = , stores = "", products = "product_", paste0(name, "_"))
    if (is.data.frame(page[[name]])) {
      result <- utils::modifyList(result, as.list(lift(page[[name]], within)), keep.null = TRUE)
    } else if (name != "promo_detail") {
      result[[if (prefix == "product_" && !name %in% c("id", "name")) name else paste0(prefix, name)]] <- page[[name]]
    }
  }
  structure(result, class = "data.frame", row.names = seq_len(nrow(page)))
}

typed <- function(name, x) {
  if (name %in% dates) return(as.Date(x))
  if (name %in% moments) return(as.POSIXct(strptime(x, "%Y-%m-%dT%H:%M:%OSZ", tz = "UTC")))
  if (name == "pct_change_wow") return(structure(as.double(x), class = c("larder_weekly", "numeric")))
  if (is.logical(x) && name %in% texts) return(as.character(x))
  if (is.integer(x) || is.logical(x) && all(is.na(x)) && !name %in% flags) return(as.double(x))
  x
}

wide <- function(rows, value = "index_value") {
  unspliced(rows)
  place <- trimws(paste(ifelse(is.na(rows$city), "", rows$city), ifelse(is.na(rows$retailer), "", rows$retailer)))
  place[place == ""] <- "national"
  name <- paste0(place, ".", ifelse(is.na(rows$category), "overall", rows$category))[seq_len(nrow(rows))]
  names <- unique(name)
  twice <- which(duplicated(paste(rows$date, name)))
  if (length(twice)) refuse(name[twice[1]], " has two rows of ", format(rows$date[twice[1]]), ": leave one out")
  level <- value %in% c("index_value", "quality_ci95_low", "quality_ci95_high")
  if (level && length(names) > 1 && (length(unique(place)) > 1 || anyNA(rows$category))) {
    refuse("levels of ", paste(names, collapse = ", "), " do not compare, a headline is 100 in its place's own first week: ",
           "ask index(view = \"since\", since = WEEK) and use pct_change_since, or compare places by basket_cost_cad")
  }
  result <- data.frame(date = sort(unique(rows$date)))
  for (n in names) {
    result[[n]] <- rows[[value]][name == n][match(result$date, rows$date[name == n])]
  }
  result
}

compound <- function(...) {
  refuse("weekly changes do not compound, since each is of its own set of products: ",
         "ask index(view = \"since\", since = WEEK) and use pct_change_since")
}

unspliced <- function(rows) {
  for (column in c("series", "since")) {
    found <- sort(unique(as.character(rows[[column]])))
    if (length(found) > 1) {
      why <- c(series = "never splice series, whose basis and method differ", since = "changes since different weeks do not compare")
      refuse(paste(found, collapse = " and "), ": ", why[[column]], ". Use one of them, or show them apart")
    }
  }
}

refuse <- function(...) stop(problem("larder_refused", ...))

rbind.larder_table <- function(...) {
  of <- function(column) unlist(lapply(list(...), function(part) as.character(part[[column]])))
  unspliced(list(series = of("series"), since = of("since")))
  rbind.data.frame(...)
}

# pct_change_wow is of class larder_weekly: its products are refused.
`[.larder_weekly` <- function(x, ...) structure(NextMethod(), class = oldClass(x))

Math.larder_weekly <- function(x, ...) if (.Generic %in% c("cumprod", "log1p")) compound() else NextMethod()

Summary.larder_weekly <- function(..., na.rm = FALSE) if (.Generic == "prod") compound() else NextMethod()

print.larder_weekly <- function(x, ...) print(unclass(x), ...)
