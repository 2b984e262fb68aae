// Package expect waits for text in the output of a terminal: on its screen, and in what scrolls off
// it, however short the history is. It starts no goroutine and reads no clock.
package expect

import (
	"math"
	"strings"
	"time"

	"ui-mcp/internal/term/pattern"
	"ui-mcp/internal/term/vt"
)

// A Wait is for the first match of a pattern.
type Wait struct {
	Pattern *pattern.Pattern
	Found   func(Match) // called once
}

// A Match is the text that was found.
type Match struct {
	Text   string // what the pattern matched
	Line   string // the line in which it begins, unwrapped
	Screen *vt.Snapshot
}

// Texts are the waits for text in a terminal, and which text they have not seen. Each look searches
// the screen with the lines that have scrolled off it since the last one, which the history keeps
// until then. So looks are few during a flood.
type Texts struct {
	waits map[*Wait]struct{}

	next    uint64 // number of the first line that was not searched, or may still change
	layout  uint64 // of the line numbers
	written int    // bytes of output since the last look
	looked  time.Time
}

const (
	// searchPiece is how many bytes of output may be written between two looks. A history keeps the
	// lines of that many bytes, even if very long lines make it keep fewer than its limit.
	searchPiece = 128 << 10
	// searchPause is the least time between two looks at a small screen, unless there is much
	// output.
	searchPause = time.Millisecond
	// searchCells is the number of cells that adds another such pause.
	searchCells = 4096
	// maxWrapped is how many rows of a wrapped line are searched again after they have scrolled
	// off, since its end may still change.
	maxWrapped = 16
)

// New returns no waits.
func New() *Texts { return &Texts{waits: map[*Wait]struct{}{}} }

// Len returns the number of waits.
func (x *Texts) Len() int { return len(x.waits) }

// Find looks for a match on the screen, and reports whether there is one.
func (x *Texts) Find(t *vt.Terminal, w *Wait, now time.Time) bool {
	x.Look(t, now) // for the others: lines that have scrolled off before are not for this one
	if len(x.waits) == 0 {
		_, x.next, _ = t.Extent()
	}
	screen := t.Snapshot()
	x.written, x.looked = 0, now
	return w.look(x.text(t, screen), screen)
}

// Add adds a wait for which [Texts.Find] has just found nothing.
func (x *Texts) Add(t *vt.Terminal, w *Wait) {
	x.waits[w] = struct{}{}
	x.keep(t)
}

// Remove removes a wait.
func (x *Texts) Remove(t *vt.Terminal, w *Wait) {
	delete(x.waits, w)
	x.keep(t)
}

// keep makes the history keep the lines that were not searched.
func (x *Texts) keep(t *vt.Terminal) {
	if len(x.waits) > 0 {
		t.KeepFrom(x.next)
	} else {
		t.KeepFrom(math.MaxUint64)
	}
}

// Write writes output to the terminal. After the output, the caller must call [Texts.Due].
func (x *Texts) Write(t *vt.Terminal, b []byte, now time.Time) {
	for len(b) > 0 && len(x.waits) > 0 {
		n := min(len(b), searchPiece-x.written)
		x.written += n        // before a panic of the terminal's owner
		_, _ = t.Write(b[:n]) // a terminal cannot refuse
		b = b[n:]
		if x.written == searchPiece {
			x.Look(t, now)
		}
	}
	_, _ = t.Write(b)
}

// Due looks for text if a look is due. Otherwise, it returns after which time it is, or 0 if there
// is nothing to look for.
func (x *Texts) Due(t *vt.Terminal, now time.Time) time.Duration {
	if x.written == 0 || len(x.waits) == 0 {
		return 0
	}
	cols, rows := t.Size()
	rest := searchPause*time.Duration(1+cols*rows/searchCells) - now.Sub(x.looked)
	if rest > 0 {
		return rest
	}
	x.Look(t, now)
	return 0
}

// Look searches what has not been searched.
func (x *Texts) Look(t *vt.Terminal, now time.Time) {
	if len(x.waits) == 0 {
		return
	}
	screen := t.Snapshot()
	text := x.text(t, screen)
	for w := range x.waits {
		if w.look(text, screen) {
			delete(x.waits, w)
		}
	}
	x.written, x.looked = 0, now
	x.keep(t)
}

// look reports whether there is a match in the text, and hands it out.
func (w *Wait) look(text string, screen *vt.Snapshot) bool {
	at := w.Pattern.Find(text)
	if at == nil {
		return false
	}
	begin := strings.LastIndexByte(text[:at[0]], '\n') + 1
	line, _, _ := strings.Cut(text[begin:], "\n")
	w.Found(Match{Text: text[at[0]:at[1]], Line: line, Screen: screen})
	return true
}

// text returns the text that was not searched or may have changed: lines that have scrolled off the
// screen, and the screen.
func (x *Texts) text(t *vt.Terminal, screen *vt.Snapshot) string {
	oldest, top, end := t.Extent()
	if x.layout != screen.Layout || x.next > top {
		x.layout, x.next = screen.Layout, top
	}
	b := t.AppendHistory(nil, x.next, top)
	lines := screen.Lines
	if !screen.AltScreen() {
		_, lines = t.Lines(top, int(end-top)) // the present ones, even if the program holds back its picture
	}
	b = appendLines(b, lines, screen.Cursor.Row, screen.Cursor.Col)
	for x.next = top; x.next > oldest && top-x.next < maxWrapped; x.next-- {
		if _, above := t.Lines(x.next-1, 1); len(above) == 0 || !above[0].Wraps {
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
