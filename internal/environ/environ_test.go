package environ

import (
	"os"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestVariables(t *testing.T) {
	t.Parallel()
	v := Variables{"A=1", "EMPTY=", "=C:=C:\\", "A=2", "no variable"}
	for _, tt := range []struct {
		name, value string
		set         bool
	}{{"A", "2", true}, {"EMPTY", "", true}, {"B", "", false}, {"no variable", "", false}} {
		if value, set := v.Lookup(tt.name); value != tt.value || set != tt.set {
			t.Errorf("Lookup(%q) = %q, %v", tt.name, value, set)
		}
		if value := v.Get(tt.name); value != tt.value {
			t.Errorf("Get(%q) = %q", tt.name, value)
		}
	}
	changed := v.With("A", "3").With("B", "4")
	if diff := cmp.Diff(Variables{"EMPTY=", "=C:=C:\\", "no variable", "A=3", "B=4"}, changed); diff != "" {
		t.Errorf("With: -want +got:\n%s", diff)
	}
	if v.Get("A") != "2" {
		t.Error("With has changed the variables that it was called with")
	}
	if _, set := v.Lookup("a"); set != (runtime.GOOS == "windows") {
		t.Errorf("Lookup(a): %v", set)
	}
}

// Package os returns the same directories for the same environment.
func TestDirectories(t *testing.T) {
	type answer struct {
		Dir    string
		Failed bool
	}
	answerOf := func(dir string, err error) answer { return answer{dir, err != nil} }
	for _, values := range []map[string]string{
		{"HOME": "/h"}, {"HOME": ""}, {"HOME": "/h", "XDG_CACHE_HOME": "/c", "XDG_CONFIG_HOME": "/f"},
		{"HOME": "/h", "XDG_CACHE_HOME": "c", "XDG_CONFIG_HOME": "f"}, {"HOME": "", "XDG_CACHE_HOME": "/c"},
	} {
		var v Variables
		for _, name := range []string{"HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"} {
			t.Setenv(name, values[name])
		}
		v = os.Environ()
		want := []answer{answerOf(os.UserHomeDir()), answerOf(os.UserCacheDir()), answerOf(os.UserConfigDir())}
		got := []answer{answerOf(v.Home()), answerOf(v.CacheDir()), answerOf(v.ConfigDir())}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%v: -os +environ:\n%s", values, diff)
		}
	}
}

func TestShell(t *testing.T) {
	t.Parallel()
	if got := (Variables{"ComSpec=cmd.exe"}).Shell(); got != "cmd.exe" {
		t.Errorf("on Windows: %q", got)
	}
	if got := (Variables{"SHELL=/bin/sh", "ComSpec=cmd.exe"}).Shell(); got != "/bin/sh" {
		t.Errorf("elsewhere: %q", got)
	}
	if got := (Variables{}).Shell(); got != "" {
		t.Errorf("without a shell: %q", got)
	}
}
