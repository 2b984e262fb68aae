package early

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// folder is where build writes.
var folder string

func TestMain(m *testing.M) {
	var err error
	if folder, err = os.MkdirTemp("", "early"); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(folder)
	os.Exit(code)
}

// build builds both commands, since only the real ones begin with this package. Without debugging
// information they link in half of the time.
var build = sync.OnceValue(func() error {
	out, err := exec.Command("go", "build", "-ldflags=-w", "-o", folder+string(filepath.Separator), "../../../cmd/ui-mcp", "../../../cmd/wsh").CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
})

// command returns the path of a command as users have it.
func command(t *testing.T, name string) string {
	t.Helper()
	if err := build(); err != nil {
		t.Fatal(err)
	}
	path, err := exec.LookPath(filepath.Join(folder, name)) // with .exe on Windows
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// In both commands, this package is initialised before all others that are not of the standard
// library.
func TestEarly(t *testing.T) {
	for _, name := range []string{"ui-mcp", "wsh"} {
		cmd := exec.Command(command(t, name), "version")
		if name == "wsh" {
			cmd.Args[1] = "--version"
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
