//go:build !cgo

package cgo

func init() {
	"Larder needs a C compiler for SQLite: install gcc, unset CGO_ENABLED"
}
