// Command clients makes what clients of MCP install: a plugin for Claude Code, bundles for Claude
// Desktop, links for VS Code and Cursor, and the descriptions for the MCP registry. All names are
// from packaging/names.json. It publishes nothing and uses no network. The same programs and
// the same date give the same bytes.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ui-mcp/internal/regular"
	"ui-mcp/packaging"
)

func main() {
	version := flag.String("version", "", "the version, such as 0.1.0")
	date := flag.Int64("date", 0, "the time of all files, in seconds since 1970")
	flag.Parse()
	if flag.NArg() != 1 || *version == "" {
		fmt.Fprintln(os.Stderr, "usage: clients -version VERSION -date SECONDS DIRECTORY")
		os.Exit(2)
	}
	b := builder{names: packaging.Load(), version: strings.TrimPrefix(*version, "v"), at: time.Unix(*date, 0).UTC(), dir: flag.Arg(0), notes: os.Stderr}
	if err := b.make(); err != nil {
		fmt.Fprintln(os.Stderr, "packaging:", err)
		os.Exit(1)
	}
}

// A builder makes files in a directory in which the programs are.
type builder struct {
	names   packaging.Names
	version string
	at      time.Time // of the files in bundles
	dir     string
	notes   io.Writer // for what could not be made
	sums    bytes.Buffer
}

// make makes everything, and adds the checksums to those of the directory.
func (b *builder) make() error {
	for _, step := range []func() error{b.plugin, b.bundles, b.links, b.registry} {
		if err := step(); err != nil {
			return err
		}
	}
	sums, err := regular.Open(filepath.Join(b.dir, "SHA256SUMS"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	if _, err := sums.Write(b.sums.Bytes()); err != nil {
		_ = sums.Close() // the error that matters is the other one
		return err
	}
	return sums.Close()
}

func (b *builder) write(name string, data []byte) error {
	file := filepath.Join(b.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	fmt.Fprintf(&b.sums, "%x  %s\n", sha256.Sum256(data), name)
	return os.WriteFile(file, data, 0o644)
}

func (b *builder) writeJSON(name string, value any) error {
	data, err := readable(value)
	if err != nil {
		return err
	}
	return b.write(name, data)
}

func readable(value any) ([]byte, error) {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(value)
	return text.Bytes(), err
}

// A person is who answers for what is made.
type person struct {
	Name  string `json:"name"`
	Email string `json:"email,omitempty"`
}

func (b *builder) maintainer() person { return person{b.names.Maintainer, b.names.Email} }

// A server is how most clients write one.
type server struct {
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

// started returns how a client starts a command in a project, whose base directory has a name.
// Until the packages are published, the command has to be in PATH.
func (b *builder) started(c packaging.Command, base string) server {
	s := server{Command: c.Name, Args: []string{"mcp"}}
	if b.names.Published {
		s = server{Command: "npx", Args: []string{"-y", c.NPM, "mcp"}}
	}
	if c.Name == apps {
		s.Args = append(s.Args, "--dir", base)
	}
	return s
}

const (
	apps = "ui-mcp" // the command with apps, which has a base directory
	base = ".claude/ui"
)
