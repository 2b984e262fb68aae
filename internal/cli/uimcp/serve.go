package uimcp

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"

	"ui-mcp/internal/app"
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

// run serves an app without an agent until ctx is done: it adds its ports to the server of the
// project if one runs, and is that server otherwise.
func (c serveCommand) run(ctx context.Context, e env) error {
	config := appConfig{Dir: c.Dir, luaFlags: c.luaFlags, toolsFlags: c.toolsFlags, UIPort: int(c.Port), MCPPort: int(c.MCPPort), DisplayNew: true}
	s := serving{
		config: config, flags: sharedFlags(c.luaFlags, c.toolsFlags),
		level: c.LogLevel, app: c.Demo, open: c.Open,
		greeting: func(url string) string { return "Serving " + c.Dir + "\n" + openHere(url) + " Press Ctrl-C to stop.\n" },
	}
	log := e.logger(c.LogLevel)
	beside, err := c.beside(e, e.logger(max(c.LogLevel, logLevel(slog.LevelWarn))))
	if err != nil {
		log.Warn("agents of this project do not share this server", "error", err)
		return e.serve(ctx, s)
	}
	var p *program
	end := func() {}
	defer func() { end() }()
	beside.finder.Options.Serve = func() error {
		if p, err = e.begin(ctx, &s); err != nil {
			return err
		}
		end = p.Close
		j := &project{dir: c.Dir, flags: s.flags, version: e.version, drain: mcpserver.DefaultDrain, log: s.config.Log}
		if err := p.share(beside.finder.Folder, j); err != nil {
			log.Warn("agents of this project do not share this server", "error", err)
			return nil
		}
		end = j.close
		return nil
	}
	conn, err := beside.finder.Connect(ctx)
	switch {
	case err != nil:
		return unlessStopped(ctx, err)
	case p != nil:
		return e.attend(ctx, s, p)
	}
	beside.finder.Options.Serve = nil
	return beside.follow(ctx, conn)
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
	p, err := e.begin(ctx, &s)
	if err != nil {
		return unlessStopped(ctx, err)
	}
	defer p.Close()
	return e.attend(ctx, s, p)
}

// begin starts a program. The caller must Close it.
func (e env) begin(ctx context.Context, s *serving) (*program, error) {
	s.config.KeepAgent, s.config.Version, s.config.Peer, s.config.Log = true, e.version, e.peer, e.logger(s.level)
	p, err := newProgram(s.config)
	if err != nil {
		return nil, err
	}
	if _, err := p.Start(ctx); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// attend displays the app, and waits until ctx is done.
func (e env) attend(ctx context.Context, s serving, p *program) error {
	if s.app != "" {
		if err := p.display(ctx, s.app); err != nil {
			return unlessStopped(ctx, err)
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

// unlessStopped returns err, or nil if the command was stopped, which is its normal end.
func unlessStopped(ctx context.Context, err error) error {
	if isStop(ctx, err) {
		return nil
	}
	return err
}
