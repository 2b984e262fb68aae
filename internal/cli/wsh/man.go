package wsh

import (
	"context"
	"strings"

	"github.com/alecthomas/kong"

	"ui-mcp/internal/cli/manual"
	"ui-mcp/internal/cli/version"
	"ui-mcp/internal/cli/wsh/caller"
)

type manCommand struct {
	manual.Command
	caller.JSONFlag
}

func (manCommand) Help() string { return manual.Help("wsh", "run") }

func (c manCommand) Run(_ context.Context, e caller.Env) error {
	model := new(grammar).program(e.Version, e.Vars, e.Streams).Model()
	page := manual.Page{Program: "wsh", Version: version.Number(e.Version), About: description, Topics: topics}
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
			return e.PrintJSON(map[string]string{"page": page.Name() + ".1", "text": text})
		}
		return e.Printf("%s", text)
	}
	names, err := manual.Install(c.Dir, page, model)
	if err != nil {
		return err
	}
	if c.JSON {
		return e.PrintJSON(map[string]any{"dir": kong.ExpandPath(c.Dir), "pages": names})
	}
	return e.Printf("%s\n", strings.Join(names, "\n"))
}
