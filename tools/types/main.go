// Command types finds what the compiler would not accept of the packages of a module and their
// tests, on the system that GOOS names, and what go vet would say of those in the arguments. It
// generates no code and runs no tests, and takes the functions of other modules and of Go itself to
// be right, so that it takes seconds: go vet would compile all packages that they import. It runs
// in the directory of the module.
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/analysis/suite/vet"
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

// check prints what is wrong in packages, and reports whether anything is. It vets those with these
// paths.
func check(vetted []string) (wrong bool, err error) {
	here, err := os.Getwd()
	if err != nil {
		return false, err
	}
	list, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
			packages.NeedDeps | packages.NeedTypes | packages.NeedTypesSizes | packages.NeedTypesInfo | packages.NeedSyntax | packages.NeedModule,
		Tests: true,
		ParseFile: func(set *token.FileSet, name string, text []byte) (*ast.File, error) {
			file, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution)
			// The go command keeps the main functions of tests in files with other extensions.
			if file != nil && filepath.Ext(name) == ".go" && !strings.HasPrefix(name, here+string(filepath.Separator)) {
				empty(file)
			}
			return file, err
		},
	}, "./...")
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
		p.IllTyped = false // or else nothing that imports them would be vetted
	})
	if wrong || len(list) == 0 {
		return true, nil
	}
	list = slices.DeleteFunc(list, func(p *packages.Package) bool {
		return !slices.Contains(vetted, strings.TrimSuffix(p.PkgPath, "_test"))
	})
	graph, err := checker.Analyze(vet.Suite, list, nil)
	if err != nil {
		return false, err
	}
	for act := range graph.All() {
		wrong = wrong || act.IsRoot && (act.Err != nil || len(act.Diagnostics) > 0)
	}
	return wrong, graph.PrintText(os.Stderr, -1)
}

// empty removes what functions do.
func empty(file *ast.File) {
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
			f.Body.List = nil
		}
	}
}
