# The client asks page by page, waits when it is told to, and keeps what it was given.

larder <- function(url = Sys.getenv("LARDER_URL"), key = NULL, patience = 600, page = 10000,
                   keep = 64 * 2^20, sleep = Sys.sleep) {
  url <- sub("/+$", "", url)
  if (!grepl("^https?://[^/@]+(/|$)", url)) {
    stop("set LARDER_URL, or give url, such as https://prices.example.org", call. = FALSE)
  }
  text <- NULL # the key: no member of the client, so that nothing prints it
  renew <- function() {
    before <- text
    text <<- read_key(key)
    !identical(text, before)
  }
  get <- function(address, tag) {
    if (is.null(text)) renew()
    # It follows no redirect, which would take the key to another server.
    handle <- new_handle(followlocation = FALSE, accept_encoding = "gzip", timeout = 120)
    handle_setheaders(handle, .list = c(list(Authorization = paste("Bearer", text)), if (!is.null(tag)) list(`If-None-Match` = tag)))
    tryCatch(curl_fetch_memory(address, handle), error = function(e) list(status_code = 0, failure = conditionMessage(e)))
  }
  client <- list(url = url, patience = patience, page = page, keep = keep, sleep = sleep, renew = renew, get = get, kept = list())
  structure(list2env(client), class = "larder")
}

print.larder <- function(x, ...) {
  cat("<client of ", x$url, ">\n", sep = "")
  invisible(x)
}

read_key <- function(key) {
  file <- Sys.getenv("LARDER_KEY_FILE")
  key <- if (is.function(key)) key() else if (is.null(key)) Sys.getenv("LARDER_KEY") else key
  if (identical(key, "") && nzchar(file)) key <- readLines(file, 1, warn = FALSE)
  key <- trimws(key)
  if (length(key) != 1 || !grepl("^[!-~]+$", key, perl = TRUE)) {
    stop("no key, or a text that can't be one: set LARDER_KEY or LARDER_KEY_FILE, or give key", call. = FALSE)
  }
  key
}

index <- function(client, series = "v2", public = FALSE, ...) {
  if (length(series) != 1 || !series %in% c("v2", "v1", "regular", "linked")) {
    refuse("series is v2, v1, regular or linked, one at a time: never splice them")
  }
  path <- if (series %in% c("regular", "linked")) paste0("/api/v1/companions/", series) else "/api/v1/index"
  download(client, if (public) "/api/public/index" else path, "observations", list(..., series = series))
}

as_of <- function(client, release, ...) index(client, ..., as_of = release)

prices <- function(client, ...) download(client, "/api/v1/prices", "observations", list(...))

products <- function(client, ...) download(client, "/api/v1/products", "products", list(...))

shrinkflation <- function(client, ...) download(client, "/api/v1/shrinkflation", "events", list(...))

releases <- function(client) download(client, "/api/v1/releases", "releases", list())

# Returns all rows of a result, all of one snapshot.
download <- function(client, path, member, filters) {
  if (any(c("limit", "offset") %in% names(filters))) {
    stop("limit and offset: the client gets all pages; choose rows by other filters", call. = FALSE)
  }
  for (name in names(filters)) {
    if (length(filters[[name]]) != 1 || is.na(filters[[name]])) stop(name, ": give one value; ask once for each", call. = FALSE)
    if (inherits(filters[[name]], "POSIXt") && !name %in% c("as_of", "changed_since")) filters[[name]] <- format(filters[[name]], "%Y-%m-%d")
  }
  client$renewed <- FALSE
  for (attempt in 1:4) {
    pages <- list()
    first <- NULL
    offset <- 0
    while (!is.null(offset)) {
      query <- if (member == "products") filters else c(filters, limit = client$page, offset = offset)
      address <- paste0(client$url, path, if (length(query)) "?", paste(names(query), lapply(query, escape), sep = "=", collapse = "&"))
      answer <- ask(client, address)
      if (is.null(first)) first <- list(address = address, tag = answer$tag)
      page <- answer$page
      pages <- c(pages, list(page[[member]], page$set_aside))
      offset <- page$meta$next_offset
    }
    if (isTRUE(page$meta$scan_truncated)) {
      stop("there are more events than the server looks at: choose a shorter range of dates", call. = FALSE)
    }
    # The pages are of one snapshot if the first one is still the same.
    if (first$address == address || is.null(ask(client, first$address, first$tag))) {
      days <- page$meta$filters
      if (!is.null(days$from) && is.null(filters$from) && is.null(filters$changed_since)) {
        message(path, ": days from ", days$from, " to ", days$to, "; from and to choose others")
      }
      return(as_table(pages, page$meta, path, filters))
    }
    message(path, ": the data changed meanwhile; once more")
  }
  stop("the data changed during each of four downloads: try again later", call. = FALSE)
}

# Returns a page and its tag, or NULL if its tag is still the one given.
ask <- function(client, address, unless = NULL) {
  kept <- client$kept[[address]]
  tag <- if (is.null(unless)) kept$tag else unless
  waited <- attempt <- 0
  repeat {
    response <- client$get(address, tag)
    status <- response$status_code
    headers <- if (status > 0) parse_headers_list(response$headers)
    if (status == 304) return(if (is.null(unless)) list(page = parsed(client, memDecompress(kept$packed, "gzip")), tag = tag))
    if (status == 200) {
      page <- parsed(client, response$content)
      client$kept[[address]] <- NULL # the newest is the last
      client$kept[[address]] <- list(tag = headers$etag, packed = memCompress(response$content, "gzip"))
      while (sum(lengths(lapply(client$kept, `[[`, "packed"))) > client$keep) client$kept[[1]] <- NULL
      return(list(page = page, tag = headers$etag))
    }
    problem <- refusal(client, response)
    if (status == 401 && !client$renewed) {
      client$renewed <- TRUE
      if (client$renew()) {
        message("the key was refused; going on with the one that is there now")
        next
      }
    }
    after <- suppressWarnings(as.numeric(headers$`retry-after`))
    wait <- if (length(after) && !is.na(after)) max(1, after) else 2^attempt
    if (!status %in% c(0, 429, 500, 502, 503, 504) || waited + wait > client$patience || attempt == 5 && !length(after)) stop(problem)
    message(conditionMessage(problem), "; waiting ", wait, " s")
    client$sleep(wait)
    waited <- waited + wait
    attempt <- attempt + 1
  }
}

parsed <- function(client, content) {
  tryCatch(parse_json(rawToChar(content), simplifyVector = TRUE), error = function(e) {
    stop(problem("larder_error", client$url, " does not answer in JSON: is a Larder server there?", status = 0))
  })
}

escape <- function(x) {
  if (inherits(x, "POSIXt")) x <- format(x, "%Y-%m-%dT%H:%M:%OSZ", tz = "UTC")
  curl_escape(if (is.numeric(x) && !is.object(x)) format(x, scientific = FALSE) else as.character(x))
}

# Returns the server's refusal, or the failure to reach it, as a condition.
refusal <- function(client, response) {
  if (response$status_code == 0) return(problem("larder_error", client$url, ": ", response$failure, status = 0))
  body <- tryCatch(as.list(parse_json(rawToChar(response$content), simplifyVector = TRUE)), error = function(e) NULL)
  problem("larder_error", paste(c(response$status_code, body$code), collapse = " "), if (!is.null(body)) ": ", body$error,
          if (!is.null(body$requestId)) paste0(" (request ", body$requestId, ")"), status = response$status_code,
          code = body$code, request_id = body$requestId, parameter = body$parameter, accepted = body$accepted)
}

problem <- function(class, ..., status = NULL, code = NULL, request_id = NULL, parameter = NULL, accepted = NULL) {
  structure(class = c(class, "error", "condition"), list(message = paste0(...), call = NULL, status = status, code = code,
                                                         request_id = request_id, parameter = parameter, accepted = accepted))
}
