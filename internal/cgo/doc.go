// Package cgo ends a build without a C compiler with one line that names the remedy,
// instead of a page of undefined names. Packages that open SQLite import it.
package cgo
