package pty

// ParseIgnored is exported for tests.
var ParseIgnored = parseIgnored
