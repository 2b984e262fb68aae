package pty

// Exported for tests.
var (
	ParseCall    = parseCall
	ParseIgnored = parseIgnored
)
