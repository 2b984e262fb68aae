//go:build linux

package soak

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

// A timeline is what has happened, in a file and, as far as it is needed to understand a failure,
// in memory.
type timeline struct {
	start time.Time

	mu     sync.Mutex // guards the fields below
	file   *bufio.Writer
	recent []string // the last lines
	faults []string
	wrong  []string
	count  map[string]int // of lines, by their first word
}

func newTimeline(file *os.File) *timeline {
	return &timeline{start: time.Now(), file: bufio.NewWriter(file), count: map[string]int{}}
}

// kept is how many of the last lines a failure prints.
const kept = 60

// add adds a line. Its first word is what it counts as.
func (l *timeline) add(kind, format string, args ...any) {
	line := fmt.Sprintf("%9.3f %-8s %s", time.Since(l.start).Seconds(), kind, fmt.Sprintf(format, args...))
	l.mu.Lock()
	defer l.mu.Unlock()
	l.count[kind]++
	fmt.Fprintln(l.file, line) // the disk of the tests may be full: the lines in memory are enough then
	if l.recent = append(l.recent, line); len(l.recent) > 2*kept {
		l.recent = slices.Clone(l.recent[kept:])
	}
	switch kind {
	case "fault":
		l.faults = append(l.faults, line)
	case "WRONG":
		if l.wrong = append(l.wrong, line); len(l.wrong) == 1 {
			l.wrong = append(slices.Clone(l.recent[max(0, len(l.recent)-kept):len(l.recent)-1]), line)
		}
	}
}

// failures counts what was wrong.
func (l *timeline) failures() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.count["WRONG"]
}

// story returns what was wrong, what came before the first of it, and all faults.
func (l *timeline) story() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	_ = l.file.Flush() // see add
	return "faults:\n" + strings.Join(l.faults, "\n") + "\n\nbefore the first failure, and all failures:\n" + strings.Join(l.wrong, "\n")
}

func (l *timeline) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	_ = l.file.Flush() // see add
}
