package uimcp

import (
	"context"
	"os"

	"github.com/alecthomas/kong"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/setup"
)

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

func (*setupCommand) Help() string {
	return setup.Help("ui-mcp", `Clients start the server in the project that you work on, where .claude/ui is; those that know no project get the path of .claude/ui in this directory. With --dir, all get that path.

    ui-mcp setup --client claude-desktop --dir ~/apps/.claude/ui`)
}

func (c *setupCommand) run(ctx context.Context, e env) error {
	o := setup.Options{Flags: c.Flags, Program: "ui-mcp", Hooks: c.Hooks, Dir: c.Dir, DirGiven: c.dirGiven, Streams: e.Streams}
	return setup.Run(ctx, o, os.Environ())
}
