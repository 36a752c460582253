// Package httpapi is the server: a thin adapter that publishes one snapshot of
// prices over HTTP, with one state of keys, sessions and the request log.
//
// Package prepared loads the snapshot and swaps it for the next one. A request is answered
// from one snapshot and at one reading of the clock.
//
// A licensed request is checked in this order: who asks, by key or session (401,
// 403); what the tier allows (402); what is left of the minute and the month (429);
// the parameters (400). The body is made whole and the request is logged before the
// first byte is sent. The public index first limits each client by its address.
// Comparisons of shopping lists ask for no key, and nothing of a list is kept or
// logged.
//
// The package computes nothing: jevons makes index values, compare makes
// comparisons, shrink makes grades. It never guesses: a parameter that is unknown,
// repeated or malformed is an error that names it and what is accepted. Without a
// verified snapshot subscribers get 500 with Retry-After, comparisons and /readyz
// 503. Package wire has the bodies as structs, table.Columns the members of index
// rows, and /openapi.json every address with its errors.
//
// # In a program
//
//	snapshots := prepared.NewSnapshots("prices.db", time.Now)
//	s, err := httpapi.New(httpapi.Config{Now: time.Now, Snapshots: snapshots, State: db, Log: log, BaseURL: base})
//	snapshots.Look(ctx, log, false)          // the first time; Watch looks at ticks only
//	go snapshots.Watch(ctx, log, ticks, nil) // a ticker's, each prepared.WatchEvery
//	err = s.Serve(ctx, atOnce, public, admin, httpapi.Timeouts{})
//
// Other packages make the parts of an answer. docs/architecture.md draws them.
//
// [Server.Handler] is for readers. [Server.AdminHandler], with health and metrics,
// is for an address that only the operator reaches. NewMCP offers the tools for
// agents without a server.
package httpapi
