# The jackknife by R's survey package:
#
#     jackknife.R INPUT.csv > jackknife.csv
#
# The input is what larder makes of a panel of invented prices: for some cells the
# products with the first product of their maker, rho (of "level": the log relative against the base week; of "wow":
# against the week before), weight, category, and the weight of all active products
# of the category. "make survey" has a Go test write it and compares the output with
# the digits that larder publishes, to 1e-9:
#
#   without N   the estimate without the products of maker N: a JKn replicate. larder's
#               is the level or change of the panel without the prices of these products.
#   se          the standard error of the estimate
#   df, t       half of Satterthwaite's degrees of freedom, not below 1, rounded down to
#               one decimal, and the 97.5% quantile of Student's t
#
# The standard error adds up the variances of designs of one category each. survey
# centres replicates at the mean of all of them (mse=FALSE), so in a design of one
# category that is centring within the stratum, as larder does. Over the whole
# stratified design survey's own figure is a little larger; the last line to stderr
# says how much.
suppressPackageStartupMessages(library(survey))

input <- read.csv(commandArgs(trailingOnly = TRUE)[1])
replicate_of <- function(products) {
  as.svrepdesign(svydesign(ids = ~maker, strata = ~category, weights = ~weight, data = products), type = "JKn", mse = FALSE)
}
category_mean <- function(w, data) weighted.mean(data$rho, w)
headline <- function(w, data) {
  means <- sapply(split(seq_len(nrow(data)), data$category), function(k) category_mean(w[k], data[k, ]))
  totals <- sapply(split(data$category_weight, data$category), function(v) v[1])
  weighted.mean(means, totals)
}
show <- function(cell, measure, statistic, value) {
  cat(sprintf("%s,%s,%s,%.13f\n", cell, measure, statistic, value))
}

cat("cell,measure,statistic,value\n")
largest <- 1
for (products in split(input, list(input$cell, input$measure), drop = TRUE)) {
  cell <- products$cell[1]
  measure <- products$measure[1]
  design <- replicate_of(products)
  result <- withReplicates(design, headline, return.replicates = TRUE)
  deleted <- apply(weights(design, type = "replication") == 0, 2, function(gone) products$maker[gone][1])
  for (k in order(deleted)) {
    show(cell, measure, paste("without", deleted[k]), result$replicates[k])
  }

  categories <- split(products, products$category)
  totals <- sapply(categories, function(p) p$category_weight[1])
  variances <- sapply(categories, function(p) vcov(withReplicates(replicate_of(p), category_mean)))
  terms <- (totals / sum(totals))^2 * variances
  se <- sqrt(sum(terms))
  show(cell, measure, "se", se)
  if (measure == "level") { # those of a change are not published
    makers <- sapply(categories, function(p) length(unique(p$maker)))
    df <- max(1, floor(10 * sum(terms)^2 / sum(terms^2 / (makers - 1)) / 2 + 1e-7) / 10)
    show(cell, measure, "df", df)
    if (length(categories) > 1) show(cell, measure, "t", qt(0.975, df)) # of a headline
  }
  largest <- max(largest, sqrt(as.numeric(attr(result$theta, "var"))) / se)
}
message(sprintf("survey %s; centred over all strata, a standard error is up to %.4f of ours", packageVersion("survey"), largest))
