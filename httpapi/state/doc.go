// Package state keeps what a server must not forget, in one SQLite file: the
// licence keys, the sessions of signed-in subscribers, the request log and the
// months billed from it. It is the only reader and writer of that file.
//
// # What it decides for you
//
// A key is looked up in the file at every request, so what [DB.RotateKey],
// [DB.DisableKey] or another process did holds from the next request on. Only
// hashes are stored: a secret is returned once, by the call that makes it.
//
// A request is logged before it is answered: [DB.Append] and
// [Reservation.Settle] return when the row is on disk. All writes go through
// one goroutine, which puts what waits into one transaction, so that many
// requests share one wait for the disk.
//
// The month's use is the counted requests plus those under way. [DB.Reserve]
// takes one request out of it before it is served, and the log entry that
// settles it decides: a 2xx stays counted, anything else is given back. The
// counters live in memory and start from the file's monthly sums, which change
// in the same transaction as the log; a request under way at a crash was never
// answered and never counted. Hence no more 2xx than the quota are ever
// answered in a month, and after any restart the count is that of the log.
//
// A month is a calendar month in UTC, and a request belongs to the month it
// came in.
//
// # What it refuses
//
// A second server on the same file ([ErrServing]): the counters above would
// not know of each other. Reading, and changing keys, goes on beside a running
// server. A file that is something else, or from a newer version, is refused
// untouched.
//
// # In a request
//
//	key, err := db.Lookup(ctx, secret)      // 401 ErrUnknownKey, 403 ErrKeyDisabled, ErrKeyExpired
//	r, err := db.Reserve(ctx, key)          // 429 ErrQuota
//	defer r.Cancel()                        // if it comes to nothing
//	...                                     // make the whole body
//	err = r.Settle(ctx, state.Entry{...})   // on disk: now send it
//
// A request that is not counted, such as one that is refused, is logged with
// Append alone. The clock is [Options].Now; nothing here reads another.
package state
