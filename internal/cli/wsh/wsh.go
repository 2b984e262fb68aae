// Package wsh is the wsh command line.
package wsh

import (
	"fmt"
	"io"
	"os"

	"ui-mcp/internal/cli/version"
)

const help = `wsh is to serve terminal sessions to people, programs and AI agents.

This version can only tell its version:
  wsh version      print the version (also: wsh --version)
  wsh --help       print this help

Live UIs in a browser are there already: see "ui-mcp --help".
`

// Main runs the command line of the process and returns its exit status.
func Main(version string) int {
	return Run(version, os.Args[1:], os.Stdout, os.Stderr)
}

// Run executes one command line and returns its exit status: 0 for success, 1
// for what this version cannot do.
func Run(ver string, args []string, out, errs io.Writer) int {
	if len(args) == 1 {
		switch args[0] {
		case "version", "--version":
			fmt.Fprintln(out, version.Line("wsh", ver))
			return 0
		case "help", "--help", "-h":
			fmt.Fprint(out, help)
			return 0
		}
	}
	fmt.Fprintln(errs, "wsh: terminal sessions are not in this version yet; \"wsh --help\" tells what is")
	return 1
}
