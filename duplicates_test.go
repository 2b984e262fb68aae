package uimcp

import (
	"fmt"
	"hash/maphash"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// shared is how many lines two places may not have in common: more are worth a function.
const shared = 10

// A sourceLine is a line of a source file, without the space around it.
type sourceLine struct {
	text   string
	number int
}

// thin matches lines that say nothing by themselves: punctuation, and returns of errors.
var thin = regexp.MustCompile(`^([(){}\[\];,]*|return err|\}?,? ?else \{|if err != nil \{|return nil, err|import \(|"[^"]*"|// .*|//|/?\*.*)$`)

// significant returns the lines of a file that count: no blank lines, comments or imports, and none
// that say nothing by themselves.
func significant(content string) (lines []sourceLine) {
	for i, line := range strings.Split(content, "\n") {
		line = strings.TrimSpace(line)
		if !thin.MatchString(line) && !strings.HasPrefix(line, "import ") {
			lines = append(lines, sourceLine{line, i + 1})
		}
	}
	return lines
}

// duplicates returns the pairs of places in files that share lines, each pair once.
func duplicates(files map[string]string) (pairs []string) {
	type place struct {
		file  string
		index int
	}
	seed := maphash.MakeSeed()
	seen := map[uint64]place{}
	lines := map[string][]sourceLine{}
	var names []string
	for name, content := range files {
		names = append(names, name)
		lines[name] = significant(content)
	}
	slices.Sort(names)
	for _, name := range names {
		for i := 0; i+shared <= len(lines[name]); i++ {
			var h maphash.Hash
			h.SetSeed(seed)
			for _, line := range lines[name][i : i+shared] {
				h.WriteString(line.text + "\n")
			}
			first, ok := seen[h.Sum64()]
			if !ok {
				seen[h.Sum64()] = place{name, i}
				continue
			}
			n := shared
			for a, b := lines[first.file][first.index:], lines[name][i:]; n < min(len(a), len(b)) && a[n].text == b[n].text; {
				n++
			}
			pairs = append(pairs, fmt.Sprintf("%s:%d and %s:%d share %d lines", first.file, lines[first.file][first.index].number, name, lines[name][i].number, n))
			i += n - shared
		}
	}
	return pairs
}

// No two places outside tests and built files share ten lines.
func TestDuplicates(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains([]string{"dist", "node_modules", "testdata", "scratch", "test", ".git"}, d.Name()):
			return fs.SkipDir
		case d.IsDir(), strings.HasSuffix(path, "_test.go"), !slices.Contains([]string{".go", ".ts"}, filepath.Ext(path)):
			return nil
		}
		content, err := os.ReadFile(path)
		files[filepath.ToSlash(path)] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 500 || files["web/src/wire.ts"] == "" || files["cmd/wsh/main.go"] == "" {
		t.Fatalf("%d files were found", len(files))
	}
	for _, pair := range duplicates(files) {
		t.Error(pair)
	}
}

func TestDuplicatesAreFound(t *testing.T) {
	t.Parallel()
	text := func(indent string, from, to int) (s string) {
		for i := from; i < to; i++ {
			s += fmt.Sprintf("%sf(%d)\n\n%s// a comment\n", indent, i, indent)
		}
		return s
	}
	got := duplicates(map[string]string{
		"a.go": "package a\n" + text("", 0, 12) + "g()\n" + text("", 100, 109),
		"b.go": "package b\nfunc x() {\n" + text("\t", 0, 12) + "}\n" + text("", 100, 109) + "end()\n",
		"c.go": text("", 200, 210) + text("", 200, 210),
	})
	want := []string{"a.go:2 and b.go:3 share 12 lines", "c.go:1 and c.go:31 share 10 lines"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
