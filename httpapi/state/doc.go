// Package state keeps what a server must not forget, in one SQLite file: the
// licence keys, the sessions of signed-in subscribers, the request log and the
// months billed from it. It is the only reader and writer of that file.
//
// A key is looked up in the file at every request, so a change by any process
// counts from the next request on. Only hashes are stored: a secret is returned
// once, by the call that makes it. A key has one live secret, or two for a while after a
// rotation with an overlap.
//
// A request is logged before it is answered: [DB.Append] and [Reservation.Settle]
// return when the row is on disk. One goroutine writes. It puts what waits into one
// transaction, so many requests share one wait for the disk.
//
// The month's use is the counted requests plus those under way. [DB.Reserve] takes
// one request out of it before it is served. A 2xx stays counted, anything else is
// given back. The counters live in memory and start from the file's daily sums,
// which change in the same transaction as the log. So a month never has more 2xx
// than the quota, and after any restart the count is that of the log. Months are
// those of UTC, and a request belongs to the month it came in.
//
// [ErrServing] refuses a second server on the same file, whose counters would not
// know of each other. Reading, and changing keys, goes on beside a running server.
//
//	key, err := db.Lookup(ctx, secret)      // 401 ErrUnknownKey, 403 ErrKeyDisabled, ErrKeyExpired
//	r, err := db.Reserve(ctx, key)          // 429 ErrQuota
//	defer r.Cancel()                        // if it comes to nothing
//	...                                     // make the whole body
//	err = r.Settle(ctx, state.Entry{...})   // on disk: now send it
//
// The clock is [Options].Now.
package state
