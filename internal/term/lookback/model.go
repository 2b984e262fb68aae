package lookback

import (
	"fmt"

	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/term/render"
	"ui-mcp/internal/term/vt"
)

// A Model is the state of one person who looks back. It is not safe for concurrent use, and must
// run on the goroutine of its source.
type Model struct {
	doc        *document
	cols, rows int // of the person's terminal

	// Positions that follow the text when lines are wrapped again. The line at the top of the view
	// counts, not its column.
	top, cursor, anchor vt.Position
	left                int // columns cut off at the left
	selecting           selection

	count   int           // the number typed before a command, or 0
	prompt  *prompt       // nil unless an expression is being typed
	search  search        // the last one
	origin  vt.Position   // where the cursor was before the prompt
	found   *match        // the match that the cursor went to
	message string        // for the person, until the next key
	help    *int          // the first row of the help that is displayed, or nil
	leaves  bool          // scrolling down at the end leaves
	drag    bool          // the mouse selects
	out     Outcome       // of the key or report that is handled
	frame   *render.Frame // nil after a change
	mode    overlay.ScreenMode
	news    uint64
}

// A selection is a way to select text.
type selection int

const (
	nothing selection = iota
	characters
	wholeLines
)

// An Outcome says what the caller must do after a key.
type Outcome struct {
	Leave bool   // stop looking back
	Copy  string // what to put on the person's clipboard, unless empty
}

// New starts looking back, at the end of the text. The person's terminal has cols by rows cells.
// The caller must Close the model.
func New(source *vt.Terminal, cols, rows int) *Model {
	m := &Model{doc: kept(source), cols: max(cols, 1), rows: max(rows, 1)}
	for _, p := range m.tracked() {
		source.Track(p)
	}
	m.toEnd()
	return m
}

// Close ends the look back.
func (m *Model) Close() {
	for _, p := range m.tracked() {
		m.doc.source.Untrack(p)
	}
}

func (m *Model) tracked() []*vt.Position {
	return []*vt.Position{&m.top, &m.cursor, &m.anchor, &m.origin, &m.search.from}
}

// LeaveAtEnd lets a person who began by scrolling up leave by scrolling down at the end.
func (m *Model) LeaveAtEnd() { m.leaves = true }

// Resize sets the size of the person's terminal.
func (m *Model) Resize(cols, rows int) {
	if cols == m.cols && rows == m.rows {
		return
	}
	m.cols, m.rows = max(cols, 1), max(rows, 1)
	m.changed()
	m.refresh()
	m.scrollTo(m.top.Line)
	m.reveal()
}

// refresh takes the text again if lines have been wrapped again, and ends a running search then.
func (m *Model) refresh() {
	if !m.doc.stale() {
		return
	}
	m.doc = kept(m.doc.source)
	m.search.running = false
	m.found = nil
	if m.prompt != nil {
		m.prompt.found = nil
	}
	m.changed()
	m.top.Col = 0
	m.cursor = m.clamp(m.cursor)
	m.scrollTo(m.top.Line)
	m.reveal()
}

// changed makes the next picture a new one.
func (m *Model) changed() { m.frame = nil }

// height returns the number of rows for text: one is for the status, if there are two.
func (m *Model) height() int { return max(m.rows-1, 1) }

// lowest returns the number of the line at the top when the end is visible.
func (m *Model) lowest() uint64 {
	end, oldest := m.doc.end(), m.doc.first
	return max(end-min(end, uint64(m.height())), oldest)
}

// toEnd shows the end of the text, with the terminal's screen where it was if it fits.
func (m *Model) toEnd() {
	start := m.doc.top
	if m.doc.primary < len(m.doc.rows) {
		start += uint64(m.doc.primary)
	}
	m.cursor = vt.Position{Line: m.doc.end() - 1}
	m.top.Line = max(start, m.lowest())
	m.left = 0
}

// scrollTo puts a line at the top of the view, as far as there are lines.
func (m *Model) scrollTo(line uint64) {
	m.top.Line = max(min(line, max(m.lowest(), m.top.Line)), m.doc.first)
	if m.top.Line >= m.doc.end() {
		m.top.Line = m.lowest()
	}
}

// clamp returns the position in the text that is nearest to one.
func (m *Model) clamp(p vt.Position) vt.Position {
	p.Line = max(min(p.Line, m.doc.end()-1), m.doc.first)
	p.Col = max(p.Col, 0)
	return p
}

// reveal scrolls as far as needed to show the cursor.
func (m *Model) reveal() {
	m.cursor = m.clamp(m.cursor)
	switch at := m.cursor.Line; {
	case at < m.top.Line:
		m.top.Line = at
	case at >= m.top.Line+uint64(m.height()):
		m.top.Line = at - uint64(m.height()) + 1
	}
	switch at := m.cursor.Col; {
	case at < m.left:
		m.left = at
	case at >= m.left+m.cols:
		m.left = at - m.cols + 1
	}
}

// show moves the cursor to a position. If that is not visible, the view has some lines above it.
func (m *Model) show(p vt.Position) {
	p = m.clamp(p)
	if p.Line < m.top.Line || p.Line >= m.top.Line+uint64(m.height()) {
		m.scrollTo(p.Line - min(p.Line, uint64(m.height()/3)))
	}
	m.cursor = p
	m.left = 0
	m.reveal()
}

// Searching reports whether a search runs: then the caller must call [Model.Step] soon.
func (m *Model) Searching() bool { return m.search.running }

// Step continues a search for about a millisecond. It does nothing when none runs.
func (m *Model) Step() {
	m.refresh()
	if !m.search.running {
		return
	}
	found, over := m.search.step(m.doc)
	if !over {
		return
	}
	m.changed()
	switch {
	case found == nil && m.prompt != nil:
		m.found = nil
		m.show(m.origin)
		m.message = "no match"
	case found == nil:
		m.message = fmt.Sprintf("no match for %s", m.search.text)
	default:
		m.found = found
		m.show(found.from)
		m.message = m.search.note()
	}
}
