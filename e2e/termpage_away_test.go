//go:build unix

package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

// A cableTo forwards connections to a server, and can be cut.
type cableTo struct {
	listener net.Listener

	mu    sync.Mutex // guards the fields below
	to    string
	cut   bool
	conns map[net.Conn]bool
	work  sync.WaitGroup
}

func newLine(t *testing.T, to string) *cableTo {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &cableTo{listener: l, to: to, conns: map[net.Conn]bool{}}
	w.work.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			w.work.Go(func() { w.forward(c) })
		}
	})
	t.Cleanup(func() {
		l.Close()
		w.set(true)
		w.work.Wait()
	})
	return w
}

// set cuts the line, or joins it again.
func (w *cableTo) set(cut bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cut = cut
	if cut {
		for c := range w.conns {
			c.Close()
		}
	}
}

// redirect makes later connections those to another server.
func (w *cableTo) redirect(to string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.to = to
}

func (w *cableTo) forward(c net.Conn) {
	defer c.Close()
	w.mu.Lock()
	to := w.to
	w.mu.Unlock()
	out, err := net.Dial("tcp", to)
	if err != nil {
		return
	}
	defer out.Close()
	w.mu.Lock()
	if w.cut {
		w.mu.Unlock()
		return
	}
	w.conns[c], w.conns[out] = true, true
	w.mu.Unlock()
	var back sync.WaitGroup
	back.Go(func() {
		_, _ = io.Copy(c, out) // until one end closes
		c.Close()
	})
	_, _ = io.Copy(out, c)
	out.Close()
	back.Wait()
	w.mu.Lock()
	delete(w.conns, c)
	delete(w.conns, out)
	w.mu.Unlock()
}

// TestTerminalPageRenamedWhileAway comes back to its sessions when they have exchanged their names
// meanwhile, and a question about one is never carried out on another that has got its name.
func TestTerminalPageRenamedWhileAway(t *testing.T) {
	load.Long(t, "TestTerminalReconnects in web comes back to the same session")
	t.Parallel()
	s := startShellServer(t, "TCP")
	line := newLine(t, strings.TrimPrefix(s.base, "http://"))
	p := &terminalPage{Tab: browser.New(t).Tab(), t: t, server: s}
	p.Size(1400, 900)
	for _, name := range []string{"one", "two"} {
		s.create(t, [2]string{name, "i=0; while [ $i -lt 100 ]; do echo " + name + " at first $i; i=$((i+1)); done; exec cat"})
	}
	p.Open("http://" + line.listener.Addr().String() + "/s/one?panes=h50(one,two)")
	named := func(pane int, name string) {
		t.Helper()
		p.Wait(fmt.Sprintf(`document.querySelectorAll(".pane")[%d]?.querySelector(".head .name").textContent === %q`, pane, name))
	}
	named(0, "one")
	p.Wait(`document.activeElement?.closest(".xterm")`)
	p.Press("before\r")
	s.sees(t, "one", "before\nbefore")
	p.Wait(`document.querySelector('[data-session="two"]')`) // it knows their names
	line.set(true)
	p.Wait(`document.querySelector(".status").dataset.up === "false"`)
	for _, names := range [][2]string{{"one", "third"}, {"two", "one"}, {"third", "two"}} {
		if res, text := s.do(t, "PATCH", "/sessions/"+names[0], `{"name":"`+names[1]+`"}`); res.StatusCode != 200 {
			t.Fatalf("rename %s: %s", names[0], text)
		}
	}
	line.set(false)
	p.Wait(`decodeURIComponent(location.href).endsWith("/s/two?panes=h50(two,one)")`)
	named(0, "two")
	named(1, "one")
	p.Wait(`![...document.querySelectorAll(".terminal-notice")].some((e) => e.checkVisibility()) && document.querySelector(".status").dataset.up === "true"`)
	p.Press("after\r")
	s.sees(t, "two", "after\nafter")
	p.Press(browser.PageUp, browser.Shift)
	p.says(".pane.selected .terminal-history", "one at first")

	p.act("kill…")
	p.WaitText("dialog.form h2", "Kill two?")
	s.do(t, "PATCH", "/sessions/two", `{"name":"old"}`)
	s.create(t, [2]string{"two", "exec sleep 1000"})
	p.Wait(`document.querySelector('[data-session="old"]') && document.querySelector('[data-session="two"]')`)
	p.Click("dialog.form .danger")
	p.Wait(`!document.querySelector('[data-session="old"]') && document.querySelector('[data-session="two"]')`)
	p.Wait(`!document.querySelector("dialog.form")`)
}

// TestTerminalPageEnded displays the last lines of a session that had ended before it was opened,
// and removes it.
func TestTerminalPageEnded(t *testing.T) {
	load.Long(t, "TestTerminalPageList removes a session")
	t.Parallel()
	p := openTerminalPage(t, "/")
	p.Size(900, 320) // less than the screen, of which the last rows are empty
	p.server.create(t, [2]string{"over", "echo the last words; exit 4"})
	p.listed("calling", "over")
	p.Click(`[data-session="over"] a`)
	p.says(".pane .terminal-history", "the last words")
	p.Wait(`document.querySelector(".terminal-history [data-line='0']").getBoundingClientRect().top >= document.querySelector(".terminal-history-lines").getBoundingClientRect().top`)
	p.says(".over .note", "has ended with status 4")
	p.Wait(`!document.querySelector(".terminal-notice")?.checkVisibility()`)
	p.Run(`document.querySelector(".terminal-history-lines").focus()`)
	p.Press(browser.ArrowUp, browser.Ctrl, browser.Shift)
	p.says(".toast", "The shell has not marked its commands.")
	p.Run(`[...document.querySelectorAll(".note button")].find((b) => b.textContent === "Remove").click()`)
	p.listed("calling")
	p.says(".over .note", "There is no session “over”.")
}

// TestTerminalPagePasteWhileServerRestarts loses the server in the middle of a long paste. What the
// program got is the beginning of it, and the page says how much of the rest may be lost.
func TestTerminalPagePasteWhileServerRestarts(t *testing.T) {
	load.Long(t, "web TestUnits has what was on the way")
	t.Parallel()
	for name, signal := range map[string]syscall.Signal{"killed": syscall.SIGKILL, "stopped": syscall.SIGTERM} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			free, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			address := free.Addr().String()
			free.Close()
			s := startShellServer(t, "TCP", "--bind", address)
			// The program is slower than the paste, so most of that is on the way.
			got := filepath.Join(t.TempDir(), "got")
			s.create(t, [2]string{"work", `stty raw -echo; printf '\033[?2004hready'; while dd bs=4096 count=1 2>/dev/null >>'` + got + `'; do sleep 0.02; done`})
			p := &terminalPage{Tab: browser.New(t).Tab(), t: t, server: s}
			p.Size(1400, 900)
			p.Open(s.base + "/s/work")
			p.says(`[data-session="work"] .preview`, "ready")
			p.Wait(`document.activeElement?.closest(".pane.selected .xterm")`)
			p.Wait(`performance.getEntriesByName("terminal-first-picture").length > 0`)
			const pieces = 100_000
			p.Run(fmt.Sprintf(`
				const data = new DataTransfer();
				data.setData("text/plain", Array.from({ length: %d }, (_, i) => String(i).padStart(9, "0") + ",").join(""));
				document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));`, pieces))
			size := func() int {
				info, err := os.Stat(got)
				if err != nil {
					return 0
				}
				return int(info.Size())
			}
			wait.Until(t, "the program has got a part", func() bool { return size() > 20_000 })
			s.stop(t, signal)
			p.Wait(`!document.querySelector(".gone").hidden`)
			p.says(".terminal-notice:not([hidden])", "Connecting again")
			p.Press("later") // without a connection
			p.says(".terminal-notice", "What you typed meanwhile will be sent.")
			s = startShellServer(t, "TCP", "--bind", address)
			p.Wait(`document.querySelector(".gone").hidden`)
			s.create(t, [2]string{"other", "exec sleep 1000"})
			p.listed("running", "other")

			p.says(".missing .note p", "There is no session “work”.")
			p.says(".missing .note p", "Some of what you typed without a connection was not sent.")
			p.says(".missing .note p", "Some of what you typed was still on the way")
			content, err := os.ReadFile(got)
			if err != nil {
				t.Fatal(err)
			}
			var want strings.Builder
			want.WriteString("\x1b[200~")
			for i := range pieces {
				fmt.Fprintf(&want, "%09d,", i)
			}
			want.WriteString("\x1b[201~")
			if !strings.HasPrefix(want.String(), string(content)) {
				t.Error("the program got something else than the beginning of the paste")
			}
			var sessions []struct{ Name string }
			if _, text := s.do(t, "GET", "/sessions", ""); json.Unmarshal([]byte(text), &sessions) != nil || len(sessions) != 1 {
				t.Errorf("sessions: %s", text)
			}
		})
	}
}
