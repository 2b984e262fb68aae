package errcode_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/transport/errcode"
)

// unreported are details that no answer has: only code of this process gets them, or the one who
// reads the output, whose connection is closed with a code of its own.
var unreported = map[string]bool{string(term.RequestOver): true, string(term.OutputLost): true}

// Every detail of an error about terminals, and every kind of error, has a meaning.
func TestEveryErrorHasAMeaning(t *testing.T) {
	var codes []string
	for _, m := range errcode.Meanings {
		codes = append(codes, m.Code)
	}
	details := 0
	for _, dir := range []string{"../../term", "../../terminals"} {
		walk(t, dir, func(path string, n ast.Node) {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || spec.Type == nil || typeName(spec.Type) != "fault.Detail" {
				return
			}
			for i, v := range spec.Values {
				details++
				if code := literal(v); !slices.Contains(codes, code) && !unreported[code] {
					t.Errorf("%s: the detail %s (%q) has no meaning", path, spec.Names[i].Name, code)
				}
			}
		})
	}
	if details < 15 {
		t.Errorf("only %d details were found", details)
	}
	for kind := fault.Internal; kind <= fault.Unreachable; kind++ {
		err := fault.New(kind, "x")
		if kind == fault.Script {
			continue // terminals run none
		}
		if !slices.ContainsFunc(errcode.Meanings, func(m errcode.Meaning) bool {
			return m.Code == errcode.Of(err) && m.Status == errcode.Status(err)
		}) {
			t.Errorf("%v: %d %s has no meaning", kind, errcode.Status(err), errcode.Of(err))
		}
	}
}

// The interfaces of terminals take their codes from this package, so that Meanings has all of them.
func TestCodesAreNotLiterals(t *testing.T) {
	code := regexp.MustCompile(`^[a-z]+(_[a-z]+)+$`)
	writers := map[string]int{"httpio.WriteCoded": 2, "writeError": 2, "failed": 0, "appendError": 1} // and which argument is the code
	structs := map[string]int{"refusal": 1, "coded": 2}
	calls := 0
	for _, dir := range []string{"../gate", "../httpterm", "../wsterm", "../attachedterm", "../../cli/wsh/serving"} {
		walk(t, dir, func(path string, n ast.Node) {
			var arg ast.Expr
			switch n := n.(type) {
			case *ast.CallExpr:
				if i, ok := writers[typeName(n.Fun)]; ok && i < len(n.Args) {
					arg = n.Args[i]
				}
			case *ast.CompositeLit:
				if i, ok := structs[typeName(n.Type)]; ok && i < len(n.Elts) {
					arg = n.Elts[i]
				}
			}
			if arg == nil {
				return
			}
			calls++
			if text := literal(arg); code.MatchString(text) {
				t.Errorf("%s: the code %q is a literal: use a constant of errcode", path, text)
			}
		})
	}
	if calls < 20 {
		t.Errorf("only %d errors were found", calls)
	}
}

// The documents have every code with its statuses, and nothing else: those of requests are
// generated.
func TestDocumentedCodes(t *testing.T) {
	want := map[string]bool{}
	for _, m := range errcode.Meanings {
		want[fmt.Sprint(m.Status, " ", m.Code)] = true
	}
	got := map[string]bool{}
	for _, row := range regexp.MustCompile("(?m)^\\| ([45]\\d\\d) \\| `?([a-z_]+)`? \\|").FindAllStringSubmatch(read(t, "api.md")+read(t, "terminal.md"), -1) {
		got[row[1]+" "+row[2]] = true
	}
	for _, row := range regexp.MustCompile("(?m)^\\| (`[a-z_]+_(?:method|required|superseded)`.*?) \\|").FindAllStringSubmatch(read(t, "terminal.md"), -1) {
		for _, m := range regexp.MustCompile("`([a-z_]+)`").FindAllStringSubmatch(row[1], -1) {
			got["0 "+m[1]] = true
		}
	}
	if d := cmp.Diff(slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got))); d != "" {
		t.Errorf("docs/api.md and docs/terminal.md (-codes +documented):\n%s", d)
	}
}

func read(t *testing.T, page string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("../../../docs", page))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// walk visits the syntax of all files below a directory but tests.
func walk(t *testing.T, dir string, visit func(path string, n ast.Node)) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err == nil {
			ast.Inspect(file, func(n ast.Node) bool {
				visit(path, n)
				return true
			})
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// typeName returns the name of a type or function, with that of its package.
func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return typeName(e.X) + "." + e.Sel.Name
	}
	return ""
}

// literal returns the text of a string literal, or "".
func literal(e ast.Expr) string {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return ""
	}
	text, err := strconv.Unquote(lit.Value)
	if err != nil {
		return ""
	}
	return text
}
