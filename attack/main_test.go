//go:build linux

// Package attack attacks both commands: real processes of ui-mcp and wsh, through every entrance
// that they have. After each attack the process must still answer, and its memory must be below a
// ceiling; at the end its descriptors, threads and goroutines must be back.
//
// Each attack belongs to a numbered claim of docs/security.md. make attack runs everything, and the
// tests of other packages that claims name; it prints of each claim whether it held, and how many
// attacks were tried. make test runs the quick ones. The package measures processes in /proc, so it
// runs on Linux only.
package attack

import (
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"ui-mcp/internal/cli/uimcp"
	"ui-mcp/internal/cli/wsh"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/signals"
)

func TestMain(m *testing.M) {
	if address := os.Getenv(strangerVariable); address != "" {
		beStranger(address)
	}
	testscript.Main(reporter{m}, map[string]func(){
		"ui-mcp": func() { os.Exit(uimcp.Main("0.1.0")) },
		"wsh":    func() { os.Exit(wsh.Main("0.1.0")) },
	})
}

// reporter runs the tests and prints what became of the attacks.
type reporter struct{ m *testing.M }

func (r reporter) Run() int {
	signals.Default()
	code := r.m.Run()
	report.print()
	return code
}

// beside lets a test run beside others, unless its figures are wanted: each attacks a server of its
// own and waits for most of its time.
func beside(t *testing.T) {
	t.Helper()
	if !load.Full() {
		t.Parallel()
	}
}

// report counts the attacks of all tests.
var report tally

// A tally counts attacks by command and by claim. The zero value is ready to use.
type tally struct {
	mu       sync.Mutex // guards the fields below
	commands map[string]*score
	claims   map[string]*score
	lines    []string // one for each attack
}

type score struct {
	tried, held, skipped int
	peak                 uint64 // the most memory that a process held, in bytes
	worst                string // the attack during which it did
}

// add counts one attack on a claim. result is "held", "FAILED" or "skipped".
func (c *tally) add(claim, command, attack, result string, peak uint64, took time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := entry(&c.commands, command)
	s.count(result)
	entry(&c.claims, claim).count(result)
	if peak > s.peak {
		s.peak, s.worst = peak, attack
	}
	c.lines = append(c.lines, fmt.Sprintf("%s\t%s\t%s\t%s\t%d MiB\t%.1f s", claim, command, strings.ReplaceAll(attack, "\t", " "), result, peak>>20, took.Seconds()))
}

// test counts a test of another package, with the word of the go command for its result.
func (c *tally) test(claim, result string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	entry(&c.claims, claim).count(map[string]string{"pass": "held", "skip": "skipped"}[result])
}

// entry returns the score of a name.
func entry(scores *map[string]*score, name string) *score {
	if *scores == nil {
		*scores = map[string]*score{}
	}
	s := (*scores)[name]
	if s == nil {
		s = &score{}
		(*scores)[name] = s
	}
	return s
}

func (s *score) count(result string) {
	switch result {
	case "held":
		s.held++
	case "skipped":
		s.skipped++
	}
	s.tried++
}

// String says whether all held.
func (s *score) String() string {
	switch {
	case s == nil || s.tried == s.skipped:
		return "not tried"
	case s.held+s.skipped < s.tried:
		return fmt.Sprintf("FAILED\t%d of %d", s.held, s.tried)
	case s.skipped > 0:
		return fmt.Sprintf("held\t%d of %d, %d skipped", s.held, s.tried, s.skipped)
	}
	return fmt.Sprintf("held\t%d of %d", s.held, s.tried)
}

func (c *tally) print() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.commands) == 0 {
		return // a selection of tests that has no attack
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	if load.Full() {
		fmt.Fprintln(w, "claim\tcommand\tattack\tresult\tmemory\ttime")
		slices.Sort(c.lines)
		fmt.Fprintln(w, strings.Join(c.lines, "\n"))
		fmt.Fprintln(w)
		c.printClaims(w)
	}
	var all score
	for _, name := range slices.Sorted(maps.Keys(c.commands)) {
		s := c.commands[name]
		fmt.Fprintf(w, "%s:\t%d attacks, %d held, %d skipped\tat most %d MiB (%s)\n", name, s.tried, s.held, s.skipped, s.peak>>20, s.worst)
		all.tried += s.tried
		all.held += s.held
		all.skipped += s.skipped
	}
	fmt.Fprintf(w, "all:\t%d attacks, %d held, %d skipped\n", all.tried, all.held, all.skipped)
	w.Flush()
}

// printClaims prints of each claim whether its attacks and tests held.
func (c *tally) printClaims(w io.Writer) {
	list, err := claims()
	if err != nil {
		fmt.Fprintln(w, err)
		return
	}
	fmt.Fprintln(w, "claim\tresult\tattacks and tests\t")
	for _, claim := range list {
		text, _, _ := strings.Cut(claim.text, ". ")
		fmt.Fprintf(w, "%s\t%s\t%s\n", claim.id, c.claims[claim.id], safetext.Clip(text, 90))
	}
	fmt.Fprintln(w)
}
