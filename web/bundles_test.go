package web_test

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ui-mcp/web"
)

// The builds of foreign code match their recorded inputs, and nobody has edited them.
func TestBundlesAreFresh(t *testing.T) {
	t.Parallel()
	for _, bundle := range []string{"shoelace", "xterm"} {
		t.Run(bundle, func(t *testing.T) { checkSums(t, bundle) })
	}
}

// readInput reads a file that SUMS lists: one of the bundle's folder, or the content of what was
// built.
func readInput(bundle, name string) ([]byte, error) {
	built, ok := strings.CutPrefix(name, "../dist/")
	if !ok {
		return os.ReadFile(filepath.Join(bundle, name))
	}
	if bundle == "xterm" {
		return fs.ReadFile(web.Terminals(), built)
	}
	return fs.ReadFile(web.Dist(), built)
}

func checkSums(t *testing.T, bundle string) {
	again := "run web/" + bundle + "/build.sh, which needs npm"
	sums, err := os.ReadFile(bundle + "/SUMS")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for lines := bufio.NewScanner(bytes.NewReader(sums)); lines.Scan(); {
		want, name, ok := strings.Cut(lines.Text(), "  ")
		if !ok {
			t.Fatalf("SUMS has the line %q", lines.Text())
		}
		content, err := readInput(bundle, name)
		if err != nil {
			t.Errorf("%v: %s", err, again)
			continue
		}
		if sum := sha256.Sum256(content); hex.EncodeToString(sum[:]) != want {
			t.Errorf("%s is not as it was when dist/%s was built: %s", name, bundle, again)
		}
		listed[name] = true
	}
	for _, dir := range []string{bundle, "dist/" + bundle} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			rel, err := filepath.Rel(bundle, path)
			name := strings.TrimSuffix(filepath.ToSlash(rel), ".gz")
			if name != "SUMS" && name != "README.md" && !listed[name] {
				t.Errorf("%s is not in SUMS: %s", path, again)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
