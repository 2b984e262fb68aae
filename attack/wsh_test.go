//go:build linux

package attack

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

// A shell is a process of wsh server.
type shell struct {
	*process
	url     string
	headers []string // of its requests, by turns names and values
}

// shellCeiling bounds the memory of a server with a few sessions.
const shellCeiling = 512 << 20

// launchShell starts a server with some flags.
func launchShell(t *testing.T, flags ...string) *shell {
	t.Helper()
	p, _, out := launch(t, "wsh server", shellCeiling, append([]string{"wsh", "server", "--linger", "1ms"}, flags...)...)
	s := &shell{process: p}
	s.url = awaitLine(t, p, out, "Serving terminal sessions on ")
	n := 0
	s.answers = func(t *testing.T) {
		t.Helper()
		n++
		name := fmt.Sprintf("answer-%d", n)
		s.want(t, 201, "POST", "/sessions", fmt.Sprintf(`{"name":%q,"command":"echo fine; cat"}`, name))
		s.until(t, name, "fine")
		s.want(t, 204, "DELETE", "/sessions/"+name, "")
	}
	return s
}

func startShell(t *testing.T) *shell {
	t.Helper()
	s := launchShell(t, "--bind", "127.0.0.1:0", "--server-name", "attack")
	s.ready()
	return s
}

// do makes a request with a JSON body.
func (s *shell) do(t *testing.T, method, path, body string) (int, string) {
	t.Helper()
	headers := s.headers[:len(s.headers):len(s.headers)]
	if body != "" {
		headers = append(headers, "Content-Type", "application/json")
	}
	status, text, err := get(t, method, s.url+path, body, headers...)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	return status, text
}

func (s *shell) want(t *testing.T, status int, method, path, body string) string {
	t.Helper()
	got, text := s.do(t, method, path, body)
	if got != status {
		t.Fatalf("%s %.100s %.100s: %d %.300s, want %d", method, path, body, got, text, status)
	}
	return text
}

// until waits until a session's screen has a text.
func (s *shell) until(t *testing.T, name, text string) {
	t.Helper()
	wait.Until(t, "the screen has "+text, func() bool {
		status, screen := s.do(t, "GET", "/sessions/"+name+"/screen?format=plain", "")
		if status != http.StatusOK {
			t.Fatalf("the screen: %d %.300s", status, screen)
		}
		return strings.Contains(screen, text)
	})
}

// with runs a program in a session, waits for the text "end of it", and removes the session.
func (s *shell) with(command string) func(t *testing.T) {
	return func(t *testing.T) {
		t.Helper()
		body, err := json.Marshal(map[string]any{"name": "victim", "command": command, "rows": 24, "cols": 80})
		if err != nil {
			t.Fatal(err)
		}
		s.want(t, 201, "POST", "/sessions", string(body))
		t.Cleanup(func() { _, _, _ = get(t, "DELETE", s.url+"/sessions/victim", "") }) // where the test failed
		s.until(t, "victim", "end of it")
		for _, format := range []string{"plain", "styled"} {
			s.want(t, 200, "GET", "/sessions/victim/screen?format="+format, "")
		}
		s.want(t, 200, "GET", "/sessions/victim/scrollback?limit=100", "")
		s.want(t, 204, "DELETE", "/sessions/victim", "")
	}
}

// prints is a program that prints a text many times, resets the terminal, and says that it is done.
func (s *shell) prints(text string, times int) func(t *testing.T) {
	return s.with(fmt.Sprintf(`stty -echo; awk 'BEGIN { for (i = 0; i < %d; i++) printf "%s" }'; printf '\033\\\033c\nend of it\n'; exec sleep 1000`, times, text))
}

func (s *shell) creations() (list []attack) {
	refuse := func(name, body string) attack {
		return attack{"S37", "create: " + name, false, func(t *testing.T) {
			if status, text := s.do(t, "POST", "/sessions", body); status < 400 || status >= 500 {
				t.Errorf("%d %.200s", status, text)
			}
		}}
	}
	long := strings.Repeat("x", 100_000)
	var tags strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&tags, "\"t%d\",", i)
	}
	return []attack{
		refuse("not JSON", "{"),
		refuse("a list", "[]"),
		refuse("deep JSON", `{"env":`+strings.Repeat("[", 1_000_000)),
		refuse("a name with a path", `{"name":"../x"}`),
		refuse("a name with NUL", `{"name":"a\u0000b"}`),
		refuse("a name with an escape", `{"name":"a\u001b[31m"}`),
		refuse("a name with a space", `{"name":"a b"}`),
		refuse("a long name", `{"name":"`+long+`"}`),
		refuse("a name of another type", `{"name":{}}`),
		refuse("a command with NUL", `{"command":"echo a\u0000b"}`),
		refuse("a long command", `{"command":"`+strings.Repeat("x", 5<<20)+`"}`),
		refuse("no columns", `{"cols":-1}`),
		refuse("rows that are text", `{"rows":"many"}`),
		refuse("rows beyond all numbers", `{"rows":1e99}`),
		refuse("rows that are a fraction", `{"rows":1.5}`),
		refuse("a history without end", `{"scrollback":1000000000}`),
		refuse("a variable with NUL", `{"env":{"A":"b\u0000c"}}`),
		refuse("a variable with =", `{"env":{"A=B":"c"}}`),
		refuse("a variable without a name", `{"env":{"":"c"}}`),
		refuse("a tag with a comma", `{"tags":["a,b"]}`),
		refuse("a tag with a control character", `{"tags":["a\nb"]}`),
		refuse("a long tag", `{"tags":["`+long+`"]}`),
		refuse("ten thousand tags", `{"tags":[`+strings.TrimSuffix(tags.String(), ",")+`]}`),
		refuse("a directory that is a file", `{"cwd":"/dev/null"}`),
		refuse("a directory with NUL", `{"cwd":"/tmp\u0000/x"}`),
	}
}

func (s *shell) requests() (list []attack) {
	for _, path := range []string{
		"/sessions/..%2f..%2fetc", "/sessions/%00", "/sessions/" + strings.Repeat("x", 10_000), "/sessions/none/screen", "/sessions/none/idle",
		"/sessions//screen", "/no/such", "/sessions?tag=%00", "/sessions/none/screen?format=" + url.QueryEscape(strings.Repeat("x", 10_000)),
		"/sessions/none/scrollback?limit=-1", "/sessions/none/scrollback?limit=99999999999999999999", "/sessions/none/idle?timeout_ms=1e99",
	} {
		list = append(list, attack{"S37", fmt.Sprintf("request: %.40s", path), false, func(t *testing.T) {
			for _, method := range []string{"GET", "POST", "DELETE", "PUT", "HEAD", "TRACE"} {
				if status, text, err := get(t, method, s.url+path, ""); err != nil || status >= 500 && status != 501 {
					t.Errorf("%s: %d %.200s, %v", method, status, text, err)
				}
			}
		}})
	}
	return list
}

func (s *shell) programs() []attack {
	n := func(full int) int { return load.Count(full/100+1, full) }
	return []attack{
		{"S29", "output: REP without bounds", false, s.prints(`x\033[999999999b`, n(10_000))},
		{"S29", "output: huge parameters", false, s.prints(`\033[999999999999999999999;99999999999999999999H\033[9999999999999L\033[99999999999P\033[999999999@\033[99999999999M\033[99999999999S\033[999999999T\033[99999999X`, n(100_000))},
		{"S29", "output: many parameters", false, s.prints(`\033[`+strings.Repeat("1;", 5_000)+`m`, n(1_000))},
		{"S29", "output: regions", false, s.prints(`\033[5;3r\033[0;0r\033[99999;1r\033[3;5r\033[?69h\033[9;2s\033[2;9s\033[?6h\n\033M\033[?6l`, n(100_000))},
		{"S29", "output: rectangles", false, s.prints(`\033[65;1;1;9999;9999$x\033[1;1;9999;9999;1;5;5;1$v\033[1;1;9999;9999$z`, n(10_000))},
		{"S29", "output: titles", false, s.prints(`\033]0;`+strings.Repeat("t", 5_000)+`\007\033[22;0t`, n(10_000))},
		{"S29", "output: a title without end", false, s.prints(`\033]0;`+strings.Repeat("t", 1_000), n(100_000))},
		{"S29", "output: an OSC without end", false, s.prints(`\033]1337;File=`+strings.Repeat("A", 1_000), n(100_000))},
		{"S29", "output: a DCS without end", false, s.prints(`\033P1$q`+strings.Repeat("q", 1_000), n(100_000))},
		{"S29", "output: an APC without end", false, s.prints(`\033_G`+strings.Repeat("g", 1_000), n(100_000))},
		{"S29", "output: sixels without end", false, s.prints(`\033Pq"1;1;99999;99999#0;2;0;0;0!99999999~`, n(10_000))},
		{"S29", "output: links", false, s.with(fmt.Sprintf(`awk 'BEGIN { for (i = 0; i < %d; i++) printf "\033]8;;http://example.org/%%d/%s\033\\x", i }'; printf '\033]8;;\033\\\nend of it\n'; exec sleep 1000`, n(100_000), strings.Repeat("l", 1_000)))},
		{"S29", "output: combining characters", false, s.prints(`e`+strings.Repeat("\u0301", 1_000), n(10_000))},
		{"S29", "output: joined characters", false, s.prints(`\033[?2027h`+strings.Repeat("\U0001F468\u200d", 500), n(1_000))},
		{"S29", "output: bytes that are no UTF-8", false, s.prints(`\377\376\300\200\355\240\200\364\220\200\200`, n(100_000))},
		{"S29", "output: questions to the terminal", false, s.prints(`\033[6n\033[c\033[>c\033[=c\033[>q\033[?1$p\033P+q544e\033\\`, n(100_000))},
		{"S29", "output: saved cursors and modes", false, s.prints(`\0337\033[?1049h\033[?47h\033[?1047l\0338\033[?1s\033[?1r\033[>1u\033[<1u`, n(100_000))},
		{"S29", "output: lines without end", false, s.prints(strings.Repeat("y\\n", 500), n(100_000))},
		{"S29", "output: one line without end", false, s.prints(strings.Repeat("y", 1_000), n(100_000))},
		{"S29", "output: tabs and colours", false, s.prints(`\033H\033[3g\033]4;1;rgb:ff/ff/ff\007\033]104\007\033[38;2;1;2;3m\033[48:5:300m\t`, n(100_000))},
		{"S29", "output: synchronized updates without end", false, s.prints(`\033[?2026hx`, n(100_000))},
		{"S29", "output: random bytes", false, s.with(fmt.Sprintf(`head -c %d /dev/urandom; printf '\030\033\\\033c\nend of it\n'; exec sleep 1000`, n(50_000_000)))},
		{"S30", "output: asks for what it has written", false, s.echoes},
		{"S29", "program: a light fork bomb", false, s.with(fmt.Sprintf(`i=0; while [ $i -lt %d ]; do (sleep 100 &) ; i=$((i+1)); done; echo "end of it"; exec sleep 1000`, n(300)+20))},
		{"S29", "program: ignores all signals", false, s.with(`trap '' HUP TERM INT; echo "end of it"; while :; do sleep 1; done`)},
		{"S29", "program: closes its terminal", false, func(t *testing.T) {
			s.want(t, 201, "POST", "/sessions", `{"name":"victim","command":"exec >/dev/null 2>&1 </dev/null; sleep 100"}`)
			s.want(t, 204, "DELETE", "/sessions/victim", "")
		}},
		{"S29", "input: more than the program reads", false, func(t *testing.T) {
			s.want(t, 201, "POST", "/sessions", `{"name":"victim","command":"stty raw; echo 'end of it'; exec sleep 100"}`)
			s.until(t, "victim", "end of it")
			refused := false
			for range 64 {
				status, text := s.do(t, "POST", "/sessions/victim/input", strings.Repeat("x", 1<<20))
				refused = refused || status >= 400
				if status >= 500 {
					t.Errorf("%d %.200s", status, text)
				}
			}
			if !refused {
				t.Error("64 MiB of input were taken by a program that reads nothing")
			}
			s.want(t, 204, "DELETE", "/sessions/victim", "")
		}},
		{"S29", "input: five megabytes at once", false, func(t *testing.T) {
			s.want(t, 201, "POST", "/sessions", `{"name":"victim","command":"cat >/dev/null"}`)
			// The server may close the connection while the rest is being sent.
			status, text, err := get(t, "POST", s.url+"/sessions/victim/input", strings.Repeat("x", 5<<20))
			if err == nil && (status < 400 || status >= 500) {
				t.Errorf("%d %.200s", status, text)
			}
			s.want(t, 204, "DELETE", "/sessions/victim", "")
		}},
		{"S29", "input: a storm of sizes", false, func(t *testing.T) {
			s.want(t, 201, "POST", "/sessions", `{"name":"victim","command":"yes","rows":1000,"cols":1000}`)
			var wg sync.WaitGroup
			for range 8 {
				wg.Go(func() {
					for range n(500) {
						s.do(t, "GET", "/sessions/victim/screen?format=styled", "")
					}
				})
			}
			wg.Wait()
			s.want(t, 204, "DELETE", "/sessions/victim", "")
		}},
	}
}

// echoes runs a program that writes a word to everything that a terminal might report (the screen,
// titles, the clipboard, keys), asks for all of that, and keeps what is typed then.
func (s *shell) echoes(t *testing.T) {
	const word = "rm -rf dir"
	file := filepath.Join(t.TempDir(), "typed")
	ask := word + strings.ReplaceAll(`\033]0;WORD\007\033]1;WORD\007\033]2;WORD\007\033]52;c;cm0gLXJmIGRpcgo=\007\033]9;WORD\007\033P0;1|17/726d202d7266206469720d\033\\\033]7;file://x/WORD\007`+
		`\033]8;;http://x/WORD\007\033]1337;SetUserVar=x=cm0gLXJmIGRpcgo=\007\033]1337;SetMark\007\033]50;WORD\007`+
		`\033[20t\033[21t\033[22t\033[23t\033]52;c;?\007\033]52;p;?\007\033]50;?\007\033]l\033]L\033]1337;ReportVariable=eA==\007\033]1337;Copy=:cm0K\007`+
		`\033[1;1;1;1;1;20*y\033[?63n\033[?62n\033[?25n\033P$qm\033\\\033P$q"p\033\\\033P+q544e\033\\\033[0x\033[i\033[5i\005\033Z\033[>q\033[=c\033[c`, "WORD", word)
	s.with(fmt.Sprintf(`stty raw -echo min 0 time 20; printf '%s'; cat >%s; stty sane; printf '\033c'; echo "end of it"; exec sleep 1000`, ask, file))(t)
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	typed := string(data)
	if !strings.Contains(typed, "\033[?") {
		t.Errorf("no question was answered: %q", typed)
	}
	if strings.ContainsAny(typed, "\r\n") || strings.Contains(typed, word) || strings.Contains(typed, "cm0g") || strings.Contains(typed, "726d20") {
		t.Errorf("a program's output typed %q", typed)
	}
}

// capacity makes as many sessions as the server allows, and one more.
func (s *shell) capacity(t *testing.T) {
	const limit = 256
	for i := range limit {
		s.want(t, 201, "POST", "/sessions", fmt.Sprintf(`{"name":"many-%d","command":"cat"}`, i))
	}
	for range 3 {
		if status, text := s.do(t, "POST", "/sessions", `{"name":"one-more","command":"cat"}`); status != http.StatusServiceUnavailable {
			t.Errorf("session %d: %d %.200s, want 503", limit+1, status, text)
		}
	}
	s.want(t, 200, "GET", "/sessions", "")
	for i := range limit {
		s.want(t, 204, "DELETE", fmt.Sprintf("/sessions/many-%d", i), "")
	}
}

func TestWsh(t *testing.T) {
	beside(t)
	s := startShell(t)
	p := port{s.url, "/sessions"}
	s.face(s.creations()...)
	s.face(s.requests()...)
	s.face(p.strangers()...)
	s.face(p.floods("/sessions")...)
	s.face(s.programs()...)
	s.face(attack{"S39", "256 sessions and one more", true, s.capacity})
	s.settle()
}

// SIGTERM ends a server within five seconds, whatever its programs do.
func TestTerminateShell(t *testing.T) {
	s := startShell(t)
	for i, command := range []string{"yes", "trap '' HUP TERM INT; while :; do sleep 1; done", "exec >/dev/null 2>&1 </dev/null; sleep 100", "cat"} {
		s.want(t, 201, "POST", "/sessions", fmt.Sprintf(`{"name":"stubborn-%d","command":%q}`, i, command))
	}
	s.finish("S40", "SIGTERM while programs go on", s.ends)
}
