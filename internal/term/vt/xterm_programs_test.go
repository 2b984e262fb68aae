package vt

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"ui-mcp/internal/testkit/load"
)

// erasure is ECH and DCH.
var erasure = regexp.MustCompile(`\x1b\[[0-9]*[XP]`)

// settled returns the recording with a movement to the right before every ECH and DCH while a wrap
// is pending. That changes nothing here and in xterm, where the cursor is in the last column; but
// xterm's engine would not erase anything.
func (r recording) settled(t *testing.T) recording {
	t.Helper()
	vt := newTerminal(t, r.cols, r.rows, 0)
	whole := r
	whole.output = nil
	done := 0
	for _, at := range append(erasure.FindAllIndex(r.output, -1), []int{len(r.output)}) {
		piece := recording{output: r.output[done:at[0]]}
		for _, s := range piece.steps(t, func() int { return len(r.output) }) {
			if s.Write != nil {
				write(vt, s.Write)
			} else if err := vt.Resize(s.Resize[0], s.Resize[1]); err != nil {
				t.Fatal(err)
			}
		}
		whole.output = append(whole.output, piece.output...)
		if vt.cur.pending {
			whole.output = append(whole.output, "\x1b[C"...)
		}
		done = at[0]
	}
	return whole
}

// TestXtermPrograms replays recordings of real programs, and compares with xterm's headless engine
// along the way: programs often draw over an error later. With -update it writes xterm's final
// screens for TestPrograms.
func TestXtermPrograms(t *testing.T) {
	t.Parallel()
	x := newXterm(t)
	for i, r := range recordings(t) {
		t.Run(filepath.Base(r.name), func(t *testing.T) {
			random := rand.New(rand.NewPCG(uint64(i), 2))
			piece := max(100, len(r.output)/load.Count(10, 30))
			p := play{Cols: r.cols, Rows: r.rows, Scrollback: 2000}
			p.Steps = r.settled(t).steps(t, func() int { return 1 + random.IntN(2*piece) })
			sameAsXterm(t, x, p, false)
			if *update {
				p.Steps = r.settled(t).steps(t, func() int { return len(r.output) })
				list := x.pictures(t, p)
				screen := list[len(list)-1].Text
				// TestPrograms may be reading it.
				if old, err := os.ReadFile(r.name + ".screen"); err == nil && string(old) == screen {
					return
				}
				if err := os.WriteFile(r.name+".screen", []byte(screen), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// TestXtermProgramsResized does the same while the terminal of a full-screen program becomes
// higher, lower and narrower without the program noticing. It does not become wider, because
// xterm's engine restores text that a narrower size has cut off. The primary screen does not change
// size: see TestXtermReflow.
func TestXtermProgramsResized(t *testing.T) {
	load.Long(t, "TestXtermPrograms has the same programs at one size")
	t.Parallel()
	x := newXterm(t)
	// These draw over half of a wide character. The other half becomes a blank, with the cursor's
	// colour in xterm's engine and with the character's in ours.
	halves := []string{"vim", "vim-40x10"}
	for i, r := range recordings(t) {
		if slices.Contains(halves, filepath.Base(r.name)) {
			continue
		}
		t.Run(filepath.Base(r.name), func(t *testing.T) {
			random := rand.New(rand.NewPCG(uint64(i), 5))
			p := play{Cols: r.cols, Rows: r.rows, Scrollback: 2000}
			vt := newTerminal(t, r.cols, r.rows, 0)
			cols, piece := r.cols, max(100, len(r.output)/load.Count(10, 30))
			for _, s := range r.settled(t).steps(t, func() int { return piece }) {
				if s.Write == nil {
					continue
				}
				write(vt, s.Write)
				p.Steps = append(p.Steps, s)
				if vt.live().AltScreen() && random.IntN(3) == 0 {
					p.Steps = append(p.Steps, step{Resize: []int{cols, 5 + random.IntN(40)}, Show: true})
					cols = max(5, cols-random.IntN(8))
				}
			}
			sameAsXterm(t, x, p, false)
		})
	}
}
