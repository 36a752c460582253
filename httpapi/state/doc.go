// Package state keeps what a server must not forget: the licence keys, the sessions of
// signed-in subscribers, the request log and the months billed from it. It keeps them in one
// SQLite file, or in a PostgreSQL database that servers share, by the same statements.
//
// A key is looked up at every request, so a change by any process counts from the next request
// on. Only hashes are stored: a secret is returned once, by the call that makes it. A key has
// one live secret.
//
// A request is logged before it is answered: [DB.Append] returns when the row is on disk. What
// waits goes into one transaction, so many requests share one wait for the disk. That transaction
// counts a request in the row of its key and month, and refuses it beyond the limit. So a month
// never has more 2xx than the quota, however many servers share a state, and after any restart
// the count is that of the log. Months are those of UTC; a request belongs to the one it came in.
//
// [ErrServing] refuses a second server on the same file. Reading, and changing keys, goes
// on beside a running server.
//
// The clock is [Options].Now.
package state
