package errcode_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/transport/errcode"
)

// unreported are details that no answer has: only code of this process gets them, or the one who
// reads the output, whose connection is closed with a code of its own.
var unreported = map[string]bool{string(core.RequestOver): true, string(term.OutputLost): true}

// Every detail of an error about terminals, and every kind of error, is documented.
func TestEveryErrorHasAMeaning(t *testing.T) {
	var codes, rows []string
	for _, row := range regexp.MustCompile("(?m)^\\| ([45]\\d\\d) \\| `?([a-z_]+)`? \\|").FindAllStringSubmatch(read(t, "api.md")+read(t, "terminal.md"), -1) {
		codes, rows = append(codes, row[2]), append(rows, row[1]+" "+row[2])
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
		if row := fmt.Sprint(errcode.Status(err), " ", errcode.Of(err)); !slices.Contains(rows, row) {
			t.Errorf("%v: %s has no meaning", kind, row)
		}
	}
}

// The interfaces of terminals take their codes from this package, so that none is written in two
// ways.
func TestCodesAreNotLiterals(t *testing.T) {
	code := regexp.MustCompile(`^[a-z]+(_[a-z]+)+$`)
	writers := map[string]int{"httpio.WriteCoded": 2, "writeError": 2, "fault.With": 0} // and which argument is the code
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
