package markdown

import (
	"regexp"
	"strings"
	"sync"
)

// The library cannot be stopped, and some texts take it time or memory that grows with the square
// of their length. So a text is looked through first, and what might take too long is shown as it
// is written.
const (
	maxText    = 256 << 10 // bytes
	maxNesting = 50        // of quotations and lists, begun on one line
	maxIndent  = 200       // columns before a line that begins a list or quotation: lists nest by indentation, too
	maxCells   = 50_000    // of all tables; a row is as wide as its table's head, whatever is in it
	// maxPairs bounds the sum of the squares of how many characters each block has that may begin
	// or end something: each may be compared with each other.
	maxPairs = 100_000_000
)

const marks = "[]()<>*_~`"

var (
	containers = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:[ \t]*(?:>|(?:[-+*]|[0-9]{1,9}[.)])(?:[ \t]|$)))+`)
	})
	container = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`>|[-+*](?:[ \t]|$)|[0-9]{1,9}[.)](?:[ \t]|$)`) })
	underHead = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[ \t>|:+*.)0-9-]*-[ \t|:-]*$`) }) // the line under a table's head
)

// simple reports whether a text can be converted in little time and memory.
func simple(text string) bool {
	if len(text) > maxText {
		return false
	}
	cells, columns := 0, 0 // of all tables, and of the one the line is in
	pairs, inBlock := 0, 0
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		prefix := containers().FindString(line)
		if len(container().FindAllStringIndex(prefix, maxNesting+1)) > maxNesting || prefix != "" && indent(line) > maxIndent {
			return false
		}
		if strings.Trim(line[len(prefix):], " \t") == "" { // the end of a block
			inBlock, columns = 0, 0
			continue
		}
		if underHead().MatchString(line) {
			columns = max(columns, strings.Count(line, "|")+1)
		}
		cells += columns
		n := 0
		for i := range len(line) {
			if strings.IndexByte(marks, line[i]) >= 0 {
				n++
			}
		}
		pairs += n*n + 2*n*inBlock // the sum of squares, as it grows
		inBlock += n
		if cells > maxCells || pairs > maxPairs {
			return false
		}
	}
	return true
}

// indent is how many columns of white space a line begins with; a tab counts as four.
func indent(line string) (n int) {
	for _, c := range []byte(line) {
		switch c {
		case ' ':
			n++
		case '\t':
			n += 4
		default:
			return n
		}
	}
	return n
}
