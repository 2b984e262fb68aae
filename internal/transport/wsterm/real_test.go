//go:build unix

package wsterm_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/coder/websocket"

	"ui-mcp/internal/term"
	"ui-mcp/internal/term/pty"
	"ui-mcp/internal/term/shell"
	"ui-mcp/internal/term/vt"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/opcases"
	"ui-mcp/internal/testkit/wait"
	"ui-mcp/internal/transport/wsterm"
)

// real returns sessions of real programs.
func real(t *testing.T) *terminals.Local { return realFor(t, 0) }

// realFor is real with a limit of clients for each session.
func realFor(t *testing.T, clients int) *terminals.Local {
	t.Helper()
	home := t.TempDir()
	scripts, err := shell.Install(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := term.NewRegistry(term.Config{
		Start: func(o pty.Options) (term.Process, error) { return pty.Start(o) },
		Home:  home, Shell: "/bin/sh", Scripts: scripts, Environ: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "LANG=C.UTF-8", "PS1=$ "},
		Clients: clients,
		Log:     slog.New(slog.DiscardHandler),
	})
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Errorf("close the sessions: %v", err)
		}
	})
	return terminals.NewLocal(r, terminals.Host{Name: "host"})
}

// The calls of the known server's web page, in its order, with what it reads of the answers.
func TestWebPage(t *testing.T) {
	l := real(t)
	srv := serve(t, l, terminals.Everything)
	c := srv.dial(t, "/ws/json")
	if got := c.do(t, "list_sessions", "", ""); got != "[]" {
		t.Errorf("sessions: %s", got)
	}
	created := c.do(t, "create_session", "", `{"name":"web","rows":6,"cols":40,"tags":["t"]}`)
	if d := opcases.Diff(`{"name":"web","command":"/bin/sh","rows":6,"cols":40,"clients":0,"tags":["t"]}`, created); d != "" {
		t.Error(d)
	}
	c.await(t, `{"event":"session_created","params":{"name":"web","tags":["t"]}}`)
	c.do(t, "get_screen", "web", `{"format":"styled"}`)
	c.do(t, "subscribe", "web", `{"events":["lines","cursor","mode","activity"],"format":"styled","idle_timeout_ms":2000}`)
	c.await(t, `{"event":"sync","session":"web"}`)
	c.do(t, "resize", "web", `{"cols":50,"rows":8}`)
	c.await(t, `{"event":"reset","session":"web","reason":"resize"}`)
	if d := opcases.Diff(`{"rows":8,"cols":50}`, c.do(t, "get_screen", "web", `{"format":"styled"}`)); d != "" {
		t.Error(d)
	}
	// Before the shell prompts, what is typed would be displayed in front of its prompt.
	prompt := terminals.TextQuery{Target: terminals.Target{Session: "web"}, Text: "$ "}
	if _, err := terminals.AwaitText.Do(t.Context(), l, terminals.Everything, prompt); err != nil {
		t.Fatal(err)
	}
	// Keys are sent without waiting for the replies.
	for i, key := range "echo $((6*7))\r" {
		c.write(t, fmt.Sprintf(`{"id":%d,"method":"send_input","session":"web","params":{"data":%q}}`, i, string(key)))
	}
	for {
		var e struct {
			Event string
			Line  []struct{ Text string }
		}
		if err := json.Unmarshal([]byte(c.await(t, `{"event":"line","session":"web"}`)), &e); err != nil {
			t.Fatal(err)
		}
		if len(e.Line) == 1 && e.Line[0].Text == "42" {
			break
		}
	}
	c.await(t, `{"event":"idle","session":"web"}`)
	c.do(t, "send_input", "web", `{"data":"x"}`)
	c.await(t, `{"event":"running","session":"web"}`)
	if d := opcases.Diff(`{"name":"new","tags":["t","u"]}`, c.do(t, "update_session", "web", `{"name":"new","add_tags":["u"]}`)); d != "" {
		t.Error(d)
	}
	c.await(t, `{"event":"session_renamed","params":{"old_name":"web","new_name":"new"}}`)
	c.await(t, `{"event":"session_tags_changed","params":{"name":"new","tags":["t","u"]}}`)
	if got := c.do(t, "get_scrollback", "new", `{"format":"styled","offset":0,"limit":200}`); opcases.Diff(`{"offset":0}`, got) != "" || !strings.Contains(got, `"42"`) {
		t.Errorf("scrollback: %s", got)
	}
	c.do(t, "kill_session", "", `{"name":"new"}`)
	c.await(t, `{"event":"session_destroyed","params":{"name":"new"}}`)
}

// A raw socket types as fast as the program reads, however much arrives at once.
func TestLargePaste(t *testing.T) {
	srv := serve(t, real(t), terminals.Everything)
	srv.dial(t, "/ws/json").do(t, "create_session", "", `{"name":"a","command":"stty raw -echo; echo ready; head -c 5000000 | wc -c; sleep 1000"}`)
	c := srv.dial(t, "/sessions/a/ws/raw")
	var out strings.Builder
	for !strings.Contains(out.String(), "ready") {
		out.WriteString(c.read(t))
	}
	for range 5 {
		if err := c.Write(c.ctx, websocket.MessageBinary, bytes.Repeat([]byte("x"), 1_000_000)); err != nil {
			t.Fatal(err)
		}
	}
	for !strings.Contains(out.String(), "5000000") {
		out.WriteString(c.read(t))
	}
}

// No piece of a large paste ends within a character: its halves would count as two.
func TestLargePasteCountsCharacters(t *testing.T) {
	l := real(t)
	srv := serve(t, l, terminals.Everything)
	srv.dial(t, "/ws/json").do(t, "create_session", "", `{"name":"a","command":"stty raw -echo; echo ready; exec cat >/dev/null"}`)
	c := srv.dial(t, "/sessions/a/ws/raw")
	var out strings.Builder
	for !strings.Contains(out.String(), "ready") {
		out.WriteString(c.read(t))
	}
	sent := 0
	for _, start := range []string{"", "x", "xx", "xxx"} {
		text := start + strings.Repeat("ä日👩", 10_000)
		sent += utf8.RuneCountInString(text)
		if err := c.Write(c.ctx, websocket.MessageBinary, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	target := terminals.Target{Session: "a"}
	wait.Until(t, "everything is typed", func() bool {
		got, err := terminals.GetTyped.Do(t.Context(), l, terminals.Everything, terminals.TypedQuery{Target: target})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, e := range got {
			n += e.Count
		}
		if n > sent {
			t.Fatalf("%d characters count as %d", sent, n)
		}
		return n == sent
	})
}

// A flood and clients that do not read it change nothing for a client of another session, and the
// ones that start to read again get the newest screen and the exact state.
func TestStalledClients(t *testing.T) {
	l := real(t)
	srv := serve(t, l, terminals.Everything)
	c := srv.dial(t, "/ws/json")
	c.do(t, "create_session", "", `{"name":"flood","command":"i=0; while [ ! -e stop ]; do i=$((i+1)); printf '\\033[3%dm%d the quick brown fox\\n' $((i%8)) $i; done; printf '\\033[?2004h\\033[1mthe end'; exec sleep 1000","rows":10,"cols":40}`)
	c.do(t, "create_session", "", `{"name":"quiet","command":"exec cat","rows":10,"cols":40}`)
	const events = `{"events":["lines","cursor","mode","diffs"],"interval_ms":0}`
	var stalled []*conn
	for range 4 {
		all, own := srv.dial(t, "/ws/json"), srv.dial(t, "/sessions/flood/ws/json")
		all.write(t, `{"method":"subscribe","session":"flood","params":`+events+`}`)
		own.write(t, `{"method":"subscribe","params":`+events+`}`)
		stalled = append(stalled, all, own)
	}
	raw := srv.dial(t, "/sessions/flood/ws/raw")

	// This one subscribes to both, and still sees each key of the quiet one at once.
	c.do(t, "subscribe", "flood", events)
	c.do(t, "subscribe", "quiet", events)
	c.await(t, `{"event":"sync","session":"quiet"}`) // it would contain a key that was typed before
	typed := ""
	for key := range strings.SplitSeq("abcdefghijklmnopqrstuvwxyz", "") {
		typed += key
		c.do(t, "send_input", "quiet", `{"data":"`+key+`"}`)
		c.await(t, `{"event":"line","session":"quiet","line":[{"text":"`+typed+`"}]}`)
		c.events = nil
	}
	c.do(t, "unsubscribe", "flood", "")

	if _, err := terminals.CreateSession.Do(t.Context(), l, terminals.Everything, terminals.NewSession{Name: "stop", Command: "touch stop"}); err != nil {
		t.Fatal(err)
	}
	if _, err := terminals.AwaitText.Do(t.Context(), l, terminals.Everything, terminals.TextQuery{Target: terminals.Target{Session: "flood"}, Text: "the end"}); err != nil {
		t.Fatal(err)
	}
	for _, s := range stalled {
		for !strings.Contains(s.await(t, `{"event":"diff"}`), "the end") {
		}
	}
	screen, err := vt.New(vt.Options{Cols: 40, Rows: 10})
	if err != nil {
		t.Fatal(err)
	}
	// A flood that hardly ran before it was stopped does not reach the last row.
	for !slices.ContainsFunc(screen.Snapshot().Lines, func(l vt.Line) bool { return strings.Contains(l.Text, "the end") }) {
		_, _ = screen.Write([]byte(raw.read(t)))
	}
	if !screen.Modes().Has(vt.ModeBracketedPaste) {
		t.Error("the mode is lost")
	}
	program, err := terminals.GetScreen.Do(t.Context(), l, terminals.Everything, terminals.ScreenQuery{Target: terminals.Target{Session: "flood"}, Formatted: terminals.Formatted{Format: "plain"}})
	if err != nil {
		t.Fatal(err)
	}
	for y, line := range program.Lines.([]string) {
		if got := screen.Snapshot().Lines[y].Plain(); got != line {
			t.Errorf("row %d is %q, want %q", y, got, line)
		}
	}
}

// Many clients watch one session, and all see each line.
func TestManyClients(t *testing.T) {
	n := load.Count(100, 1000)
	srv := serve(t, realFor(t, n+1), terminals.Everything)
	all := srv.dial(t, "/ws/json")
	all.do(t, "create_session", "", `{"name":"s","command":"exec cat","rows":4,"cols":20}`)
	var clients []*conn
	for i := range n {
		path := []string{"/sessions/s/ws/json", "/sessions/s/ws/raw"}[i%2]
		c := srv.dial(t, path)
		if i%2 == 0 {
			c.do(t, "subscribe", "", `{"events":["lines"],"format":"plain"}`)
			c.await(t, `{"event":"sync"}`) // it would contain a line that was typed before
		}
		clients = append(clients, c)
	}
	for _, word := range []string{"one", "two"} {
		all.do(t, "send_input", "s", `{"data":"`+word+`\r"}`)
		for i, c := range clients {
			for i%2 == 1 && !strings.Contains(c.read(t), word) {
			}
			if i%2 == 0 {
				c.await(t, `{"event":"line","line":"`+word+`"}`)
			}
		}
	}
	if d := opcases.Diff(fmt.Sprintf(`{"clients":%d}`, n), all.do(t, "get_session", "s", "")); d != "" {
		t.Error(d)
	}
}

// Many clients do everything at once, and leave without a word.
func TestStorm(t *testing.T) {
	l := real(t)
	srv := serve(t, l, terminals.Everything)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var clients sync.WaitGroup
	for i := range 8 {
		clients.Go(func() {
			for round := range 4 {
				name := fmt.Sprintf("s%d", (i+round)%4)
				path := []string{"/ws/json", "/sessions/" + name + "/ws/json", "/sessions/" + name + "/ws/raw"}[(i+round)%3]
				c, _, err := websocket.Dial(ctx, "ws"+strings.TrimPrefix(srv.URL, "http")+path, nil)
				if err != nil {
					continue // there is no such session at the moment
				}
				c.SetReadLimit(64 << 20)
				for n, text := range []string{
					`{"method":"create_session","params":{"name":"NAME","command":"echo hello; exec cat","rows":5,"cols":20}}`,
					`{"method":"subscribe","session":"NAME","params":{"events":["lines","cursor","overlay","activity"],"idle_timeout_ms":5,"interval_ms":0}}`,
					`{"method":"await_idle","session":"NAME","params":{"timeout_ms":100,"max_wait_ms":500}}`,
					`{"method":"send_input","session":"NAME","params":{"data":"hello\r"}}`,
					`{"method":"resize","session":"NAME","params":{"rows":4,"cols":30}}`,
					`{"method":"create_panel","session":"NAME","params":{"position":"top","spans":[{"text":"p"}]}}`,
					`{"method":"get_screen","session":"NAME"}`,
					`{"method":"subscribe","session":"NAME","params":{"events":["diffs"]}}`,
					`{"method":"update_session","session":"NAME","params":{"add_tags":["t"]}}`,
					`{"method":"kill_session","params":{"name":"NAME"}}`,
				} {
					if n == 9 && round%2 == 0 {
						break
					}
					if c.Write(ctx, websocket.MessageText, []byte(strings.ReplaceAll(text, "NAME", name))) != nil {
						break
					}
					if n%3 == 0 {
						_, _, _ = c.Read(ctx)
					}
				}
				if round%2 == 0 {
					_ = c.CloseNow()
				} else {
					_ = c.Close(websocket.StatusNormalClosure, "")
				}
			}
		})
	}
	clients.Wait()
	// Everything that the clients had is gone.
	for _, s := range sessions(t, l) {
		wait.Until(t, "no clients of "+s, func() bool {
			info, err := terminals.GetSession.Do(t.Context(), l, terminals.Everything, terminals.Target{Session: s})
			return err != nil || info.Clients == 0
		})
	}
}

func sessions(t *testing.T, l terminals.Terminals) []string {
	t.Helper()
	list, err := terminals.ListSessions.Do(t.Context(), l, terminals.Everything, terminals.SessionFilter{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range list {
		names = append(names, s.Name)
	}
	return names
}

// Terminals that display the output on raw sockets reply to the program's queries, as the session's
// own terminal does. The program gets one reply, and everything that was typed.
func TestOneReply(t *testing.T) {
	l := real(t)
	srv := serve(t, l, terminals.Everything)
	if _, err := terminals.CreateSession.Do(t.Context(), l, terminals.Everything, terminals.NewSession{
		Name: "s", Command: `stty raw -echo; printf 'ready'; head -c 1 >/dev/null; printf '\033[c\033[6nasked'; exec cat -v`,
	}); err != nil {
		t.Fatal(err)
	}
	wait := func(text string) terminals.Match {
		t.Helper()
		m, err := terminals.AwaitText.Do(t.Context(), l, terminals.Everything, terminals.TextQuery{Target: terminals.Target{Session: "s"}, Formatted: terminals.Formatted{Format: "plain"}, Text: text})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	wait("ready")
	viewers := []*conn{srv.dial(t, "/sessions/s/ws/raw"), srv.dial(t, "/sessions/s/ws/raw")}
	viewers[0].write(t, "x")
	wait("asked")
	for i, v := range viewers {
		for got := ""; !strings.Contains(got, "asked"); { // no terminal replies before that
			got += v.read(t)
		}
		v.write(t, "\x1b[?1;2c")
		v.write(t, "\x1b[1;6R")
		v.write(t, "\x1b]11;rgb:0000/0000/0000\x1b\\")
		v.write(t, fmt.Sprintf("typed%d", i))
	}
	wait("typed0")
	line := wait("typed1").Line
	if strings.Contains(line, "^[[?1;2c") || strings.Contains(line, "rgb") || strings.Count(line, "R") != 1 || strings.Count(line, "c") != 1 {
		t.Errorf("the program got %q", line)
	}
}

// A subscription that fails leaves the earlier one as it was, and one that succeeds takes its
// place, also when the session has as many clients as it may.
func TestSubscribeAgain(t *testing.T) {
	for _, path := range []string{"/ws/json", "/sessions/a/ws/json"} {
		t.Run(path, func(t *testing.T) {
			l := realFor(t, 1)
			if _, err := terminals.CreateSession.Do(t.Context(), l, terminals.Everything, terminals.NewSession{Name: "a", Command: "cat"}); err != nil {
				t.Fatal(err)
			}
			srv := serve(t, l, terminals.Everything)
			c := srv.dial(t, path)
			subscribe := func(events string) *struct{ Code, Message string } {
				return c.call(t, map[string]any{"method": "subscribe", "session": "a", "params": json.RawMessage(`{"events":[` + events + `]}`)}).Error
			}
			if err := subscribe(`"lines"`); err != nil {
				t.Fatal(err)
			}
			c.await(t, `{"event":"sync"}`)
			if err := subscribe(`"nonsense"`); err == nil {
				t.Fatal("a wrong event is accepted")
			}
			c.do(t, "send_input", "a", `{"data":"one\r"}`)
			c.await(t, `{"event":"line"}`)
			for range 2 {
				if err := subscribe(`"lines","cursor"`); err != nil {
					t.Fatal(err)
				}
			}
			c.await(t, `{"event":"sync"}`)
			c.do(t, "send_input", "a", `{"data":"two\r"}`)
			c.await(t, `{"event":"cursor"}`)
			c.do(t, "unsubscribe", "a", "")
			if info, err := terminals.GetSession.Do(t.Context(), l, terminals.Everything, terminals.Target{Session: "a"}); err != nil || path == "/ws/json" && info.Clients != 0 {
				t.Errorf("%d clients are left, %v", info.Clients, err)
			}
		})
	}
}

// A raw socket with an offset delivers all output, at most as far ahead as the client has said that
// it has read. One that has missed something is closed.
func TestWholeOutput(t *testing.T) {
	srv := serve(t, real(t), terminals.Everything)
	srv.dial(t, "/ws/json").do(t, "create_session", "", `{"name":"a","command":"stty -opost; seq 1 200000","follow":true}`)
	var all []byte
	for n := 1; n <= 200_000; n++ {
		all = fmt.Appendln(all, n)
	}
	raw := func(in string) *conn { return srv.dial(t, "/sessions/a/ws/raw?in="+url.QueryEscape(in)) }
	c := raw(`{"from":0,"whole":true}`)
	if d := opcases.Diff(`{"name":"a"}`, c.read(t)); d != "" {
		t.Errorf("the output of %s", d)
	}
	var got []byte
	for len(got) < len(all) {
		for len(got) < min(len(all), 256<<10) { // before it says anything
			got = append(got, c.read(t)...)
		}
		c.write(t, fmt.Sprintf(`{"read":%d}`, len(got)))
		got = append(got, c.read(t)...)
	}
	if !bytes.Equal(got, all) {
		t.Errorf("%d bytes, want %d", len(got), len(all))
	}
	srv.dial(t, "/ws/json").do(t, "create_session", "", `{"name":"b","command":"echo begun; cat"}`)
	srv.dial(t, "/ws/json").do(t, "await_text", "b", `{"text":"begun"}`)
	for in, want := range map[string]websocket.StatusCode{`{"from":0}`: wsterm.OutputLost, `{}`: websocket.StatusPolicyViolation} {
		c := srv.dial(t, "/sessions/b/ws/raw?in="+url.QueryEscape(in))
		if in == "{}" { // it must say what it has read, and nothing else
			c.write(t, `{"red":0}`)
		}
		if got, reason := c.closed(t); got != want {
			t.Errorf("%s: %v, %s", in, got, reason)
		}
	}
}
