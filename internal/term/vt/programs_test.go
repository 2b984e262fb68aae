package vt

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A recording is the output of a program: see TestRecord.
type recording struct {
	name       string // a path, without its extension
	cols, rows int
	output     []byte
}

// resizing is the sequence that marks a change of size in a recording. The terminal ignores it.
var resizing = regexp.MustCompile(`\x1b\[8;([0-9]+);([0-9]+)t`)

// recordings returns the recordings in testdata. Their size is in their names; without one it is
// 80x24.
func recordings(t *testing.T) []recording {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", "programs", "*.out"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	var list []recording
	for _, path := range paths {
		output, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		r := recording{name: strings.TrimSuffix(path, ".out"), cols: 80, rows: 24, output: output}
		if _, size, ok := strings.Cut(filepath.Base(r.name), "-"); ok {
			parseSize(t, size, &r.cols, &r.rows)
		}
		list = append(list, r)
	}
	return list
}

// steps splits the output into pieces whose sizes next returns, with a look after each.
func (r recording) steps(t *testing.T, next func() int) []step {
	t.Helper()
	var steps []step
	pieces := func(output []byte) {
		for len(output) > 0 {
			n := min(next(), len(output))
			steps = append(steps, step{Write: output[:n], Show: true})
			output = output[n:]
		}
	}
	done := 0
	for _, at := range resizing.FindAllSubmatchIndex(r.output, -1) {
		pieces(r.output[done:at[0]])
		var cols, rows int
		parseSize(t, string(r.output[at[4]:at[5]])+"x"+string(r.output[at[2]:at[3]]), &cols, &rows)
		steps = append(steps, step{Resize: []int{cols, rows}})
		done = at[1]
	}
	pieces(r.output[done:])
	return steps
}

// TestPrograms replays recordings of real programs (testdata/programs/NAME.out), and compares the
// screen at the end with that of xterm's headless engine (NAME.screen). It writes each in one piece
// and in chunks of every size up to seven.
func TestPrograms(t *testing.T) {
	t.Parallel()
	for _, r := range recordings(t) {
		t.Run(filepath.Base(r.name), func(t *testing.T) {
			t.Parallel()
			screen, err := os.ReadFile(r.name + ".screen")
			if err != nil {
				t.Fatal(err)
			}
			want := strings.Split(strings.TrimSuffix(string(screen), "\n"), "\n")
			for size := range 8 {
				if size == 0 {
					size = len(r.output)
				}
				vt := newTerminal(t, r.cols, r.rows, 100)
				for _, s := range r.steps(t, func() int { return size }) {
					if s.Write == nil {
						if err := vt.Resize(s.Resize[0], s.Resize[1]); err != nil {
							t.Fatal(err)
						}
						continue
					}
					write(vt, s.Write)
				}
				checkState(t, vt)
				if d := cmp.Diff(want, texts(vt.Snapshot().Lines)); d != "" {
					t.Errorf("in chunks of %d (-xterm +vt)\n%s", size, d)
				}
			}
		})
	}
}
