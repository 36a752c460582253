package lanes

import "testing"

// onBoth runs a test in Go and, where there is another way, in that one.
func onBoth(t *testing.T, test func(t *testing.T)) {
	ways := map[string]bool{"Go": false}
	if useAVX2 {
		ways["AVX2"] = true
	}
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			defer func(was bool) { setAVX2(was) }(setAVX2(way))
			test(t)
		})
	}
}
