package vt

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"ui-mcp/internal/term/scrollback"
)

// The limits of what is kept of commands' output, in bytes: of the start of one command's, of its
// end (at least), and of all commands' together.
const (
	tapeHead = 256 << 10
	tapeTail = 1 << 20
	maxTapes = 6 << 20
	tapeCost = 256 // of a tape besides its bytes
	newTapes = 8   // that are kept although the history has lost their first lines
)

// A tape is the bytes that a command has written to the primary screen, from the mark of its output
// to the next mark.
type tape struct {
	id         uint64 // of the mark
	at         Position
	row        int // of the screen
	cols, rows int // of the screen
	layout     uint64
	head, tail []byte
	cut        bool   // bytes between head and tail were dropped
	cleared    bool   // the program has emptied the screen or the history
	alternate  bool   // the alternate screen was active
	over       bool   // the next mark has come
	end        uint64 // number of the cursor's line then
}

// add records bytes. A nil tape records nothing.
func (c *tape) add(b []byte) {
	if c == nil {
		return
	}
	if n := min(len(b), tapeHead-len(c.head)); n > 0 && !c.cut {
		c.head, b = append(c.head, b[:n]...), b[n:]
	}
	c.tail = append(c.tail, b...)
	if over := len(c.tail) - tapeTail; over > tapeTail {
		c.tail = append(c.tail[:0], c.tail[over:]...)
		c.cut = true
	}
}

func joined(tapes []*tape) *tape {
	if len(tapes) == 1 {
		return tapes[0]
	}
	c := *tapes[0]
	c.head, c.tail = slices.Clone(c.head), slices.Clone(c.tail)
	for _, next := range tapes[1:] {
		c.add(next.head)
		if next.cut {
			c.cut, c.tail = true, nil
		}
		c.add(next.tail)
		c.cleared = c.cleared || next.cleared || next.at.Line != c.end
		c.alternate = c.alternate || next.alternate
		c.over, c.end = next.over, next.end
	}
	return &c
}

func (c *tape) size() int { return tapeCost + cap(c.head) + cap(c.tail) }

// beginTape records what follows a mark, as the output of a command.
func (t *Terminal) beginTape(m Mark) {
	c := &tape{id: m.ID, at: m.At, row: t.cur.y, cols: t.cols, rows: t.rows, layout: t.layout, alternate: m.Alternate}
	size := 0
	for _, old := range t.tapes {
		size += old.size()
	}
	for size > maxTapes-tapeHead-2*tapeTail || len(t.tapes) > newTapes && t.tapes[0].at.Line < t.history.First {
		size -= t.tapes[0].size()
		t.tapes[0] = nil
		t.tapes = t.tapes[1:]
	}
	t.tapes = append(t.tapes, c)
	t.command = c
	t.updateTape()
}

func (t *Terminal) endTape() {
	if c := t.command; c != nil {
		c.over, c.end = true, t.position().Line
		t.command = nil
		t.updateTape()
	}
}

// updateTape decides where bytes are recorded, which [Terminal.Write] notices.
func (t *Terminal) updateTape() {
	t.tape = t.command
	if t.command != nil && t.scr == &t.alternate {
		t.command.alternate = true
		t.tape = nil
	}
}

// emptying is called before a program empties the screen. What a command has printed stays part of
// its output.
func (t *Terminal) emptying() {
	if t.replays {
		t.scrollAway()
	}
	if t.tape != nil {
		t.tape.cleared = true
	}
}

// A Printed is what a command has printed, as plain text: the lines as they were when they scrolled
// off the screen, when the program cleared the screen, or when the command ended. Wrapped lines are
// joined, and blanks at the ends of lines dropped. The middle of a long text is left out.
type Printed struct {
	Output string
	Cut    bool // lines were left out
	// At is where in Output, in bytes. In the terminal, the lines have the numbers From to
	// Before-1; both are 0 if the program has cleared the screen, or lines were wrapped again.
	At           int
	From, Before uint64
	// Alternate says that the command also had the alternate screen, which Output does not have.
	Alternate bool
}

// Printed returns what was printed between each mark of a command's output and the next mark, from
// the mark with the first ID to the one with the last. It reads the bytes that the program has
// written, so whatever became of the screen does not matter. If there are more than limit bytes of
// text, it returns up to head bytes of the start, and the rest from the end: whole lines, or a part
// of a single line that is longer. It reports false if the output is not kept any more.
func (t *Terminal) Printed(first, last uint64, head, limit int) (Printed, bool) {
	find := func(id uint64) (int, bool) {
		return slices.BinarySearchFunc(t.tapes, id, func(c *tape, id uint64) int { return cmp.Compare(c.id, id) })
	}
	from, ok := find(first)
	to, found := find(last)
	if !ok || !found {
		return Printed{}, false
	}
	c := joined(t.tapes[from : to+1])
	p := Printed{Alternate: c.alternate, Cut: c.cut}
	s := c.replay()
	s.Write(c.head)
	if !c.cut {
		s.Write(c.tail)
		from, to := s.drawn(c.at)
		e := s.Excerpt(from, to, head, limit)
		p.Output, p.Cut, p.At, p.From, p.Before = e.Text, e.Before > e.From, e.At, e.From, e.Before
	} else {
		from, to := s.drawn(c.at)
		next, begin := passage{s.line, from, Position{Line: to.Line}}.take(from.Line, to.Line, head, false) // the last line is not whole
		s = c.replay()
		s.cur.x = 0
		from = s.position()
		s.Write(c.tail[bytes.IndexByte(c.tail, '\n')+1:])
		from, to = s.drawn(from)
		last := passage{s.line, from, to}
		until, rest := last.take(from.Line, last.end(), limit-head, true)
		end := c.end
		if !c.over {
			end = t.position().Line
		}
		p.Output, p.At, p.From, p.Before = begin+rest, len(begin), next, until+end-s.position().Line
	}
	if !p.Cut || c.cleared || c.layout != t.layout {
		p.From, p.Before = 0, 0
	}
	return p, true
}

// replay returns a terminal like the one in which the output began, but empty, with the same
// numbers of lines.
func (c *tape) replay() *Terminal {
	s, err := New(Options{Cols: c.cols, Rows: c.rows})
	if err != nil {
		panic(err) // the size is a terminal's
	}
	s.history = scrollback.New(MaxScrollback, c.cols, c.at.Line-uint64(c.row))
	s.replays, s.cur.x, s.cur.y = true, c.at.Col, c.row
	return s
}

// drawn returns where the text of a terminal that has replayed output begins and ends. It begins at
// a position, or above it where the program has moved the cursor up to there. Text that the cursor
// stands in or above counts as a whole.
func (t *Terminal) drawn(at Position) (from, to Position) {
	oldest, screen, _ := t.Extent()
	from, to = at, t.position()
	for n := oldest; n < at.Line; n++ {
		if strings.TrimRight(t.line(n).Text, " ") != "" {
			from = Position{Line: n}
			break
		}
	}
	if last := screen + uint64(t.primary.content()); last > to.Line {
		col := 0
		for c := range t.line(last - 1).Cells() {
			if c.Text != " " {
				col = c.Col + c.Width
			}
		}
		if last-1 > to.Line || col > to.Col {
			return from, Position{Line: last - 1, Col: col}
		}
	}
	t.print('.') // blanks before it count
	return from, to
}
