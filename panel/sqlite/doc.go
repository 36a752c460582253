// Package sqlite keeps a price panel in one file, the snapshot. It imports and
// exports panel directories. [Load] reads a [panel.Panel] for the index, and
// [LoadAll] every row and record. No other package reads or writes a snapshot.
// The memory of a server is another file, of package httpapi/state.
//
// # What goes in
//
// Observations are only ever added. One that is there already is skipped, and
// one that contradicts it is a reject, or a correction: a new observation under
// an id from 2^52 on, and an entry that sets the stored one aside. Reference rows
// (products, cities, banners, stores, listings, specs) are brought up to date. A
// row that refers to nothing, repeats a key or can't be read is a reject.
//
// An import that changed something ends with a look at all rows. It adds the
// findings of the quality gate's rules to the quarantine ([panel.Derivation]) and
// records packs that got smaller, as ImportOptions.Detect finds them. Verdicts are not stored:
// loading derives them from the specs and entries. [SetAside] and [Lift] change
// the quarantine on an operator's word, and note when and why.
//
// # The seal
//
// A snapshot carries a seal over all its bytes. If one bit differs, Load,
// LoadAll, Check, Export and Import return ErrChanged. A snapshot of another
// version of the schema is refused with ErrVersion.
//
// A snapshot is replaced as a whole and atomically. A reader finds a complete
// snapshot, the old or the new, while an import runs and after one was killed.
// Readers open it read-only and write nothing beside it.
//
// Only one import into a snapshot, or change of its quarantine, runs at a time.
// A second one gets ErrBusy. Loads and exports may run at any time.
//
// The schema is in schema.sql, with comments, and has views for analysts.
package sqlite
