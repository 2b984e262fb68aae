//go:build unix

package e2e

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"ui-mcp/internal/testkit/opcases"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/transport/httpterm"
	"ui-mcp/internal/transport/remote"
	"ui-mcp/internal/transport/wsterm"
)

// A lan reaches hosts in this process. It implements [fleet.Dialer].
type lan struct {
	mu    sync.Mutex
	hosts map[string]*terminals.Local // by address
	wires []net.Conn
}

// Clean implements [fleet.Dialer].
func (n *lan) Clean(address string) (string, error) { return address, nil }

// Dial implements [fleet.Dialer].
func (n *lan) Dial(ctx context.Context, address, _ string, _ bool) (fleet.Remote, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	host, name := n.hosts[address], strings.TrimPrefix(address, "ssh://")
	if host == nil {
		return nil, fault.New(fault.Unreachable, "no route to %s", address)
	}
	near, far := net.Pipe()
	n.wires = append(n.wires, near)
	go func() { // until the wire is cut
		server := remote.NewServer(remote.Hello{ID: name, Name: name}, host, slog.New(slog.DiscardHandler))
		_ = server.Serve(context.Background(), far, func() (terminals.Grant, bool) { return terminals.Everything, true })
	}()
	return remote.Open(ctx, near, remote.Hello{ID: "here", Name: "here"})
}

// cut takes all hosts off the network; they are those that are there from now on.
func (n *lan) cut(hosts map[string]*terminals.Local) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.hosts = hosts
	for _, w := range n.wires {
		_ = w.Close()
	}
	n.wires = nil
}

// newSessions returns a registry of real programs.
func newSessions(t *testing.T) *registry.Registry {
	t.Helper()
	r := opcases.Sessions(t, registry.Config{
		Home: t.TempDir(), Environ: []string{"PATH=" + os.Getenv("PATH"), "SHELL=/bin/sh"}, Log: slog.New(slog.DiscardHandler),
	})
	return r
}

func startOn(t *testing.T, on terminals.Doer, name, command string) {
	t.Helper()
	rows, cols := 12, 60
	if _, err := terminals.CreateSession.Do(t.Context(), on, terminals.Everything, terminals.NewSession{Name: name, Command: command, Rows: &rows, Cols: &cols}); err != nil {
		t.Fatal(err)
	}
}

// TestTerminalPageHosts has sessions of another server in the list, by server. They open like those
// of the page's own server; while the other one is away, the list keeps what it knows.
func TestTerminalPageHosts(t *testing.T) {
	load.Long(t, "web TestUnits has the list, and fleet what is in it")
	t.Parallel()
	build1 := terminals.NewLocal(newSessions(t), terminals.Host{Name: "build1", ID: "2"})
	up := map[string]*terminals.Local{"ssh://build1": build1}
	network := &lan{hosts: up}
	f := fleet.New(fleet.Options{Name: "laptop", ID: "1", Dialer: network, Log: slog.New(slog.DiscardHandler)})
	t.Cleanup(f.Close)
	laptop := terminals.NewLocal(newSessions(t), terminals.Host{Name: "laptop", ID: "1", Servers: f})
	all := f.Over(laptop)
	h := httpterm.New(all, wsterm.Routes(all, wsterm.Options{}))
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.ServeHTTP(w, r.WithContext(terminals.NewContext(r.Context(), terminals.Everything)))
	}))
	t.Cleanup(srv.Close)
	startOn(t, laptop, "notes", "printf '\\033]0;vim\\007notes'; exec sleep 1000")
	startOn(t, build1, "work", "printf '\\033]0;make test\\007ready\\n'; exec sleep 1000")
	startOn(t, build1, "sudo", "stty -echo; printf '[sudo] password for ann: '; read x")
	startOn(t, build1, "done", "echo finished")

	p := &terminalPage{t: t, Tab: browser.New(t).Tab()}
	p.Size(1400, 900)
	p.Open(srv.URL + "/")
	p.listed("running", "notes")
	p.Wait(`document.querySelector(".running .of").textContent === "Sessions" && document.querySelector(".elsewhere").hidden`)

	if _, err := f.Add(t.Context(), terminals.NewServer{Address: "ssh://build1"}); err != nil {
		t.Fatal(err)
	}
	p.listed("other", "work", "done")
	p.listed("calling", "build1/sudo")
	p.listed("running", "notes")
	p.Wait(`document.querySelector(".running .of").textContent === "laptop"`)
	p.Wait(`document.querySelector('[data-host="build1"]').dataset.health === "healthy" && / ms$/.test(document.querySelector('[data-host="build1"] .far').textContent)`)
	p.WaitText(`[data-session="build1/work"] .preview`, "ready")
	p.Click(`[data-session="build1/work"] a`)
	p.Wait(`document.querySelector(".pane .name")?.textContent === "build1/work" && location.pathname === "/s/build1%2Fwork"`)
	p.Wait(`document.querySelector(".xterm-screen")?.getBoundingClientRect().height > 0`)
	p.Press("typed here")
	p.WaitText(`[data-session="build1/work"] .preview`, "ready\ntyped here")
	p.pictureHosts("hosts")

	// A link to a session there, with panes of both servers.
	p.Open(srv.URL + "/s/build1/work?panes=h50(notes,build1/work)")
	p.Wait(`[...document.querySelectorAll(".pane .name")].map((e) => e.textContent).join() === "notes,build1/work"`)

	// A session that is made there.
	p.listed("other", "work", "done")
	p.Run(`document.querySelector('[aria-label="New terminal"]').click()`)
	p.Wait(`document.querySelector("dialog.form[open] select")`)
	p.Run(`const on = document.querySelector("dialog.form select"); on.value = "build1"; on.dispatchEvent(new Event("change"))`)
	p.Run(`document.querySelector('dialog.form input[placeholder="your shell"]').value = "exec sleep 1000"`)
	p.pictureHosts("hosts-create")
	p.ClickOn(`[...document.querySelectorAll("dialog.form button")].find((b) => b.textContent === "Create")`)
	p.listed("other", "0", "work", "done")

	network.cut(nil)
	p.Wait(`document.querySelector('[data-host="build1"]').dataset.health !== "healthy"`)
	p.listed("other", "0", "sudo", "work", "done")
	p.listed("calling")
	p.Wait(`document.querySelectorAll('[data-host="build1"] .item.away').length === 4 && !document.querySelector(".running .away")`)
	p.Wait(`document.querySelector('[data-session="build1/work"] .detail').textContent.includes("last known a moment ago")`)
	p.Wait(`[...document.querySelectorAll(".pane .head")].map((e) => e.querySelector(".state").textContent).join() === "running,running, last known a moment ago"`)
	p.Wait(`document.querySelectorAll(".head.away").length === 1`)
	const detached = `[...document.querySelectorAll(".pane button")].some((b) => b.textContent === "Attach again" && b.checkVisibility())`
	p.Wait(detached)
	p.pictureHosts("hosts-away")

	network.cut(up)
	p.Wait(`document.querySelector('[data-host="build1"]').dataset.health === "healthy" && !document.querySelector(".away")`)
	p.listed("calling", "build1/sudo")
	p.Wait("!(" + detached + ")") // again, by itself
	if err := f.Remove(t.Context(), "build1"); err != nil {
		t.Fatal(err)
	}
	p.Wait(`!document.querySelector(".group.other") && document.querySelector(".running .of").textContent === "Sessions"`)
	p.listed("running", "notes")
	p.WaitText(".pane.missing .note p", "There is no server “build1” here. It was removed or renamed, or your rights do not cover it; its sessions go on.")
	p.pictureHosts("hosts-removed")
	if _, err := f.Add(t.Context(), terminals.NewServer{Address: "ssh://build1"}); err != nil {
		t.Fatal(err)
	}
	p.listed("other", "0", "work", "done")
	p.Wait("!document.querySelector('.pane.missing') && !(" + detached + ")")
}

// pictureHosts takes pictures of the page, if they are wanted.
func (p *terminalPage) pictureHosts(name string) {
	p.t.Helper()
	if *pictures == "" {
		return
	}
	for _, dark := range []bool{false, true} {
		p.Dark(dark)
		for size, wh := range map[string][2]int{"wide": {1400, 900}, "phone": {390, 844}} {
			p.Size(wh[0], wh[1])
			p.Wait(`new Promise((done) => setTimeout(() => done(true), 300))`)
			if size == "phone" {
				p.Wait(`document.querySelector(".pane.selected .head .state").checkVisibility() === (document.querySelector(".pane.selected .head.away") !== null)`)
				p.Screenshot(filepath.Join(*pictures, fmt.Sprintf("%s-pane-%s.webp", name, map[bool]string{true: "dark", false: "light"}[dark])))
				p.Run(`document.querySelector(".shell").classList.add("drawer")`)
				p.Wait(`!document.getAnimations().some((a) => a instanceof CSSTransition && a.playState === "running")`)
			}
			p.Screenshot(filepath.Join(*pictures, fmt.Sprintf("%s-%s-%s.webp", name, size, map[bool]string{true: "dark", false: "light"}[dark])))
			p.Run(`document.querySelector(".shell").classList.remove("drawer")`)
		}
	}
	p.Size(1400, 900)
	p.Dark(false)
}
