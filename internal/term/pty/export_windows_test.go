package pty

// For tests from outside.
var (
	CommandLine      = commandLine
	EnvironmentBlock = environmentBlock
)
