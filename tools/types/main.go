// Command types finds what the compiler would not accept of packages and their tests, on the system
// that GOOS names. It generates no code and runs no tests, and takes the functions of other modules
// and of Go itself to be right, so that it takes seconds. It runs in the directory of the module.
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"golang.org/x/tools/go/packages"
)

func main() {
	debug.SetGCPercent(400) // nearly everything is kept until the end
	wrong, err := check(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "types:", err)
	}
	if wrong || err != nil {
		os.Exit(1)
	}
}

// check prints what is wrong in packages, and reports whether anything is.
func check(patterns []string) (wrong bool, err error) {
	here, err := os.Getwd()
	if err != nil {
		return false, err
	}
	list, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
			packages.NeedDeps | packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax,
		Tests: true,
		ParseFile: func(set *token.FileSet, name string, text []byte) (*ast.File, error) {
			file, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution)
			// The go command keeps the main functions of tests in files with other extensions.
			if file != nil && filepath.Ext(name) == ".go" && !strings.HasPrefix(name, here+string(filepath.Separator)) {
				empty(file)
			}
			return file, err
		},
	}, patterns...)
	if err != nil {
		return false, err
	}
	ours := map[*packages.Package]bool{}
	for _, p := range list {
		ours[p] = true
	}
	packages.Visit(list, nil, func(p *packages.Package) {
		for _, problem := range p.Errors {
			if ours[p] || problem.Kind != packages.TypeError { // packages of others have lost the functions that use their imports
				fmt.Fprintln(os.Stderr, problem)
				wrong = true
			}
		}
	})
	return wrong || len(list) == 0, nil
}

// empty removes what functions do.
func empty(file *ast.File) {
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
			f.Body.List = nil
		}
	}
}
