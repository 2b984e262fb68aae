//go:build linux

package bench

import (
	"encoding/json"
	"flag"
	"fmt"
	"html"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// keepFigures has BenchmarkGrowth keep what it measures, and rewrite the plots and the table.
var keepFigures = flag.Bool("keep", false, "keep the figures of BenchmarkGrowth in docs/growth")

// A growth says how the cost of one thing grows with the number of another.
type growth struct {
	name  string // of a file, and in -bench
	of    string // the number, such as "bound values"
	cost  string // the thing
	sizes []int
	// reason says why the exponent may be above mostExponent; "" if it may not.
	reason string
	// setUp makes n of them, and returns the thing, and the process that does it.
	setUp func(b *testing.B, n int) (p *process, once func())
}

// mostExponent is the largest exponent that needs no reason: more than 1 by what a measurement on a
// busy machine varies.
const mostExponent = 1.1

// A kept growth is what was measured of one: the processor time of the thing, in milliseconds, for
// each size.
type kept struct {
	Name   string    `json:"name"`
	Commit string    `json:"commit"` // at which it was measured
	Sizes  []int     `json:"sizes"`
	MS     []float64 `json:"ms"`
}

// figures are all that was measured.
type figures struct {
	Machine string `json:"machine"`
	Growth  []kept `json:"growth"`
}

// exponent is the slope of the line that fits the figures best where both axes are logarithmic.
func (k kept) exponent(from int) float64 {
	var n, sx, sy, sxx, sxy float64
	for i := from; i < len(k.Sizes); i++ {
		x, y := math.Log(float64(k.Sizes[i])), math.Log(k.MS[i])
		n, sx, sy, sxx, sxy = n+1, sx+x, sy+y, sxx+x*x, sxy+x*y
	}
	return (n*sxy - sx*sy) / (n*sxx - sx*sx)
}

// end is the exponent between the two largest sizes.
func (k kept) end() float64 { return k.exponent(len(k.Sizes) - 2) }

// BenchmarkGrowth measures how costs grow. With -keep, it writes what it finds into docs/growth.
func BenchmarkGrowth(b *testing.B) {
	found := figures{Machine: machine()}
	for _, g := range growths {
		b.Run(g.name, func(b *testing.B) {
			k := kept{Name: g.name}
			for _, n := range g.sizes {
				b.Run(strconv.Itoa(n), func(b *testing.B) {
					p, once := g.setUp(b, n)
					b.ReportMetric(0, "ns/op")
					for b.Loop() { // with -benchtime 1x, once
						ms := costOf(p, once)
						b.ReportMetric(ms, "cpu-ms")
						k.Sizes, k.MS = append(k.Sizes, n), append(k.MS, math.Round(ms*1e5)/1e5)
					}
				})
			}
			if len(k.MS) == len(g.sizes) {
				b.Logf("%s: exponent %.2f, at the end %.2f", g.name, k.exponent(0), k.end())
				found.Growth = append(found.Growth, k)
			}
		})
	}
	if *keepFigures {
		keepGrowth(b, found)
	}
}

// costOf returns the processor time of calling a function once, in milliseconds: the least of some
// rounds, since nothing but other work on the machine can make one take longer.
func costOf(p *process, once func()) float64 {
	const rounds, least = 5, 60 * time.Millisecond
	for range 3 {
		once()
	}
	best := math.Inf(1)
	for range rounds {
		before, calls := p.precise(), 0
		for calls == 0 || p.precise()-before < least {
			once()
			calls++
		}
		best = min(best, (p.precise()-before).Seconds()*1000/float64(calls))
	}
	return best
}

// precise is the processor time of a process, in nanoseconds, unlike [process.cpu]. It leaves out
// threads that have ended.
func (p *process) precise() (sum time.Duration) {
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", p.pid))
	if err != nil {
		p.b.Fatal(err)
	}
	for _, file := range tasks {
		data, err := os.ReadFile(file)
		if err != nil {
			continue // the thread has ended meanwhile
		}
		ns, _, _ := strings.Cut(string(data), " ")
		n, err := strconv.ParseInt(ns, 10, 64)
		if err != nil {
			p.b.Fatal(err)
		}
		sum += time.Duration(n)
	}
	return sum
}

// machine describes the processors.
func machine() string {
	data, _ := os.ReadFile("/proc/cpuinfo") // what cannot be read is left out
	for line := range strings.Lines(string(data)) {
		if name, value, _ := strings.Cut(line, ":"); strings.TrimSpace(name) == "model name" {
			return fmt.Sprintf("%d × %s", runtime.NumCPU(), strings.TrimSpace(value))
		}
	}
	return fmt.Sprintf("%d processors", runtime.NumCPU())
}

const (
	growthFolder = "../docs/growth"
	growthFile   = growthFolder + "/figures.json"
	growthPage   = "../docs/performance.md"
)

// keepGrowth replaces the kept figures of what was measured, and what is made of them.
func keepGrowth(b *testing.B, found figures) {
	b.Helper()
	out, err := exec.Command("git", "rev-parse", "--short", "HEAD").Output()
	if err != nil {
		b.Fatal(err)
	}
	for i := range found.Growth {
		found.Growth[i].Commit = strings.TrimSpace(string(out))
	}
	if before, err := readFigures(); err == nil {
		for _, k := range before.Growth {
			if !slices.ContainsFunc(found.Growth, func(f kept) bool { return f.Name == k.Name }) {
				found.Growth = append(found.Growth, k)
			}
		}
	}
	slices.SortFunc(found.Growth, func(x, y kept) int { return place(x.Name) - place(y.Name) })
	data, err := json.MarshalIndent(found, "", "\t")
	if err != nil {
		b.Fatal(err)
	}
	for name, text := range growthFiles(found) {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	if err := os.WriteFile(growthFile, append(data, '\n'), 0o644); err != nil {
		b.Fatal(err)
	}
}

// place is the position of a growth in the table.
func place(name string) int {
	return slices.IndexFunc(growths, func(g growth) bool { return g.name == name })
}

func readFigures() (f figures, err error) {
	data, err := os.ReadFile(growthFile)
	if err != nil {
		return f, err
	}
	return f, json.Unmarshal(data, &f)
}

// growthFiles returns what is made of figures: the plots, and the page with the table.
func growthFiles(f figures) map[string]string {
	page, _ := os.ReadFile(growthPage) // TestGrowth reports one without the marks
	head, rest, _ := strings.Cut(string(page), growthBegin)
	_, tail, _ := strings.Cut(rest, growthEnd)
	return map[string]string{
		growthFolder + "/growth.svg": growthPlots(f),
		growthPage:                   head + growthBegin + "\n" + growthTable(f) + growthEnd + tail,
	}
}

const (
	growthBegin = "<!-- make growth writes this table -->"
	growthEnd   = "<!-- until here -->"
)

// growthTable is the table for docs/performance.md.
func growthTable(f figures) string {
	var commits []string
	for _, k := range f.Growth {
		if !slices.Contains(commits, k.Commit) {
			commits = append(commits, k.Commit)
		}
	}
	var t strings.Builder
	fmt.Fprintf(&t, "Measured at %s on %s.\n\n| what grows | cost of | sizes | processor time, ms | exponent | at the end | why above %.1f |\n|---|---|---|---|---|---|---|\n", strings.Join(commits, ", "), f.Machine, mostExponent)
	for _, k := range f.Growth {
		g := growths[place(k.Name)]
		var sizes, ms []string
		for i, n := range k.Sizes {
			sizes, ms = append(sizes, grouped(n)), append(ms, strconv.FormatFloat(k.MS[i], 'g', 2, 64))
		}
		reason := "–"
		if k.exponent(0) > mostExponent {
			reason = g.reason
		}
		fmt.Fprintf(&t, "| %s | %s | %s | %s | %.2f | %.2f | %s |\n", g.of, g.cost, strings.Join(sizes, " / "), strings.Join(ms, " / "), k.exponent(0), k.end(), reason)
	}
	return t.String()
}

// grouped writes a number as people do.
func grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Each growth has kept figures, the plots and the table are made of them, and no cost grows much
// faster than what it is for, unless it says why.
func TestGrowth(t *testing.T) {
	f, err := readFigures()
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range growths {
		if !slices.ContainsFunc(f.Growth, func(k kept) bool { return k.Name == g.name && slices.Equal(k.Sizes, g.sizes) }) {
			t.Errorf("%s has no figures for its sizes: make growth measures them", g.name)
		}
		if len(g.sizes) < 4 {
			t.Errorf("%s has %d sizes, want 4", g.name, len(g.sizes))
		}
	}
	for _, k := range f.Growth {
		at := place(k.Name)
		if at < 0 {
			t.Errorf("there are figures of %s, which nothing measures", k.Name)
			continue
		}
		if e := k.exponent(0); e > mostExponent && growths[at].reason == "" {
			t.Errorf("the cost of %s grows with the exponent %.2f, and nothing says why", k.Name, e)
		}
	}
	if t.Failed() {
		return
	}
	for name, want := range growthFiles(f) {
		if got, err := os.ReadFile(name); err != nil || string(got) != want {
			t.Errorf("%s is not what the figures make: make growth writes it (%v)", name, err)
		}
	}
}

// growthPlots draws each growth with logarithmic axes, beside the line of a cost that grows as fast
// as what it is for.
func growthPlots(f figures) string {
	const columns, width, height = 4, 240, 190 // of a plot with its labels
	const left, top, wide, high = 52, 30, 170, 125
	rows := (len(f.Growth) + columns - 1) / columns
	var s strings.Builder
	fmt.Fprintf(&s, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="10">
<style>text { fill: #57606a } .title { font-size: 12px; fill: #24292f } rect { fill: none; stroke: #d0d7de } line { stroke: #afb8c1; stroke-dasharray: 3 3 }
polyline { fill: none; stroke: #0969da; stroke-width: 2 } circle { fill: #0969da }
@media (prefers-color-scheme: dark) { text { fill: #8b949e } .title { fill: #e6edf3 } rect { stroke: #30363d } line { stroke: #484f58 } polyline { stroke: #58a6ff } circle { fill: #58a6ff } }</style>
`, columns*width, rows*height)
	for i, k := range f.Growth {
		least, most := math.Inf(1), math.Inf(-1)
		for _, ms := range k.MS {
			least, most = min(least, math.Log10(ms)), max(most, math.Log10(ms))
		}
		decades := math.Log10(float64(k.Sizes[len(k.Sizes)-1]) / float64(k.Sizes[0]))
		span := max(decades, most-least) // a decade is at least as long upwards as sideways
		const inset = 6                  // of the points from the frame
		x := func(n int) float64 {
			return inset + (wide-2*inset)*math.Log10(float64(n)/float64(k.Sizes[0]))/decades
		}
		y := func(log float64) float64 { return high - inset - (high-2*inset)*(log-least)/span }
		fmt.Fprintf(&s, "<g transform=\"translate(%d %d)\">\n<text class=\"title\" x=\"%d\" y=\"20\">%s: %.2f</text>\n",
			i%columns*width, i/columns*height, left, html.EscapeString(growths[place(k.Name)].of), k.exponent(0))
		fmt.Fprintf(&s, "<svg x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\">\n<rect width=\"100%%\" height=\"100%%\"/>\n", left, top, wide, high)
		first := math.Log10(k.MS[0])
		fmt.Fprintf(&s, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", x(k.Sizes[0]), y(first), x(k.Sizes[len(k.Sizes)-1]), y(first+decades))
		var points []string
		for j, n := range k.Sizes {
			px, py := x(n), y(math.Log10(k.MS[j]))
			points = append(points, fmt.Sprintf("%.1f,%.1f", px, py))
			fmt.Fprintf(&s, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>\n", px, py)
		}
		fmt.Fprintf(&s, "<polyline points=\"%s\"/>\n</svg>\n", strings.Join(points, " "))
		for _, n := range k.Sizes {
			fmt.Fprintf(&s, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", left+x(n), top+high+13, grouped(n))
		}
		for _, log := range []float64{least, most} {
			if log == most && y(least)-y(most) < 12 {
				break // there is no room for both
			}
			fmt.Fprintf(&s, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.2g ms</text>\n", left-4, top+y(log)+3, math.Pow(10, log))
		}
		s.WriteString("</g>\n")
	}
	s.WriteString("</svg>\n")
	return s.String()
}
