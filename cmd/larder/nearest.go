package main

import (
	"strings"

	"github.com/agnivade/levenshtein"
)

// oneOf checks that value is accepted for the flag; the empty value always is.
// The error names the accepted value that is most like it.
func oneOf(flag, value string, accepted []string) error {
	if value == "" || len(accepted) == 0 {
		return nil
	}
	nearest, best := "", 1<<30
	for _, a := range accepted {
		if a == value {
			return nil
		}
		if d := levenshtein.ComputeDistance(strings.ToLower(a), strings.ToLower(value)); d < best {
			nearest, best = a, d
		}
	}
	return usagef("--%s %q is not known here; did you mean %q? Accepted: %s", flag, value, nearest, strings.Join(accepted, ", "))
}
