package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"ui-mcp/packaging"
)

// A release makes packages in a directory, of the programs that are there.
type release struct {
	names     packaging.Names
	version   version
	at        time.Time // of all files
	dir       string
	platforms []platform        // those that have programs in dir
	work      string            // a directory for what is needed meanwhile
	nfpm      string            // the program
	licence   []byte            // our own
	parts     map[string][]part // what each command contains
	shared    map[string][]file // the manual pages and completions of each command

	mu    sync.Mutex // guards the fields below
	sums  map[string]string
	notes []string
}

func newRelease(names packaging.Names, v version, at time.Time, dir string) (*release, error) {
	r := &release{names: names, version: v, at: at, dir: dir, parts: map[string][]part{}, shared: map[string][]file{}, sums: map[string]string{}}
	var err error
	if r.platforms, err = platformsIn(dir, names); err != nil {
		return nil, err
	}
	r.work, err = os.MkdirTemp("", "ui-mcp-release-")
	return r, err
}

func (r *release) close() { _ = os.RemoveAll(r.work) } // a directory of the system's for such files

func (r *release) binary(c packaging.Command, p platform) string {
	return filepath.Join(r.dir, p.program(c.Name+"-"+p.String()))
}

// note keeps what the caller should know, once.
func (r *release) note(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !slices.Contains(r.notes, text) {
		r.notes = append(r.notes, text)
	}
}

func (r *release) write(name string, data []byte) error {
	if err := write(filepath.Join(r.dir, filepath.FromSlash(name)), data); err != nil {
		return err
	}
	return r.sum(name)
}

func (r *release) writeJSON(name string, value any) error {
	return r.write(name, indented(value))
}

// sum keeps the checksum of a file of the release.
func (r *release) sum(name string) error {
	data, err := os.ReadFile(filepath.Join(r.dir, filepath.FromSlash(name)))
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sums[name] = fmt.Sprintf("%x", sha256.Sum256(data))
	return nil
}

func (r *release) archiveFolder(c packaging.Command, p platform) string {
	return c.Name + "-" + r.version.String() + "-" + p.String()
}

func (r *release) archiveName(c packaging.Command, p platform) string {
	end := ".tar.gz"
	if p.os == "windows" {
		end = ".zip"
	}
	return "archives/" + r.archiveFolder(c, p) + end
}

// prepare finds out what the commands contain, and lets them write their manual pages and
// completions.
func (r *release) prepare() error {
	root, err := goCommand("list", "-m", "-f", "{{.Dir}}")
	if err != nil {
		return err
	}
	if r.licence, err = os.ReadFile(filepath.Join(root, "LICENSE")); err != nil {
		return err
	}
	if r.nfpm, err = goCommand("tool", "-modfile="+filepath.Join(root, "tools", "go.mod"), "-n", "nfpm"); err != nil {
		return err
	}
	for _, c := range r.names.Commands {
		var programs []string
		for _, p := range r.platforms {
			programs = append(programs, r.binary(c, p))
		}
		if r.parts[c.Name], err = partsOf(programs); err != nil {
			return err
		}
		if r.shared[c.Name], err = r.share(c); err != nil {
			return err
		}
	}
	return nil
}

func (r *release) make() error {
	if err := r.prepare(); err != nil {
		return err
	}
	var jobs errgroup.Group
	jobs.SetLimit(runtime.NumCPU())
	for _, c := range r.names.Commands {
		for _, p := range r.platforms {
			jobs.Go(func() error { return r.packages(c, p) })
		}
		jobs.Go(func() error { return r.npmLauncher(c) })
	}
	if err := jobs.Wait(); err != nil {
		return err
	}
	for _, c := range r.names.Commands {
		bill := billOf(c.Name, r.version.String(), r.parts[c.Name], r.at)
		if err := r.write("sbom/"+c.Name+".cdx.json", bill); err != nil {
			return err
		}
		if len(r.platforms) < len(platforms) {
			r.note("there are no formulas and manifests: these have the checksums of all platforms' archives")
		} else if err := errors.Join(r.formula(c), r.scoop(c), r.winget(c)); err != nil {
			return err
		}
	}
	if err := errors.Join(r.clients(), r.write("Containerfile", fill(containerText, r.names.Command("wsh")))); err != nil {
		return err
	}
	var list bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(r.sums)) {
		fmt.Fprintf(&list, "%s  %s\n", r.sums[name], name)
	}
	return write(filepath.Join(r.dir, "SHA256SUMS"), list.Bytes())
}

// clients makes what clients of MCP install.
func (r *release) clients() error {
	problems := []error{r.plugin(), r.links(), r.registry()}
	for _, c := range r.names.Servers() {
		for _, p := range r.platforms {
			if p.os != "linux" { // which has no Claude Desktop
				problems = append(problems, r.bundle(c, p))
			}
		}
	}
	return errors.Join(problems...)
}

func (r *release) packages(c packaging.Command, p platform) error {
	data, err := os.ReadFile(r.binary(c, p))
	if err != nil {
		return err
	}
	program := file{data: data, exec: true}
	tree := r.tree(c, p, program)
	pack := tarball
	if p.os == "windows" {
		pack = zipped
	}
	archive, err := pack(within(r.archiveFolder(c, p), tree), r.at)
	if err != nil {
		return err
	}
	err = errors.Join(
		r.sum(filepath.Base(r.binary(c, p))),
		r.write(r.archiveName(c, p), archive),
		r.npmProgram(c, p, program),
		r.wheel(c, p, program),
	)
	if err == nil && p.os == "linux" {
		err = r.linux(c, p, tree)
	}
	return err
}
