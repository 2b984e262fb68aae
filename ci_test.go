//go:build linux

package uimcp_test

import (
	"os"
	"os/exec"
	"path/filepath"
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
