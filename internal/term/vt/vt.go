package vt

import "ui-mcp/internal/fault"

// The limits of a terminal's size, in cells and lines.
const (
	MaxSize       = 1000
	MaxScrollback = 1_000_000
)

// Options says how a terminal begins.
type Options struct {
	Cols, Rows int    // size in cells, 1 to MaxSize each
	Scrollback int    // lines kept above the screen, 0 to MaxScrollback
	Name       string // the answer to XTVERSION, such as "wsh(1.0)"

	// Effect receives what must happen outside the terminal, in order, during
	// Write and Resize. It must not call the terminal. Nil drops effects.
	Effect func(Effect)
}

// A Terminal is the state of a terminal. One goroutine may use it at a time;
// the snapshots and lines it gives out are free of that rule.
type Terminal struct {
	parser
	cols, rows int
	name       string
	emit       func(Effect)

	primary, alternate screen
	scr                *screen // the one of the two that shows
	history            history // of the primary screen

	cur                      cursor
	top, bottom, left, right int // margins, inclusive
	modes                    Modes
	savedModes               Modes // by XTSAVE
	tabs                     tabStops
	last                     rune // graphic character just printed; 0 after anything else
	rectangular              bool // DECSACE: attributes change in rectangles
	direct                   bool // printable ASCII goes to the cells as it is

	pens     penTable
	clusters clusterTable
	links    linkTable
	ink      cell // pen of what is printed; only valid while inkFresh
	blank    cell // what erasing leaves; only valid while inkFresh
	inkFresh bool

	shape   CursorShape
	modify  uint8 // xterm's modifyOtherKeys level
	palette palette
	titles  titles
	cwd     Directory
	marks   markList

	epoch   uint64 // counts changes of what can be seen
	stamp   uint64 // the epoch of changes that are being made: epoch+1
	dirty   bool   // a row was stamped since epoch
	seen    look   // the rest of what can be seen, as it was at epoch
	redrawn uint64 // the epoch at which every row last changed
	layout  uint64

	cached    *Snapshot // of the present epoch, or older
	frozen    *Snapshot // what shows while a synchronized update goes on
	packing   []byte    // memory for pack
	unpacking unpacking
}

// New returns a terminal with an empty screen and the cursor at its upper left.
// A size beyond the limits is an error of kind Invalid.
func New(o Options) (*Terminal, error) {
	if err := checkSize(o.Cols, o.Rows); err != nil {
		return nil, err
	}
	if o.Scrollback < 0 || o.Scrollback > MaxScrollback {
		return nil, fault.New(fault.Invalid, "scrollback of %d lines: give 0 to %d", o.Scrollback, MaxScrollback)
	}
	t := &Terminal{cols: o.Cols, rows: o.Rows, name: printable(o.Name, maxTitle), emit: o.Effect}
	if t.emit == nil {
		t.emit = func(Effect) {}
	}
	t.history = newHistory(o.Scrollback, o.Cols, 0)
	t.primary.crop(t.rows, t.cols, t.stamp)
	t.scr = &t.primary
	t.pens.reset()
	t.reset()
	t.seen, t.dirty = t.look(), false
	t.stamp = 1
	return t, nil
}

func checkSize(cols, rows int) error {
	if cols < 1 || rows < 1 || cols > MaxSize || rows > MaxSize {
		return fault.New(fault.Invalid, "a terminal of %d columns and %d rows: give 1 to %d of each", cols, rows, MaxSize)
	}
	return nil
}

// Write takes output of the program, cut anywhere: characters and sequences
// that have begun go on in the next call. It never fails, and never keeps p.
func (t *Terminal) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		p = p[t.step(p):]
	}
	t.commit()
	return n, nil
}

// Size returns the size in cells.
func (t *Terminal) Size() (cols, rows int) { return t.cols, t.rows }

// Epoch counts the changes of what can be seen: a call of Write or Resize that
// changes text, cursor, modes, titles or colours adds at least one, and one that
// changes nothing adds none. Text that is written again as it was counts as a
// change.
func (t *Terminal) Epoch() uint64 { return t.epoch }

// Modes returns the modes that the program has set.
func (t *Terminal) Modes() Modes { return t.modes }

// reset brings everything but the history to its state at the beginning (RIS).
func (t *Terminal) reset() {
	t.show(&t.primary)
	for _, s := range [...]*screen{&t.primary, &t.alternate} {
		for _, r := range s.rows {
			r.clear(0)
		}
		s.saved = savedCursor{}
		s.keys = keyStack{}
	}
	t.redraw()
	t.inkFresh = false
	t.cur = cursor{}
	t.resetMargins()
	t.modes, t.savedModes = initialModes, initialModes
	t.tabs.reset(t.cols)
	t.last, t.rectangular = 0, false
	t.shape = CursorBlock
	t.modify = 0
	t.palette = palette{changes: t.palette.changes + 1}
	t.setWindowTitle("")
	t.setIconName("")
	t.titles.stack = nil
	t.frozen = nil
	t.updateDirect()
}

// look is what can be seen of a terminal besides its rows.
type look struct {
	x, y        int
	pending     bool
	modes       Modes
	shape       CursorShape
	modify      uint8
	keys        KeyFlags
	palette     uint64
	title, icon string
	cwd         Directory
	oldest      uint64
	marks       uint64
}

func (t *Terminal) look() look {
	return look{
		x: t.cur.x, y: t.cur.y, pending: t.cur.pending, modes: t.modes,
		shape: t.shape, modify: t.modify, keys: t.scr.keys.flags(),
		palette: t.palette.changes, title: t.titles.window, icon: t.titles.icon, cwd: t.cwd,
		oldest: t.history.first, marks: t.marks.next,
	}
}

// commit ends a group of changes: when something can be seen of them, they make
// an epoch.
func (t *Terminal) commit() {
	if now := t.look(); t.dirty || now != t.seen {
		t.epoch, t.dirty, t.seen = t.stamp, false, now
		t.stamp++
	}
}
