package panics

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func compares(list string) { panic(errors.New(list)) }

// The log gets the type and the place, and nothing of what was worked on.
func TestAttrs(t *testing.T) {
	var text string
	func() {
		defer func() { text = fmt.Sprint(Attrs(recover())) }()
		compares("eggs and milk")
	}()
	for _, want := range []string{"a *errors.errorString, which is not shown", "panics.compares", "panics_test.go:"} {
		if !strings.Contains(text, want) {
			t.Errorf("the log lacks %q: %s", want, text)
		}
	}
	for _, never := range []string{"eggs", "0x", "TestAttrs.func1.1"} {
		if strings.Contains(text, never) {
			t.Errorf("the log has %q: %s", never, text)
		}
	}
}
