package early

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// In both commands, this package is initialised before all others that are not of the standard
// library.
func TestEarly(t *testing.T) {
	for _, name := range []string{"ui-mcp", "wsh"} {
		program := filepath.Join(t.TempDir(), name+".exe")
		if out, err := exec.Command("go", "build", "-o", program, "../../../cmd/"+name).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		cmd := exec.Command(program, "version")
		if name == "wsh" {
			cmd = exec.Command(program, "--version")
		}
		cmd.Env = append(cmd.Environ(), "GODEBUG=inittrace=1")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		first := ""
		for line := range strings.Lines(string(out)) {
			words := strings.Fields(line)
			if len(words) > 1 && words[0] == "init" && (strings.Contains(words[1], ".") || strings.HasPrefix(words[1], "ui-mcp/")) {
				first = words[1]
				break
			}
		}
		if !strings.HasSuffix(first, "/internal/cli/early") {
			t.Errorf("%s: the first package is %q", name, first)
		}
	}
}
