package wsh

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/skills"
)

// "wsh install" writes every skill, and reports what it does.
func TestInstall(t *testing.T) {
	t.Parallel()
	project := t.TempDir()
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.Command(os.Args[0], append([]string{"install"}, args...)...)
		cmd.Dir, cmd.Env = project, append(vars(t), "WSH_TEST=run")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("wsh install %s: %v\n%s", args, err, out)
		}
		return string(out)
	}
	var report map[string][]string
	if out := run("--json"); json.Unmarshal([]byte(out), &report) != nil || len(report) != 3 || len(report["installed"]) != len(skills.Wsh()) {
		t.Errorf("output %s", out)
	}
	for _, d := range skills.Wsh() {
		data, err := os.ReadFile(filepath.Join(project, ".claude", "skills", d.Name, "SKILL.md"))
		if err != nil {
			t.Error(err)
		} else if string(data) != d.Text {
			t.Errorf("%s differs", d.Name)
		}
	}
	if out := run(); !strings.HasPrefix(out, "Nothing to do: version ") {
		t.Errorf("output %s", out)
	}
	mine := filepath.Join(project, ".claude", "skills", "wsh-core", "SKILL.md")
	if err := os.WriteFile(mine, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	if out := run("--dir", project, "--force"); !strings.Contains(out, "kept      .claude/skills/wsh-core/SKILL.md.orig\n") {
		t.Errorf("output %s", out)
	}
	if data, err := os.ReadFile(mine + ".orig"); err != nil || string(data) != "mine" {
		t.Errorf("%q, error %v", data, err)
	}
}

// A directory that does not exist is an error, and is not created.
func TestInstallNoDirectory(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "typo")
	cmd := exec.Command(os.Args[0], "install", "--dir", dir)
	cmd.Env = append(vars(t), "WSH_TEST=run")
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() != commandline.ExitFailure || !strings.Contains(string(out), dir) {
		t.Errorf("%v: %s", err, out)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("it was created: %v", err)
	}
}
