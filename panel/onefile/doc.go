// Package onefile has the lock and the errors of packages that keep their data in
// one file: the snapshot, the state and the release log. One process at a time changes
// the file, and errors name it. Replace puts a finished file in its place as a whole.
//
// The lock is the operating system's, on another file beside the data. It ends
// with its process, however that dies, so nobody ever clears a lock by hand. Lock
// never waits: the second caller gets an error at once. A program that does not
// ask for the lock can still change the file.
//
// The package is public because packages on both sides of panel use it. It
// promises nothing to other modules.
package onefile
