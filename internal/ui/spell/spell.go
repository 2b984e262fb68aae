// Package spell finds the name that was probably meant: the one in a list that is most like a
// misspelt one. It is pure, and does not know what the names stand for.
package spell

import (
	"slices"
	"strings"
)

// Nearest returns the candidate that is most like name, or "" if none is close: about one letter in
// three may be wrong, missing, too many or swapped with its neighbour. Upper and lower case count
// as nearly the same, and so do a name and its plural. Among equals the first by name wins. Neither
// name itself is a candidate, nor one of which no letter remains, as of "a" in "0".
func Nearest(name string, candidates []string) string {
	if len(name) > maxLength {
		return ""
	}
	best, least := "", max(1, (len(name)+1)/3)*2+1
	for _, c := range candidates {
		if c == name || c == "" || len(c) > maxLength {
			continue
		}
		if d := distance(name, c); d < 2*max(len([]rune(name)), len([]rune(c))) && (d < least || d == least && best != "" && c < best) {
			best, least = c, d
		}
	}
	return best
}

// Offer returns text that ends a message by offering a name; "" for "".
func Offer(name string) string {
	if name == "" {
		return ""
	}
	return "; did you mean `" + name + "`?"
}

// maxLength bounds the names that are compared, since that takes time with the square.
const maxLength = 100

// distance is twice the number of edits that turn a into b; a letter in another case is half an
// edit.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	var before, above []int // the rows of the matrix two and one above
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = 2 * j
	}
	for i := range x {
		before, above = above, slices.Clone(row)
		row[0] = 2 * (i + 1)
		for j := range y {
			change := 2
			switch {
			case x[i] == y[j]:
				change = 0
			case strings.EqualFold(string(x[i]), string(y[j])):
				change = 1
			}
			row[j+1] = min(above[j]+change, above[j+1]+2, row[j]+2)
			if i > 0 && j > 0 && x[i] == y[j-1] && x[i-1] == y[j] {
				row[j+1] = min(row[j+1], before[j-1]+2)
			}
		}
	}
	return row[len(y)]
}
