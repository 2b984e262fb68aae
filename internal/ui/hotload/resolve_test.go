package hotload

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// In random trees of links, resolve must agree with the standard library, and everything on which
// its answer depends must be watched.
func TestResolveAgrees(t *testing.T) {
	for seed := range uint64(40) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			rnd := rand.New(rand.NewPCG(seed, 0))
			root, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			base := filepath.Join(root, "up", "up", "up") // links lead up to three folders further up
			if err := os.MkdirAll(base, 0o755); err != nil {
				t.Fatal(err)
			}
			name := func() string { return string(rune('a' + rnd.IntN(4))) }
			path := func() string {
				names := make([]string, 1+rnd.IntN(3))
				for i := range names {
					names[i] = []string{name(), name(), name(), name(), "..", "."}[rnd.IntN(6)]
				}
				return strings.Join(names, "/")
			}
			links := map[string]bool{}
			for range 30 {
				p := filepath.Join(base, name())
				if rnd.IntN(2) == 0 {
					p = filepath.Join(p, name())
				}
				// Some of these fail, because a name exists or is not a folder: that makes the tree
				// random, too.
				switch rnd.IntN(4) {
				case 0:
					_ = os.WriteFile(p, nil, 0o644)
				case 1:
					_ = os.MkdirAll(p, 0o755)
				case 2:
					links[p] = os.Symlink(path(), p) == nil || links[p]
				case 3:
					links[p] = os.Symlink(base+"/"+path(), p) == nil || links[p]
				}
			}
			for range 200 {
				p := base + "/" + path() + "/" + path()
				if strings.Contains(p, "..") {
					continue // a path that is asked for is clean
				}
				want, wantErr := filepath.EvalSymlinks(p)
				s := scanner{watch: func(string) error { return nil }, before: &snapshot{},
					out: &snapshot{files: map[string]file{}, dirs: map[string]bool{}, points: map[string]bool{}}}
				got, info, err := s.resolve(p)
				if (err != nil) != (wantErr != nil) || err == nil && got != want {
					t.Fatalf("resolve(%s) = %q, %v; want %q, %v", p, got, err, want, wantErr)
				}
				if err == nil && info == nil {
					t.Fatalf("resolve(%s): no info", p)
				}
				if err != nil && len(s.out.points) == 0 {
					t.Fatalf("resolve(%s) = %v, and nothing is watched", p, err)
				}
				for point := range s.out.points {
					if _, watched := s.out.dirs[filepath.Dir(point)]; !watched {
						t.Fatalf("resolve(%s): %s is a point in a folder that is not watched", p, point)
					}
				}
			}
		})
	}
}
