// Mutants changes packages in small ways, one at a time, such as < into <=, and runs their tests
// after each change: a test should fail. A mutant that survives shows a rule that no test holds, or
// makes no difference, which survivors.txt then says.
//
//	go run ./internal/testkit/mutants ./internal/transport/gate ./internal/terminals/tokens.go
//
// All mutants of a package are compiled into one test binary; a variable of the environment chooses
// one. For each mutant, only the tests of the package run that reach it. Mutants are made of
// comparisons, arithmetic, &&, ||, !, the conditions of if, for and case, and returned booleans, as
// the usual tools make them, which compile once for each mutant. Assignments and calls stay.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/tools/go/packages"
)

// enough is the part of a package's mutants that its tests must kill, in percent.
const enough = 90

func main() {
	workers := flag.Int("p", runtime.GOMAXPROCS(0), "how many mutants are tested at a time")
	keep := flag.String("keep", "internal/testkit/mutants/survivors.txt", "the file of known survivors")
	flag.Parse()
	known, err := readSurvivors(*keep)
	if err == nil {
		err = run(os.Stdout, flag.Args(), *workers, known)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

// run tests the mutants of each package and reports on them. The error says that too many survive,
// or others than those that are known.
func run(out io.Writer, patterns []string, workers int, known survivors) error {
	packages, only, err := load(patterns)
	if err != nil {
		return err
	}
	failed := false
	for _, p := range packages {
		start, name := time.Now(), strings.TrimPrefix(p.PkgPath, p.Module.Path+"/")
		mutants, alive, err := survivorsOf(p, only, workers)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		killed := len(mutants) - len(alive)
		fmt.Fprintf(out, "%s: %d of %d mutants killed (%.1f %%) in %.0f s\n", name, killed, len(mutants), percent(killed, len(mutants)), time.Since(start).Seconds())
		failed = failed || percent(killed, len(mutants)) < enough
		for _, s := range alive {
			if known.take(name, s) {
				continue
			}
			failed = true
			fmt.Fprintf(out, "%s:%d: survives\n\t%s\n", s.file, s.line, s.key())
		}
		for _, key := range known[name] { // which no survivor has taken
			failed = true
			fmt.Fprintf(out, "is killed, or not there: remove it from the known survivors of %s\n\t%s\n", name, key)
		}
	}
	if failed {
		return fmt.Errorf("write a test for each survivor, or say in survivors.txt why it makes no difference; a package needs %d %%", enough)
	}
	return nil
}

func percent(part, whole int) float64 {
	if whole == 0 {
		return 100
	}
	return 100 * float64(part) / float64(whole)
}

// survivorsOf returns all mutants of a package, and those that survive, in the order of the source.
func survivorsOf(p *packages.Package, only map[string]bool, workers int) (all, alive []mutant, err error) {
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(dir)
	b, err := build(p, only, dir)
	if err != nil {
		return nil, nil, err
	}
	tests, err := b.measure()
	if err != nil {
		return nil, nil, err
	}
	killed, problems := make([]bool, len(b.mutants)), make([]error, len(b.mutants))
	var running sync.WaitGroup
	places := make(chan struct{}, workers)
	for i, m := range b.mutants {
		places <- struct{}{}
		running.Go(func() {
			defer func() { <-places }()
			reaching := slices.DeleteFunc(slices.Clone(tests), func(t test) bool { return !t.reaches[m.n] })
			killed[i], problems[i] = b.kills(m, reaching)
		})
	}
	running.Wait()
	for i, m := range b.mutants {
		if !killed[i] {
			alive = append(alive, m)
		}
	}
	return b.mutants, alive, errors.Join(problems...)
}
