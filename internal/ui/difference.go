package ui

import (
	"fmt"
	"strings"
)

// maxCompared bounds the product of the numbers of lines of two texts that are compared line by
// line in order.
const maxCompared = 250_000

// difference returns the lines that one of two texts lacks, after - those of before, and after +
// those of after, in order and in about limit bytes; "" if there are none.
func difference(before, after string, limit int) string {
	a, b := strings.Split(strings.TrimSuffix(before, "\n"), "\n"), strings.Split(strings.TrimSuffix(after, "\n"), "\n")
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
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

// changes returns the lines of a and b that are not in both, marked.
func changes(a, b []string) (out []string) {
	if len(a)*len(b) > maxCompared {
		return unordered(a, b)
	}
	// common[i][j] is how many lines a[i:] and b[j:] have in common, in order.
	width := len(b) + 1
	common := make([]int32, (len(a)+1)*width)
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i*width+j] = common[(i+1)*width+j+1] + 1
			} else {
				common[i*width+j] = max(common[(i+1)*width+j], common[i*width+j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[(i+1)*width+j] >= common[i*width+j+1]:
			out = append(out, "- "+a[i])
			i++
		default:
			out = append(out, "+ "+b[j])
			j++
		}
	}
	return out
}

// unordered is changes without regard to order.
func unordered(a, b []string) (out []string) {
	left := map[string]int{}
	for _, l := range b {
		left[l]++
	}
	for _, l := range a {
		if left[l] > 0 {
			left[l]--
			continue
		}
		out = append(out, "- "+l)
	}
	for _, l := range b {
		if left[l] > 0 {
			left[l]--
			out = append(out, "+ "+l)
		}
	}
	return out
}
