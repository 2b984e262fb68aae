//go:build linux

package uimcp_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"ui-mcp/internal/testkit"
)

// When a test fails, the release that is being built beside it ends with all that builds it.
func TestRunEndsItsRelease(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	script, err := os.ReadFile(".ci/run")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		".ci/run":     string(script),
		"tools/need":  "#!/bin/sh\n",
		"tools/space": "#!/bin/sh\n",
		"bin/make": `#!/bin/sh
case $1 in
release)
	sh -c 'echo $$ >builder; mv builder building; sleep 600; true'
	true
	;;
race)
	until [ -e building ]; do sleep 0.01; done
	exit 7
	;;
esac
`,
	} {
		testkit.Write(t, dir, name, text)
		if err := os.Chmod(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), filepath.Join(dir, ".ci", "run"))
	cmd.Env = append(os.Environ(), "TMPDIR="+dir, "PATH="+filepath.Join(dir, "bin")+":"+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() != 7 || strings.Contains(string(out), "make test") {
		t.Errorf("%v: %s", err, out)
	}
	left := exec.Command("tools/left")
	left.Stdin = strings.NewReader(dir + "\n")
	if out, _ := left.CombinedOutput(); strings.Contains(string(out), "process ") { // it names the files above, too
		t.Errorf("left: %s", out)
	}
}

// What tests leave behind fails a run: files, and processes that have anything to do with its
// temporary directory.
func TestLeft(t *testing.T) {
	t.Parallel()
	left := func(dir string) (string, error) {
		cmd := exec.Command("tools/left", "1")
		cmd.Stdin = strings.NewReader(dir + "\n")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	dir := t.TempDir()
	if out, err := left(dir); err != nil || out != "" {
		t.Errorf("of nothing: %v, %s", err, out)
	}
	if err := os.WriteFile(filepath.Join(dir, "a file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := left(dir); err == nil || !strings.HasSuffix(out, "\nfile "+filepath.Join(dir, "a file")+"\n") {
		t.Errorf("of a file: %v, %s", err, out)
	}
	if err := os.Remove(filepath.Join(dir, "a file")); err != nil {
		t.Fatal(err)
	}
	for how, prepare := range map[string]func(*exec.Cmd){
		"environment": func(c *exec.Cmd) { c.Env = append(os.Environ(), "TMPDIR="+dir) },
		"directory":   func(c *exec.Cmd) { c.Dir = dir },
		"arguments":   func(c *exec.Cmd) { c.Args = append(c.Args, dir+"/name") },
	} {
		process := exec.Command("/bin/sh", "-c", "echo; read line", "sh")
		prepare(process)
		in, err := process.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		begun, err := process.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := process.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := begun.Read(make([]byte, 1)); err != nil { // now it is what /proc says
			t.Error(err)
		}
		if out, err := left(dir); err == nil || !strings.Contains(out, "\nprocess "+strconv.Itoa(process.Process.Pid)+": /bin/sh -c echo; read line sh") {
			t.Errorf("of a process, by its %s: %v, %s", how, err, out)
		}
		in.Close()
		_ = process.Wait() // read has failed
	}
	if out, err := left(dir); err != nil {
		t.Errorf("after all processes: %v, %s", err, out)
	}
}
