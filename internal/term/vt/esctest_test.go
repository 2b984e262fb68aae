package vt

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/term/pty"
)

// TestEsctest runs esctest2, the test suite of xterm's maintainer, from the folder that the
// environment variable ESCTEST names; make esctest does. The tests that fail must be the ones
// in testdata/esctest/known, each with the reason: one that passes has to leave the list.
func TestEsctest(t *testing.T) {
	folder := os.Getenv("ESCTEST")
	if folder == "" {
		t.Skip("make esctest ESCTEST=FOLDER runs this test with esctest2")
	}
	known := knownFailures(t)

	// The suite reads the screen by checksums of single cells, which only this test offers.
	checksum := [3]byte{0, '*', 'y'}
	csiMarked[checksum] = (*Terminal).reportChecksum
	t.Cleanup(func() { delete(csiMarked, checksum) })

	log := filepath.Join(t.TempDir(), "log")
	p, err := pty.Start(pty.Options{
		Path: "python3", Dir: filepath.Join(folder, "esctest"), Cols: 80, Rows: 25,
		Args: []string{"-B", "esctest.py", "--expected-terminal", "xterm", "--xterm-checksum", "334", "--xterm-reverse-wrap", "383",
			"--max-vt-level", "4", "--timeout", "2", "--logfile", log, "--no-print-logs"},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Kill(time.Second); err != nil {
			t.Error(err)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	var failure error
	vt, err := New(Options{Cols: 80, Rows: 25, Scrollback: 100, Name: "wsh(1.0)", Effect: func(e Effect) {
		if r, ok := e.(Reply); ok && failure == nil {
			_, failure = p.Write(r.Data)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 4096)
	for {
		n, err := p.Read(buf)
		write(vt, buf[:n])
		if err != nil {
			break
		}
	}
	if failure != nil {
		t.Fatal(failure)
	}
	results, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	compareWithKnown(t, string(results), known)
}

// knownFailures reads the list: a test and the reason in each line.
func knownFailures(t *testing.T) map[string]bool {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "esctest", "known"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	known := map[string]bool{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		line := lines.Text()
		if line == "" || line[0] == '#' {
			continue
		}
		name, reason, _ := strings.Cut(line, " ")
		if strings.TrimSpace(reason) == "" {
			t.Errorf("testdata/esctest/known: %s has no reason", name)
		}
		known[name] = true
	}
	return known
}

var (
	esctestFailed = regexp.MustCompile(`(?m)^\*\*\* TEST (\S+) FAILED:`)
	esctestTotal  = regexp.MustCompile(`(?m)^\*\*\* \d+ tests? passed, .*\*\*\*$`)
)

// compareWithKnown fails the test unless the failures in the suite's log are the known ones.
func compareWithKnown(t *testing.T, log string, known map[string]bool) {
	t.Helper()
	total := esctestTotal.FindString(log)
	if total == "" {
		t.Fatalf("esctest2 did not finish; the end of its log:\n%s", log[max(0, len(log)-2000):])
	}
	t.Log(total)
	failed := map[string]bool{}
	for _, m := range esctestFailed.FindAllStringSubmatchIndex(log, -1) {
		name := log[m[2]:m[3]]
		failed[name] = true
		if !known[name] {
			why, _, _ := strings.Cut(log[m[1]:], "Run test:")
			t.Errorf("%s fails:%s", name, why)
		}
	}
	for name := range known {
		if !failed[name] {
			t.Errorf("%s passes: remove it from testdata/esctest/known", name)
		}
	}
}

// reportChecksum is DECRQCRA as in xterm from version 334 on: the sum of the characters in a
// rectangle, where an empty cell counts as a space.
func (t *Terminal) reportChecksum() {
	sum := 0
	if r, ok := t.rect(2); ok {
		for _, row := range t.scr.rows[r.top:r.bottom] {
			for x := r.left; x < r.right; x++ {
				text := ' '
				if x < row.used && row.cells[x]&contentMask != 0 {
					text = t.clusters.base(row.cells[x] & contentMask)
				}
				sum += int(text)
			}
		}
	}
	t.reply(fmt.Sprintf("\x1bP%d!~%04X\x1b\\", t.param(0, 0), uint16(sum)))
}
