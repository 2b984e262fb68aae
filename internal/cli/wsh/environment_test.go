package wsh

import (
	"os"
	"os/user"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Without an environment, the person is the one whom the system knows; what is set stays.
func TestCompleteEnvironment(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("programs always have an environment here")
	}
	t.Setenv("USER", "")
	t.Setenv("LOGNAME", "other")
	u, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", "")
	t.Setenv("PATH", "")
	completeEnvironment()
	for name, want := range map[string]string{"HOME": u.HomeDir, "USER": u.Username, "LOGNAME": "other"} {
		if got := os.Getenv(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if os.Getenv("PATH") == "" {
		t.Error("PATH is empty")
	}
}

// Only Main and what completes the environment read that of the process: commands have a value.
func TestEnvironmentIsAValue(t *testing.T) {
	t.Parallel()
	files, _ := filepath.Glob("*.go") // the patterns are valid
	rooms, _ := filepath.Glob("*/*.go")
	reads := regexp.MustCompile(`\bos\.(Getenv|LookupEnv|Environ|ExpandEnv|UserHomeDir|UserCacheDir|UserConfigDir)\b`)
	found := map[string]int{}
	for _, file := range append(files, rooms...) {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(reads.FindAll(content, -1)); n > 0 && !strings.HasSuffix(file, "_test.go") {
			found[file] = n
		}
	}
	if diff := cmp.Diff(map[string]int{"wsh.go": 1, "environment.go": 2}, found); diff != "" {
		t.Errorf("uses of the environment of the process (-want +got):\n%s", diff)
	}
}
