// Package atomicfile replaces whole files. One process at a time changes a file (Lock),
// a finished file takes the place, mode and owners of another in one step that outlasts
// a power cut (Replace, Write), and errors name the operation and the file (Error).
//
// The lock is the operating system's, on another file beside the data. It ends
// with its process, however that dies, so nobody ever clears a lock by hand. Lock
// never waits: the second caller gets an error at once. A program that does not
// ask for the lock can still change the file.
package atomicfile
