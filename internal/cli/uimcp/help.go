package uimcp

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/alecthomas/kong"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/completion"
	"ui-mcp/internal/cli/docserver"
	"ui-mcp/internal/cli/doctor"
	"ui-mcp/internal/cli/manual"
	"ui-mcp/internal/cli/setup"
	"ui-mcp/internal/cli/version"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/transport/httpio"
)

type manCommand struct{ manual.Command }

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

type docsCommand struct{ docserver.Command }

func (c docsCommand) run(ctx context.Context, e env) error {
	return c.Run(ctx, e.Streams, "ui-mcp", httpio.AppIcon)
}

type doctorCommand struct {
	JSON bool `name:"json" help:"Print the checks as a JSON array."`
}

func (c doctorCommand) run(ctx context.Context, e env) error {
	return doctor.Run(ctx, doctor.Program{Name: "ui-mcp", Version: e.version, Ports: []int{8000, 8001}, Vars: os.Environ()}, e.Out, c.JSON)
}

type completionCommand struct{ completion.ScriptCommand }

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
