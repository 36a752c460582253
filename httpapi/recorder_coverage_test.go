package httpapi

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"testing"
)

// checkCoverage is called when all tests have run. If they were all of the
// package's, it prints which documented responses none of them got, and fails
// the run where one of those is missing that must be tried.
func checkCoverage(code int) int {
	for _, name := range []string{"test.run", "test.skip", "test.list", "test.fuzz"} {
		if f := flag.Lookup(name); f != nil && f.Value.String() != "" {
			return code
		}
	}
	if code != 0 || testing.Short() {
		return code
	}
	must := mustHave()
	for _, c := range theDocument().combinations() {
		if theRecorder.seen[c] > 0 {
			continue
		}
		if slices.Contains(must, c) {
			fmt.Fprintf(os.Stderr, "/openapi.json: no test got the response %s\n", c)
			code = 1
			continue
		}
		fmt.Printf("/openapi.json: not tried: %s\n", c)
	}
	return code
}

// mustHave are the documented responses that the package's tests have to get:
// all but faults of the server's own, which few addresses need to show, and
// bodies that are late.
func mustHave() []combination {
	return slices.DeleteFunc(theDocument().combinations(), func(c combination) bool {
		return c.status == "408" || c.status == "500" && c.path != "/api/v1/index" && c.path != "/api/v1/prices"
	})
}
