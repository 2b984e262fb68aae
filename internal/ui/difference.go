package ui

import (
	"fmt"
	"strings"

	"ui-mcp/internal/ui/variable"
)

// maxCompared bounds the product of the numbers of lines of two texts that are compared line by
// line in order.
const maxCompared = 250_000

// A line of a description is compared by its [variable.Subject].
type line struct{ text, subject string }

func linesOf(text string) (lines []line) {
	for l := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		lines = append(lines, line{l, variable.Subject(l)})
	}
	return lines
}

// difference returns the lines whose subject one of two descriptions lacks, after - the lines of
// before, and after + the lines of after, in order and in about limit bytes; "" if there are none.
func difference(before, after string, limit int) string {
	a, b := linesOf(before), linesOf(after)
	for len(a) > 0 && len(b) > 0 && a[0].subject == b[0].subject {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1].subject == b[len(b)-1].subject {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	var out strings.Builder
	more := 0
	for _, l := range changes(a, b) {
		if more > 0 || out.Len()+len(l) > limit {
			more++
			continue
		}
		out.WriteString(l + "\n")
	}
	if more > 0 {
		fmt.Fprintf(&out, "… %d more lines: ui_inspect shows them\n", more)
	}
	return out.String()
}

func changes(a, b []line) (out []string) {
	if len(a)*len(b) > maxCompared {
		return unordered(a, b)
	}
	// common[i][j] is how many lines a[i:] and b[j:] have in common, in order.
	width := len(b) + 1
	common := make([]int32, (len(a)+1)*width)
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i].subject == b[j].subject {
				common[i*width+j] = common[(i+1)*width+j+1] + 1
			} else {
				common[i*width+j] = max(common[(i+1)*width+j], common[i*width+j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i].subject == b[j].subject:
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[(i+1)*width+j] >= common[i*width+j+1]:
			out = append(out, "- "+a[i].text)
			i++
		default:
			out = append(out, "+ "+b[j].text)
			j++
		}
	}
	return out
}

// unordered is changes without regard to order.
func unordered(a, b []line) (out []string) {
	left := map[string]int{}
	for _, l := range b {
		left[l.subject]++
	}
	for _, l := range a {
		if left[l.subject] > 0 {
			left[l.subject]--
			continue
		}
		out = append(out, "- "+l.text)
	}
	for _, l := range b {
		if left[l.subject] > 0 {
			left[l.subject]--
			out = append(out, "+ "+l.text)
		}
	}
	return out
}
