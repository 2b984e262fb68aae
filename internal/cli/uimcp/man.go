package uimcp

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"ui-mcp/internal/cli/manual"
	"ui-mcp/internal/cli/version"
)

type manCommand struct {
	Words []string `arg:"" optional:"" name:"command" help:"The command (default: ui-mcp itself)."`
	Dir   string   `complete:"directories" placeholder:"DIR" help:"Write all pages into a directory instead, such as ~/.local/share/man/man1; it is created if need be."`
}

// Help is the last part of what --help prints.
func (manCommand) Help() string {
	return `The page is printed as man(1) reads it. With --dir, all pages are written, and their names are printed.

    ui-mcp man serve | man -l -
    ui-mcp man --dir ~/.local/share/man/man1; man ui-mcp-serve`
}

func (c manCommand) run(_ context.Context, e env) error {
	model := new(grammar).program(e.version, e.Streams).Model()
	page := manual.Page{Program: "ui-mcp", Version: version.Number(e.version), About: description}
	if c.Dir != "" {
		dir := kong.ExpandPath(c.Dir)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		names, err := manual.Install(dir, page, model)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(e.Out, strings.Join(names, "\n"))
		return err
	}
	node := model.Node
	for _, name := range c.Words {
		i := slices.IndexFunc(node.Children, func(n *kong.Node) bool { return !n.Hidden && n.Name == name })
		if i < 0 {
			return &statusError{exitUsage, fmt.Errorf("there is no manual page for %q", name)}
		}
		node = node.Children[i]
		page.Command = node
	}
	_, err := fmt.Fprint(e.Out, page.Write(model))
	return err
}
