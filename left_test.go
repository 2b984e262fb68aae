//go:build linux

package uimcp_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

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
