//go:build !amd64 || purego

package lanes

func setAVX2(bool) (was bool) { return false }
