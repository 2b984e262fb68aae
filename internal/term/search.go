package term

import (
	"context"
	"strings"
	"unicode/utf8"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/pattern"
	"ui-mcp/internal/term/vt"
)

// SearchOptions define a search of the history and the primary screen.
type SearchOptions struct {
	// Text or Expression is what to find: see [pattern.Literal] and [pattern.Compile].
	Text, Expression string
	IgnoreCase       bool
	// From is the number of the first line to search; lines that are no longer kept are skipped.
	From uint64
	// Limit is how many matches are returned at most; 0 means DefaultFound. It is at most MaxFound.
	Limit int
	// Newest returns the last matches instead of the first.
	Newest bool
}

// A Found is a match of a search.
type Found struct {
	First uint64 // number of the row in which the match begins
	Text  string // what the expression matched; its beginning, if it is very long
	Line  string // the line in which it begins, unwrapped; also cut off if it is very long
}

// A Search is the result of a search.
type Search struct {
	Found []Found // from the oldest to the newest
	// Next is the number of the line to continue from: after the last match if there may be more,
	// else after the last line.
	Next, Layout uint64
}

// The limits of searches.
const (
	DefaultFound = 100
	MaxFound     = 1000
	maxFoundText = 4 << 10  // bytes of a match or of its line
	maxJoined    = 64 << 10 // bytes of a wrapped line that are searched as one
	searchPage   = 1000     // rows that are read at a time
)

// Search finds all matches in the text of the history and the primary screen. It works for ended
// sessions, too. Output that arrives meanwhile may be found; if lines are wrapped again meanwhile,
// which renumbers them, the error is of kind Precondition. It returns one match for each line.
func (s *Session) Search(ctx context.Context, o SearchOptions) (Search, error) {
	find, what := pattern.Compile, o.Expression
	if o.Text != "" {
		find, what = pattern.Literal, o.Text
	}
	expression, err := find(what, o.IgnoreCase)
	if err != nil {
		return Search{}, err
	}
	if o.Limit < 0 {
		return Search{}, fault.New(fault.Invalid, "%d matches cannot be returned", o.Limit)
	}
	if o.Limit == 0 {
		o.Limit = DefaultFound
	}
	f := finder{expression: expression, limit: min(o.Limit, MaxFound), newest: o.Newest}
	first := true
	for next := o.From; !f.full(); {
		p, err := s.Scrollback(ctx, next, searchPage)
		if err != nil {
			return Search{}, err
		}
		if !first && p.Layout != f.layout {
			return Search{}, fault.New(fault.Precondition, "the lines of session %q were wrapped again during the search: search again", s.Name())
		}
		first, f.layout = false, p.Layout
		f.add(p.First, p.Lines)
		next = p.First + uint64(len(p.Lines))
		if next >= p.End || len(p.Lines) == 0 {
			f.flush(next)
			break
		}
	}
	return Search{f.found, f.next, f.layout}, nil
}

// A finder searches rows, which it joins to lines.
type finder struct {
	expression *pattern.Pattern
	limit      int
	newest     bool
	layout     uint64
	found      []Found
	next       uint64

	line  strings.Builder
	first uint64 // number of the line's first row
	ends  []int  // where each of its rows ends
}

func (f *finder) full() bool { return !f.newest && len(f.found) >= f.limit }

// add searches rows.
func (f *finder) add(number uint64, rows []vt.Line) {
	for i, r := range rows {
		if len(f.ends) == 0 {
			f.first = number + uint64(i)
		}
		if r.Wraps {
			f.line.WriteString(r.Text)
		} else {
			f.line.WriteString(r.Plain())
		}
		f.ends = append(f.ends, f.line.Len())
		if !r.Wraps || f.line.Len() >= maxJoined {
			f.flush(number + uint64(i) + 1)
		}
		if f.full() {
			return
		}
	}
}

// flush searches the line; next is the number of the row after it.
func (f *finder) flush(next uint64) {
	f.next = next
	line := f.line.String()
	if at := f.expression.Find(line); at != nil {
		row := 0
		for row < len(f.ends)-1 && f.ends[row] <= at[0] {
			row++
		}
		f.found = append(f.found, Found{f.first + uint64(row), clip(line[at[0]:at[1]]), clip(line)})
		if len(f.found) > f.limit { // of the newest
			f.found = f.found[1:]
		}
	}
	f.line.Reset()
	f.ends = f.ends[:0]
}

// clip shortens a text that is too long to return.
func clip(text string) string {
	if len(text) > maxFoundText {
		end := maxFoundText
		for !utf8.RuneStart(text[end]) {
			end--
		}
		text = text[:end]
	}
	return strings.Clone(text) // without the line from which it was cut
}
