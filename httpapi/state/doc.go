// Package state keeps what a server must not forget: the licence keys, the sessions of
// signed-in subscribers, the request log and the months billed from it. It keeps them in one
// SQLite file, or in a PostgreSQL database that servers share, by the same statements.
//
// A key is looked up in the state at every request, so a change by any process
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
// given back. The counters live in memory and start from the state's count of the month,
// which changes in the same transaction as the log. So a month never has more 2xx
// than the quota, and after any restart the count is that of the log. Months are
// those of UTC, and a request belongs to the month it came in.
//
// [ErrServing] refuses a second server on the same file, whose counters would not
// know of each other. On PostgreSQL the transaction that logs a request locks the row of its
// month and decides: Settle may still return [ErrQuota]. Reading, and changing keys, goes on beside a running server.
//
//	key, err := db.Lookup(ctx, secret)      // 401 ErrUnknownKey, 403 ErrKeyDisabled, ErrKeyExpired
//	r, err := db.Reserve(ctx, key)          // 429 ErrQuota
//	defer r.Cancel()                        // if it comes to nothing
//	...                                     // make the whole body
//	err = r.Settle(ctx, state.Entry{...})   // on disk: now send it
//
// The clock is [Options].Now.
package state
