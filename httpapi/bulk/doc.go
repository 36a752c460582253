// Package bulk writes whole tables as files: Parquet, and CSV packed by gzip. A Data Package
// describes the files, and a list has their sums. The same rows give the same bytes.
//
// Tables are streams of rows, so a file of any length is written in little memory. A Folder
// keeps the files that were made and makes each of them once.
package bulk
