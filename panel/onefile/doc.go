// Package onefile is what the packages have in common that keep all they know in
// one file, the snapshot and the state: one process at a time changes the file,
// and errors name it.
//
// It decides how a file is locked: by a lock of the operating system on another
// file beside it. That ends with the process that holds it, however it dies, so
// no lock is ever cleared by hand. It refuses to wait: who comes second is told
// so at once. It does not keep anybody from the file who does not ask.
//
// It is public because packages on both sides of panel use it, and promises
// nothing to other modules.
package onefile
