// Command build makes packages of the programs that are in a directory: for npm, PyPI, Debian, Red
// Hat, Alpine, Homebrew, scoop and winget, archives, a container file, and what says which
// software is in them; and what clients of MCP install: a plugin for Claude Code, bundles for
// Claude Desktop, links for VS Code and Cursor, and the descriptions for the MCP registry. All
// names are from packaging/names.json. It publishes nothing and uses no network. The same programs
// and the same date give the same bytes.
//
// A release has the names, the version and the directory; each kind of package is a method of it
// in a file of its own, which returns or writes files:
//
//	programs (for each platform) ── release ── linux.go, npm.go, wheel.go, bundles.go ── files
//	                                        ── manifests.go, with the sums of those files
//
// Platforms are one table, with the name of each in every channel. A manifest is made of the sums
// of the files that it names, so it cannot name others.
package main

import (
	"flag"
	"fmt"
	"os"
	"time"

	"ui-mcp/packaging"
)

func main() {
	version := flag.String("version", "", "the version, such as 0.1.0 or what git describe prints")
	date := flag.Int64("date", 0, "the time of all files, in seconds since 1970")
	clients := flag.Bool("clients", false, "make only what clients of MCP install")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: build -version VERSION -date SECONDS [-clients] DIRECTORY")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(flag.Arg(0), *version, *date, *clients); err != nil {
		fmt.Fprintln(os.Stderr, "packaging:", err)
		os.Exit(1)
	}
}

func run(dir, version string, date int64, clients bool) error {
	v, err := parseVersion(version)
	if err != nil {
		return err
	}
	// Archives of the zip format have no earlier time than 1980.
	earliest := time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)
	at := time.Unix(date, 0).UTC()
	if at.Before(earliest) {
		at = earliest
	}
	r, err := newRelease(packaging.Load(), v, at, dir)
	if err != nil {
		return err
	}
	defer r.close()
	make := r.make
	if clients {
		make = r.clients
	}
	if err := make(); err != nil {
		return err
	}
	for _, note := range r.notes {
		fmt.Fprintln(os.Stderr, "packaging:", note)
	}
	return nil
}
