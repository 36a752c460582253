//go:build !purego

package lanes

// setAVX2 chooses the way, and returns the one before.
func setAVX2(use bool) (was bool) {
	was, useAVX2 = useAVX2, use
	return was
}
