package uimcp

import (
	"context"
	"os"
	"path/filepath"

	"github.com/alecthomas/kong"

	"ui-mcp/internal/cli/completion"
)

type completionCommand struct{ completion.ScriptCommand }

func (completionCommand) Help() string {
	return "The script makes the shell complete commands, flags and names of apps.\n\n" + completion.Usage("ui-mcp")
}

func (c completionCommand) run(_ context.Context, e env) error {
	return c.Print(e.Out, "ui-mcp")
}

type completeCommand struct{ completion.Query }

func (c completeCommand) run(_ context.Context, e env) error {
	return c.Answer(e.Out, new(grammar).program(e.version, e.Streams).Model(), completeApps)
}

func completeApps(_ *kong.Node, v *kong.Value, given completion.Given) (completion.Result, bool) {
	if v.Name != "app" && v.Name != "demo" {
		return completion.Result{}, false
	}
	base := ".claude/ui"
	if dirs := given["dir"]; len(dirs) > 0 {
		base = dirs[len(dirs)-1]
	}
	r := completion.Result{Kind: completion.Words}
	entries, _ := os.ReadDir(filepath.Join(base, "apps")) // without any, there is nothing to offer
	for _, entry := range entries {
		r.Candidates = append(r.Candidates, completion.Candidate{Text: entry.Name()})
	}
	return r, true
}
