// Mutants changes packages in small ways, one at a time, such as < into <=, and runs their tests
// after each change: a test should fail. A mutant that survives shows a rule that no test holds, or
// makes no difference, which survivors.txt then says.
//
//	go run ./internal/testkit/mutants ./internal/transport/gate ./internal/terminals/tokens.go
//
// All mutants of a package are compiled into one test binary; a variable of the environment chooses
// one. For each mutant, only the tests of the package run that reach it; tests of another package
// count where the argument adds its folder, as in ./internal/ui/variable+./internal/ui. Mutants are
// made of comparisons, arithmetic, &&, ||, !, the conditions of if, for and case, and returned
// booleans, as the usual tools make them. Assignments and calls stay.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"time"
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
	packages, err := list(patterns)
	if err != nil {
		return err
	}
	failed := false
	for _, p := range packages {
		start := time.Now()
		mutants, alive, err := p.survivors(workers)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		killed := len(mutants) - len(alive)
		fmt.Fprintf(out, "%s: %d of %d mutants killed (%.1f %%) in %.0f s\n", p.name, killed, len(mutants), percent(killed, len(mutants)), time.Since(start).Seconds())
		failed = failed || percent(killed, len(mutants)) < enough
		for _, s := range alive {
			if known.take(p.name, s.mutant) {
				continue
			}
			failed = true
			reached := ""
			if !s.reached {
				reached = " (no test reaches it)"
			}
			fmt.Fprintf(out, "%s:%d: survives%s\n\t%s\n", s.file, s.line, reached, s.key())
		}
		for _, key := range known.rest(p.name) {
			failed = true
			fmt.Fprintf(out, "is killed, or not there: remove it from the known survivors of %s\n\t%s\n", p.name, key)
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

// A survivor is a mutant with which all tests pass.
type survivor struct {
	mutant
	reached bool
}

// survivors returns all mutants of a package, and those that survive, in the order of the source.
func (p *pkg) survivors(workers int) (all []mutant, alive []survivor, err error) {
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(dir)
	b, err := p.build(dir)
	if err != nil {
		return nil, nil, err
	}
	tests, err := b.measure()
	if err != nil {
		return nil, nil, err
	}
	results := make([]survivor, len(b.mutants))
	killed := make([]bool, len(b.mutants))
	next := make(chan int)
	done := make(chan error, workers)
	for range workers {
		go func() {
			var failed error
			for i := range next {
				if failed != nil {
					continue
				}
				reaching := slices.DeleteFunc(slices.Clone(tests), func(t test) bool { return !t.reaches[b.mutants[i].n] })
				results[i] = survivor{b.mutants[i], len(reaching) > 0}
				killed[i], failed = b.kills(b.mutants[i], reaching)
			}
			done <- failed
		}()
	}
	for i := range b.mutants {
		next <- i
	}
	close(next)
	for range workers {
		if failed := <-done; failed != nil {
			err = failed
		}
	}
	for i, s := range results {
		if !killed[i] {
			alive = append(alive, s)
		}
	}
	return b.mutants, alive, err
}
