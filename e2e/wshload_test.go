//go:build linux

package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

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
