// Package torture holds only tests. They inject faults into the real command, in
// processes of its own. docs/faults.md lists the promises and the results.
//
// The tests need the build tag torture. "make torture" runs all of them. "make
// torture-short" passes -short: fewer rounds, connections and pages. CI runs
// the short form once.
package torture
