package lookback

import (
	"strings"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/term/pattern"
	"ui-mcp/internal/term/vt"
)

// A Found is a line with a match. Its texts are cut off if they are very long.
type Found struct {
	First uint64 `json:"first" jsonschema:"number of the line in which it begins, as in scrollback.get"`
	Text  string `json:"text" jsonschema:"the text that matched"`
	Line  string `json:"line" jsonschema:"the line in which it begins, joined if it was wrapped"`
}

// maxFoundText is how many bytes of a match and of its line are returned.
const maxFoundText = 4 << 10

// maxFoundRows is how many rows of a wrapped line are searched as one.
const maxFoundRows = 1000

// A Finder searches the history and the primary screen of a terminal, step by step.
type Finder struct {
	Pattern *pattern.Pattern
	// Limit is how many lines are found at most: the first ones or, with Newest, the last.
	Limit  int
	Newest bool
	// Next is the number of the line with which the next step begins; lines that are not kept are
	// skipped. Layout is the one of the line numbers.
	Next, Layout uint64
	// Found has the first match of each line, from the oldest to the newest.
	Found []Found

	begun bool
}

// Step searches some lines, and reports whether the search is over. Output that comes between two
// steps may be found. If it has changed the numbers of lines, the error is of kind Precondition. A
// line of more than 1,000 rows is searched in pieces.
func (f *Finder) Step(s *vt.Terminal) (over bool, err error) {
	layout := s.Snapshot().Layout
	if f.begun && layout != f.Layout {
		return false, fault.New(fault.Precondition, "the lines were wrapped again during the search: search again")
	}
	f.begun, f.Layout = true, layout
	first, rows := s.Lines(f.Next, searchRows)
	_, _, end := s.Extent()
	last := first+uint64(len(rows)) >= end
	f.Next = first
	for _, p := range split(first, rows, maxFoundRows, last) {
		f.Next = p.first + uint64(len(p.rows))
		at := f.Pattern.Find(p.text)
		if at == nil {
			continue
		}
		from, _ := p.cell(at[0])
		f.Found = append(f.Found, Found{from.Line, clip(p.text[at[0]:at[1]]), clip(p.text)})
		switch {
		case len(f.Found) < f.Limit:
		case !f.Newest:
			return true, nil
		case len(f.Found) > f.Limit:
			f.Found = f.Found[1:]
		}
	}
	return last, nil
}

// clip shortens a text that is too long to return.
func clip(text string) string {
	return strings.Clone(safetext.Cut(text, maxFoundText)) // without the line from which it was cut
}
