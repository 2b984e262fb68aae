package web_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"testing"

	"ui-mcp/internal/term"
	"ui-mcp/internal/term/pty"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/opcases"
	"ui-mcp/internal/transport/httpterm"
	"ui-mcp/internal/transport/wsterm"
	"ui-mcp/web"
)

// A terminalServer serves real terminals, and pages with nothing but a terminal, under a policy
// that forbids inline scripts and styles.
type terminalServer struct {
	t     testing.TB
	url   string
	local *terminals.Local

	mu     sync.Mutex
	refuse bool // connections are refused
	by     terminals.Grant
}

func serveTerminals(t testing.TB) *terminalServer {
	t.Helper()
	home := t.TempDir()
	r := term.NewRegistry(term.Config{
		Start: func(o pty.Options) (term.Process, error) { return pty.Start(o) },
		Home:  home, Environ: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "LANG=C.UTF-8", "PS1=$ "}, Log: slog.New(slog.DiscardHandler),
	})
	s := &terminalServer{t: t, local: terminals.NewLocal(r, terminals.Host{}), by: terminals.Everything}
	api := wsterm.New(s.local, httpterm.New(s.local))
	dist, err := fs.Sub(web.Terminals, "dist")
	if err != nil {
		t.Fatal(err)
	}
	files := http.FileServerFS(dist)
	mux := http.NewServeMux()
	mux.Handle("GET /terminal.js", files)
	mux.Handle("GET /xterm/", files)
	mux.HandleFunc("GET /page/{name}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>test</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/page.css"></head>`+
			`<body><button id="before">before</button><main data-terminal="%s" data-base="/" data-xterm="/xterm/"%s></main><button id="after">after</button><script src="/terminal.js"></script></body></html>`, r.PathValue("name"), r.URL.RawQuery)
	})
	mux.HandleFunc("GET /page.css", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/css")
		fmt.Fprint(w, `html, body { height: 100%; margin: 0 } body { display: flex; flex-direction: column } main { flex: 1; min-height: 0 } @font-face { font-family: none }`)
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		refuse, by := s.refuse, s.by
		s.mu.Unlock()
		if refuse {
			http.Error(w, "refused", http.StatusServiceUnavailable)
			return
		}
		api.ServeHTTP(w, r.WithContext(terminals.NewContext(r.Context(), by)))
	})
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", "default-src 'self'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'")
		mux.ServeHTTP(w, r)
	}))
	s.url = srv.URL
	t.Cleanup(func() {
		srv.Close()
		r.Close()
	})
	return s
}

// do carries out an operation.
func (s *terminalServer) do(op, in string) string {
	s.t.Helper()
	out, err := opcases.Do(s.t.Context(), s.local, terminals.Everything, op, in)
	if err != nil {
		s.t.Fatalf("%s %s: %v", op, in, err)
	}
	return out
}

// open opens a page with a session's terminal, and waits until it displays that.
func (s *terminalServer) open(t *testing.T, name string) *browser.Tab {
	t.Helper()
	tab := browser.New(t).Tab()
	tab.Open(s.url + "/page/" + name)
	tab.Wait(`window.terminalViews?.[0]?.state.is === "attached"`)
	return tab
}

// rowsOf is an expression for the rows that the terminal displays.
const rowsOf = `terminalViews[0].rows()`

func waitRow(tab *browser.Tab, text string) {
	tab.Wait(fmt.Sprintf(`%s.some((row) => row.includes(%q))`, rowsOf, text))
}

// A person types in a page, and sees what the program answers.
func TestTerminalTypes(t *testing.T) {
	t.Parallel()
	s := serveTerminals(t)
	s.do("session.create", `{"name":"a","command":"exec sh","rows":10,"cols":40}`)
	tab := s.open(t, "a")
	waitRow(tab, "$")
	tab.ClickOn(`document.querySelector(".terminal-screen")`)
	tab.Press("echo $((6*7))" + browser.Enter)
	waitRow(tab, "42")
	if errs := tab.ConsoleErrors(); len(errs) > 0 {
		t.Errorf("the console has %q", errs)
	}
}

// The page loads no more than it should.
func TestTerminalScriptSize(t *testing.T) {
	t.Parallel()
	total := 0
	for _, name := range []string{"dist/terminal.js", "dist/xterm/xterm.js", "dist/xterm/webgl.js"} {
		b, err := web.Terminals.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var packed bytes.Buffer
		w, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
		_, _ = w.Write(b)
		_ = w.Close()
		total += packed.Len()
	}
	if total > 200<<10 {
		t.Errorf("the scripts of a terminal have %d bytes compressed", total)
	}
}

// The person looks back over lines that the screen has scrolled away, and returns.
func TestTerminalHistory(t *testing.T) {
	t.Parallel()
	s := serveTerminals(t)
	s.do("session.create", `{"name":"a","command":"i=0; while [ $i -lt 1000 ]; do echo \"line $i\"; i=$((i+1)); done; printf '\\033[31mred\\033[m\\n'; exec cat","rows":10,"cols":40}`)
	tab := s.open(t, "a")
	waitRow(tab, "red")
	screen := tab.Middle(`document.querySelector(".terminal-screen")`)
	tab.Wheel(screen, -100)
	history := `document.querySelector(".terminal-history-rows")`
	tab.Wait(history + `?.textContent.includes("line 990")`)
	tab.Run(`document.querySelector(".terminal-history-lines").scrollTop = 0`)
	tab.Wait(history + `.textContent.includes("line 3")`)
	if got := browser.Eval[string](tab, history+`.querySelector("[data-line='3']").textContent`); got != "line 3" {
		t.Errorf("the line of number 3 is %q", got)
	}
	// New output arrives meanwhile, and moves nothing.
	s.do("input.send", `{"session":"a","data":"bmV3DQ=="}`)
	tab.Wait(`document.querySelector(".terminal-history-lines").scrollTop === 0`)
	tab.ClickOn(history)
	tab.Press(browser.End)
	tab.Wait(`document.querySelector(".terminal-history") === null`)
	waitRow(tab, "new")
	tab.Press("after")
	waitRow(tab, "after")
}
