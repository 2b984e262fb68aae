package wsh

import (
	"context"
	"strings"

	"github.com/alecthomas/kong"

	"ui-mcp/internal/cli/manual"
	"ui-mcp/internal/cli/version"
)

type manCommand struct {
	manual.Command
	jsonFlag
}

func (manCommand) Help() string { return manual.Help("wsh", "run") }

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
	names, err := manual.Install(c.Dir, page, model)
	if err != nil {
		return err
	}
	if c.JSON {
		return e.printJSON(map[string]any{"dir": kong.ExpandPath(c.Dir), "pages": names})
	}
	return e.printf("%s\n", strings.Join(names, "\n"))
}
