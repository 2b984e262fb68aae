package ui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"ui-mcp/internal/ui/variable"
)

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

// changes pairs the lines with the same subject, in order, and keeps the most pairs that do not
// cross.
func changes(a, b []line) (out []string) {
	of := map[string][]int{}
	for j, l := range b {
		of[l.subject] = append(of[l.subject], j)
	}
	pair := make([]int, len(a))   // the line of b that is this one, or -1
	before := make([]int, len(a)) // the pair before in the longest row of pairs that ends here, or -1
	var ends []int                // of the rows of each length, the one that ends first in b
	for i, l := range a {
		pair[i], before[i] = -1, -1
		same := of[l.subject]
		if len(same) == 0 {
			continue
		}
		pair[i], of[l.subject] = same[0], same[1:]
		n, _ := slices.BinarySearchFunc(ends, pair[i], func(end, j int) int { return cmp.Compare(pair[end], j) })
		if n > 0 {
			before[i] = ends[n-1]
		}
		if n == len(ends) {
			ends = append(ends, i)
		}
		ends[n] = i
	}
	stays := make([]bool, len(a))
	if len(ends) > 0 {
		for i := ends[len(ends)-1]; i >= 0; i = before[i] {
			stays[i] = true
		}
	}
	j := 0
	for i, l := range a {
		if !stays[i] {
			out = append(out, "- "+l.text)
			continue
		}
		for ; j < pair[i]; j++ {
			out = append(out, "+ "+b[j].text)
		}
		j++
	}
	for _, l := range b[j:] {
		out = append(out, "+ "+l.text)
	}
	return out
}
