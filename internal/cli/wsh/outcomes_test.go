//go:build unix

package wsh

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

// A command runs on three machines, and three sessions are waited for, when one machine goes away:
// of that one the outcome is unknown, with what was seen last, and of the others it is told.
func TestOutcomes(t *testing.T) {
	load.Long(t, "transport/hostlink has hosts that are killed")
	m := newMachines(t)
	m.start("quick", "--label", "job")
	m.start("slow", "--label", "job")
	laptop := m.start("laptop")
	a := apiOf(t, laptop)
	dir := t.TempDir()
	command := func(session string) string {
		return `case $HOME in */quick) echo done; exit 3;; *) echo begun; while [ ! -e "` + dir + `/over" ]; do sleep 0.05; done; echo ended; esac #` + session
	}
	// lines has the table, without the time that each took.
	lines := func(out string) string {
		return regexp.MustCompile(`  +[0-9.]+m?s  +`).ReplaceAllString(strings.TrimSpace(out), "  TIME  ")
	}
	type result struct {
		out, errs string
		status    int
	}
	for name, tt := range map[string]struct {
		args []string
		want []string
	}{
		"run": {
			[]string{"run", "--name", "x", "--all", "job", "--", command("x")},
			[]string{`gone +unknown +TIME  the connection to gone is lost, .*; last seen: running [0-9]+s ago`, `quick +exit 3 +TIME +quick/x +done`, `slow +exit 0 +TIME +slow/x +ended`},
		},
		"wait": {
			[]string{"wait", "gone/y", "slow/y", "quick/y", "--exit"},
			[]string{`gone/y +unknown +(TIME|-) .*; last seen: running [0-9]+s ago`, `quick/y +exit 3 +TIME  done`, `slow/y +exit 0 +TIME  ended`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			gone := m.start("gone", "--label", "job")
			for _, host := range []string{"quick", "slow", "gone"} {
				do(t, a, terminals.AddServer, terminals.NewServer{Address: "ssh://" + host})
				awaitServer(t, a, host, terminals.Healthy)
				if name == "wait" {
					do(t, a, terminals.CreateSession, terminals.NewSession{Name: host + "/y", Command: command("y")})
				}
			}
			got := make(chan result, 1)
			go func() {
				out, errs, status := m.run("laptop", dir, tt.args...)
				got <- result{out, errs, status}
			}()
			session := map[string]string{"run": "x", "wait": "y"}[name]
			for _, host := range []string{"slow", "gone"} {
				wait.Until(t, "the command runs on "+host, func() bool {
					s, err := terminals.GetScreen.Do(t.Context(), a, terminals.Everything, terminals.ScreenQuery{Target: terminals.Target{Session: host + "/" + session}})
					if err != nil {
						return false
					}
					text, err := json.Marshal(s)
					return err == nil && strings.Contains(string(text), "begun")
				})
			}
			down := filepath.Join(m.dir, "gone", "down")
			if err := errors.Join(os.WriteFile(down, nil, 0o600), gone.cmd.Process.Kill()); err != nil {
				t.Fatal(err)
			}
			awaitServer(t, a, "gone", terminals.Unavailable)
			if err := os.WriteFile(filepath.Join(dir, "over"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
			r := wait.For(t, "the table", got)
			if want := strings.Join(tt.want, "\n"); !regexp.MustCompile("^"+want+"$").MatchString(lines(r.out)) || r.status != 1 {
				t.Errorf("status %d, want\n%s\ngot\n%s\n%s", r.status, want, lines(r.out), r.errs)
			}
			for _, host := range []string{"quick", "slow", "gone"} {
				do(t, a, terminals.RemoveServer, terminals.ServerName{Hostname: host})
			}
			if err := errors.Join(os.Remove(down), os.Remove(filepath.Join(dir, "over"))); err != nil {
				t.Fatal(err)
			}
		})
	}
	if out, errs, status := m.run("laptop", dir, "wait", "none", "neither", "--exit", "--json"); status != 1 || strings.Count(out, `"outcome":"failed"`) != 2 {
		t.Errorf("sessions that do not exist: %d, %s, %s", status, out, errs)
	}
	do(t, a, terminals.CreateSession, terminals.NewSession{Name: "l", Command: "exec cat", Tags: []string{"t"}})
	if out, errs, status := m.run("laptop", dir, "wait", "--tag", "t", "--exit", "--timeout", "50ms"); status != 124 || !strings.HasPrefix(out, "l  late  ") {
		t.Errorf("late: %d, %s, %s", status, out, errs)
	}
}
