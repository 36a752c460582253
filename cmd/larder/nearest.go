package main

import (
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

// oneOf checks that value is accepted for the flag. The error lists what is,
// and names the accepted value that was most likely meant.
func oneOf(flag, value string, accepted []string) error {
	if slices.Contains(accepted, value) {
		return nil
	}
	list := strings.Join(accepted, ", ")
	if meant := nearest(value, accepted); meant != "" {
		return usagef("--%s %q is not known here; did you mean %q? Accepted: %s", flag, value, meant, list)
	}
	return usagef("--%s %q is not known here; accepted: %s", flag, value, list)
}

// oneOfOrNone is oneOf for a flag that may be left out.
func oneOfOrNone(flag, value string, accepted []string) error {
	if value == "" {
		return nil
	}
	return oneOf(flag, value, accepted)
}

// nearest returns the accepted value that value is the beginning of, or that
// is at most two typing errors away; otherwise the empty string.
func nearest(value string, accepted []string) string {
	value = strings.ToLower(value)
	best, distance := "", 3
	for _, a := range accepted {
		lower := strings.ToLower(a)
		if value != "" && strings.HasPrefix(lower, value) {
			return a
		}
		if d := levenshtein.ComputeDistance(lower, value); d < distance {
			best, distance = a, d
		}
	}
	return best
}

func joinOr(words []string) string {
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}
