//go:build linux

package bench

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// A shellSocket is a WebSocket of "wsh server".
type shellSocket struct {
	b    *testing.B
	conn *websocket.Conn
	id   int
}

func openSocket(b *testing.B, url, path string) *shellSocket {
	b.Helper()
	conn, _, err := websocket.Dial(b.Context(), "ws"+strings.TrimPrefix(url, "http")+path, nil)
	if err != nil {
		b.Fatal(err)
	}
	conn.SetReadLimit(-1)
	b.Cleanup(func() { conn.CloseNow() })
	s := &shellSocket{b: b, conn: conn}
	s.until(`"connected"`)
	return s
}

func (s *shellSocket) send(method, params string) {
	s.id++
	request := `{"id":` + strconv.Itoa(s.id) + `,"method":"` + method + `","params":` + params + `}`
	if err := s.conn.Write(s.b.Context(), websocket.MessageText, []byte(request)); err != nil {
		s.b.Fatal(err)
	}
}

// until reads messages until one has a text.
func (s *shellSocket) until(text string) {
	for {
		_, message, err := s.conn.Read(s.b.Context())
		if err != nil {
			s.b.Fatalf("before %s: %v", text, err)
		}
		if strings.Contains(string(message), text) {
			return
		}
	}
}

// call calls a method and waits for its answer.
func (s *shellSocket) call(method, params string) {
	s.send(method, params)
	s.until(`"id":` + strconv.Itoa(s.id) + ",")
}

// session creates a session of 200x50 cells.
func session(b *testing.B, url, name, command string) {
	b.Helper()
	body, err := json.Marshal(map[string]any{"name": name, "command": command, "cols": termCols, "rows": termRows})
	if err != nil {
		b.Fatal(err)
	}
	post(b, url+"/sessions", string(body))
}

// bareSocket opens a WebSocket of a server that answers each message with the same result.
func bareSocket(b *testing.B, result string) *shellSocket {
	b.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := websocket.Accept(w, r, nil)
		if err != nil {
			return // the client reports it
		}
		defer conn.CloseNow()
		answer := `{"connected":true}`
		for id := 1; conn.Write(r.Context(), websocket.MessageText, []byte(answer)) == nil; id++ {
			if _, _, err := conn.Read(r.Context()); err != nil {
				return
			}
			answer = `{"id":` + strconv.Itoa(id) + `,"result":"` + result + `"}`
		}
	}))
	b.Cleanup(server.Close)
	return openSocket(b, server.URL, "/")
}

// BenchmarkShellScreen measures reading a full screen of 200x50 cells over a WebSocket, while the
// program is quiet and while it floods, beside a bare server that sends as many bytes. Requests to
// both alternate.
func BenchmarkShellScreen(b *testing.B) {
	for name, command := range map[string]string{
		"idle":  "i=0; while [ $i -lt 60 ]; do printf '%0190d\\n' $i; i=$((i+1)); done; exec sleep 1000",
		"flood": "exec yes \"$(printf '%0190d' 7)\"",
	} {
		b.Run(name, func(b *testing.B) {
			r := termRegistry(b)
			a := termCreate(b, r, command)
			s := openSocket(b, serveTerminals(b, r), "/sessions/"+a.Name()+"/ws/json")
			s.call("await_text", `{"text":"0000"}`)
			bare := bareSocket(b, strings.Repeat("x", termCols*termRows))
			var ours, theirs []time.Duration
			for b.Loop() {
				time.Sleep(200 * time.Microsecond) // a pause, or reading would leave no time for the flood
				start := time.Now()
				s.call("get_screen", `{"format":"plain"}`)
				ours = append(ours, time.Since(start))
				start = time.Now()
				bare.call("get_screen", `{"format":"plain"}`)
				theirs = append(theirs, time.Since(start))
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(percentile(ours, 50), "p50-µs")
			b.ReportMetric(percentile(ours, 99), "p99-µs")
			b.ReportMetric(percentile(theirs, 50), "bare-p50-µs")
			b.ReportMetric(percentile(theirs, 99), "bare-p99-µs")
		})
	}
}

// BenchmarkShellEcho measures the time from typing a key, with send_input, to the event with the
// line that the program has changed because of it.
func BenchmarkShellEcho(b *testing.B) {
	_, url := startShellServer(b)
	session(b, url, "a", "cat")
	s := openSocket(b, url, "/sessions/a/ws/json")
	s.call("subscribe", `{"events":["lines"],"format":"plain"}`)
	var took []time.Duration
	line := ""
	for b.Loop() {
		time.Sleep(time.Millisecond) // nobody types faster
		if len(line) == 60 {
			s.send("send_input", `{"data":"\n"}`)
			s.until(`"line":"` + line + `"`) // as cat repeats it
			line = ""
		}
		key := string(rune('a' + len(took)%26))
		line += key
		start := time.Now()
		s.send("send_input", `{"data":"`+key+`"}`)
		s.until(`"line":"` + line + `"`)
		took = append(took, time.Since(start))
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(percentile(took, 50), "p50-µs")
	b.ReportMetric(percentile(took, 99), "p99-µs")
}

// BenchmarkShellViewers measures what a flood of 100 MB costs "wsh server" that ten viewers watch,
// who subscribe to lines as JSON, relative to one that nobody watches. Both take turns.
func BenchmarkShellViewers(b *testing.B) {
	const viewers = 10
	payloads, err := termPayloads()
	if err != nil {
		b.Fatal(err)
	}
	p, url := startShellServer(b)
	flood := func(viewers int) time.Duration {
		session(b, url, "a", "read x; cat "+payloads["plain"].path)
		var watching sync.WaitGroup
		defer func() { // which ends the viewers' connections
			defer watching.Wait()
			req, err := http.NewRequestWithContext(b.Context(), http.MethodDelete, url+"/sessions/a", nil)
			if err != nil {
				b.Fatal(err)
			}
			res, err := http.DefaultClient.Do(req)
			if err != nil {
				b.Fatal(err)
			}
			res.Body.Close()
		}()
		for range viewers {
			s := openSocket(b, url, "/sessions/a/ws/json")
			s.call("subscribe", `{"events":["lines"]}`)
			watching.Go(func() {
				for {
					if _, _, err := s.conn.Read(b.Context()); err != nil {
						return // the session has ended
					}
				}
			})
		}
		before := p.cpu()
		res, err := http.Post(url+"/sessions/a/input", "application/octet-stream", strings.NewReader("\n"))
		if err != nil {
			b.Fatal(err)
		}
		res.Body.Close()
		if res, err = http.Get(url + "/sessions/a/wait/exit?max_wait_ms=300000"); err != nil {
			b.Fatal(err)
		}
		defer res.Body.Close()
		if text, _ := io.ReadAll(res.Body); res.StatusCode != http.StatusOK {
			b.Fatalf("%s %s", res.Status, text)
		}
		return p.cpu() - before
	}
	var alone, watched time.Duration
	for b.Loop() {
		alone += flood(0)
		watched += flood(viewers)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(alone.Seconds()/float64(b.N), "alone-cpu-s")
	b.ReportMetric(watched.Seconds()/float64(b.N), "watched-cpu-s")
	b.ReportMetric(watched.Seconds()/alone.Seconds(), "x-alone")
}
