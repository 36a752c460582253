//go:build !cgo

package onefile

// Everything that opens SQLite imports this package. Without a C compiler the build ends here,
// with this line instead of a page of undefined names.
func init() {
	"Larder needs a C compiler for SQLite: install gcc, unset CGO_ENABLED"
}
