// Package mcp offers the shopper comparison to agents, as tools of the Model
// Context Protocol (https://modelcontextprotocol.io).
//
// There are two tools, and both only read:
//
//	catalog   the cities, items, quantities and chains that can be asked for
//	compare   what a list costs at the chains of one city, as of now
//
// They take and return what the addresses /api/shopper/catalog and
// /api/shopper/compare (POST) do, by the same code and with the same schemas,
// which New reads from the OpenAPI document. Arguments are as strict as that
// body: unknown members, duplicate keys and null are refused.
//
// A refusal is a tool error and no error of the protocol, so that the model
// sees it: it has a code, the place, what to change and an example. Programs
// find code and place in the result's _meta too, under ErrorKey.
//
// The tools are served by RunStdio on a pair of streams, and over HTTP by the
// Server itself, without sessions. No list is kept or logged.
package mcp
