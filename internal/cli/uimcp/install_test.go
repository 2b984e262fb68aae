package uimcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/doctor"
)

func TestInstall(t *testing.T) {
	base := filepath.Join(t.TempDir(), ".claude", "ui")
	run := func(args ...string) string {
		t.Helper()
		var out, errs bytes.Buffer
		if status := Run(t.Context(), "0", append([]string{"install", "--dir", base}, args...), commandline.Streams{In: strings.NewReader(""), Out: &out, Err: &errs}); status != commandline.ExitOK || errs.Len() > 0 {
			t.Fatalf("ui-mcp install %s: status %d, errors %q", args, status, errs.String())
		}
		return out.String()
	}
	var report map[string][]string
	if out := run("--json"); json.Unmarshal([]byte(out), &report) != nil || len(report["installed"]) == 0 || report["skipped"] == nil || report["appended"] == nil || len(report) != 3 {
		t.Errorf("output %s", out)
	}
	if out := run(); !strings.HasPrefix(out, "Nothing to do: version ") {
		t.Errorf("output %s", out)
	}
	// The section is written although no file is.
	if out := run("--claude-md"); !strings.HasPrefix(out, "No files to install: version ") || !strings.Contains(out, "appended  CLAUDE.md\n") {
		t.Errorf("output %s", out)
	}
	if err := os.WriteFile(filepath.Join(base, "lua", "main.lua"), []byte("-- mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	if out := run("--force"); !strings.Contains(out, "kept      .claude/ui/lua/main.lua.orig\n") {
		t.Errorf("output %s", out)
	}
}

// The doctor finds a running server, its app and its version.
func TestDoctorFindsServers(t *testing.T) {
	p, pages, agent := newRunning(t)
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	var out, errs bytes.Buffer
	Run(t.Context(), "0.1.0", []string{"doctor", "--json"}, commandline.Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
	var checks []doctor.Check
	if err := json.Unmarshal(out.Bytes(), &checks); err != nil || errs.Len() > 0 {
		t.Fatalf("%v: %s%s", err, out.String(), errs.String())
	}
	want := doctor.Check{Subject: "server", State: doctor.OK, Text: fmt.Sprintf("ui-mcp, process %d, shows %s at %s, and serves agents at %s, version %s", os.Getpid(), p.Dir(), pages, agent, p.Status(t.Context()).Version)}
	var found []doctor.Check
	for _, c := range checks {
		if c.Subject == "server" {
			found = append(found, c)
		}
	}
	if len(found) != 1 || found[0] != want {
		t.Errorf("servers:\n%q, want\n%q", found, want)
	}
}
