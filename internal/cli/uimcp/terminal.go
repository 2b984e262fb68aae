package uimcp

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"os"
	"regexp"
	"sync"

	"ui-mcp/internal/chromium"
	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/effect"
	"ui-mcp/internal/cli/instance"
	"ui-mcp/internal/cli/version"
	"ui-mcp/internal/discovery"
	"ui-mcp/internal/environ"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/term/pty"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/term/render/picture"
	"ui-mcp/internal/term/shell"
	"ui-mcp/internal/termask"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/httpserve"
	"ui-mcp/internal/transport/mcpapps"
	"ui-mcp/internal/transport/mcppopup"
	"ui-mcp/internal/transport/mcpterm"
	"ui-mcp/internal/ui/lua/async"
	"ui-mcp/skills"
)

// shells are the terminal sessions of this process, which end with it.
type shells struct {
	sessions   *registry.Registry
	operations *terminals.Local
	scripted   async.Terminals // operations, for apps
	views      mcpapps.TerminalOptions
	pages      http.Handler      // of everything below terminalsPath
	limit      int               // of the sessions of one client
	confirm    *regexp.Regexp    // the lines of programs about which a person is asked; nil: none
	socket     *httpserve.Server // see serveShells; nil if there is none
	scripts    string            // a folder of this process
	drawing    *chromium.Browser
	asking     sync.WaitGroup
	stop       context.CancelFunc // asking
	log        *slog.Logger
}

// openShells makes the program have sessions, which Close ends, without the tools for agents: see
// newFace. It is called once. Of c, the flags about terminals matter.
func (p *program) openShells(c appConfig) error {
	rule := p.PromptRule
	if c.AskPrompts != nil {
		rule = func() termask.Rule { return *c.AskPrompts }
	}
	s, err := newShells(c, p.claim, p.popups.broker, rule, p.popups.pageURL)
	if err != nil {
		return err
	}
	s.scripted = effect.Terminals(s.operations, s.limit, c.Confirm)
	// --confirm does not ask about what is typed in a view, and nobody knows who types it.
	s.views = mcpapps.TerminalOptions{Terminals: s.operations, PageURL: p.TerminalURL, ReadOnly: c.Confirm != nil}
	p.shells.Store(s)
	return nil
}

// newShells returns sessions. Prompts of programs that the rule selects become questions of b,
// which also appear on attached terminals. page returns the address of the page with the questions,
// or "".
func newShells(c appConfig, claim *discovery.Claim, b *popup.Broker, rule func() termask.Rule, page func() string) (_ *shells, err error) {
	s := &shells{log: c.Log, drawing: chromium.New(chromium.Options{Flags: []string{chromium.Offline}}), limit: cmp.Or(given(c.MaxSessions), mcpterm.DefaultMaxSessions), confirm: c.Confirm}
	if claim.Name() != "" {
		s.scripts = claim.Scripts() // others remove it, if this process is killed
	} else if s.scripts, err = os.MkdirTemp("", "ui-mcp-shell-"); err != nil {
		return nil, fault.Wrap(fault.Precondition, err, "make a folder for the scripts of shells")
	}
	scripts, err := shell.Install(s.scripts)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(s.scripts))
	}
	variables := map[string]string{}
	if claim.Name() != "" {
		variables[instance.Variable] = claim.Name()
	}
	vars := environ.Variables(os.Environ())
	home, _ := vars.Home() // "" is no directory, either
	s.sessions = registry.New(registry.Config{
		Environ: vars, Variables: variables, Home: pty.Home(home), Shell: vars.Shell(),
		PagesAsk: true, Scripts: scripts, Version: version.Number(c.version), Log: c.Log,
	})
	host, err := os.Hostname()
	if err != nil {
		host = "localhost" // it is for display only
	}
	attached := termask.NewTerminals(termask.TerminalOptions{Sessions: s.sessions, Broker: b, Project: true, PageURL: page})
	s.operations = terminals.NewLocal(s.sessions, terminals.Host{
		Name: host, Version: version.Number(c.version), Permission: mcppopup.NewPermission(b, attached.At).Ask,
		PNG: s.drawing.Draw,
	})
	if s.pages, err = newTerminalPages(s, c.Log); err != nil {
		return nil, errors.Join(err, s.sessions.Close(), os.RemoveAll(s.scripts))
	}
	if claim.Name() != "" {
		if s.socket, err = serveShells(claim, s.operations, c.Confirm, c.Log); err != nil {
			c.Log.Warn("the commands of wsh cannot reach the terminal sessions of this process", "error", err)
		}
	}
	prompts := termask.NewPrompts(termask.PromptOptions{Sessions: s.sessions, Broker: b, Rule: rule, Log: c.Log})
	var ctx context.Context
	ctx, s.stop = context.WithCancel(context.Background())
	s.asking.Go(func() { prompts.Run(ctx) })
	b.AddChannel(attached)
	s.asking.Go(func() { attached.Run(ctx) })
	return s, nil
}

// newFace returns the tools of terminals. views may be nil.
func (s *shells) newFace(views *mcpapps.Views) *mcpterm.Face {
	by, dir := terminals.Everything.Confirmed(s.confirm), mcpterm.WorkingDir()
	o := mcpterm.Options{
		Dir: func(ctx context.Context) string {
			if c := joinerOf(ctx); c != nil && c.dir != "" {
				return c.dir
			}
			return dir
		},
		Terminals: s.operations, Skills: skills.Wsh(), MaxSessions: s.limit,
		// Only the person's own programs get past the gate, or start this process.
		Grant: func(context.Context) terminals.Grant { return by },
	}
	if views != nil {
		o.Views = views
	}
	if s.socket != nil {
		o.Reach = func(session string) mcpterm.Reach {
			name := commandline.LastWord(session)
			return mcpterm.Reach{Attach: "wsh attach " + name, SaveRecording: "wsh record --save " + name}
		}
	}
	return mcpterm.New(o)
}

// picture implements [httpui.TerminalPicture].
func (s *shells) picture(ctx context.Context, name, theme string) ([]byte, error) {
	d := terminals.Drawing{Target: terminals.Target{Session: name}, Format: "svg", Theme: picture.Theme(theme), Cell: 10}
	image, err := terminals.DrawPicture.Do(ctx, s.operations, terminals.Everything, d)
	return image.Data, err
}

// close ends all sessions. The receiver may be nil.
func (s *shells) close() {
	if s == nil {
		return
	}
	s.stop()
	s.asking.Wait()
	defer s.drawing.Close()
	ctx, cancel := context.WithTimeout(context.Background(), socketTime)
	defer cancel()
	var err error
	if s.socket != nil {
		err = s.socket.Close(ctx) // detaches all clients
	}
	if errors.Is(err, context.DeadlineExceeded) {
		err = nil // some were cut off
	}
	if err := errors.Join(err, s.sessions.Close(), os.RemoveAll(s.scripts)); err != nil {
		s.log.Warn("the terminal sessions did not end cleanly", "error", err)
	}
}
