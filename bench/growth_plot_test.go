//go:build linux

package bench

import (
	"fmt"
	"html"
	"math"
	"strings"
)

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
