//go:build browser

package browser

import (
	"regexp"
	"slices"

	"github.com/chromedp/cdproto/audits"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
)

// expect has a fault be none that a regular expression matches; it must occur.
func (x *tab) expect(pattern string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.expected = append(x.expected, &expectation{Regexp: regexp.MustCompile(pattern)})
}

// refused expects what the browser says of an answer that is no success.
func (x *tab) refused(path, status string) {
	x.expect(`^network error: Failed to load resource: the server responded with a status of ` + status + ` .*` + regexp.QuoteMeta(path))
}

// complainOfIssue notes what DevTools lists as an issue: violations of the
// policy, quirks mode, faults of forms, what is deprecated.
func (x *tab) complainOfIssue(issue *audits.InspectorIssue) {
	d := issue.Details
	switch {
	case d == nil:
		x.complain("issue: %s", issue.Code)
	case d.ContentSecurityPolicyIssueDetails != nil:
		v := d.ContentSecurityPolicyIssueDetails
		x.complain("policy: %s: %s %s", v.ContentSecurityPolicyViolationType, v.ViolatedDirective, v.BlockedURL)
	case d.GenericIssueDetails != nil:
		v := d.GenericIssueDetails
		x.complain("issue: %s: %s, node %d", issue.Code, v.ErrorType, v.ViolatingNodeID)
	default:
		x.complain("issue: %s", issue.Code)
	}
}

// faults returns what the browser complained of so far.
func (x *tab) faults() []string {
	// The answer comes after all that was to be told before it.
	command(x, audits.CheckFormsIssues, cdp.Empty{})
	x.mu.Lock()
	defer x.mu.Unlock()
	return slices.Clone(x.said)
}

// check fails the test for each fault, and for each that was expected in vain.
func (x *tab) check() {
	x.t.Helper()
	for _, fault := range x.faults() {
		x.t.Errorf("%s", fault)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, e := range x.expected {
		if !e.seen {
			x.t.Errorf("the browser never said %s", e)
		}
	}
}

// requests returns what the page asked for since the last call of forget.
func (x *tab) requests() []asked {
	x.mu.Lock()
	defer x.mu.Unlock()
	var list []asked
	for _, a := range x.asked {
		list = append(list, *a)
	}
	return list
}

// apiRequests returns those of scripts, as "GET /path".
func (x *tab) apiRequests() []string {
	var list []string
	for _, a := range x.requests() {
		if a.api() {
			list = append(list, a.method+" "+a.path())
		}
	}
	return list
}

// forget forgets the requests so far.
func (x *tab) forget() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.asked = nil
}

// busy says whether a request is under way.
func (x *tab) busy() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return slices.ContainsFunc(x.asked, func(a *asked) bool { return !a.done })
}

// weight is what the page itself weighs: all that it loaded and no script asked
// for, unpacked.
func (x *tab) weight() (bytes int64) {
	for _, a := range x.requests() {
		if !a.api() && a.kind != network.ResourceTypePreflight {
			bytes += a.bytes
		}
	}
	return bytes
}
