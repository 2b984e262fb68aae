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

// changes keeps the longest sequence of lines with the same subjects in both, as Hunt and Szymanski
// find it.
func changes(a, b []line) (out []string) {
	of := map[string][]int{} // the lines of b with a subject, the last first
	for j, l := range slices.Backward(b) {
		of[l.subject] = append(of[l.subject], j)
	}
	type pair struct {
		i, j   int
		before *pair
	}
	ends := []*pair{{-1, -1, nil}} // of the sequences of each length, the one that ends first in b
	for i, l := range a {
		for _, j := range of[l.subject] {
			n, known := slices.BinarySearchFunc(ends, j, func(p *pair, j int) int { return cmp.Compare(p.j, j) })
			if n == len(ends) {
				ends = append(ends, nil)
			}
			if !known {
				ends[n] = &pair{i, j, ends[n-1]}
			}
		}
	}
	stays := []*pair{{len(a), len(b), nil}}
	for p := ends[len(ends)-1]; p.before != nil; p = p.before {
		stays = append(stays, p)
	}
	i, j := 0, 0
	for _, p := range slices.Backward(stays) {
		for ; i < p.i; i++ {
			out = append(out, "- "+a[i].text)
		}
		for ; j < p.j; j++ {
			out = append(out, "+ "+b[j].text)
		}
		i, j = p.i+1, p.j+1
	}
	return out
}
