//go:build !linux

package main

// noCore does nothing here: see docs/operations.md.
func noCore() error { return nil }
