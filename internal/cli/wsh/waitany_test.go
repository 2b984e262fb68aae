//go:build linux || darwin

package wsh

import (
	"encoding/json"
	"strings"
	"testing"

	"ui-mcp/internal/cli/commandline"
)

// "wsh wait --needs-me" waits for any of several sessions, and says which one it is.
func TestWaitAny(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	if _, errs, status := wsh(t, "wait", "--all", "--needs-me"); status != 127 || !strings.Contains(errs, "no such session runs") {
		t.Errorf("without sessions: status %d, %q", status, errs)
	}
	d.create(`{"name":"busy","tags":["ci"],"command":"exec sleep 1000"}`)
	d.create(`{"name":"other","command":"read x"}`)
	if _, errs, status := wsh(t, "wait", "--tag", "none", "--needs-me"); status != 127 || !strings.Contains(errs, "no such session runs") {
		t.Errorf("without such a session: status %d, %q", status, errs)
	}
	if _, errs, status := wsh(t, "wait", "--tag", "ci", "--needs-me", "-t", "30ms"); status != 124 || !strings.Contains(errs, "within 30ms") {
		t.Errorf("too late: status %d, %q", status, errs)
	}
	if out := must(t, "wait", "--all", "--needs-me"); out != "other  line\n" {
		t.Errorf("any of all: %q", out)
	}

	// A session counts even if it is created after the wait has begun, and one that ends does not.
	d.create(`{"name":"brief","tags":["ci"],"command":"exit 1"}`)
	type result struct {
		out, errs string
		status    int
	}
	done := make(chan result, 1)
	start := func(args ...string) {
		go func() {
			out, errs, status := wsh(t, args...)
			done <- result{out, errs, status}
		}()
	}
	start("wait", "--tag", "ci", "--needs-me", "--json")
	d.create(`{"name":"new","tags":["x","ci"],"command":"stty -echo; read x"}`)
	var answer struct{ Session, State string }
	if got := <-done; got.status != 0 || json.Unmarshal([]byte(got.out), &answer) != nil || answer.Session != "new" || answer.State != "secret" && answer.State != "line" {
		t.Errorf("a new session: %+v", got)
	}
	must(t, "kill", "new", "other", "--yes")
	start("wait", "--all", "--needs-me")
	must(t, "kill", "busy", "--yes")
	if got := <-done; (got.status != 1 || !strings.Contains(got.errs, "have ended")) && got.status != 127 { // it may begin after the end
		t.Errorf("all have ended: %+v", got)
	}

	for _, tt := range []struct{ args, errs string }{
		{"wait a --tag b --needs-me", "give either sessions"},
		{"wait --needs-me", "which session?"},
	} {
		if _, errs, status := wsh(t, strings.Fields(tt.args)...); status != commandline.ExitUsage || !strings.Contains(errs, tt.errs) {
			t.Errorf("%s: status %d, %q", tt.args, status, errs)
		}
	}
}
