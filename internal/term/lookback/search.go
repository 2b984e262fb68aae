package lookback

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"ui-mcp/internal/term/pattern"
	"ui-mcp/internal/term/vt"
)

// searchRows is how many rows one step of a search reads. A step takes about a millisecond.
const searchRows = 2000

// A search finds an expression. The zero search finds nothing.
type search struct {
	text    string
	pattern *pattern.Pattern // nil: there is nothing to find
	invalid bool             // the text is not a valid expression
	back    bool             // n searches towards the oldest line

	running bool
	up      bool        // towards the oldest line
	from    vt.Position // where it began
	next    uint64      // the line to continue with: downwards from it, or upwards before it
	wrapped bool        // it has continued at the other end
	// inclusive says that a match at from counts.
	inclusive bool
}

// A match is a range of the text: from the first cell to before the last position.
type match struct{ from, to vt.Position }

// compile sets the expression to find.
func (s *search) compile(text string) {
	s.text, s.pattern, s.invalid = text, nil, false
	if text == "" {
		return
	}
	p, err := pattern.Compile(text, !hasUpper(text))
	s.pattern, s.invalid = p, err != nil
}

// hasUpper reports whether an expression has a capital letter. Those after a backslash, such as \S,
// do not count.
func hasUpper(expression string) bool {
	escaped := false
	return strings.ContainsFunc(expression, func(r rune) bool {
		if escaped {
			escaped = false
			return false
		}
		escaped = r == '\\'
		return unicode.IsUpper(r)
	})
}

func (s *search) begin(d *document, from vt.Position, up, inclusive bool) {
	s.from, s.up, s.inclusive, s.wrapped = from, up, inclusive, false
	s.running = s.pattern != nil
	s.next = d.start(from.Line)
	if up {
		s.next = from.Line + 1
	}
}

// step reads some rows. It reports whether the search is over, and the match if there is one.
func (s *search) step(d *document) (found *match, over bool) {
	if !s.running {
		return nil, true
	}
	var list []paragraph
	if s.up {
		list = s.above(d)
	} else {
		list = s.below(d)
	}
	for i := range list {
		p := &list[i]
		if found := s.in(p); found != nil || s.wrapped && s.passed(p) {
			s.running = false
			return found, true
		}
	}
	switch {
	case len(list) > 0:
		return nil, false
	case s.wrapped:
		s.running = false
		return nil, true
	}
	s.wrapped = true
	s.next = d.first
	if s.up {
		s.next = d.end()
	}
	return nil, false
}

// passed reports whether a search that has continued at the other end has reached its start.
func (s *search) passed(p *paragraph) bool {
	if s.up {
		return p.first <= s.from.Line
	}
	return p.first+uint64(len(p.rows)) > s.from.Line
}

func (s *search) below(d *document) []paragraph {
	first, rows := d.lines(s.next, searchRows)
	list := split(first, rows, maxRows, first+uint64(len(rows)) >= d.end())
	if n := len(list); n > 0 {
		s.next = list[n-1].first + uint64(len(list[n-1].rows))
	}
	return list
}

// above returns the paragraphs before the next line, the nearest first.
func (s *search) above(d *document) []paragraph {
	if s.next <= d.first {
		return nil
	}
	from := max(d.start(max(s.next-min(s.next, searchRows), d.first)), d.first)
	// The paragraph of the line at which the search begins may go on below.
	first, rows := d.lines(from, int(s.next-from)+maxRows)
	list := split(first, rows, maxRows, true)
	list = slices.DeleteFunc(list, func(p paragraph) bool { return p.first >= s.next })
	s.next = from
	slices.Reverse(list)
	return list
}

func (s *search) in(p *paragraph) *match {
	var best *match
	for _, at := range s.pattern.FindAll(p.text) {
		m := p.match(at)
		if !s.wrapped {
			order := compare(m.from, s.from)
			if order == 0 && !s.inclusive || order != 0 && (order < 0) != s.up {
				continue
			}
		}
		best = &m
		if !s.up {
			break
		}
	}
	return best
}

// match returns the range of bytes from at[0] to before at[1].
func (p *paragraph) match(at []int) match {
	from, _ := p.cell(at[0])
	last, width := p.cell(at[1] - 1)
	last.Col += width
	return match{from, last}
}

// compare returns which of two positions comes first: negative, zero or positive.
func compare(a, b vt.Position) int {
	return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
}

// note says that a match was found beyond an end of the text.
func (s *search) note() string {
	switch {
	case !s.wrapped:
		return ""
	case s.up:
		return "continued from the end"
	}
	return "continued from the top"
}
