package web_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/term/vt"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/opcases"
	"ui-mcp/internal/testkit/wait"
	"ui-mcp/internal/transport/httpterm"
	"ui-mcp/internal/transport/wsterm"
	"ui-mcp/web"
)

// A terminalServer serves real terminals, and pages with nothing but a terminal, under a policy
// that forbids inline scripts and styles.
type terminalServer struct {
	t     testing.TB
	url   string
	home  string // of the programs
	local *terminals.Local
	conns *conns

	graphics bool // pages draw with WebGL, whose cells are a little smaller

	mu     sync.Mutex
	refuse bool                                                   // connections are refused
	xterm  func(w http.ResponseWriter, file string) (served bool) // called before a file of xterm.js is served; may be nil
	by     terminals.Grant
}

func serveTerminals(t testing.TB) *terminalServer {
	t.Helper()
	home := t.TempDir()
	r := registry.New(registry.Config{
		Home: home, Environ: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "LANG=C.UTF-8", "PS1=$ "}, Log: slog.New(slog.DiscardHandler),
	})
	s := &terminalServer{t: t, home: home, local: terminals.NewLocal(r, terminals.Host{}), by: terminals.Everything}
	api := httpterm.New(s.local, wsterm.Routes(s.local, wsterm.Options{}))
	dist := web.Terminals()
	files := http.FileServerFS(dist)
	mux := http.NewServeMux()
	mux.Handle("GET /terminal.js", files)
	mux.HandleFunc("GET /xterm/", func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		xterm := s.xterm
		s.mu.Unlock()
		if xterm == nil || !xterm(w, path.Base(r.URL.Path)) {
			files.ServeHTTP(w, r)
		}
	})
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
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", "default-src 'self'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'")
		mux.ServeHTTP(w, r)
	}))
	s.conns = &conns{Listener: srv.Listener}
	srv.Listener = s.conns
	srv.Start()
	s.url = srv.URL
	t.Cleanup(func() {
		s.cut() // those of WebSockets, which the server does not know
		srv.Close()
		r.Close()
	})
	return s
}

// setRefuse refuses further requests, or serves them again.
func (s *terminalServer) setRefuse(refuse bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refuse = refuse
}

// cut ends all connections without a word.
func (s *terminalServer) cut() { s.conns.cut() }

// conns are the connections of a server.
type conns struct {
	net.Listener

	mu  sync.Mutex // guards the field below
	all []net.Conn
}

// Accept implements [net.Listener].
func (l *conns) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err == nil {
		l.mu.Lock()
		l.all = append(l.all, c)
		l.mu.Unlock()
	}
	return c, err
}

func (l *conns) cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range l.all {
		_ = c.Close()
	}
	l.all = nil
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

// create creates a session.
func (s *terminalServer) create(name, command string, rows, cols int) {
	s.t.Helper()
	in, err := json.Marshal(map[string]any{"name": name, "command": command, "rows": rows, "cols": cols})
	if err != nil {
		s.t.Fatal(err)
	}
	s.do("session.create", string(in))
}

// open opens a page with a session's terminal, and waits until it displays that.
func (s *terminalServer) open(t *testing.T, name string) *browser.Tab {
	t.Helper()
	tab := browser.New(t).Tab()
	if s.graphics {
		tab.Graphics()
	}
	tab.Open(s.url + "/page/" + name)
	tab.Wait(`window.terminalViews?.[0]?.state.is === "attached"`)
	if s.graphics {
		tab.Wait(`document.querySelector(".xterm-screen > canvas:not(.xterm-link-layer)")`)
	}
	return tab
}

// show creates a session "a", and opens a page that displays its terminal, with a text.
func (s *terminalServer) show(t *testing.T, command string, rows, cols int, text string) *browser.Tab {
	t.Helper()
	s.create("a", command, rows, cols)
	tab := s.open(t, "a")
	waitRow(tab, text)
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
	tab := s.show(t, `exec sh`, 10, 40, "$")
	tab.ClickOn(`document.querySelector(".terminal-screen")`)
	tab.Press("echo $((6*7))" + browser.Enter)
	waitRow(tab, "42")
	if errs := tab.ConsoleErrors(); len(errs) > 0 {
		t.Errorf("the console has %q", errs)
	}
}

// Keys that the person types before xterm.js is loaded arrive, in their order.
func TestTerminalTypesEarly(t *testing.T) {
	load.Long(t, "TestTerminalTypes types once the terminal is there")
	t.Parallel()
	s := serveTerminals(t)
	load := make(chan struct{})
	s.xterm = func(http.ResponseWriter, string) bool { <-load; return false }
	release := sync.OnceFunc(func() { close(load) })
	defer release()
	s.create("a", `stty raw -echo; printf 'ready '; exec cat -v`, 10, 60)
	s.do("wait.text", `{"session":"a","text":"ready"}`) // before, Ctrl+C would be a signal
	tab := s.open(t, "a")
	tab.ClickOn(`document.querySelector(".terminal-screen")`)
	tab.Press("ab" + browser.ArrowUp + browser.Backspace + browser.Enter)
	tab.Press("c", browser.Ctrl)
	tab.Run(`terminalViews[0].type("d")`)
	tab.Press("e")
	release()
	waitRow(tab, "ready ab^[[A^?^M^Cde")
	tab.Press("f")
	waitRow(tab, "ready ab^[[A^?^M^Cdef")
}

// Programs that use black on a dark colour can be read.
func TestTerminalContrast(t *testing.T) {
	load.Long(t, "TestTerminalTypes reads what is displayed")
	t.Parallel()
	for palette, least := range map[string]float64{"dark": 4.5, "light": 4.5, "contrast": 7} {
		t.Run(palette, func(t *testing.T) {
			t.Parallel()
			s := serveTerminals(t)
			s.create("a", `stty -echo; seq 10; for i in 0 1 2 3 4 5 6 7; do printf '\033[4%dm\033[30mblack\033[37mwhite\033[m\n' $i; done; printf over; exec cat`, 12, 40)
			tab := s.open(t, "a?data-palette="+palette)
			waitRow(tab, "over")
			pairs := func(spans string) []string {
				tab.Wait(spans + `.length >= 14`)
				return browser.Eval[[]string](tab, `(() => {
					const luminance = (c) => c.match(/[\d.]+/g).slice(0, 3).map((v) => v / 255).map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
					return `+spans+`.map((e) => {
						const { color, backgroundColor } = getComputedStyle(e);
						const [a, b] = [luminance(color), luminance(backgroundColor)];
						return ((Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)).toFixed(2) + " " + e.textContent + " " + color + " on " + backgroundColor;
					});
				})()`)
			}
			const text = `.filter((e) => /black|white/.test(e.textContent))`
			drawn := pairs(`[...document.querySelectorAll(".xterm-rows span")]` + text)
			tab.Run(`terminalViews[0].lookBack(0)`)
			read := pairs(`[...document.querySelectorAll(".terminal-history-rows span")]` + text)
			for _, pair := range append(drawn, read...) {
				number, _, _ := strings.Cut(pair, " ")
				if contrast, err := strconv.ParseFloat(number, 64); err != nil || contrast < least-0.1 {
					t.Errorf("contrast %s", pair)
				}
			}
			// Looking back changes no colour. Cells of xterm.js are drawn together if they look the
			// same.
			for _, pair := range drawn {
				if _, colours, _ := strings.Cut(pair, " rgb"); !slices.ContainsFunc(read, func(other string) bool { return strings.HasSuffix(other, colours) }) {
					t.Errorf("the history has nothing like %s: %q", pair, read)
				}
			}
			tab.Run(`getSelection().selectAllChildren(document.querySelector(".terminal-history-rows"))`)
			selected := browser.Eval[[]string](tab, `(({ color, backgroundColor }) => [color, backgroundColor])(getComputedStyle(document.querySelector("[data-line='0']"), "::selection"))`)
			if want := map[string]string{"dark": "[rgb(216, 222, 230) rgb(51, 80, 111)]", "light": "[rgb(31, 38, 48) rgb(185, 214, 245)]", "contrast": "[rgb(0, 0, 0) rgb(255, 255, 0)]"}[palette]; fmt.Sprint(selected) != want {
				t.Errorf("selected text is %s, want %s", selected, want)
			}
		})
	}
}

// The page of terminals, and a terminal in another page, load no more than they should.
func TestTerminalScriptSize(t *testing.T) {
	t.Parallel()
	for _, own := range []string{"terminal.js", "terminals/page.js"} {
		total := 0
		for _, name := range []string{own, "xterm/xterm.js", "xterm/webgl.js"} {
			b, err := fs.ReadFile(web.Terminals(), name)
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
			t.Errorf("%s and xterm.js have %d bytes compressed", own, total)
		}
	}
}

// The person looks back over lines that the screen has scrolled away, and returns.
func TestTerminalHistory(t *testing.T) {
	t.Parallel()
	s := serveTerminals(t)
	tab := s.show(t, `i=0; while [ $i -lt 1000 ]; do echo "line $i"; i=$((i+1)); done; printf '\033[31mred\033[m\n'; exec cat`, 10, 40, "red")
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
	tab.Run(`document.querySelector(".terminal-history-lines").focus()`)
	tab.Press(browser.End)
	tab.Wait(`document.querySelector(".terminal-history") === null`)
	tab.Wait(rowsOf + `.filter((row) => row === "new").length === 2`) // its echo, and what cat prints
	tab.Press("after")
	waitRow(tab, "after")
}

// The end of the history is where the screen is, also if that is lower than its place.
func TestTerminalHistoryPosition(t *testing.T) {
	load.Long(t, "TestTerminalHistory looks back")
	t.Parallel()
	s := serveTerminals(t)
	tab := s.show(t, `i=0; while [ $i -lt 300 ]; do echo "line $i"; i=$((i+1)); done; exec cat`, 10, 40, "line 299")
	tab.Wait(`document.querySelector(".xterm-screen").getBoundingClientRect().height < document.querySelector(".terminal-view").clientHeight / 2`)
	tab.Run(`terminalViews[0].lookBack(0)`)
	tab.Wait(`document.querySelector("[data-line='299']")?.textContent === "line 299"`)
	// Rows of both may differ by a pixel each.
	if off := browser.Eval[float64](tab, `document.querySelector("[data-line='291']").getBoundingClientRect().top - document.querySelector(".xterm-screen").getBoundingClientRect().top`); off < -3 || off > 3 {
		t.Errorf("the first line of the screen moves by %v pixels", off)
	}
	tab.Run(`terminalViews[0].returnToScreen()`)
	tab.Wheel(tab.Middle(`document.querySelector(".terminal-screen")`), -2000)
	tab.Wait(`document.querySelector("[data-line='200']")?.checkVisibility()`)
}

// The page comes back to the exact screen after its connection has broken, and what was typed
// meanwhile arrives once.
func TestTerminalReconnects(t *testing.T) {
	t.Parallel()
	s := serveTerminals(t)
	tab := s.show(t, `stty -echo; echo ready; exec cat -n`, 10, 40, "ready")
	tab.ClickOn(`document.querySelector(".terminal-screen")`)
	tab.Press("one" + browser.Enter)
	waitRow(tab, "1  one")
	s.setRefuse(true)
	s.cut()
	tab.Wait(`terminalViews[0].state.is === "waiting"`)
	tab.Press("two" + browser.Enter)
	tab.WaitText(".terminal-notice span", "The connection was lost. Connecting again… What you typed meanwhile will be sent.")
	s.do("input.send", `{"session":"a","data":"bWVhbndoaWxlDQ=="}`)
	s.do("session.update", `{"session":"a","name":"b"}`)
	s.setRefuse(false)
	tab.Wait(`terminalViews[0].state.is === "attached"`)
	waitRow(tab, "3  two")
	if got := browser.Eval[string](tab, rowsOf+`.filter((row) => row !== "").map((row) => row.trim().replace(/\s+/, " ")).join("|")`); got != "ready|1 one|2 meanwhile|3 two" {
		t.Errorf("the screen has %q", got)
	}
	if !browser.Eval[bool](tab, `document.querySelector(".terminal-notice").hidden`) {
		t.Error("the notice stays")
	}
}

// A page that looks changes nothing. It gives the session its size when the person types.
func TestTerminalSizes(t *testing.T) {
	load.Long(t, "TestTerminalTypes types at one size")
	t.Parallel()
	s := serveTerminals(t)
	s.create("a", `while read -r x; do stty size; done`, 70, 200)
	tab := s.open(t, "a")
	tab.Wait(`document.querySelector(".xterm-screen")?.getBoundingClientRect().width > 0`)
	fits := `(() => { const a = document.querySelector(".xterm-screen").getBoundingClientRect(), b = document.querySelector("main").getBoundingClientRect(); return a.width <= b.width && a.height <= b.height && a.width > b.width / 2 })()`
	tab.Wait(fits)
	size := func(want string) {
		t.Helper()
		if d := opcases.Diff(want, s.do("session.get", `{"session":"a"}`)); d != "" {
			t.Errorf("the session: %s", d)
		}
	}
	size(`{"rows":70,"cols":200}`)
	tab.Size(700, 500)
	tab.Wait(fits)
	size(`{"rows":70,"cols":200}`)
	s.do("session.resize", `{"session":"a","rows":20,"cols":100}`)
	tab.Wait(rowsOf + `.length === 20`)
	tab.Wait(fits)
	second := s.open(t, "a")
	tab.ClickOn(`document.querySelector(".terminal-screen")`)
	tab.Press(browser.Enter)
	tab.Wait(rowsOf + `.length > 20`)
	rows := browser.Eval[int](tab, rowsOf+`.length`)
	second.Wait(fmt.Sprintf(`%s.length === %d`, rowsOf, rows))
	waitRow(second, fmt.Sprintf("%d ", rows))
	tab.Size(700, 700) // as the leader
	second.Wait(fmt.Sprintf(`%s.length > %d`, rowsOf, rows))
	rows = browser.Eval[int](second, rowsOf+`.length`)
	second.ClickOn(`document.querySelector(".terminal-screen")`)
	second.Press(browser.Enter)
	second.Wait(fmt.Sprintf(`%s.length !== %d`, rowsOf, rows))
	tab.Wait(fmt.Sprintf(`%s.length === %d`, rowsOf, browser.Eval[int](second, rowsOf+`.length`)))
	tab.Wait(fits)
}

// Overlays, panels and capture work as at a terminal.
func TestTerminalElements(t *testing.T) {
	t.Parallel()
	s := serveTerminals(t)
	tab := s.show(t, `stty -echo; echo ready; exec cat`, 10, 40, "ready")
	s.do("panel.create", `{"session":"a","position":"bottom","spans":[{"text":"the panel"}]}`)
	s.do("overlay.create", `{"session":"a","x":10,"y":2,"spans":[{"text":"the overlay"}]}`)
	tab.Wait(rowsOf + `[9] === "the panel"`)
	tab.Wait(rowsOf + `[2] === "          the overlay"`)
	s.do("input.capture", `{"session":"a"}`)
	tab.ClickOn(`document.querySelector(".terminal-screen")`)
	tab.Press("captured")
	tab.Press("\\", browser.Ctrl) // takes the keyboard back
	tab.Press("mine" + browser.Enter)
	waitRow(tab, "mine")
	if browser.Eval[bool](tab, rowsOf+`.some((row) => row.includes("captured"))`) {
		t.Error("the program got what was captured")
	}
}

// What programs ask of the mouse reaches them, and text can be selected and copied.
func TestTerminalMouse(t *testing.T) {
	t.Parallel()
	s := serveTerminals(t)
	s.graphics = true
	tab := s.show(t, `stty raw -echo; printf 'select me\r\n\033[?1000h\033[?1006h'; exec cat -v`, 10, 40, "select me")
	tab.Wait(`document.querySelector(".xterm").classList.contains("enable-mouse-events")`)
	at := browser.Eval[browser.Point](tab, `(({left, top, width, height}) => ({X: left + width * 4.5 / 40, Y: top + height * 2.5 / 10}))(document.querySelector(".xterm-screen").getBoundingClientRect())`)
	tab.ClickXY(at.X, at.Y)
	waitRow(tab, "^[[<0;5;3M^[[<0;5;3m")
	tab.Wheel(at, 100)
	waitRow(tab, "^[[<65;5;3M")
	if browser.Eval[bool](tab, `document.querySelector(".terminal-history") !== null`) {
		t.Error("the wheel looks back although the program wants it")
	}
}

// Cells are where the server has them, whatever the width of characters.
func TestTerminalWidths(t *testing.T) {
	load.Long(t, "TestTerminalTypes has characters of one width")
	t.Parallel()
	s := serveTerminals(t)
	s.graphics = true
	texts := []string{"日本語", "e\u0301", "👩‍👩‍👧", "🇩🇪", "❤️", "☺", "👍🏽", "한", "﷽", "ﾊﾟ", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "क्षि", "a\u200db"}
	command := "stty -echo; "
	for _, text := range texts {
		command += "printf '%s|end\\n' '" + text + "'; "
	}
	tab := s.show(t, command+"echo over; exec cat", 20, 40, "over")
	for i, text := range texts {
		// The column of the bar, as xterm.js has it and as the server has it.
		tab.Wait(fmt.Sprintf(`%s[%d].endsWith("|end")`, rowsOf, i))
		got := browser.Eval[int](tab, fmt.Sprintf(`terminalViews[0].columnOf(%d, "|")`, i))
		term, err := vt.New(vt.Options{Cols: 40, Rows: 1})
		if err != nil {
			t.Fatal(err)
		}
		_, _ = term.Write([]byte(text))
		if want := term.Snapshot().Cursor.Col; got != want {
			t.Errorf("%q is %d columns wide in the page, and %d on the server", text, got, want)
		}
	}
}

// A paste of several lines into a program that runs them at once is asked about, in full.
func TestTerminalPastes(t *testing.T) {
	load.Long(t, "TestTerminalPastesOnce pastes")
	t.Parallel()
	s := serveTerminals(t)
	tab := s.show(t, `stty -echo; echo ready; cat; exec cat`, 10, 40, "ready")
	tab.ClickOn(`document.querySelector(".terminal-screen")`)
	tab.Run(`terminalViews[0].paste("first\nsecond\u001b[201~")`)
	tab.Wait(`document.querySelector("dialog")?.open`)
	if got := browser.Eval[string](tab, `document.querySelector("dialog h2").textContent + ": " + document.querySelector("dialog pre").textContent`); got != "Paste 2 lines?: first\nsecond[201~" {
		t.Errorf("the question is %q", got)
	}
	tab.Press(browser.Enter) // "Cancel" has the focus
	tab.Wait(`document.querySelector("dialog") === null`)
	tab.Run(`terminalViews[0].paste("one\ntwo\n")`)
	tab.ClickOn(`document.querySelector("dialog .terminal-yes")`)
	waitRow(tab, "two")
	if browser.Eval[bool](tab, rowsOf+`.some((row) => row.includes("first"))`) {
		t.Error("a paste that was cancelled arrives")
	}
	s.do("input.send", `{"session":"a","data":"BA=="}`)
	s.create("b", `stty -echo raw; printf '\033[?2004hready'; exec cat -v`, 10, 60)
	second := s.open(t, "b")
	waitRow(second, "ready")
	second.Run(`terminalViews[0].paste("one\ntwo")`)
	waitRow(second, "^[[200~one^Mtwo^[[201~")
}

// A caller that may only read sees the terminal, and is not let type.
func TestTerminalReadOnly(t *testing.T) {
	load.Long(t, "TestTerminalTypes has a caller that may type")
	t.Parallel()
	s := serveTerminals(t)
	s.mu.Lock()
	s.by = terminals.Grant{Rights: terminals.Read}
	s.mu.Unlock()
	tab := s.show(t, `echo ready; exec cat`, 10, 40, "ready")
	tab.ClickOn(`document.querySelector(".terminal-screen")`)
	tab.Press("no")
	tab.Run(`terminalViews[0].lead()`)
	tab.WaitText(".terminal-notice span", `The client "page-1" only looks, so it cannot lead.`)
	s.do("input.send", `{"session":"a","data":"eWVz"}`)
	tab.Wait(rowsOf + `.includes("yes")`)
}

// The person leaves the terminal by its key, and then by Tab.
func TestTerminalLeave(t *testing.T) {
	load.Long(t, "few changes touch it")
	t.Parallel()
	s := serveTerminals(t)
	tab := s.show(t, `stty -echo raw; printf ready; exec cat -vT`, 10, 40, "ready")
	tab.ClickOn(`document.querySelector(".terminal-screen")`)
	tab.Press(browser.Tabulator)
	waitRow(tab, "^I")
	tab.Press("M", browser.Ctrl, browser.Shift)
	tab.Wait(`!document.querySelector("main").contains(document.activeElement)`)
	tab.Press(browser.Tabulator)
	tab.Wait(`document.activeElement.id === "after"`)
	tab.Press(browser.Tabulator, browser.Shift)
	tab.Press("x")
	waitRow(tab, "^Ix")
}

// A link is opened only after the person has seen where it leads.
func TestTerminalLinks(t *testing.T) {
	load.Long(t, "few changes touch it")
	t.Parallel()
	s := serveTerminals(t)
	tab := s.show(t, `printf '\033]8;;https://evil.example/x\033\\https://good.example\033]8;;\033\\\n'; exec cat`, 10, 40, "https://good.example")
	at := browser.Eval[browser.Point](tab, `(({left, top, width, height}) => ({X: left + width * 4.5 / 40, Y: top + height * 0.5 / 10}))(document.querySelector(".xterm-screen").getBoundingClientRect())`)
	click := func() {
		t.Helper()
		tab.MoveTo(browser.Point{X: at.X, Y: at.Y + 60}) // off the link, so that it is looked for again
		wait.Until(t, "the mouse is on the link", func() bool {
			at.X += 0.01 // a mouse that rests is not noticed
			tab.MoveTo(at)
			return browser.Eval[bool](tab, `document.querySelector(".xterm-screen").classList.contains("xterm-cursor-pointer")`)
		})
		tab.ClickXY(at.X, at.Y)
	}
	click()
	tab.Wait(`document.querySelector("dialog")?.open`)
	if got := browser.Eval[string](tab, `document.querySelector("dialog pre").textContent`); got != "https://evil.example/x" {
		t.Errorf("the question is about %q", got)
	}
	tab.Run(`window.opened = []; window.open = (...how) => { opened.push(how) }`)
	tab.Press(browser.Escape)
	tab.Wait(`document.querySelector("dialog") === null`)
	click()
	tab.Wait(`document.querySelector("dialog")?.open && opened.length === 0`)
	tab.Click("dialog .terminal-yes")
	tab.Wait(`JSON.stringify(opened) === '[["https://evil.example/x","_blank","noopener,noreferrer"]]'`)
}
