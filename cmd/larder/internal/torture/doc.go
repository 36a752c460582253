// Package torture holds tests only: faults that the command must survive, done
// for real to the real binary in processes of its own. docs/faults.md says what
// is promised and what was seen.
//
// Plain "go test" runs a short form. The build tag torture makes it the long
// one, as "make torture" does: more rounds, 10,000 connections, every page.
package torture
