package vt

// A Snapshot is the picture of a terminal at one moment. It is immutable.
type Snapshot struct {
	// Epoch counts changes: see [Terminal.Epoch].
	Epoch      uint64
	Cols, Rows int
	Lines      []Line // one for each row, from the top; read-only

	// FirstLine is the number of the line at the top of the primary screen. Layout counts how often
	// lines were renumbered.
	FirstLine, Layout uint64
	Look

	stamps  []uint64 // the epochs at which the rows last changed
	redrawn uint64
}

// A Look is what of a terminal is visible besides its rows.
type Look struct {
	Cursor Cursor
	Input
	Title            string
	WorkingDirectory Directory
	// Pointer is the name of the shape that the program wants for the mouse pointer, or "".
	Pointer    string
	Colors     *Palette // nil: the program has set none
	OldestLine uint64   // number of the oldest line in the history
	marks      uint64   // of the shell so far
}

// An Input is how a program wants keys and the mouse reported, among the modes that it has set.
type Input struct {
	Modes Modes
	Keys  KeyFlags
	// ModifyOtherKeys is xterm's setting for keys with modifiers, 0 to 2. Keys replaces it.
	ModifyOtherKeys int
}

// A Cursor is the position where the next character appears, and how it is drawn.
type Cursor struct {
	Row, Col int // zero-based
	// PendingWrap means that the last column was printed to: the cursor is still there, but the
	// next character wraps first.
	PendingWrap bool
	Visible     bool
	Shape       CursorShape
	Blinks      bool
}

// AltScreen reports whether the alternate screen is active. Its lines have no numbers.
func (s *Snapshot) AltScreen() bool { return s.Modes.Has(ModeAltScreen) }

// Snapshot returns the current picture. During a synchronized update (mode 2026) that is the
// picture from before the update: see [Terminal.EndSynchronized]. If nothing has changed since the
// last call, it returns the same value.
func (t *Terminal) Snapshot() *Snapshot {
	if t.frozen != nil {
		return t.frozen
	}
	return t.live()
}

// A Place is where the cursor of a picture is.
type Place struct {
	Alternate bool     // on the alternate screen, whose lines have no numbers
	At        Position // counted as if it were the primary screen
	Layout    uint64   // of the numbers of lines: see [Snapshot.Layout]
}

// Place returns where the cursor of [Terminal.Snapshot] is, without its rows: callers that look
// after each chunk of output must not pay for a picture.
func (t *Terminal) Place() Place {
	if f := t.frozen; f != nil {
		return Place{f.AltScreen(), Position{f.FirstLine + uint64(f.Cursor.Row), f.Cursor.Col}, f.Layout}
	}
	return Place{t.modes.Has(ModeAltScreen), Position{t.history.Next + uint64(t.cur.y), t.cur.x}, t.layout}
}

// Synchronized reports whether a synchronized update is in progress, and returns the number of the
// newest one, counted from 1. With it an owner can give each update its own time.
func (t *Terminal) Synchronized() (update uint64, inProgress bool) {
	return t.updates, t.frozen != nil
}

// EndSynchronized ends a synchronized update that the program has not ended itself. The terminal
// has no clock: its owner calls this when an update has held back the picture for too long.
func (t *Terminal) EndSynchronized() {
	t.frozen = nil
	t.modes.set(ModeSynchronized, false)
	t.commit()
}

// freeze keeps the current picture until the synchronized update ends.
func (t *Terminal) freeze() {
	t.commit()
	t.frozen = t.live()
	t.updates++
}

// live returns the current picture, even during a synchronized update.
func (t *Terminal) live() *Snapshot {
	if t.cached != nil && t.cached.Epoch == t.epoch {
		return t.cached
	}
	s := &Snapshot{
		Epoch: t.epoch, Cols: t.cols, Rows: t.rows,
		Lines: make([]Line, t.rows), FirstLine: t.history.Next, Layout: t.layout, Look: t.look(),
		stamps: make([]uint64, t.rows), redrawn: t.redrawn,
	}
	for y, r := range t.scr.rows {
		s.Lines[y] = t.rowLine(r)
		s.stamps[y] = r.stamp
	}
	t.cached = s
	return s
}

// rowLine returns a row as a Line, cached until the row changes.
func (t *Terminal) rowLine(r *row) Line {
	if r.stamp == t.stamp { // the effect of a Write that is not over: the row may still change
		return t.unpackLine(t.pack(r))
	}
	if !r.hasLine || r.lineAt != r.stamp {
		r.line = t.unpackLine(t.pack(r))
		r.lineAt, r.hasLine = r.stamp, true
	}
	return r.line
}

// A Diff is the difference between two snapshots.
type Diff struct {
	From uint64
	// Reset means that every row may differ, because the size, the active screen or the whole
	// picture changed. Rows has all rows then.
	Reset bool
	// Scrolled is how many lines left the screen at its top in between: the former row y is now row
	// y-Scrolled, unless Rows has that row. The lines that left may have changed before they did:
	// see [Terminal.Lines].
	Scrolled int
	Rows     []RowChange
}

// A RowChange is a changed row with its new content.
type RowChange struct {
	Row  int
	Line Line
}

// A Moment is the part of a snapshot that is needed to find later changes.
type Moment struct{ Epoch, FirstLine, Layout uint64 }

// Moment returns the moment of the snapshot.
func (s *Snapshot) Moment() Moment { return Moment{s.Epoch, s.FirstLine, s.Layout} }

// Since returns the changes since the moment of an earlier snapshot of the same terminal. They do
// not include cursor, modes and titles, which are small enough to compare. The zero Moment is
// before all others: since then, everything has changed.
func (s *Snapshot) Since(before Moment) Diff {
	d := Diff{From: before.Epoch}
	scrolled := s.FirstLine - before.FirstLine
	d.Reset = before == Moment{} || s.redrawn > before.Epoch || s.Layout != before.Layout || scrolled >= uint64(s.Rows)
	if !d.Reset {
		d.Scrolled = int(scrolled)
	}
	for y, stamp := range s.stamps {
		if d.Reset || stamp > before.Epoch {
			d.Rows = append(d.Rows, RowChange{y, s.Lines[y]})
		}
	}
	return d
}
