package uimcp_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestLongTestsRunSomewhere finds the tests that call load.Long, as the compiler would. No test
// falls out of both make test and make e2e: tools/e2e finds the same ones, and what must run all
// tests sets the variable for which load.Long lets them run.
func TestLongTestsRunSomewhere(t *testing.T) {
	t.Parallel()
	var want []string
	tests, instead := map[string]bool{}, map[string]string{} // all tests; what reasons name, and where
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "scratch" || d.Name() == ".git") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, "_test.go") || strings.HasPrefix(filepath.ToSlash(path), "internal/testkit/load/") {
			return nil
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Body == nil {
				continue
			}
			tests[f.Name.Name] = true
			top := 0
			for _, statement := range f.Body.List {
				if expr, ok := statement.(*ast.ExprStmt); ok && callsLong(t, expr.X) {
					top++
				}
			}
			all := 0
			ast.Inspect(f.Body, func(n ast.Node) bool {
				if e, ok := n.(ast.Expr); ok && callsLong(t, e) {
					all++
					for _, name := range testName.FindAllString(types.ExprString(e), -1) {
						instead[name] = f.Name.Name
					}
				}
				return true
			})
			switch {
			case all == 0:
			case all > 1 || top != 1 || f.Recv != nil || !strings.HasPrefix(f.Name.Name, "Test"):
				t.Errorf("%s: load.Long belongs once at the top level of a test, where tools/e2e finds it", fset.Position(f.Pos()))
			default:
				want = append(want, f.Name.Name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(want)
	if len(want) == 0 {
		t.Error("no test calls load.Long")
	}
	for name, of := range instead {
		if !tests[name] || slices.Contains(want, name) {
			t.Errorf("%s is left to make e2e because of %s, which make test does not run", of, name)
		}
	}
	out, err := exec.Command("tools/e2e", "tests").Output()
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Fields(string(out))
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("make e2e runs other tests than those that call load.Long (-want +got):\n%s", diff)
	}

	for file, line := range map[string]string{
		"Makefile": `check race: export UI_MCP_E2E = 1`,
		".ci/run":  `export UI_MCP_E2E=1`,
	} {
		if !slices.Contains(strings.Split(readText(t, file), "\n"), line) {
			t.Errorf("%s has no line %q, so that it leaves out the tests of make e2e", file, line)
		}
	}
	if !regexp.MustCompile(`(?m)^e2e:.*\n(\t.*\n)*?\t.*tools/e2e packages.*tools/e2e pattern`).MatchString(readText(t, "Makefile")) {
		t.Error("make e2e does not run what tools/e2e lists")
	}
}

// testName finds the names of tests in the reasons.
var testName = regexp.MustCompile(`\bTest[A-Z]\w+`)

// callsLong reports whether an expression is a call of load.Long, which must say why.
func callsLong(t *testing.T, e ast.Expr) bool {
	t.Helper()
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || f.Sel.Name != "Long" {
		return false
	}
	if from, ok := f.X.(*ast.Ident); !ok || from.Name != "load" {
		return false
	}
	if len(call.Args) == 2 {
		if why, ok := call.Args[1].(*ast.BasicLit); ok && why.Kind == token.STRING {
			if text, err := strconv.Unquote(why.Value); err == nil && len(text) >= 10 {
				return true
			}
		}
	}
	t.Error("a call of load.Long gives no reason as a string")
	return true
}
