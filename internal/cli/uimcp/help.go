package uimcp

import (
	"context"
	"os"
	"path/filepath"

	"github.com/alecthomas/kong"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/completion"
	"ui-mcp/internal/cli/setup"
)

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

type setupCommand struct {
	setup.Flags
	dirFlag
	Hooks    bool `help:"Instead of servers, add the hooks that let you answer the client's permission prompts in your browser (Claude Code, Codex), and tell wsh what its agent does (Claude Code, Gemini CLI)."`
	dirGiven bool
}

// AfterApply is called by kong.
func (c *setupCommand) AfterApply(kctx *kong.Context) error {
	c.dirGiven = commandline.HasFlag(kctx, "dir")
	return c.dirFlag.AfterApply()
}

func (c *setupCommand) run(ctx context.Context, e env) error {
	o := setup.Options{Flags: c.Flags, Program: "ui-mcp", Hooks: c.Hooks, Dir: c.Dir, DirGiven: c.dirGiven, Streams: e.Streams}
	return setup.Run(ctx, o, os.Environ())
}
