package uimcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"ui-mcp/internal/app"
	"ui-mcp/internal/cli/instance"
	"ui-mcp/internal/environ"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/transport/mcpserver"
)

type serveCommand struct {
	dirFlag
	luaFlags
	toolsFlags
	Port     port     `default:"8000" placeholder:"PORT" help:"Port of the pages; 0 for any (default: ${default})."`
	MCPPort  port     `name:"mcp-port" default:"8001" placeholder:"PORT" help:"Port of MCP, /state and /wait; 0 for any (default: ${default})."`
	Demo     string   `placeholder:"NAME" help:"Display the app of that name, such as contacts."`
	Open     bool     `help:"Open the person's browser at the page."`
	LogLevel logLevel `default:"info" placeholder:"LEVEL" help:"What to log to standard error: debug, info, warn or error (default: ${default})."`
}

// Validate is called by kong.
func (c serveCommand) Validate() error {
	return cmp.Or(differentPorts(c.Port, c.MCPPort), c.luaFlags.check(), c.toolsFlags.check())
}

// differentPorts returns an error if --port and --mcp-port are the same.
func differentPorts(pages, agent port) error {
	if pages != 0 && pages == agent {
		return fmt.Errorf("--port and --mcp-port are both %d: they must differ", pages)
	}
	return nil
}

func (serveCommand) Help() string {
	return `Both ports are open on 127.0.0.1 only. While the page displays nothing, an app appears as soon as its files are written.

    ui-mcp serve --demo contacts --open
    ui-mcp serve --port 0 --mcp-port 0 --dir /tmp/try/.claude/ui`
}

// run serves an app without an agent until ctx is done.
func (c serveCommand) run(ctx context.Context, e env) error {
	config := appConfig{Dir: c.Dir, Lua: c.luaFlags, Toolsets: c.Toolsets, UIPort: int(c.Port), MCPPort: int(c.MCPPort), DisplayNew: true}
	config.setTools(c.toolsFlags)
	return e.serve(ctx, serving{
		config: config, flags: sharedFlags(c.luaFlags, c.toolsFlags),
		level: c.LogLevel, app: c.Demo, open: c.Open,
		greeting: func(url string) string { return "Serving " + c.Dir + "\n" + openHere(url) + " Press Ctrl-C to stop.\n" },
	})
}

// A serving says what to serve without an agent.
type serving struct {
	config   appConfig
	flags    []string // that hold for the agents which share it
	level    logLevel // of the log
	app      string   // the name of the app to display, or ""
	open     bool     // whether to open the person's browser
	greeting func(url string) string
}

// openHere is the part of a greeting that has the URL of the page.
func openHere(url string) string { return "Open " + url + " in your browser." }

// serve serves until ctx is done.
func (e env) serve(ctx context.Context, s serving) error {
	log := e.logger(s.level)
	s.config.KeepAgent, s.config.Version, s.config.Peer, s.config.Log = true, e.version, e.peer, log
	p, err := newProgram(s.config)
	if err != nil {
		return err
	}
	end := p.Close
	defer func() { end() }()
	if _, err := p.Start(ctx); err != nil {
		return unlessStopped(ctx, err)
	}
	if !s.config.Passing {
		if j, err := p.shareServed(s.config, s.flags); err != nil {
			log.Warn("agents of this project do not share this server", "error", err)
		} else {
			end = j.close
		}
	}
	if s.app != "" {
		displayed, err := p.Display(ctx, app.DefaultSession, s.app)
		if err != nil {
			return unlessStopped(ctx, fault.Wrap(fault.KindOf(err), err, "cannot show %s", s.app))
		}
		for _, p := range displayed.Problems {
			log.Warn("problem in the app", "problem", p)
		}
	}
	url, err := p.PageURL(app.DefaultSession)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(e.Out, s.greeting(url)); err != nil {
		return err
	}
	if s.open {
		opened, err := p.OpenBrowser(ctx, app.DefaultSession, "/", true)
		if err != nil {
			return unlessStopped(ctx, err)
		}
		if !opened.Opened {
			fmt.Fprintf(e.Err, "ui-mcp: the browser was not opened: %s\n", opened.Reason)
		}
	}
	<-ctx.Done()
	return nil
}

// shareServed lets agents join a program that a person has started.
func (p *program) shareServed(c appConfig, flags []string) (*project, error) {
	folder, err := instance.Open(environ.Variables(os.Environ()), c.Log)
	if err != nil {
		return nil, err
	}
	j := &project{dir: c.Dir, flags: flags, version: c.Version, drain: mcpserver.DefaultDrain, log: c.Log}
	return j, p.share(folder, j)
}

// unlessStopped returns err, or nil if the command was stopped, which is its normal end.
func unlessStopped(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return nil
	}
	return err
}
