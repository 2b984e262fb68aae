package bundle_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	uimcp "ui-mcp"
	"ui-mcp/bundle"
	"ui-mcp/internal/install"
	"ui-mcp/web"
)

// The real bundle installs, and the installed page names a script that is there.
func TestInstalls(t *testing.T) {
	t.Parallel()
	client, err := fs.Sub(web.Dist, "dist")
	if err != nil {
		t.Fatal(err)
	}
	base := filepath.Join(t.TempDir(), ".claude", "ui")
	report, err := install.Install(install.Options{
		BaseDir: base,
		Source:  install.Source{Files: bundle.Files, Client: client, Readme: uimcp.Readme},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Skipped) != 0 || install.NeedsInstall(base) {
		t.Errorf("report = %+v, want a complete installation", report)
	}
	index, err := os.ReadFile(filepath.Join(base, "html", "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(index), `<script defer src="/`)
	script, _, _ := strings.Cut(after, `"`)
	if _, err := os.Stat(filepath.Join(base, "html", script)); script == "" || err != nil {
		t.Errorf("index.html names the script %q: %v", script, err)
	}
}
