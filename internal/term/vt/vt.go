package vt

import (
	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/scrollback"
)

// The limits of a terminal's size, in cells and lines.
const (
	MaxSize       = 1000
	MaxScrollback = 1_000_000
)

// Options are the settings of a new terminal.
type Options struct {
	Cols, Rows int    // size in cells, 1 to MaxSize each
	Scrollback int    // lines kept above the screen, 0 to MaxScrollback
	Name       string // the answer to XTVERSION, such as "wsh(1.0)"
	Epoch      uint64 // the first one, so that terminals have none in common

	// Effect receives the terminal's effects, in order, during Write and Resize. Of the terminal's
	// methods it may call only Mark and Excerpt. Nil drops effects.
	Effect func(Effect)
}

// A Terminal is the state of a terminal. It is not safe for concurrent use; the snapshots and lines
// that it returns are.
type Terminal struct {
	parser
	cols, rows int
	name       string
	emit       func(Effect)

	primary, alternate screen
	scr                *screen          // the active screen: one of the two
	history            scrollback.Lines // of the primary screen

	cur                      cursor
	top, bottom, left, right int // margins, inclusive
	modes                    Modes
	savedModes               Modes // by XTSAVE
	tabs                     tabStops
	last                     rune // the character just printed, for REP; 0 after anything else
	doubles                  bool // some line may have been given a double size
	direct                   bool // printable ASCII needs no translation: see updateDirect

	pens     penTable
	clusters clusterTable
	links    linkTable
	ink      cell // the pen of printed cells; valid only while inkFresh
	blank    cell // an erased cell; valid only while inkFresh
	inkFresh bool

	shape   CursorShape
	modify  int      // xterm's modifyOtherKeys level
	palette *Palette // nil: the program has set no colours
	title   string
	titles  []string // that were pushed
	pointer string   // the shape of the mouse pointer, or ""
	// notification is what has come of one in several parts.
	notification partialNotification
	cwd          Directory
	marks        markList
	tracked      []*Position // see Track

	tapes   []*tape // oldest first
	command *tape   // of the command that runs, or nil
	tape    *tape   // that records what is being written, or nil
	replays bool    // this terminal is another one's tape.replay

	epoch   uint64 // counts visible changes
	stamp   uint64 // the epoch of changes in progress: epoch+1
	dirty   bool   // a row was stamped since epoch
	seen    Look   // as of epoch
	redrawn uint64 // the epoch at which every row last changed
	layout  uint64

	cached    *Snapshot // of this epoch or an earlier one
	frozen    *Snapshot // the picture shown during a synchronized update
	updates   uint64    // synchronized updates begun so far
	packing   []byte    // scratch memory for pack
	unpacking unpacking
}

// New returns a terminal with an empty screen and the cursor at its upper left. A size outside the
// limits is an error of kind Invalid.
func New(o Options) (*Terminal, error) {
	if err := CheckSize(o.Cols, o.Rows); err != nil {
		return nil, err
	}
	if o.Scrollback < 0 || o.Scrollback > MaxScrollback {
		return nil, fault.New(fault.Invalid, "scrollback of %d lines: give 0 to %d", o.Scrollback, MaxScrollback)
	}
	t := &Terminal{cols: o.Cols, rows: o.Rows, name: printable(o.Name, maxTitle), emit: o.Effect}
	if t.emit == nil {
		t.emit = func(Effect) {}
	}
	t.history = scrollback.New(o.Scrollback, o.Cols, 0)
	t.primary.crop(t.rows, t.cols, t.stamp)
	t.scr = &t.primary
	t.pens.reset()
	t.reset()
	t.seen, t.dirty = t.look(), false
	t.epoch, t.stamp = o.Epoch, o.Epoch+1
	return t, nil
}

// CheckSize returns an error of kind Invalid unless a terminal can have the size.
func CheckSize(cols, rows int) error {
	if cols < 1 || rows < 1 || cols > MaxSize || rows > MaxSize {
		return fault.New(fault.Invalid, "a terminal of %d columns and %d rows is not possible: both are 1 to %d", cols, rows, MaxSize)
	}
	return nil
}

// Write processes output of the program. Characters and sequences may be split between calls. Write
// never fails, and does not keep p.
func (t *Terminal) Write(p []byte) (int, error) {
	defer t.commit() // also after a panic of Effect: snapshots have what came before
	n := len(p)
	for tape, rest := t.tape, p; len(p) > 0; {
		if t.doubles {
			// Each byte by itself: it may move the cursor out of the visible part of its line.
			p = p[t.step(p[:1]):]
			t.clampToLine()
		} else {
			p = p[t.step(p):]
		}
		if t.tape != tape || len(p) == 0 {
			tape.add(rest[:len(rest)-len(p)])
			if t.tape != tape && t.state == stateEscape { // of the string terminator that ends the mark
				t.tape.add([]byte{esc})
			}
			tape, rest = t.tape, p
		}
	}
	if t.doubles {
		t.updateDoubles()
	}
	return n, nil
}

// Size returns the size in cells.
func (t *Terminal) Size() (cols, rows int) { return t.cols, t.rows }

// Epoch counts visible changes: a call to Write or Resize that changes text, cursor, modes, titles
// or colours increments it at least once, and a call that changes nothing leaves it alone.
// Rewriting the same text counts as a change.
func (t *Terminal) Epoch() uint64 { return t.epoch }

// Modes returns the modes that the program has set.
func (t *Terminal) Modes() Modes { return t.modes }

// Input returns how the program wants its input. Unlike a snapshot, it is up to date even during a
// synchronized update.
func (t *Terminal) Input() Input { return Input{t.modes, t.scr.keys.current, t.modify} }

// reset restores the initial state of everything, and drops the history and the shell's marks in it
// (RIS). The lines of the screen keep their numbers.
func (t *Terminal) reset() {
	t.show(&t.primary)
	t.updateTape()
	t.emptying()
	for _, s := range [...]*screen{&t.primary, &t.alternate} {
		for _, r := range s.rows {
			r.clear(0)
		}
		s.saved = savedCursor{}
		s.keys = keyStack{}
	}
	t.clearHistory()
	t.redraw()
	t.inkFresh = false
	t.cur = cursor{}
	t.resetMargins()
	t.modes, t.savedModes = initialModes, initialModes
	t.tabs.reset()
	t.last, t.doubles = 0, false
	t.shape = CursorBlock
	t.modify = 0
	t.palette = nil
	t.setTitle("")
	t.titles = nil
	t.pointer, t.notification = "", partialNotification{}
	t.frozen = nil
	t.updateDirect()
}

func (t *Terminal) look() Look {
	return Look{
		Cursor: Cursor{
			Row: t.cur.y, Col: t.cur.x, PendingWrap: t.cur.pending,
			Visible: t.modes.Has(ModeCursorVisible), Shape: t.shape, Blinks: t.modes.Has(ModeCursorBlink),
		},
		Input: t.Input(), Title: t.title, WorkingDirectory: t.cwd, Pointer: t.pointer, Colors: t.palette,
		OldestLine: t.history.First, marks: t.marks.next,
	}
}

// commit ends a group of changes. If any of them is visible, they make a new epoch.
func (t *Terminal) commit() {
	if now := t.look(); t.dirty || now != t.seen {
		t.epoch, t.dirty, t.seen = t.stamp, false, now
		t.stamp++
	}
}
