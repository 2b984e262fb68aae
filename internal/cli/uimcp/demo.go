package uimcp

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"

	"ui-mcp/bundle"
	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/ending"
	"ui-mcp/internal/fault"
)

type demoCommand struct {
	Port     uint16   `default:"0" placeholder:"PORT" help:"Port of the page (default: any)."`
	MCPPort  uint16   `name:"mcp-port" default:"0" placeholder:"PORT" help:"Port for agents (default: any)."`
	NoOpen   bool     `help:"Do not open the browser."`
	LogLevel logLevel `default:"warn" enum:"debug,info,warn,error" placeholder:"LEVEL" help:"What to log to standard error: debug, info, warn or error (default: ${default})."`
}

// run serves the demo until ctx is done.
func (c demoCommand) run(ctx context.Context, e env) (err error) {
	// A person who presses Ctrl-C again while the demo ends must not end it before all is removed.
	further := make(chan os.Signal, 1) // which is never read
	signal.Notify(further, ending.Signals()...)
	defer signal.Stop(further)
	temporary, err := filepath.Abs(os.TempDir()) // TMPDIR may be relative
	if err != nil {
		return fault.Wrap(fault.Precondition, err, "find the directory for temporary files")
	}
	project, err := os.MkdirTemp(temporary, "ui-mcp-demo-")
	if err != nil {
		return fault.Wrap(fault.Precondition, err, "make a directory for the demo")
	}
	defer func() {
		if problem := os.RemoveAll(project); problem != nil {
			err = errors.Join(err, fault.Wrap(fault.Precondition, problem, "the directory of the demo is left behind"))
		}
	}()
	dir := filepath.Join(project, ".claude", "ui")
	if err := os.CopyFS(filepath.Join(dir, "apps", "demo"), fault.Must(fs.Sub(bundle.Demo, "demo"))); err != nil {
		return fault.Wrap(fault.Precondition, err, "write the demo")
	}
	greeting := func(url string) string {
		return openHere(url) + "\n\nThree apps to try, and what to ask an agent about them. Everything is in " + project +
			".\nPress Ctrl-C to end the demo and remove it.\n"
	}
	return serving{
		config: appConfig{
			env: e, appFlags: appFlags{Toolsets: []toolset{uiTools, popupTools, terminalTools}}, Dir: dir, UIPort: int(c.Port), MCPPort: int(c.MCPPort),
			KeepAgent: true, Log: commandline.Logger(e.Err, c.LogLevel),
		},
		app: "demo", open: !c.NoOpen, greeting: greeting,
	}.run(ctx)
}
