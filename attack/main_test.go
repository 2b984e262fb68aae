//go:build linux

// Package attack attacks both commands: real processes of ui-mcp and wsh, through every entrance
// that they have. After each attack the process must still answer, and its memory must be below a
// ceiling; at the end its descriptors, threads and goroutines must be back.
//
// make attack runs everything and prints how many attacks were tried, and how many held. make test
// runs the quick ones. The package measures processes in /proc, so it runs on Linux only.
package attack

import (
	"fmt"
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
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/signals"
)

func TestMain(m *testing.M) {
	if address := os.Getenv(strangerVariable); address != "" {
		beStranger(address)
	}
	testscript.Main(reporter{m}, map[string]func(){
		"ui-mcp": func() { os.Exit(uimcp.Main("0.1.0", nil)) },
		"wsh":    func() { os.Exit(wsh.Main("0.1.0", nil)) },
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

// A tally counts attacks by command. The zero value is ready to use.
type tally struct {
	mu       sync.Mutex // guards the fields below
	commands map[string]*score
	lines    []string // one for each attack
}

type score struct {
	tried, held int
	peak        uint64 // the most memory that a process held, in bytes
	worst       string // the attack during which it did
}

// add counts one attack.
func (c *tally) add(command, attack string, held bool, peak uint64, took time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.commands == nil {
		c.commands = map[string]*score{}
	}
	s := c.commands[command]
	if s == nil {
		s = &score{}
		c.commands[command] = s
	}
	s.tried++
	result := "FAILED"
	if held {
		s.held++
		result = "held"
	}
	if peak > s.peak {
		s.peak, s.worst = peak, attack
	}
	c.lines = append(c.lines, fmt.Sprintf("%s\t%s\t%s\t%d MiB\t%.1f s", command, attack, result, peak>>20, took.Seconds()))
}

func (c *tally) print() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.commands) == 0 {
		return // a selection of tests that has no attack
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	if load.Full() {
		fmt.Fprintln(w, "command\tattack\tresult\tmemory\ttime")
		slices.Sort(c.lines)
		fmt.Fprintln(w, strings.Join(c.lines, "\n"))
		fmt.Fprintln(w)
	}
	var all score
	for _, name := range slices.Sorted(maps.Keys(c.commands)) {
		s := c.commands[name]
		fmt.Fprintf(w, "%s:\t%d attacks, %d held\tat most %d MiB (%s)\n", name, s.tried, s.held, s.peak>>20, s.worst)
		all.tried += s.tried
		all.held += s.held
	}
	fmt.Fprintf(w, "all:\t%d attacks, %d held\n", all.tried, all.held)
	w.Flush()
}
