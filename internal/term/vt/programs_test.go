package vt

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPrograms replays what real programs wrote to a terminal of 80x24 in tmux
// 3.3a (pipe-pane), and compares with what tmux showed then (capture-pane -p):
// testdata/programs/NAME.out and NAME.screen. It replays each in one piece and
// in chunks of every size up to seven.
func TestPrograms(t *testing.T) {
	t.Parallel()
	recordings, err := filepath.Glob(filepath.Join("testdata", "programs", "*.out"))
	if err != nil || len(recordings) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	for _, path := range recordings {
		name := strings.TrimSuffix(path, ".out")
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			screen, err := os.ReadFile(name + ".screen")
			if err != nil {
				t.Fatal(err)
			}
			want := strings.Split(strings.TrimSuffix(string(screen), "\n"), "\n")
			for i := range want {
				want[i] = strings.TrimRight(want[i], " ")
			}
			for size := range 8 {
				if size == 0 {
					size = len(data)
				}
				vt := newTerminal(t, 80, 24, 100)
				for rest := data; len(rest) > 0; {
					n := min(size, len(rest))
					write(vt, rest[:n])
					rest = rest[n:]
				}
				checkState(t, vt)
				if d := cmp.Diff(want, texts(vt.Snapshot().Lines)); d != "" {
					t.Errorf("in chunks of %d (-tmux +vt)\n%s", size, d)
				}
			}
		})
	}
}
