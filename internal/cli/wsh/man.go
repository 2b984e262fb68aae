package wsh

import (
	"context"
	"os"
	"strings"

	"github.com/alecthomas/kong"

	"ui-mcp/internal/cli/manual"
	"ui-mcp/internal/cli/version"
	"ui-mcp/internal/fault"
)

// A manCommand is "wsh man".
type manCommand struct {
	Words []string `arg:"" optional:"" name:"command" complete:"help" help:"The command (default: wsh itself)."`
	Dir   string   `complete:"directories" placeholder:"DIR" help:"Write all pages into a directory instead, such as ~/.local/share/man/man1; it is created if need be."`
	jsonFlag
}

// Help is the last part of what --help prints.
func (manCommand) Help() string {
	return `The page is printed as man(1) reads it. With --dir, all pages are written, and their names are printed.

    wsh man run | man -l -
    wsh man --dir ~/.local/share/man/man1; man wsh-run`
}

func (c manCommand) run(_ context.Context, e env) error {
	model := new(grammar).program(e.version, e.vars, e.Streams).Model()
	page := manual.Page{Program: "wsh", Version: version.Number(e.version), About: description, Topics: topics}
	if c.Dir == "" {
		node, err := find(model.Node, c.Words)
		if err != nil {
			return err
		}
		if len(c.Words) > 0 {
			page.Command, page.Topics = node, nil
		}
		text := page.Write(model)
		if c.JSON {
			return e.printJSON(map[string]string{"page": page.Name() + ".1", "text": text})
		}
		return e.printf("%s", text)
	}
	dir := kong.ExpandPath(c.Dir)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fault.Wrap(fault.Precondition, err, "write the pages")
	}
	names, err := manual.Install(dir, page, model)
	if err != nil {
		return fault.Wrap(fault.Precondition, err, "write the pages")
	}
	if c.JSON {
		return e.printJSON(map[string]any{"dir": dir, "pages": names})
	}
	return e.printf("%s\n", strings.Join(names, "\n"))
}
