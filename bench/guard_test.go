//go:build linux

package bench

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestGuard compares if asked to: it takes minutes.
var (
	compares = flag.Bool("guard", false, "compare the figures with those of the commit before")
	against  = flag.String("against", "", "compare with this commit or tag instead")
)

const (
	// mostWorse is by how much a figure may be worse than that of the commit before.
	mostWorse = 1.15
	// mostSteeper is by how much the exponent of a growth may be larger: exponents are near 0 or 1.
	mostSteeper = 0.15
	// meantFile lists figures that a commit has made worse on purpose.
	meantFile = "testdata/meant.txt"
)

// A guarded benchmark reports figures that compare two things within one run: a busy machine slows
// both. Floods are compared by processor time alone: that of the bare reader, by which they are
// reported elsewhere, is a few tenths of a second, and its noise would be taken for theirs.
type guarded struct {
	bench, time string // for -bench and -benchtime
	unit        string // of the figure; "" is the exponent of a growth
	larger      bool   // the larger figure is the better one
	passes      int    // at least
}

var guardedBenchmarks = []guarded{
	{"^BenchmarkTermFlood$", "1x", "MB/cpu-s", true, 2},
	{"^BenchmarkTermScreenHTTP$/^(plain|styled)$", "1000x", "x-bare", false, 1},
	{"^BenchmarkToolCall$", "1000x", "p50-of-bare-SDK", false, 1},
	{"^BenchmarkGrowth$/^terminals$", "1x", "", false, 1},
}

// mostPasses is how often what seems worse is measured: the best figure counts, since what disturbs
// makes figures worse only.
const mostPasses = 6

// read returns the figures of the benchmark in what a run has printed, by name.
func (g guarded) read(out string) map[string]float64 {
	found := map[string]float64{}
	growth := kept{}
	for line := range strings.Lines(out) {
		fields := strings.Fields(line)
		if len(fields) < 2 || !strings.HasPrefix(fields[0], "Benchmark") {
			continue
		}
		name := regexp.MustCompile(`-\d+$`).ReplaceAllString(strings.TrimPrefix(fields[0], "Benchmark"), "")
		unit := g.unit
		if unit == "" {
			unit = "cpu-ms"
		}
		i := slices.Index(fields, unit)
		if i < 0 {
			continue
		}
		value, err := strconv.ParseFloat(fields[i-1], 64)
		if err != nil {
			continue
		}
		if g.unit != "" {
			found[name] = value
			continue
		}
		at := strings.LastIndex(name, "/")
		n, err := strconv.Atoi(name[at+1:])
		if err != nil {
			continue
		}
		growth.Name = name[:at]
		growth.Sizes, growth.MS = append(growth.Sizes, n), append(growth.MS, value)
	}
	if len(growth.Sizes) > 1 {
		found[growth.Name] = growth.exponent(0)
	}
	return found
}

// worse reports whether the figure of this program is worse than that of the one before.
func (g guarded) worse(before, now float64) bool {
	switch {
	case g.unit == "":
		return now-before > mostSteeper
	case g.larger:
		before, now = now, before
	}
	return now > before*mostWorse
}

// best takes over the figures of a pass that are better than those so far, or the first.
func (g guarded) best(so, pass map[string]float64) {
	for name, value := range pass {
		if old := so[name]; old == 0 || g.larger == (value > old) {
			so[name] = value
		}
	}
}

// meant returns the names of figures that the list has now and had not before. A line is a name and
// why the commit that adds it makes the figure worse.
func meant(before, now string) []string {
	var names []string
	old := strings.Split(before, "\n")
	for line := range strings.Lines(now) {
		line = strings.TrimSpace(line)
		if name, _, ok := strings.Cut(line, " "); ok && !strings.HasPrefix(line, "#") && !slices.Contains(old, line) {
			names = append(names, name)
		}
	}
	return names
}

// A tree is a version of the source with its benchmarks.
type tree struct{ dir, program string }

// run runs a benchmark. Without tmux and screen in PATH, floods go through our terminal only.
func (t tree) run(tb testing.TB, g guarded, path string) map[string]float64 {
	tb.Helper()
	cmd := exec.CommandContext(tb.Context(), t.program, "-test.run", "^$", "-test.bench", g.bench, "-test.benchtime", g.time)
	cmd.Dir = filepath.Join(t.dir, "bench")
	cmd.Env = append(os.Environ(), "PATH="+path)
	out, err := cmd.CombinedOutput()
	if err != nil {
		tb.Fatalf("%s of %s: %v\n%s", g.bench, t.dir, err, out)
	}
	return g.read(string(out))
}

// git returns what git prints.
func git(tb testing.TB, args ...string) (string, error) {
	tb.Helper()
	out, err := exec.CommandContext(tb.Context(), "git", args...).Output()
	return strings.TrimSpace(string(out)), err
}

// TestGuard fails if this version is slower than the commit before: HEAD if files differ from it,
// else its parent. Both are measured in turns, the one first that was second before.
func TestGuard(t *testing.T) {
	if !*compares {
		t.Skip("make bench-guard compares")
	}
	changed, err := git(t, "status", "--porcelain")
	if err != nil {
		t.Skip("SKIPPED bench-guard: this is no clone of the repository")
	}
	base := *against
	switch {
	case base != "":
	case changed == "":
		base = "HEAD^"
	default:
		base = "HEAD"
	}
	commit, err := git(t, "rev-parse", "--quiet", "--verify", base)
	if err != nil {
		t.Skip("SKIPPED bench-guard: the clone is shallow or has one commit, so there is none before to compare with")
	}
	same := exec.CommandContext(t.Context(), "git", "diff", "--quiet", commit, "--", ":/*.go", ":/go.mod", ":/web/dist", ":(exclude,glob,top)**/*_test.go")
	if same.Run() == nil {
		t.Skipf("no program has changed since %.8s", commit)
	}
	before, now := checkOut(t, commit), tree{dir: ".."}
	now.program = build(t, now.dir)
	path := onlyPath(t, "sh", "bash", "cat", "sleep", "go", "git")
	old, _ := git(t, "show", commit+":bench/"+meantFile) // "" if there was none
	list, err := os.ReadFile(meantFile)
	if err != nil {
		t.Fatal(err)
	}
	intended := meant(old, string(list))
	for _, g := range guardedBenchmarks {
		x, y := map[string]float64{}, map[string]float64{}
		suspect := func(name string) bool { return x[name] != 0 && g.worse(x[name], y[name]) }
		names := func() []string { return slices.Sorted(maps.Keys(y)) }
		for pass := 0; pass < g.passes || pass < mostPasses && slices.ContainsFunc(names(), suspect); pass++ {
			if pass%2 == 0 {
				g.best(x, before.run(t, g, path))
			}
			g.best(y, now.run(t, g, path))
			if pass%2 == 1 {
				g.best(x, before.run(t, g, path))
			}
		}
		for _, name := range names() {
			switch {
			case x[name] == 0:
				t.Logf("%s %s: %.3g, new", name, g.unit, y[name])
			case !suspect(name):
				t.Logf("%s %s: %.3g, before %.3g", name, g.unit, y[name], x[name])
			case slices.Contains(intended, name):
				t.Logf("%s %s: %.3g, before %.3g, as %s says", name, g.unit, y[name], x[name], meantFile)
			default:
				t.Errorf("%s %s: %.3g, before %.3g, the best of %d: find out why, or say in bench/%s why this is meant", name, g.unit, y[name], x[name], mostPasses, meantFile)
			}
		}
	}
}

// checkOut returns the version of a commit.
func checkOut(t *testing.T, commit string) tree {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "before")
	if out, err := exec.CommandContext(t.Context(), "git", "worktree", "add", "--detach", dir, commit).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("git", "worktree", "remove", "--force", dir).CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	})
	return tree{dir, build(t, dir)}
}

// build builds the benchmarks of a version, and returns their path.
func build(t *testing.T, dir string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "bench.test")
	cmd := exec.CommandContext(t.Context(), "go", "test", "-c", "-trimpath", "-o", path, "./bench")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("build the benchmarks of %s: %v\n%s", dir, err, out)
	}
	return path
}

// onlyPath returns a folder for PATH that has these programs only.
func onlyPath(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		path, err := exec.LookPath(name)
		if err == nil {
			err = os.Symlink(path, filepath.Join(dir, name))
		}
		if err != nil && !errors.Is(err, exec.ErrNotFound) {
			t.Fatal(err)
		}
	}
	return dir
}

// Figures are read from what go test prints, and compared in the direction that is worse.
func TestGuardCompares(t *testing.T) {
	var out bytes.Buffer
	for n := 1; n <= 100; n *= 10 {
		fmt.Fprintf(&out, "BenchmarkGrowth/terminals/%d-2 \t 1\t 0 ns/op\t %d cpu-ms\n", n, 3*n)
	}
	if e := (guarded{}).read(out.String())["Growth/terminals"]; e < 0.99 || e > 1.01 {
		t.Errorf("the exponent of what grows like its number is %v", e)
	}
	const line = "BenchmarkTermFlood/plain-16 \t 3\t 50 MB/cpu-s\t 1.2 x-bare\nPASS\n"
	flood := guarded{unit: "MB/cpu-s", larger: true}
	figures := flood.read(line)
	if len(figures) != 1 || figures["TermFlood/plain"] != 50 {
		t.Errorf("the figures are %v", figures)
	}
	flood.best(figures, map[string]float64{"TermFlood/plain": 40, "new": 7})
	if flood.best(figures, map[string]float64{"new": 8}); figures["TermFlood/plain"] != 50 || figures["new"] != 8 {
		t.Errorf("the best are %v", figures)
	}
	for _, tt := range []struct {
		g           guarded
		before, now float64
		want        bool
	}{
		{guarded{unit: "x"}, 1, 1.2, true}, {guarded{unit: "x"}, 1, 1.1, false}, {guarded{unit: "x"}, 1, 0.5, false},
		{guarded{unit: "x", larger: true}, 1, 0.8, true}, {guarded{unit: "x", larger: true}, 1, 0.9, false}, {guarded{unit: "x", larger: true}, 1, 2, false},
		{guarded{}, 0.1, 0.2, false}, {guarded{}, 0.1, 0.3, true},
	} {
		if got := tt.g.worse(tt.before, tt.now); got != tt.want {
			t.Errorf("%+v: %v after %v is worse: %v", tt.g, tt.now, tt.before, got)
		}
	}
	if got := meant("# a\nA why\n", "# a\nA why\nB because\nC\n"); !slices.Equal(got, []string{"B"}) {
		t.Errorf("meant are %v", got)
	}
}
