package web_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ui-mcp/internal/testkit/browser"
)

// TestUnits runs the TypeScript unit tests in test/, built into one script, in one page.
func TestUnits(t *testing.T) {
	t.Parallel()
	build := exec.Command("go", "tool", "-modfile=../tools/go.mod", "esbuild", "test/all.ts",
		"--bundle", "--target=es2022", "--format=iife", "--charset=utf8", "--log-level=error")
	var stderr strings.Builder
	build.Stderr = &stderr
	script, err := build.Output()
	if err != nil {
		t.Fatalf("esbuild: %v\n%s", err, &stderr)
	}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><link rel="icon" href="data:,"><script>%s</script>`, script)
	}))
	t.Cleanup(srv.Close)
	tab := browser.New(t).Tab()
	tab.Open(srv.URL)
	tab.Wait(`window.unitResults`)
	results := browser.Eval[[]struct{ Name, Error string }](tab, `window.unitResults`)
	files, err := filepath.Glob("test/*.test.ts")
	if err != nil {
		t.Fatal(err)
	}
	all, err := os.ReadFile("test/all.ts")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if name := strings.TrimSuffix(filepath.Base(file), ".ts"); !strings.Contains(string(all), `"./`+name+`"`) {
			t.Errorf("test/all.ts does not import %s", name)
		}
	}
	if len(results) == 0 {
		t.Error("there are no results")
	}
	for _, r := range results {
		t.Run(r.Name, func(t *testing.T) {
			if r.Error != "" {
				t.Error(r.Error)
			}
		})
	}
}

var importing = regexp.MustCompile(`(?m)^(import type|import|export)\b[^;]*?\bfrom "(\.[^"]*)"|^(import) "(\.[^"]*)"`)

const erased = "import type" // of what is imported nothing is left when the program runs

// measuring matches what computes how long something took.
var measuring = regexp.MustCompile(`Date\.now\(\) (-|<|>)`)

// sources returns the TypeScript files below src, and how each imports others, by path without
// extension.
func sources(t *testing.T) map[string]map[string]string {
	t.Helper()
	imports := map[string]map[string]string{}
	err := filepath.WalkDir("src", func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".ts") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name := strings.TrimSuffix(filepath.ToSlash(path), ".ts")
		if measuring.Match(text) {
			t.Errorf("%s measures a time with Date.now(), which goes wrong when the clock is set: use performance.now()", name)
		}
		imports[name] = map[string]string{}
		for _, m := range importing.FindAllStringSubmatch(string(text), -1) {
			imports[name][filepath.ToSlash(filepath.Join(filepath.Dir(name), m[2]+m[4]))] += m[1] + m[3]
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return imports
}

// isData reports whether a file belongs to the part of the client that does not use the DOM.
func isData(name string) bool {
	switch name {
	case "src/wire", "src/tabmessages", "src/popup/wire", "src/popup/queue", "src/popup/link", "src/chat/relay", "src/chat/wire", "src/chat/forbidden":
		return true
	}
	return strings.HasPrefix(name, "src/data/") || strings.HasPrefix(name, "src/terminal/data/") || strings.HasPrefix(name, "src/terminals/data/")
}

// The data part imports nothing from the DOM part, and there are no import cycles.
func TestSourceTree(t *testing.T) {
	t.Parallel()
	imports := sources(t)
	if len(imports) < 50 {
		t.Fatalf("found %d files", len(imports))
	}
	const visiting, done = 1, 2
	state := map[string]int{}
	var visit func(name string, trail []string)
	visit = func(name string, trail []string) {
		trail = append(trail, name)
		state[name] = visiting
		for to, how := range imports[name] {
			if _, ok := imports[to]; !ok {
				t.Errorf("%s imports %s, which is not in src", name, to)
			}
			if isData(name) && !isData(to) {
				t.Errorf("%s is data and imports %s, which is not", name, to)
			}
			switch {
			case how == erased:
			case state[to] == visiting:
				t.Errorf("import cycle: %s → %s", strings.Join(trail, " → "), to)
			case state[to] == 0:
				visit(to, trail)
			}
		}
		state[name] = done
	}
	for name := range imports {
		if state[name] == 0 {
			visit(name, nil)
		}
	}
	// No file is left over: every one is reached from an entry point.
	reached := map[string]bool{}
	var mark func(name string)
	mark = func(name string) {
		if !reached[name] {
			reached[name] = true
			for to := range imports[name] {
				mark(to)
			}
		}
	}
	for _, entry := range []string{"src/main", "src/worker", "src/popup/main", "src/popup/host/main", "src/terminal/main", "src/terminals/main", "src/chat/main", "src/look/main", "src/reach/main"} {
		mark(entry)
	}
	for name := range imports {
		if !reached[name] {
			t.Errorf("%s is not used", name)
		}
	}
}
