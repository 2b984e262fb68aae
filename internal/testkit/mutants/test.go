package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A test is one test of a package, as it is without a mutant.
type test struct {
	name    string
	took    time.Duration
	reaches map[int]bool // numbers of mutants
}

// measure runs each test alone. The quickest come first.
func (b *binary) measure() ([]test, error) {
	out, err := b.command(context.Background(), "-test.list", "^(Test|Example|Fuzz)").Output()
	if err != nil {
		return nil, fmt.Errorf("list the tests: %w", err)
	}
	var tests []test
	for _, name := range strings.Fields(string(out)) {
		t, err := b.look(name)
		if err != nil {
			return nil, err
		}
		tests = append(tests, t)
	}
	slices.SortFunc(tests, func(x, y test) int { return cmp.Compare(x.took, y.took) })
	return tests, nil
}

// look runs a test without a mutant, and finds out which mutants it reaches.
func (b *binary) look(name string) (test, error) {
	hits := filepath.Join(b.scratch, "hits")
	if err := os.WriteFile(hits, nil, 0o600); err != nil {
		return test{}, err
	}
	cmd := b.command(context.Background(), "-test.run", "^"+name+"$")
	cmd.Env = append(cmd.Environ(), "MUTANT_HITS="+hits)
	start := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		return test{}, fmt.Errorf("%s fails without a mutant: %w\n%s", name, err, out)
	}
	t := test{name, time.Since(start), map[int]bool{}}
	numbers, err := os.ReadFile(hits)
	if err != nil {
		return test{}, err
	}
	for _, n := range strings.Fields(string(numbers)) {
		i, err := strconv.Atoi(n)
		if err != nil {
			return test{}, err
		}
		t.reaches[i] = true
	}
	return t, nil
}

// first is how long the tests take that are tried first with a mutant. Most mutants do not survive
// these.
const first = time.Second

func (b *binary) kills(m mutant, tests []test) (bool, error) {
	quick, sum := 0, time.Duration(0)
	for quick < len(tests) && (quick == 0 || sum+tests[quick].took < first) {
		sum += tests[quick].took
		quick++
	}
	for _, part := range [][]test{tests[:quick], tests[quick:]} {
		if killed, err := b.fails(m, part); killed || err != nil {
			return killed, err
		}
	}
	return false, nil
}

// patience is what tests may take with a mutant beyond four times their usual time.
const patience = 5 * time.Second

// fails reports whether a run of tests fails with a mutant, or does not end.
func (b *binary) fails(m mutant, tests []test) (bool, error) {
	limit := b.patience
	var names []string
	for _, t := range tests {
		limit += 4 * t.took
		names = append(names, t.name)
	}
	if len(names) == 0 {
		return false, nil
	}
	for ; ; limit *= 2 {
		failed, took, err := b.run(m.n, names, limit)
		if err != nil || took < limit {
			return failed, err
		}
		// If other programs are the reason, and not the mutant, the tests are slow without it, too.
		if _, took, err = b.run(0, names, limit); err != nil || took < limit/2 {
			return true, err
		}
	}
}

// run runs tests with a mutant, 0 for none, ends them after a time, and returns how long they took.
func (b *binary) run(mutant int, names []string, limit time.Duration) (failed bool, took time.Duration, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := b.command(ctx, "-test.failfast", "-test.run", "^("+strings.Join(names, "|")+")$")
	cmd.Env = append(cmd.Environ(), "MUTANT="+strconv.Itoa(mutant))
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.WaitDelay = time.Second // its children may have its output
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return false, 0, err
	}
	failed = cmd.Wait() != nil
	return failed, time.Since(start), nil
}

// command returns a call of the test binary in its package's folder.
func (b *binary) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, b.program, args...)
	cmd.Dir = b.dir
	cmd.Env = append(cmd.Environ(), "TMPDIR="+b.scratch)
	return cmd
}
