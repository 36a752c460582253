// Package sqlite keeps a price panel in one file, the snapshot: it imports
// panel directories into it, exports it as one, and loads it: with [Load] what
// the index needs, as a [panel.Panel], with [LoadAll] every row and record. No
// other package reads or writes a snapshot; what a server has to remember is in
// another file, which is httpapi/state's.
//
// # What it decides for you
//
// It decides what may go in. Observations are only ever added: one that is
// there already is skipped, and one that contradicts it is a reject. Reference
// rows (products, cities, banners, stores, listings, specs) are brought up to
// date, so a corrected listing restates history. A row that refers to nothing,
// repeats a key or can't be read is a reject, listed with its file, line,
// reason and text; the good rows are loaded all the same, unless the import is
// strict.
//
// An import that changed something ends with a look at all rows: it adds to the
// quarantine what the rules of the quality gate find ([panel.Derivation]), and
// records packs that got smaller ([shrink.Detect]). Neither changes or removes
// what is there. Verdicts themselves are not stored: whoever loads a snapshot
// gets those that its specs and entries lead to. [SetAside] and [Release] change
// the quarantine on an operator's word, and note when and why.
//
// # What it refuses
//
// It refuses to work on a file that is not exactly as it was published. A
// snapshot carries a seal over all its bytes: one bit that differs, and Load,
// LoadAll, Check, Export and Import return an error that says so. It is replaced
// as a whole and atomically: whoever opens it while an import runs, or after one
// was killed, finds a complete snapshot, the old or the new. It is opened
// read-only, and no reader writes anything beside it. A snapshot of another
// version of the schema is refused as well (ErrVersion).
//
// Only one import into a snapshot, or change of its quarantine, runs at a time;
// a second one gets ErrBusy. Loads and exports may run at any time.
//
// The schema is in schema.sql, with comments, and has views for analysts.
package sqlite
