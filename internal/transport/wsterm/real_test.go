//go:build unix

package wsterm_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/coder/websocket"

	"ui-mcp/internal/term/registry"
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
	r := registry.New(registry.Config{
		Home: home, Shell: "/bin/sh", Scripts: scripts, Environ: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "LANG=C.UTF-8", "PS1=$ "},
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

// A raw socket types as fast as the program reads. No piece of a large paste ends within a
// character: its halves would count as two.
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
	c := raw(`{"from":0,"whole":true,"count":{}}`) // which is of another operation
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
