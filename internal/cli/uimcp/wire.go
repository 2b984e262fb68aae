package uimcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"ui-mcp/internal/cli/browse"
	"ui-mcp/internal/cli/nearby"
	"ui-mcp/internal/fault"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	uimcp "ui-mcp"
	"ui-mcp/bundle"
	"ui-mcp/internal/app"
	"ui-mcp/internal/chromium"
	"ui-mcp/internal/cli/effect"
	"ui-mcp/internal/discovery"
	"ui-mcp/internal/install"
	"ui-mcp/internal/look"
	"ui-mcp/internal/secret"
	"ui-mcp/internal/transport/gate"
	"ui-mcp/internal/transport/httpio"
	"ui-mcp/internal/transport/httppopup"
	"ui-mcp/internal/transport/httpserve"
	"ui-mcp/internal/transport/httpui"
	"ui-mcp/internal/transport/mcpapps"
	"ui-mcp/internal/transport/mcppopup"
	"ui-mcp/internal/transport/mcpserver"
	"ui-mcp/internal/transport/mcpterm"
	"ui-mcp/internal/transport/mcpui"
	"ui-mcp/internal/transport/mcpview"
	"ui-mcp/internal/transport/peer"
	"ui-mcp/internal/ui/lua/async"
	"ui-mcp/web"
)

// An appConfig has the flags that concern the app, and the process that serves it.
type appConfig struct {
	env
	appFlags
	Dir             string
	UIPort, MCPPort int
	Unconfigured    bool
	KeepAgent       bool
	Stay            *stay // what requests keep the process for; nil: it ends when its command does
	DisplayNew      bool  // also without "ui-mcp serve" beside it; see app.Options
	Log             *slog.Logger
}

// access is how the gates of both endpoints decide whose requests they admit.
type access struct {
	peer    func(*http.Request) (peer.Standing, error) // nil means that the system tells
	tickets *gate.Tickets                              // nil where the system always tells
}

// newAccess finds out whether the system reveals whose program is at the other end of a connection.
// Where it does not, tickets open pages, and programs send the token.
func newAccess(c appConfig, token string) access {
	if c.peer == nil && peer.Available() {
		return access{}
	}
	return access{c.peer, gate.NewTickets(token)}
}

// A program is an app and the MCP server in front of it. Transports are added by the commands.
type program struct {
	*app.App
	mcp       *mcpserver.Server // of the first face
	first     *face
	claim     *discovery.Claim
	popups    *popups
	access    func() access           // asks the system the first time, which opens connections
	shells    atomic.Pointer[shells]  // nil until a client has the toolset
	project   atomic.Pointer[project] // that shares this program; nil: nobody joins it
	views     *mcpapps.Views
	looker    *look.Looker
	observers *httpui.Observers
	stay      *stay
	serves    atomic.Int32 // how many "ui-mcp serve" add their ports
	config    appConfig
	log       *slog.Logger
}

// newProgram builds the app and its dependencies. The caller must Close it.
func newProgram(c appConfig) (_ *program, err error) {
	c.Stay = cmp.Or(c.Stay, newStay(stayOptions{stays: true}))
	p := &program{claim: newClaim(c.Log), log: c.Log, stay: c.Stay, config: c}
	defer func() {
		if err != nil {
			p.release()
		}
	}()
	p.access = sync.OnceValue(func() access { return newAccess(c, p.claim.Token()) })
	link := func(page string) string { return p.access().tickets.Link(page) }
	p.looker = look.New(chromium.Options{})
	p.observers = httpui.NewObservers()
	if c.Toolsets == nil {
		c.Toolsets = []toolset{uiTools, popupTools}
	}
	opts := app.Options{
		Dir:          c.Dir,
		Source:       bundled(),
		LuaTimeout:   given(c.LuaTimeout),
		LuaMemory:    int64(given(c.LuaMemory)) << 20,
		UIPort:       c.UIPort,
		MCPPort:      c.MCPPort,
		Unconfigured: c.Unconfigured,
		ServePages:   p.servePages,
		ServeAgent: func(a *app.App, l net.Listener) (func(context.Context) error, error) {
			return p.serveAgent(a, l), nil
		},
		Ask: func(ctx context.Context, question json.RawMessage) (json.RawMessage, error) {
			return p.popups.ask(ctx, question)
		},
		Chat: func() app.Chat {
			if p.views == nil {
				return nil // the program is starting
			}
			return p.views
		},
		KeepAgent:  c.KeepAgent,
		DisplayNew: func() bool { return c.DisplayNew || p.serves.Load() > 0 },
		Claim:      p.claim,
		Link:       link,
		Views:      func() int { return p.views.Count() },
		Looker:     p.looker,
		Admit:      p.observers.Admit,
		OpenURL:    browse.Open,
		Log:        c.Log,
		Terminals: func() async.Terminals {
			if s := p.shells.Load(); s != nil {
				return s.scripted
			}
			return nil
		},
		TerminalsURL: func(pages string) string {
			if p.shells.Load() == nil {
				return ""
			}
			return httppopup.URLBeside(pages, terminalsPath+"/")
		},
	}
	if !c.NoHTTP {
		opts.HTTP = effect.HTTP(&http.Client{})
	}
	if !c.NoExec {
		opts.Exec = effect.Exec
	}
	if p.App, err = app.New(opts); err != nil {
		return nil, err
	}
	if p.popups, err = newPopups(c, p.Version(), p.claim, link); err != nil {
		p.App.Close()
		return nil, err
	}
	p.views = newViews(c, p)
	if slices.Contains(c.Toolsets, terminalTools) {
		if err = p.openShells(c); err != nil {
			p.popups.close()
			p.App.Close()
			return nil, err
		}
	}
	f := p.newFace(c.Toolsets)
	p.mcp, p.first = f.server, f
	return p, nil
}

// Close ends everything that the program does.
func (p *program) Close() {
	p.release() // first, so that no client finds a server that is stopping
	p.first.stop()
	p.views.Close() // so that no poll of a view is waited for
	p.looker.Close()
	p.popups.stop() // so that no request waits for an answer when the endpoints close
	p.App.Close()
	p.popups.close()
	p.shells.Load().close()
}

func (p *program) release() {
	if err := p.claim.Release(); err != nil {
		p.log.Warn("others may find this server, which ends", "error", err)
	}
}

// A face is the program as clients with certain toolsets see it. The caller of newFace must stop
// it.
type face struct {
	toolsets []toolset
	server   *mcpserver.Server
	lines    *mcpserver.HTTP // for the clients of a project
	stop     func()          // notifying clients of changed resources
}

func (f *face) has(toolsets []toolset) bool {
	return !slices.ContainsFunc([]toolset{uiTools, popupTools, terminalTools, permissionTool}, func(t toolset) bool {
		return slices.Contains(f.toolsets, t) != slices.Contains(toolsets, t)
	})
}

// newFace returns a face. Calls have one order with those of other faces.
func (p *program) newFace(toolsets []toolset) *face {
	var terminal *mcpterm.Face
	if slices.Contains(toolsets, terminalTools) {
		terminal = p.shells.Load().newFace(p.views)
	}
	s, resources := newServer(p, p.views, p.Version(), p.log, toolsets, terminal, p.mcp)
	if slices.Contains(toolsets, popupTools) {
		mcppopup.Register(s, p.popups.tools(p.Configured))
	}
	if slices.Contains(toolsets, permissionTool) {
		mcppopup.RegisterPrompt(s, p.popups.broker, p.popups.broker.Workspaces()[0])
	}
	ctx, cancel := context.WithCancel(context.Background())
	var notifying sync.WaitGroup
	notifying.Go(func() { resources.Notify(ctx, s) })
	if terminal != nil {
		notifying.Go(func() { terminal.Notify(ctx, s) })
	}
	lines := mcpserver.NewHTTP(s, mcpserver.HTTPOptions{Plain: mcppopup.Plain(p.popups.methods), Log: p.log})
	return &face{toolsets, s, lines, func() {
		cancel()
		notifying.Wait()
	}}
}

// newServer returns the MCP server with the tools and resources of some toolsets, but for the tools
// of popup. views, terminal and beside (see [mcpserver.Options]) may be nil.
func newServer(ops mcpui.Ops, views *mcpapps.Views, ver string, log *slog.Logger, toolsets []toolset, terminal *mcpterm.Face, beside *mcpserver.Server) (*mcpserver.Server, *mcpui.Resources) {
	resources := mcpui.NewResources(ops)
	var instructions []string
	for _, t := range []struct {
		name toolset
		text string
	}{
		{uiTools, mcpui.Instructions}, {popupTools, mcppopup.Instructions}, {terminalTools, mcpterm.Instructions},
	} {
		if slices.Contains(toolsets, t.name) {
			instructions = append(instructions, t.text)
		}
	}
	withUI := slices.Contains(toolsets, uiTools)
	if withUI && slices.Contains(toolsets, terminalTools) {
		instructions = append(instructions, "Terminal sessions have a url once ui_start was called.")
	}
	s := mcpserver.New(mcpserver.Options{
		Name:         "ui-mcp",
		Title:        "Live UI",
		Description:  "A live app in the person's browser, and questions to the person",
		Icon:         httpio.AppIcon,
		Version:      ver,
		Instructions: strings.Join(instructions, "\n"),
		Logger:       log,
		Reads:        mcpui.Reads,
		Beside:       beside,
		News:         hasNews,
		Tune: func(o *mcp.ServerOptions) {
			if withUI {
				resources.Tune(o)
			}
			if views != nil {
				mcpview.Tune(o)
			}
			if terminal != nil {
				terminal.Tune(o)
			}
		},
	})
	if withUI {
		var awaited mcpui.Views // nil without views: a nil *mcpapps.Views would not be
		if views != nil {
			awaited = views
		}
		mcpui.Register(s, ops, awaited)
		resources.Register(s)
	}
	if views != nil {
		views.Register(s)
	}
	if terminal != nil {
		terminal.Register(s)
	}
	return s, resources
}

func bundled() install.Source {
	return install.Source{Files: bundle.Files, Client: web.Dist(), Readme: uimcp.Readme}
}

// servePages serves the pages, of which the program's own links are.
func (p *program) servePages(a *app.App, l net.Listener) (func(context.Context) error, error) {
	url := httppopup.PageURL(l.Addr())
	p.popups.url.Store(&url)
	served := p.pagesOn(a, l)
	return func(ctx context.Context) error {
		p.views.Disconnect() // views end as WebSockets do
		p.popups.url.Store(nil)
		return served.Close(ctx)
	}, nil
}

// pagesOn serves the pages on a listener, behind their gate.
func (p *program) pagesOn(a *app.App, l net.Listener) *httpserve.Server {
	log := p.log
	sessions := sessionPages(httpui.LookupIn(a.Session), a.Dir(), a.Themes, log)
	with := func(beside map[string]http.Handler, picture httpui.TerminalPicture) http.Handler {
		return p.observers.Wrap(p.stay.count(p.popups.pages.Wrap(sessions, beside)), sessions, picture)
	}
	withoutTerminals := with(nil, nil)
	withTerminals := sync.OnceValue(func() http.Handler {
		s := p.shells.Load()
		return with(map[string]http.Handler{terminalsPath: s.pages}, s.picture)
	})
	pages := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if p.shells.Load() == nil {
			withoutTerminals.ServeHTTP(w, r)
		} else {
			withTerminals().ServeHTTP(w, r)
		}
	})
	who := p.access()
	return httpserve.Serve(l, gate.Pages(httpio.WithHealth(pages), gate.PageOptions{
		Links: true, Frames: isFrame, MaxBody: httpui.MaxBody, Known: p.observers.Known, Peer: who.peer, Tickets: who.tickets,
	}), httpserve.Options{Log: log, MaxBody: httpui.MaxBody})
}

// sessionPages returns the handler of the pages of sessions, with the files of a base directory.
func sessionPages(sessions httpui.Lookup, dir string, themes func() app.Themes, log *slog.Logger) http.Handler {
	return httpui.NewUI(httpui.UIOptions{
		Sessions: sessions,
		HTML:     filepath.Join(dir, "html"),
		Themes:   themes,
		Client:   web.Dist(),
		Fallback: fault.Must(fs.Sub(bundle.Files, "base/html")),
		Log:      log,
	})
}

// serveAgent serves the agent's HTTP endpoint, by which other servers find this one.
func (p *program) serveAgent(a *app.App, l net.Listener) func(context.Context) error {
	closeAgent := p.agentOn(a, p.mcp, l)
	p.claim.Announce(func(s *discovery.Server) {
		s.Address, s.Workspaces = l.Addr().String(), p.popups.broker.Workspaces()
	})
	return func(ctx context.Context) error {
		// First, or a program of another user could get the port, and with it the token.
		p.claim.Announce(func(s *discovery.Server) { s.Address = "" })
		return closeAgent(ctx)
	}
}

// agentOn serves MCP, and routes that need no MCP, on a listener, behind their gate.
func (p *program) agentOn(a *app.App, s *mcpserver.Server, l net.Listener) (stop func(context.Context) error) {
	who, log := p.access(), p.log
	overHTTP := mcpserver.NewHTTP(s, mcpserver.HTTPOptions{Plain: mcppopup.Plain(p.popups.methods), Log: log})
	routes := overHTTP.Routes()
	questions := p.popups.endpoint(routes["/mcp"], overHTTP.Has)
	routes["/mcp"] = questions
	routes["GET "+nearby.Path] = p.popups.program.NewHandler(p.popups.others, secret.Know(p.claim.Token()).Is)
	served := httpserve.Serve(l, gate.Pages(httpio.WithHealth(p.stay.count(httpui.NewMCP(httpui.MCPOptions{
		App:    a,
		Routes: routes,
		Client: web.Dist(),
		HTML: func() string {
			if dir := a.Dir(); dir != "" {
				return filepath.Join(dir, "html")
			}
			return ""
		},
		Log: log,
	}))), gate.PageOptions{MaxBody: httppopup.MaxBody, Peer: who.peer, Tickets: who.tickets}), httpserve.Options{Log: log})
	return func(ctx context.Context) error {
		// Nothing may happen in between: clients that reconnect at once must find the port closed.
		err := errors.Join(overHTTP.Close(ctx), served.Close(ctx))
		questions.Close()
		return err
	}
}
