package uimcp_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	// reference is a package or file that docs/conformance.md names, or a test of that package.
	reference = regexp.MustCompile("`([^`]+)`|\\b((?:Test|Fuzz|Benchmark)[A-Z]\\w*)")
	declared  = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)\w+)\(`)
)

// Every row of docs/conformance.md names tests that exist, or says what is missing.
func TestConformance(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("docs/conformance.md")
	if err != nil {
		t.Fatal(err)
	}
	rows, sections := 0, map[string]bool{}
	for n, line := range strings.Split(string(text), "\n") {
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		if !strings.HasPrefix(line, "| ") || len(cells) < 2 || cells[len(cells)-1] == "verified by" {
			continue
		}
		rows++
		for s := range strings.SplitSeq(cells[0], ", ") {
			sections[s[:1]] = true
		}
		held := cells[len(cells)-1]
		if missing, ok := strings.CutPrefix(held, "not yet: "); ok {
			if len(missing) < 10 {
				t.Errorf("docs/conformance.md:%d does not say what is missing", n+1)
			}
			continue
		}
		checkRow(t, n+1, held)
	}
	if rows < 60 {
		t.Errorf("%d rows: has the table changed its form?", rows)
	}
	for _, s := range []string{"1", "2", "3", "4", "5", "6", "7", "8"} {
		if !sections[s] {
			t.Errorf("docs/conformance.md has no row of section %s", s)
		}
	}
}

// checkRow looks for all that a row names.
func checkRow(t *testing.T, line int, held string) {
	t.Helper()
	dir, proofs := "", 0
	var tests map[string]bool
	for _, m := range reference.FindAllStringSubmatch(held, -1) {
		if m[1] == "" {
			proofs++
			if !tests[m[2]] {
				t.Errorf("docs/conformance.md:%d: %s has no %s", line, dir, m[2])
			}
			continue
		}
		dir = m[1]
		info, err := os.Stat(filepath.FromSlash(dir))
		switch {
		case err != nil:
			t.Errorf("docs/conformance.md:%d: %v", line, err)
		case info.IsDir():
			tests = testsIn(t, dir)
		default:
			proofs++
		}
	}
	if proofs == 0 {
		t.Errorf("docs/conformance.md:%d: nothing verifies %q", line, held)
	}
}

// testsIn lists the tests of a package.
func testsIn(t *testing.T, dir string) map[string]bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(filepath.FromSlash(dir), "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range declared.FindAllSubmatch(text, -1) {
			tests[string(m[1])] = true
		}
	}
	return tests
}
