package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// preamble is what the mutants of a package call.
//
//go:embed preamble.txt
var preamble string

// A pkg is a package whose tests are tried.
type pkg struct {
	name  string // its import path without the module's path
	path  string
	root  string // the folder of the module
	dir   string
	files []string        // without tests
	only  map[string]bool // the files that get mutants; nil: all
	by    []string        // the folders of packages whose tests count, too
}

// list returns the packages that arguments name: folders, or files, so that only these get mutants.
// After a "+" follow the folders of packages whose tests count, too.
func list(args []string) ([]*pkg, error) {
	only, by := map[string]map[string]bool{}, map[string][]string{} // by the absolute path of a folder
	var patterns []string
	for _, arg := range args {
		paths := strings.Split(arg, "+")
		for i, path := range paths {
			var err error
			if paths[i], err = filepath.Abs(path); err != nil {
				return nil, err
			}
		}
		dir := paths[0]
		if strings.HasSuffix(dir, ".go") {
			dir = filepath.Dir(dir)
			if only[dir] == nil {
				only[dir] = map[string]bool{}
			}
			only[dir][filepath.Base(paths[0])] = true
		}
		by[dir] = append(by[dir], paths[1:]...)
		if !slices.Contains(patterns, dir) {
			patterns = append(patterns, dir)
		}
	}
	out, err := output("go", append([]string{"list", "-json=Dir,ImportPath,GoFiles,Module"}, patterns...)...)
	if err != nil {
		return nil, err
	}
	var packages []*pkg
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			Dir, ImportPath string
			GoFiles         []string
			Module          struct{ Path, Dir string }
		}
		if err := d.Decode(&p); err == io.EOF {
			return packages, nil
		} else if err != nil {
			return nil, err
		}
		packages = append(packages, &pkg{strings.TrimPrefix(p.ImportPath, p.Module.Path+"/"), p.ImportPath, p.Module.Dir, p.Dir, p.GoFiles, only[p.Dir], by[p.Dir]})
	}
}

// output runs a program and returns its standard output. The error has its standard error.
func output(name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w\n%s", name, args[0], err, errs.Bytes())
	}
	return out, nil
}

// A binary is a package with all its mutants, and the test binaries with it.
type binary struct {
	dirs    []string // whose tests count: of packages in a copy of the module, which mutants may damage
	scratch string   // a folder for its files, and for temporary ones
	mutants []mutant

	patience time.Duration // what tests may take beyond four times their usual time
}

// program is the test binary of a folder.
func (b *binary) program(dir int) string {
	return filepath.Join(b.scratch, fmt.Sprintf("mutants%d.test", dir))
}

// build copies the module into a folder, and builds the test binaries there.
func (p *pkg) build(scratch string) (*binary, error) {
	module := filepath.Join(scratch, "module")
	if err := copyModule(p.root, module); err != nil {
		return nil, err
	}
	var dirs []string
	for _, d := range append([]string{p.dir}, p.by...) {
		below, err := filepath.Rel(p.root, d)
		if err != nil {
			return nil, err
		}
		dirs = append(dirs, filepath.Join(module, below))
	}
	dir := dirs[0]
	fset := token.NewFileSet()
	var files []*ast.File
	var sources [][]byte
	for _, name := range p.files {
		source, err := os.ReadFile(filepath.Join(p.dir, name))
		if err != nil {
			return nil, err
		}
		file, err := parser.ParseFile(fset, name, source, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files, sources = append(files, file), append(sources, source)
	}
	imported, err := p.imported(fset)
	if err != nil {
		return nil, err
	}
	info, err := check(p.path, fset, files, imported)
	if err != nil {
		return nil, err
	}
	w := &writer{fset: fset, info: info}
	for i, name := range p.files {
		if p.only != nil && !p.only[name] {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, name), w.write(files[i], name, sources[i]), 0o600); err != nil {
			return nil, err
		}
	}
	// Imports come before other declarations.
	imports, rest, _ := strings.Cut(preamble, ")\n")
	head := fmt.Sprintf("package %s\n\n%s)\n\nconst mutantCount = %d\n%s", files[0].Name.Name, imports, len(w.mutants), rest)
	if err := os.WriteFile(filepath.Join(dir, "mutants_preamble.go"), []byte(head), 0o600); err != nil {
		return nil, err
	}
	b := &binary{dirs, scratch, w.mutants, patience}
	for i, d := range dirs {
		compile := exec.Command("go", "test", "-c", "-ldflags=-w", "-o", b.program(i), ".")
		compile.Dir = d
		if out, err := compile.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("compile the mutants: %w\n%s", err, out)
		}
	}
	return b, nil
}

// copyModule copies the files of a module, without folders that are hidden or hold no source.
func copyModule(from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		below, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, below)
		switch name := d.Name(); {
		case path == from || d.IsDir() && below[0] != '.' && name != "node_modules" && !slices.Contains([]string{"scratch", "bin", "release"}, below):
			return os.MkdirAll(target, 0o755)
		case d.IsDir():
			return filepath.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		return os.WriteFile(target, content, info.Mode().Perm()|0o200)
	})
}

// imported returns the packages that a package imports, as they were compiled.
func (p *pkg) imported(fset *token.FileSet) (types.Importer, error) {
	out, err := output("go", "list", "-deps", "-export", "-f", "{{.ImportPath}} {{.Export}}", p.path)
	if err != nil {
		return nil, err
	}
	exports := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		exports[path] = file
	}
	return importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) }), nil
}

// check finds the types of a package's expressions.
func check(path string, fset *token.FileSet, files []*ast.File, imported types.Importer) (*types.Info, error) {
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: imported}
	_, err := config.Check(path, fset, files, info)
	return info, err
}
