package uimcp

import (
	"context"
	"fmt"
	"strings"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/manual"
	"ui-mcp/internal/cli/version"
	"ui-mcp/internal/fault"
)

type manCommand struct{ manual.Command }

func (manCommand) Help() string { return manual.Help("ui-mcp", "serve") }

func (c manCommand) run(_ context.Context, e env) error {
	model := new(grammar).program(e.version, e.Streams).Model()
	page := manual.Page{Program: "ui-mcp", Version: version.Number(e.version), About: description}
	if c.Dir != "" {
		names, err := manual.Install(c.Dir, page, model)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(e.Out, strings.Join(names, "\n"))
		return err
	}
	node, unknown := commandline.Find(model.Node, c.Words)
	if unknown != "" {
		return fault.New(fault.Invalid, "there is no manual page for %q", unknown)
	}
	if len(c.Words) > 0 {
		page.Command = node
	}
	_, err := fmt.Fprint(e.Out, page.Write(model))
	return err
}
