//go:build unix

package wsh

import (
	"bufio"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"ui-mcp/internal/testkit/wait"
)

var update = flag.Bool("update", false, "rewrite golden files")

// tidy replaces what differs from run to run in JSON.
const tidy = `#!/bin/sh
exec sed -E 's/"(pid|last_activity_ms|age_ms|epoch|generation|duration_ms|layout|uptime_ms|bytes)":[0-9]+/"\1":0/g; s/"server":"[^"]*"/"server":"here"/g; s/"id":"@[a-z2-7]{12}"/"id":"@id"/g'
`

// dated replaces dates.
const dated = `#!/bin/sh
exec sed -E 's/[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9:]{8}(\.[0-9]+)?Z?/DATE/'
`

// The commands of wsh as a person or a script uses them. Each script in testdata/commands has
// folders and a server of its own. It runs the command with exec, and "tidy" and "dated" are
// filters.
func TestCommands(t *testing.T) {
	t.Parallel()
	params := scripts(t)
	if testing.Short() { // commands that run beside others; elsewhere, one ends before the next starts
		params.Files = []string{"testdata/commands/input.txtar", "testdata/commands/waiting.txtar", "testdata/commands/watch.txtar"}
		params.Dir = ""
	}
	testscript.Run(t, params)
}

// scripts says how to run scripts.
func scripts(t *testing.T) testscript.Params {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if err := errors.Join(os.Symlink(program, filepath.Join(bin, "wsh")), os.WriteFile(filepath.Join(bin, "tidy"), []byte(tidy), 0o755), os.WriteFile(filepath.Join(bin, "dated"), []byte(dated), 0o755)); err != nil {
		t.Fatal(err)
	}
	return testscript.Params{
		Dir: "testdata/commands", UpdateScripts: *update, RequireExplicitExec: true, RequireUniqueNames: true,
		Deadline: time.Now().Add(2 * wait.Patience),
		// complete is "wsh complete", again while the machine is too slow for it.
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"complete": func(ts *testscript.TestScript, _ bool, args []string) {
			for began := time.Now(); ; began = time.Now() {
				if ts.Check(ts.Exec("wsh", append([]string{"complete"}, args...)...)); time.Since(began) < completeTime {
					return
				}
			}
		}},
		Setup: func(e *testscript.Env) error {
			runtime, err := os.MkdirTemp("", "w") // short enough for sockets
			if err != nil {
				return err
			}
			e.Defer(func() { os.RemoveAll(runtime) })
			for name, value := range map[string]string{
				"XDG_RUNTIME_DIR": runtime, "XDG_CONFIG_HOME": e.WorkDir, "HOME": e.WorkDir, "PATH": bin + string(filepath.ListSeparator) + os.Getenv("PATH"),
				"WSH_TEST": "run", "SHELL": "/bin/sh", "PS1": "$ ", "ENV": "", "LANG": "C.UTF-8",
			} {
				e.Setenv(name, value)
			}
			return startServer(e, filepath.Join(bin, "wsh"))
		},
	}
}

// startServer starts the server of a script, which ends with it, unless the script has stopped it.
func startServer(e *testscript.Env, program string) error {
	cmd := exec.Command(program, "server", "--bind", "127.0.0.1:0", "--hostname", "here")
	cmd.Dir, cmd.Env = e.WorkDir, e.Vars
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	e.Defer(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM) // it may have ended
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err == nil && !strings.HasPrefix(line, "Serving") {
		err = errors.New(line)
	}
	return err
}
