// Package httpapi is the server: everything that is published over HTTP, from
// one snapshot of prices and one state.
//
// # What it decides for you
//
// [Snapshots] loads a snapshot, looks every two seconds whether it was replaced,
// and goes on with the one before if the new one is not as it was sealed. A
// [Served] is one snapshot with what is made of it, and never changes. A request
// is answered from one Served and at one reading of the clock, so no response
// has two snapshots or two days in it.
//
// A licensed request is asked in this order : who it is, by
// key or session (401, 403); what its tier allows (402); how much of its minute
// and of its month is left (429); its parameters (400). The body is made as a
// whole, the request is logged in the state, and only then a byte is sent. The
// public index also limits a client, by its address and before all that.
// Comparisons of shopping lists ask for no key, and nothing of a list is kept or
// logged.
//
// Numbers are written as they were computed: levels and percent changes with
// exactly four decimals, dollars with two, null where there is no value; see
// jevons.AppendJSON and NewEvent. The OpenAPI document at /openapi.json
// describes every address and its errors.
//
// # What it refuses
//
// To compute: jevons makes index values, compare makes comparisons, shrink makes
// grades. To guess: a parameter that is unknown, repeated or malformed is an
// error that names it and what is accepted. To serve data without a
// verified snapshot (500 with Retry-After for subscribers, 503 for comparisons and
// /readyz), or on an address that is no origin (ErrBaseURL). To be asked
// from other sites with a session.
//
// # In a program
//
//	snapshots := httpapi.NewSnapshots("prices.db", time.Now)
//	s, err := httpapi.New(httpapi.Config{Now: time.Now, Snapshots: snapshots, State: db, Log: log, BaseURL: base})
//	snapshots.Look(ctx, log, false)          // the first time; Watch looks at ticks only
//	go snapshots.Watch(ctx, log, ticks, nil) // a ticker's, each WatchEvery
//	err = s.Serve(ctx, atOnce, public, admin, httpapi.Timeouts{})
//
// [Server.Handler] is for readers. [Server.AdminHandler], with health and metrics,
// is for an address that only the operator reaches. NewMCP is the tools for
// agents without a server. Pages for people are in package pages, the tools in
// package mcp, keys, sessions and the log in package state.
package httpapi
