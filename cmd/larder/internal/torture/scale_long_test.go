//go:build linux && torture

package torture

// long says that there is time: see doc.go.
const long = true
