package main

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/go/packages"
)

// preamble is what the mutants of a package call.
//
//go:embed preamble.txt
var preamble string

// load returns the packages that arguments name: folders, or files, so that only these get mutants.
func load(args []string) (list []*packages.Package, only map[string]bool, err error) {
	only = map[string]bool{} // paths of files
	var patterns []string
	for _, arg := range args {
		path, err := filepath.Abs(arg)
		if err != nil {
			return nil, nil, err
		}
		if strings.HasSuffix(path, ".go") {
			only[path] = true
			path = filepath.Dir(path)
		}
		patterns = append(patterns, path)
	}
	list, err = packages.Load(&packages.Config{Mode: packages.LoadSyntax | packages.NeedModule}, patterns...)
	if err == nil && packages.PrintErrors(list) > 0 {
		err = errors.New("the packages do not compile")
	}
	return list, only, err
}

// A binary is the test binary of a package with all its mutants.
type binary struct {
	program string
	dir     string // of the package
	scratch string // a folder for temporary files
	mutants []mutant

	patience time.Duration // what tests may take beyond four times their usual time
}

// build builds the test binary of a package in a folder. If only has files of the package, the
// others get no mutants.
func build(p *packages.Package, only map[string]bool, scratch string) (*binary, error) {
	w := &writer{fset: p.Fset, info: p.TypesInfo}
	replaced := map[string]string{} // what the compiler reads in place of each file
	replace := func(name string, text []byte) error {
		replaced[name] = filepath.Join(scratch, fmt.Sprintf("%d.go", len(replaced)))
		return os.WriteFile(replaced[name], text, 0o600)
	}
	some := slices.ContainsFunc(p.CompiledGoFiles, func(name string) bool { return only[name] })
	for i, name := range p.CompiledGoFiles {
		if some && !only[name] {
			continue
		}
		source, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		if err := replace(name, w.write(p.Syntax[i], filepath.Base(name), source)); err != nil {
			return nil, err
		}
	}
	// Imports come before other declarations.
	imports, rest, _ := strings.Cut(preamble, ")\n")
	head := fmt.Sprintf("package %s\n\n%s)\n\nconst mutantCount = %d\n%s", p.Name, imports, len(w.mutants), rest)
	if err := replace(filepath.Join(p.Dir, "mutants_preamble.go"), []byte(head)); err != nil {
		return nil, err
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		return nil, err
	}
	file := filepath.Join(scratch, "overlay.json")
	if err := os.WriteFile(file, overlay, 0o600); err != nil {
		return nil, err
	}
	b := &binary{filepath.Join(scratch, "mutants.test"), p.Dir, scratch, w.mutants, patience}
	compile := exec.Command("go", "test", "-c", "-overlay", file, "-ldflags=-w", "-o", b.program, ".")
	compile.Dir = p.Dir
	if out, err := compile.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("compile the mutants: %w\n%s", err, out)
	}
	return b, nil
}
