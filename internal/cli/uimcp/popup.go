package uimcp

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"ui-mcp/internal/cli/version"
	"ui-mcp/internal/install"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/files"
	"ui-mcp/internal/popup/registry"
	"ui-mcp/internal/transport/httppopup"
	"ui-mcp/internal/transport/mcppopup"
	"ui-mcp/internal/transport/popuprpc"
	"ui-mcp/web"
)

// popups are the parts by which the person is asked, for the life of the process.
type popups struct {
	log      *slog.Logger
	methods  *popuprpc.Methods
	token    string
	broker   *popup.Broker
	pages    *httppopup.Pages
	peers    *httppopup.Peers
	registry *registry.Registry     // nil where there can be none
	url      atomic.Pointer[string] // of the page with the questions, while there is one
}

// newPopups puts the parts together. The caller must close them.
func newPopups(c appConfig) (*popups, error) {
	script, err := fs.ReadFile(web.Dist, "dist/popup.js")
	if err != nil {
		return nil, err
	}
	opts, err := brokerOptions(c)
	if err != nil {
		return nil, err
	}
	p := &popups{log: c.Log, token: rand.Text()}
	if p.registry, err = openRegistry(c.Log); err != nil {
		c.Log.Warn("this server cannot find others: questions about their projects are not for them", "error", err)
	} else {
		p.peers = httppopup.NewPeers(p.registry)
		opts.Peers = p.peers
	}
	if p.broker, err = popup.New(opts); err != nil {
		return nil, err
	}
	p.methods = popuprpc.New(p.broker, version.Number(c.Version))
	p.pages = httppopup.NewPages(httppopup.PagesOptions{Broker: p.broker, Script: script, Log: c.Log})
	p.broker.AddChannel(p.pages)
	p.broker.AddChannel(p.pages.Opener(openURL, p.pageURL))
	return p, nil
}

func openRegistry(log *slog.Logger) (*registry.Registry, error) {
	dir, err := registry.Dir()
	if err != nil {
		return nil, err
	}
	return registry.Open(dir, log)
}

// brokerOptions say which project the questions are about, and where they are kept: with the app. A program that is
// configured later takes the directory in which it was started for its project, and keeps nothing.
func brokerOptions(c appConfig) (popup.Options, error) {
	if c.Unconfigured {
		here, err := os.Getwd()
		return popup.Options{Workspaces: []string{here}, Log: c.Log}, err
	}
	project, err := install.Project(c.Dir)
	if err != nil {
		return popup.Options{}, err
	}
	opts := popup.Options{Workspaces: []string{project}, Log: c.Log}
	store, err := files.Open(filepath.Join(c.Dir, "popups"))
	if err != nil {
		c.Log.Warn("questions are not kept: they end with this process", "error", err)
		return opts, nil
	}
	opts.Store = store
	return opts, nil
}

// stop ends all waiting. Questions without an outcome are kept for the next process.
func (p *popups) stop() { p.broker.Close() }

// close ends the rest, when no door is open any more.
func (p *popups) close() {
	p.pages.Close()
	if p.peers != nil {
		p.peers.Close()
	}
}

// pageURL is where the person can see the questions; "" while there are no pages.
func (p *popups) pageURL() string {
	if url := p.url.Load(); url != nil {
		return *url
	}
	return ""
}

// ask asks what a script of the app wants to know, in the app's own project unless it names another.
func (p *popups) ask(ctx context.Context, question json.RawMessage) (json.RawMessage, error) {
	var members map[string]any
	if err := json.Unmarshal(question, &members); err != nil {
		return nil, errors.New("the question must be a table with title, message and options")
	}
	if members["workspacePath"] == nil {
		members["workspacePath"] = p.broker.Workspaces()[0]
	}
	params, err := json.Marshal(members)
	if err != nil {
		return nil, err
	}
	answer, err := p.methods.Call(ctx, popuprpc.TriggerPopup, params, popuprpc.Options{})
	if err != nil {
		return nil, err
	}
	return json.Marshal(answer)
}

// tools are what the MCP server is told.
func (p *popups) tools() mcppopup.Options {
	return mcppopup.Options{Broker: p.broker, URL: p.pageURL}
}

// showAt says that pages are served at l, until leave is called.
func (p *popups) showAt(l net.Listener) (leave func()) {
	url := "http://" + l.Addr().String() + "/popup"
	p.url.Store(&url)
	return func() { p.url.Store(nil) }
}

// takeAt returns the door at which programs ask, for l, and tells other servers of it. next serves what else there is at the
// same address, and isMCP says which sessions are its. leave ends the door, when nobody comes in any more.
func (p *popups) takeAt(l net.Listener, next http.Handler, isMCP func(session string) bool) (door http.Handler, leave func()) {
	d := httppopup.NewHandler(httppopup.HandlerOptions{
		Methods: p.methods, Next: next, IsMCP: isMCP, Token: p.token,
	})
	remove, err := p.register(l)
	if err != nil {
		// This server works all the same; only others do not find it.
		p.log.Warn("other servers cannot be told of this one", "error", err)
		remove = func() {}
	}
	return d, func() {
		remove()
		d.Close()
	}
}

func (p *popups) register(l net.Listener) (remove func(), err error) {
	if p.registry == nil {
		return func() {}, nil
	}
	tcp, ok := l.Addr().(*net.TCPAddr)
	if !ok {
		return nil, errors.New("the listener has no port")
	}
	return p.registry.Add(registry.Entry{
		PID: os.Getpid(), Port: tcp.Port, Token: p.token, Workspaces: p.broker.Workspaces(), Started: time.Now(),
	})
}
