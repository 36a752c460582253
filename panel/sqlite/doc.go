// Package sqlite keeps a price panel in one file, the snapshot: it imports
// panel directories into it, exports it as one, and loads it into a
// [panel.Panel]. It is the only package that knows SQL.
//
// It decides what may go in. Observations are only ever added: one that is
// there already is skipped, and one that contradicts it is a reject. Reference
// rows (products, cities, banners, stores, mappings, specs) are brought up to
// date, so a corrected mapping restates history. A row that refers to nothing,
// repeats a key or can't be read is a reject, listed with its file, line,
// reason and text; the good rows are loaded all the same, unless the import is
// strict.
//
// It refuses to work on a file that is not exactly as it was published. A
// snapshot carries a seal over all its bytes: one bit that differs, and Load,
// Check, Export and Import return an error that says so. It is replaced as a
// whole and atomically: whoever opens it while an import runs, or after one was
// killed, finds a complete snapshot, the old or the new. It is opened read-only,
// and no reader writes anything beside it.
//
// Only one import into a snapshot runs at a time; a second one gets ErrBusy.
// Loads and exports may run at any time, also during an import.
//
// The schema is in schema.sql, with comments, and has views for analysts.
package sqlite
