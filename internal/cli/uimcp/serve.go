package uimcp

import (
	"context"
	"fmt"
	"io"
	"log/slog"

	"ui-mcp/internal/app"
	"ui-mcp/internal/cli/commandline"
)

type serveCommand struct {
	dirFlag
	appFlags
	Port     uint16   `default:"8000" placeholder:"PORT" help:"Port of the pages; 0 for any (default: ${default})."`
	MCPPort  uint16   `name:"mcp-port" default:"8001" placeholder:"PORT" help:"Port of MCP, /state and /wait; 0 for any (default: ${default})."`
	Demo     string   `placeholder:"NAME" help:"Display the app of that name, such as contacts."`
	Open     bool     `help:"Open the person's browser at the page."`
	LogLevel logLevel `default:"info" enum:"debug,info,warn,error" placeholder:"LEVEL" help:"What to log to standard error: debug, info, warn or error (default: ${default})."`
}

// run serves an app without an agent until ctx is done: it adds its ports to the server of the
// project if one runs, and is that server otherwise.
func (c serveCommand) run(ctx context.Context, e env) error {
	log := commandline.Logger(e.Err, c.LogLevel)
	s := serving{
		config: appConfig{env: e, appFlags: c.appFlags, Dir: c.Dir, UIPort: int(c.Port), MCPPort: int(c.MCPPort), DisplayNew: true, KeepAgent: true, Log: log},
		app:    c.Demo, open: c.Open,
		greeting: func(url string) string { return "Serving " + c.Dir + "\n" + openHere(url) + " Press Ctrl-C to stop.\n" },
	}
	beside, err := c.beside(e, commandline.Logger(e.Err, max(c.LogLevel.Level(), slog.LevelWarn)))
	if err != nil {
		log.Warn("agents of this project do not share this server", "error", err)
		return s.run(ctx)
	}
	var p *program
	end := func() {}
	defer func() { end() }()
	beside.become = func() error {
		if p, err = s.begin(ctx); err != nil {
			return err
		}
		end = p.Close
		j, err := p.share(beside.finder.Folder)
		if err != nil {
			log.Warn("agents of this project do not share this server", "error", err)
			return nil
		}
		end = j.close
		return nil
	}
	conn, err := beside.connect(ctx)
	switch {
	case err != nil:
		return unlessStopped(ctx, err)
	case p != nil:
		return s.attend(ctx, p)
	}
	beside.become = nil
	return beside.follow(ctx, conn)
}

// A serving says what to serve without an agent.
type serving struct {
	config   appConfig
	app      string // the name of the app to display, or ""
	open     bool   // whether to open the person's browser
	greeting func(url string) string
}

func openHere(url string) string { return "Open " + url + " in your browser." }

// run serves until ctx is done.
func (s serving) run(ctx context.Context) error {
	p, err := s.begin(ctx)
	if err != nil {
		return unlessStopped(ctx, err)
	}
	defer p.Close()
	return s.attend(ctx, p)
}

// begin starts a program. The caller must Close it.
func (s serving) begin(ctx context.Context) (*program, error) {
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
func (s serving) attend(ctx context.Context, p *program) error {
	if s.app != "" {
		if err := p.display(ctx, s.app); err != nil {
			return unlessStopped(ctx, err)
		}
	}
	url, err := p.PageURL(app.DefaultSession)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(s.config.Out, s.greeting(url)); err != nil {
		return err
	}
	if s.open {
		opened, err := p.OpenBrowser(ctx, app.DefaultSession, "/", true)
		if err != nil {
			return unlessStopped(ctx, err)
		}
		if !opened.Opened {
			fmt.Fprintf(s.config.Err, "ui-mcp: the browser was not opened: %s\n", opened.Reason)
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
