package pty

// Exported for tests.
var (
	CommandLine      = commandLine
	EnvironmentBlock = environmentBlock
)
