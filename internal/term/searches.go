package term

import (
	"bytes"
	"strings"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/pattern"
	"ui-mcp/internal/term/vt"
)

// A search is a call of WaitFor. The executor owns it until found is closed.
type search struct {
	pattern *pattern.Pattern
	match   Match
	found   chan struct{} // closed when there is a match
}

// searches has the callers that wait for text, and which text they have not seen. Each look
// searches the screen with the lines that have scrolled off it since the last one. So looks are few
// during a flood: the history keeps lines for the next one, and there is a look before it drops
// them.
type searches struct {
	all        map[*search]struct{}
	scrollback int // lines that the history keeps

	next    uint64 // number of the first line that was not searched, or may still change
	layout  uint64 // of the line numbers
	written int    // bytes of output since the last look
	looked  time.Time
	waiting bool // a timer is running for the next look
}

const (
	// searchPiece is how many bytes of output may be written between two looks. A history keeps the
	// lines of that many bytes, even if very long lines make it keep fewer than its limit.
	searchPiece = 128 << 10
	// searchPause is the least time between two looks at a small screen that are not due to lines
	// about to be dropped.
	searchPause = time.Millisecond
	// searchCells is the number of cells that adds another such pause.
	searchCells = 4096
	// maxWrapped is how many rows of a wrapped line are searched again after they have scrolled
	// off, since its end may still change.
	maxWrapped = 16
)

// startSearch looks for a match on the screen, and adds the search if there is none.
func (s *Session) startSearch(st *state, f *search) error {
	w := &st.searches
	st.look() // for the others: lines that have scrolled off before are not for this one
	if len(w.all) == 0 {
		_, w.next, _ = st.term.Extent()
	}
	screen := st.term.Snapshot()
	switch {
	case f.look(w.text(st.term, screen), screen):
		return nil
	case st.status.exit != nil:
		return s.goneError(*st.status.exit)
	case len(w.all) >= MaxSearches:
		return fault.New(fault.Exhausted, "%d calls wait for text in session %q already, which is the limit", MaxSearches, s.Name())
	}
	w.all[f] = struct{}{}
	w.written, w.looked = 0, time.Now()
	return nil
}

// write updates the screen with output. While somebody waits for text, lines are searched before
// they are dropped.
func (s *Session) write(st *state, b []byte) {
	defer s.lookSoon(st) // also after a panic
	w := &st.searches
	for len(b) > 0 && len(w.all) > 0 {
		n := w.fits(st.term, b)
		if n == 0 || w.written > 0 && w.written+n > searchPiece {
			st.look()
			continue
		}
		w.written += n
		_, _ = st.term.Write(b[:n]) // a terminal cannot refuse
		b = b[n:]
	}
	_, _ = st.term.Write(b)
}

// lookSoon looks for text, now or after a pause.
func (s *Session) lookSoon(st *state) {
	w := &st.searches
	if w.written == 0 || len(w.all) == 0 || w.waiting {
		return
	}
	cols, rows := st.term.Size()
	rest := searchPause*time.Duration(1+cols*rows/searchCells) - time.Since(w.looked)
	if rest <= 0 {
		st.look()
		return
	}
	w.waiting = true
	time.AfterFunc(rest, func() {
		s.exec.Post(func() {
			if w.waiting = false; w.written > 0 {
				st.look()
			}
		})
	})
}

// look searches for everything that somebody waits for.
func (st *state) look() {
	w := &st.searches
	if len(w.all) == 0 {
		return
	}
	screen := st.term.Snapshot()
	text := w.text(st.term, screen)
	for f := range w.all {
		if f.look(text, screen) {
			delete(w.all, f)
		}
	}
	w.written, w.looked = 0, time.Now()
}

// look reports whether there is a match in the text, and remembers it.
func (f *search) look(text string, screen *vt.Snapshot) bool {
	at := f.pattern.Find(text)
	if at == nil {
		return false
	}
	begin := strings.LastIndexByte(text[:at[0]], '\n') + 1
	line, _, _ := strings.Cut(text[begin:], "\n")
	f.match = Match{Text: text[at[0]:at[1]], Line: line, Screen: screen}
	close(f.found)
	return true
}

// text returns the text that was not searched or may have changed: lines that have scrolled off the
// screen, and the screen.
func (w *searches) text(t *vt.Terminal, screen *vt.Snapshot) string {
	oldest, top, end := t.Extent()
	if w.layout != screen.Layout || w.next > top {
		w.layout, w.next = screen.Layout, top
	}
	b := t.AppendHistory(nil, w.next, top)
	lines := screen.Lines
	if !screen.AltScreen() {
		_, lines = t.Lines(top, int(end-top)) // the present ones, even if the program holds back its picture
	}
	b = appendLines(b, lines, screen.Cursor.Row, screen.Cursor.Col)
	for w.next = top; w.next > oldest && top-w.next < maxWrapped; w.next-- {
		if _, above := t.Lines(w.next-1, 1); len(above) == 0 || !above[0].Wraps {
			break
		}
	}
	return string(b)
}

// appendLines appends lines with line ends, joining wrapped ones. It omits trailing blanks, except
// those before the cursor, with which prompts end.
func appendLines(b []byte, lines []vt.Line, cursorRow, cursorCol int) []byte {
	for y, l := range lines {
		if l.Wraps {
			b = append(b, l.Text...)
			continue
		}
		text := l.Plain()
		b = append(b, text...)
		if y == cursorRow {
			columns := l.Columns() - (len(l.Text) - len(text))
			b = append(b, strings.Repeat(" ", max(cursorCol-columns, 0))...)
		}
		b = append(b, '\n')
	}
	return b
}

// fits returns how many bytes of output can be written before a line that was not searched is
// dropped, unless a sequence scrolls by several lines. After a look, that is at least one.
func (w *searches) fits(t *vt.Terminal, b []byte) int {
	_, rows := t.Size()
	room, sequence := 0, 0
	if !t.Modes().Has(vt.ModeAltScreen) {
		_, top, _ := t.Extent()
		room, sequence = max(w.scrollback-int(top-min(w.next, top)), 0), 1
	}
	if w.written > 0 {
		return scrollsWithin(b, t, room, sequence)
	}
	return max(scrollsWithin(b, t, room+rows-1, sequence), 1) // what is on the screen was searched
}

// scrollsWithin returns how many bytes of output scroll a terminal by at most most lines, if each
// sequence that does not only change the style scrolls by the given number.
func scrollsWithin(b []byte, t *vt.Terminal, most, sequence int) int {
	cols, _ := t.Size()
	if lineEnds(b)+sequence*bytes.Count(b, []byte{0x1b})+len(b)/cols+1 <= most { // usually
		return len(b)
	}
	lines, col := 0, t.Column()
	for i := 0; i < len(b); i++ {
		next := i
		switch c := b[i]; {
		case c >= '\n' && c <= '\f':
			lines, col = lines+1, 0
		case c == 0x1b:
			n, style := sequenceLength(b[i:])
			next += n - 1
			if !style {
				lines += sequence
			}
		default:
			if col++; col == cols {
				lines, col = lines+1, 0
			}
		}
		if lines > most {
			return i
		}
		i = next
	}
	return len(b)
}

func lineEnds(b []byte) (n int) {
	for c := byte('\n'); c <= '\f'; c++ {
		n += bytes.Count(b, []byte{c})
	}
	return n
}

// sequenceLength returns the length of the control sequence with which b starts, or 1 if it is
// another kind of sequence, and whether it only changes the style of what follows.
func sequenceLength(b []byte) (n int, style bool) {
	if len(b) < 2 || b[1] != '[' {
		return 1, false
	}
	for i, c := range b[2:] {
		if c < ' ' || c > '?' {
			return i + 3, c == 'm'
		}
	}
	return len(b), false
}
