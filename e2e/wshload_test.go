//go:build linux

package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

// Clients that run commands in sessions of their own, all at the same time, each get their own
// answers. When the sessions are removed, the server holds what it held before.
func TestManyRuns(t *testing.T) {
	t.Parallel()
	sessions, runs := load.Count(8, 100), load.Count(5, 100)
	s := startShellServer(t, "TCP")
	all := func(count int, work func(name string)) {
		var clients sync.WaitGroup
		for i := range count {
			clients.Go(func() { work(fmt.Sprint("s", i)) })
		}
		clients.Wait()
		if t.Failed() {
			t.FailNow()
		}
	}
	one := func(name string, runs int) {
		if res, body := s.do(t, "POST", "/sessions", `{"name":"`+name+`"}`); res.StatusCode != 201 {
			t.Errorf("create: %s %s", res.Status, body)
			return
		}
		for k := range runs {
			word := fmt.Sprint(name, "-", k)
			res, body := s.do(t, "POST", "/sessions/"+name+"/run", `{"line":"echo `+word+`","max_wait_ms":120000}`)
			var answer struct {
				Output   string
				ExitCode *int `json:"exit_code"`
			}
			if err := json.Unmarshal([]byte(body), &answer); err != nil || res.StatusCode != 200 || answer.Output != word+"\n" || answer.ExitCode == nil {
				t.Errorf("run %s: %s %.300s, %v", word, res.Status, body, err)
				return
			}
		}
		if res, body := s.do(t, "DELETE", "/sessions/"+name, ""); res.StatusCode != 204 {
			t.Errorf("remove: %s %s", res.Status, body)
		}
	}
	all(4, func(name string) { one(name, 2) })
	s.client.CloseIdleConnections()
	before := s.held(t)
	start := time.Now()
	all(sessions, func(name string) { one(name, runs) })
	took := time.Since(start)
	most := s.held(t)
	s.client.CloseIdleConnections()
	var after holdings
	wait.Until(t, "the server holds what it held before", func() bool {
		after = s.held(t)
		return after.files <= before.files && after.memory <= before.memory+56<<20
	})
	// The runtime keeps threads that once were needed, but needs none for each session.
	if after.threads > before.threads+24 {
		t.Errorf("%d threads, %d before", after.threads, before.threads)
	}
	t.Logf("%d runs in %v; before %v, at the end %v, after %v", sessions*runs, took, before, most, after)
}

// holdings are what a process holds: open files, threads, and resident memory in bytes, without
// pages of its file, which come and go.
type holdings struct{ files, threads, memory int }

func (h holdings) String() string {
	return fmt.Sprintf("%d files, %d threads, %d MiB", h.files, h.threads, h.memory>>20)
}

func (s *shellServer) held(t *testing.T) holdings {
	t.Helper()
	dir := fmt.Sprintf("/proc/%d/", s.cmd.Process.Pid)
	files, err := os.ReadDir(dir + "fd")
	if err != nil {
		t.Fatal(err)
	}
	status, err := os.ReadFile(dir + "status")
	if err != nil {
		t.Fatal(err)
	}
	number := func(name string) int {
		_, rest, _ := strings.Cut(string(status), "\n"+name+":")
		fields := strings.Fields(rest)
		n, err := strconv.Atoi(fields[0])
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	return holdings{len(files), number("Threads"), number("RssAnon") << 10}
}

// viewer opens a WebSocket for all sessions that is subscribed to one of them.
func (s *shellServer) viewer(t *testing.T, session string) *websocket.Conn {
	t.Helper()
	conn, res, body := s.dial(t, "/ws/json")
	if conn == nil {
		t.Fatalf("%s %s", res.Status, body)
	}
	request := `{"method":"subscribe","session":"` + session + `","params":{"events":["lines"],"format":"plain"}}`
	if err := conn.Write(t.Context(), websocket.MessageText, []byte(request)); err != nil {
		t.Fatal(err)
	}
	return conn
}

// until reads messages until one has a text.
func until(t *testing.T, conn *websocket.Conn, text string) error {
	ctx, cancel := context.WithTimeout(t.Context(), 2*wait.Patience)
	defer cancel()
	for {
		_, b, err := conn.Read(ctx)
		if err != nil || strings.Contains(string(b), text) {
			return err
		}
	}
}

// Viewers that do not read during a flood, one of events and one of bytes, hold up neither the
// program nor other viewers nor other sessions, and have the last screen when they read again.
func TestStalledViewers(t *testing.T) {
	t.Parallel()
	stall := time.Duration(load.Count(0, 30)) * time.Second
	size := load.Count(5, 100) * 1_000_000
	s := startShellServer(t, "TCP")
	flood := func(name string, stalled bool) (took time.Duration, late []*websocket.Conn) {
		command := fmt.Sprintf("read x; yes 'the quick brown fox jumps over the lazy dog' | head -c %d; echo; echo over; cat", size)
		if res, body := s.do(t, "POST", "/sessions", `{"name":"`+name+`","command":"`+command+`"}`); res.StatusCode != 201 {
			t.Fatalf("create: %s %s", res.Status, body)
		}
		watching := s.viewer(t, name)
		if stalled {
			raw, res, body := s.dial(t, "/sessions/"+name+"/ws/raw")
			if raw == nil {
				t.Fatalf("%s %s", res.Status, body)
			}
			late = []*websocket.Conn{s.viewer(t, name), raw}
		}
		start := time.Now()
		s.do(t, "POST", "/sessions/"+name+"/input", "\n")
		if err := until(t, watching, `"over"`); err != nil {
			t.Fatalf("no end of the flood: %v", err)
		}
		return time.Since(start), late
	}
	alone, _ := flood("alone", false)
	begin := time.Now()
	with, late := flood("stalled", true)
	n := 0
	for ; n == 0 || time.Since(begin) < stall; n++ { // other sessions answer meanwhile
		if res, body := s.do(t, "POST", "/sessions", `{"name":"other","command":"echo fine; cat"}`); res.StatusCode != 201 {
			t.Fatalf("create: %s %s", res.Status, body)
		}
		if res, body := s.do(t, "GET", "/sessions/other/wait/text?text=fine", ""); res.StatusCode != 200 {
			t.Fatalf("wait: %s %s", res.Status, body)
		}
		s.do(t, "DELETE", "/sessions/other", "")
	}
	for _, conn := range late {
		if err := until(t, conn, "over"); err != nil {
			t.Errorf("a viewer that reads again: %v", err)
		}
	}
	if with > 3*alone+10*time.Second {
		t.Errorf("the flood took %v with stalled viewers, %v without", with, alone)
	}
	t.Logf("%d MB: %v without stalled viewers, %v with two; %d sessions meanwhile", size/1_000_000, alone, with, n)
}

// As many viewers as --max-clients allows see the same, and one more is refused.
func TestManyViewers(t *testing.T) {
	t.Parallel()
	viewers := load.Count(40, 1000)
	s := startShellServer(t, "TCP", "--max-clients", strconv.Itoa(viewers))
	if res, body := s.do(t, "POST", "/sessions", `{"name":"a","command":"stty -echo; cat"}`); res.StatusCode != 201 {
		t.Fatalf("create: %s %s", res.Status, body)
	}
	var conns []*websocket.Conn
	for range viewers {
		conn, res, body := s.dial(t, "/sessions/a/ws/json")
		if conn == nil {
			t.Fatalf("viewer %d: %s %s", len(conns), res.Status, body)
		}
		if err := conn.Write(t.Context(), websocket.MessageText, []byte(`{"method":"subscribe","params":{"events":["lines"],"format":"plain"}}`)); err != nil {
			t.Fatal(err)
		}
		conns = append(conns, conn)
	}
	if conn, res, _ := s.dial(t, "/sessions/a/ws/json"); conn != nil || res.StatusCode != 429 {
		t.Errorf("one more: %s", res.Status)
	}
	start := time.Now()
	s.do(t, "POST", "/sessions/a/input", "for all of them\n")
	var reading sync.WaitGroup
	for _, conn := range conns {
		reading.Go(func() {
			if err := until(t, conn, "for all of them"); err != nil {
				t.Error(err)
			}
		})
	}
	reading.Wait()
	t.Logf("%d viewers in %v; the server has %v", viewers, time.Since(start), s.held(t))
}
