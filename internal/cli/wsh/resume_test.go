//go:build unix

package wsh

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

// cut ends the connection of ssh to a host.
func (m machines) cut(host string) {
	m.t.Helper()
	content, err := os.ReadFile(filepath.Join(m.dir, host, "ssh.pid"))
	if err != nil {
		m.t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(content)))
	if err == nil {
		err = syscall.Kill(pid, syscall.SIGKILL)
	}
	if err != nil {
		m.t.Fatal(err)
	}
}

// A command that reads or waits on another host goes on when the connection to that has broken and
// is back. TestStaysAway has one that does not come back.
func TestCutConnection(t *testing.T) {
	load.Long(t, "transport/remote has connections that break")
	t.Parallel()
	m, dir := newMachines(t), t.TempDir()
	m.start("build1")
	a := apiOf(t, m.start("laptop"))
	add(t, a, "ssh://build1", terminals.Healthy)
	const program = `echo begun; until [ -e "$0" ]; do sleep 0.05; done; echo ended; exit 5`
	command := func(file string) string { return `sh -c '` + program + `' ` + file }
	for name, tt := range map[string]struct {
		create bool
		args   []string
		out    string
	}{
		"run":  {false, []string{"run", "--name", "build1/", "--"}, "begun\nended\n"},
		"wait": {true, []string{"wait", "build1/w", "--exit"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			over := filepath.Join(dir, name)
			args := tt.args
			if tt.create {
				do(t, a, terminals.CreateSession, terminals.NewSession{Name: "build1/w", Command: command(over)})
			} else {
				args = append(args, command(over))
			}
			r := beginWith(t, append(vars(t), m.env("laptop")...), "", args...)
			if !tt.create {
				r.prints(&r.out, "begun")
			}
			wait.Pause(wait.Reading) // in which the command waits
			m.cut("build1")
			r.prints(&r.errs, "the connection to build1 has broken")
			r.prints(&r.errs, "build1 is back")
			if err := os.WriteFile(over, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			if got := r.ends(); got != 5 || r.out.String() != tt.out {
				t.Errorf("status %d, %q, %q", got, &r.out, &r.errs)
			}
		})
	}
}

// The output is whole when the connection to the server here breaks and is opened again, and the
// status is the program's.
func TestRunAcrossBreaks(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	proxy, links := d.proxy(func(b []byte) []byte { return b })
	over := filepath.Join(t.TempDir(), "over")
	r := begin(t, "--socket", proxy, "run", "--", "seq 1 50000; until [ -e "+over+" ]; do sleep 0.02; done; seq 50001 100000; exit 3")
	r.prints(&r.out, "\n50000\n")
	for len(links) > 0 {
		(<-links)()
	}
	(<-links)() // the next one, as it is opened
	if err := os.WriteFile(over, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	for n := 1; n <= 100_000; n++ {
		want.WriteString(strconv.Itoa(n) + "\n")
	}
	if got := r.ends(); got != 3 || r.out.String() != want.String() {
		t.Errorf("status %d, %d bytes, want 3 and %d; %s", got, len(r.out.String()), want.Len(), &r.errs)
	}
}
