package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Each mutant of a function, by its source.
func TestMutants(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		body string
		want []string
	}{
		{"if a < b { return }", []string{"a < b → a >= b", "a < b → a <= b"}},
		{"_ = a == b && ok", []string{"a == b && ok → a == b || ok", "a == b → a != b"}},
		{"if !ok { return }", []string{"!ok → ok"}},
		{"if ok { return }", []string{"ok → !(ok)"}},
		{"for f() { a++ }", []string{"f() → !(f())", "a++ → a--"}},
		{"for ; a > 0; a-- { }", []string{"a > 0 → a <= 0", "a > 0 → a >= 0", "a-- → a++"}},
		{"switch { case ok: case a != b: }", []string{"ok → !(ok)", "a != b → a == b"}},
		{"a += b - 1", []string{"a += b - 1 → a -= b - 1", "b - 1 → b + 1"}},
		{"var x int64; x -= 1", []string{"x -= 1 → x += 1"}},
		{"_ = func() (int, bool) { return 1, true }", []string{"true → false"}},
		{"s += \"x\" + s", nil},
		{"_ = ok ||\n\tf()", []string{"ok || f() → ok && f()"}},
		{"const c = 1 < 2; var list [2 * 3]int; _ = list; _ = c", nil},
		{"type flag bool; var x flag = a == b; _ = x && x", []string{"a == b → a != b"}},
		{"var u uint8; _ = a + int(u%3)", []string{"a + int(u%3) → a - int(u%3)", "u%3 → u * 3"}},
	} {
		source := "package p\n\nfunc f() bool { return g }\n\nvar g bool\n\nfunc h(a, b int, ok bool, s string) {\n\t" + tt.body + "\n}\n"
		got, out := mutate(t, source)
		for i, m := range got {
			if m.function != "h" || m.file != "p.go" {
				t.Errorf("%s: %+v", tt.body, m)
			}
			got[i].what = strings.TrimSpace(m.what)
		}
		var texts []string
		for _, m := range got {
			texts = append(texts, m.what)
		}
		if diff := cmp.Diff(tt.want, texts); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tt.body, diff)
		}
		if _, err := parser.ParseFile(token.NewFileSet(), "p.go", out, 0); err != nil {
			t.Errorf("%s: %v\n%s", tt.body, err, out)
		}
	}
}

// mutate returns the mutants of a package of one file, and that file with them.
func mutate(t *testing.T, source string) ([]mutant, string) {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	if _, err := new(types.Config).Check("p", fset, []*ast.File{file}, info); err != nil {
		t.Fatal(err)
	}
	w := &writer{fset: fset, info: info}
	out := w.write(file, "p.go", []byte(source))
	return w.mutants, string(out)
}

// A run compiles the mutants of a package, tells which survive its tests, and compares them with
// the known ones.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{
		"go.mod": "module example.org/m\n\ngo 1.26\n",
		"p/p.go": `package p

// Abs has all operators that the preamble has functions for.
func Abs(x int) int {
	if x < 0 {
		return -x
	}
	return x
}

func Even(x int, strict bool) bool {
	if strict && x <= 0 || x%2 != 0 {
		return false
	}
	return true
}

func Sum(list []float64) (sum float64) {
	for i := 0; i < len(list); i++ {
		sum += 2 * list[i] / 2
	}
	return sum + 1 - 1
}

func Unreached(x uint8) bool { return x > 3 }
`,
		"p/p_test.go": `package p

import "testing"

func TestAbs(t *testing.T) {
	if Abs(-2) != 2 || Abs(3) != 3 {
		t.Error(Abs(-2), Abs(3))
	}
}

func TestEven(t *testing.T) {
	if Even(1, false) || Even(0, true) || !Even(2, true) || !Even(0, false) || Even(-2, true) {
		t.Error("wrong")
	}
}

func TestSum(t *testing.T) {
	if Sum([]float64{1, 3}) != 4 {
		t.Error(Sum([]float64{1, 3}))
	}
}
`,
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	t.Setenv("GOFLAGS", "-mod=mod") // whatever the caller's are
	const abs, unreached = "p.go Abs: x < 0 → x <= 0", "p.go Unreached: x > 3 → x >= 3"
	known := filepath.Join(dir, "survivors.txt")
	if err := os.WriteFile(known, []byte("# comment\np "+abs+"\n\t-0 is 0\np "+unreached+"\n\tnobody calls it\np p.go Gone: a → b\n\tit was there once\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	list, err := readSurvivors(known)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	err = run(&out, []string{"./p"}, 2, list)
	if err == nil {
		t.Error("it succeeds though there are others than the known survivors")
	}
	got := out.String()
	for _, want := range []string{"p: 17 of 20 mutants killed", "p.go:25: survives\n\tp.go Unreached: x > 3 → x <= 3\n", "remove it from the known survivors of p\n\tp.go Gone: a → b\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("the report lacks %q:\n%s", want, got)
		}
	}
	for _, not := range []string{abs, unreached} {
		if strings.Contains(got, not) {
			t.Errorf("the report has the known survivor %q:\n%s", not, got)
		}
	}
}

// Tests that do not end with a mutant kill it, but not those that take long because the machine is
// busy.
func TestSlowTests(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the program is a script")
	}
	for name, tt := range map[string]struct {
		script string
		killed bool
	}{
		"endless": {`[ "$MUTANT" = 0 ] || exec sleep 1000`, true},
		"busy":    {`exec sleep 0.5`, false},
	} {
		dir := t.TempDir()
		b := &binary{program: filepath.Join(dir, "program"), dir: dir, scratch: dir, patience: time.Second / 5}
		if err := os.WriteFile(b.program, []byte("#!/bin/sh\n"+tt.script+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		killed, err := b.fails(mutant{n: 1}, []test{{name: "Test"}})
		if err != nil || killed != tt.killed {
			t.Errorf("%s: killed: %t, %v", name, killed, err)
		}
	}
}

func TestSurvivorsNeedReasons(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"p p.go F: a → b\n", "p p.go F: a → b\np p.go F: b → c\n\treason\n", "p\n\treason\n"} {
		file := filepath.Join(t.TempDir(), "survivors.txt")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := readSurvivors(file); err == nil {
			t.Errorf("no error for %q", text)
		}
	}
}
