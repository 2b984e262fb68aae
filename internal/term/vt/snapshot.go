package vt

// A Snapshot is what a terminal shows at one moment. It never changes, and may
// be read anywhere.
type Snapshot struct {
	// Epoch counts changes: see [Terminal.Epoch].
	Epoch      uint64
	Cols, Rows int
	Lines      []Line // one for each row, from the top; only to be read

	// FirstLine is the number of the line at the top of the primary screen, and
	// OldestLine that of the oldest line that is kept above it. Layout counts how
	// often lines were numbered anew.
	FirstLine, OldestLine, Layout uint64

	Cursor Cursor
	Modes  Modes
	// Keys is how the program wants keys reported, and ModifyOtherKeys xterm's
	// older way to say so: 0 to 2.
	Keys            KeyFlags
	ModifyOtherKeys int

	Title, IconName  string
	WorkingDirectory Directory
	// LastMark is the ID of the newest mark, or 0.
	LastMark uint64

	colors  map[int]RGBColor
	stamps  []uint64 // the epochs at which the rows last changed
	redrawn uint64
}

// A Cursor is where the next character appears.
type Cursor struct {
	Row, Col int // from 0
	// PendingWrap says that the last column was printed to: the cursor is still
	// there, but the next character goes to the next line.
	PendingWrap bool
	Visible     bool
	Shape       CursorShape
	Blinks      bool
}

// AltScreen reports whether the alternate screen shows. Its lines have no
// numbers.
func (s *Snapshot) AltScreen() bool { return s.Modes.Has(ModeAltScreen) }

// Color returns a colour of the palette that the program has set, and false
// where it has set none.
func (s *Snapshot) Color(index uint8) (RGBColor, bool) {
	c, ok := s.colors[int(index)]
	return c, ok
}

// DynamicColors returns the default colours of text, background and cursor that
// the program has set, and nil for those that it has not.
func (s *Snapshot) DynamicColors() (text, background, cursor *RGBColor) {
	get := func(place int) *RGBColor {
		if c, ok := s.colors[place]; ok {
			return &c
		}
		return nil
	}
	return get(paletteForeground), get(paletteBackground), get(paletteCursor)
}

// Snapshot returns what shows. While a synchronized update (mode 2026) goes on,
// that is what showed when it began: see [Terminal.EndSynchronized]. A call after
// nothing has changed returns the same value.
func (t *Terminal) Snapshot() *Snapshot {
	if t.frozen != nil {
		return t.frozen
	}
	return t.live()
}

// EndSynchronized ends a synchronized update that the program has begun and not
// ended. The terminal has no clock: its owner calls this when an update takes
// longer than a person should look at an old screen.
func (t *Terminal) EndSynchronized() {
	t.frozen = nil
	t.modes.set(ModeSynchronized, false)
	t.commit()
}

// freeze keeps what shows until the synchronized update ends.
func (t *Terminal) freeze() {
	t.commit()
	t.frozen = t.live()
}

// live returns the present picture.
func (t *Terminal) live() *Snapshot {
	if t.cached != nil && t.cached.Epoch == t.epoch {
		return t.cached
	}
	s := &Snapshot{
		Epoch: t.epoch, Cols: t.cols, Rows: t.rows,
		Lines:     make([]Line, t.rows),
		FirstLine: t.history.next, OldestLine: t.history.first, Layout: t.layout,
		Cursor: Cursor{
			Row: t.cur.y, Col: t.cur.x, PendingWrap: t.cur.pending,
			Visible: t.modes.Has(ModeCursorVisible), Shape: t.shape, Blinks: t.modes.Has(ModeCursorBlink),
		},
		Modes: t.modes, Keys: t.scr.keys.flags(), ModifyOtherKeys: int(t.modify),
		Title: t.titles.window, IconName: t.titles.icon, WorkingDirectory: t.cwd, LastMark: t.marks.next,
		colors: t.palette.share(), stamps: make([]uint64, t.rows), redrawn: t.redrawn,
	}
	for y, r := range t.scr.rows {
		s.Lines[y] = t.rowLine(r)
		s.stamps[y] = r.stamp
	}
	t.cached = s
	return s
}

// rowLine returns a row as a Line. It makes one only when the row has changed.
func (t *Terminal) rowLine(r *row) Line {
	if !r.hasLine || r.lineAt != r.stamp {
		r.line = t.unpackLine(t.pack(r))
		r.lineAt, r.hasLine = r.stamp, true
	}
	return r.line
}

// A Diff is what changed between two epochs.
type Diff struct {
	From, To uint64
	// Reset says that every row may differ: the size, the screen or the whole
	// picture changed. Rows has all of them.
	Reset bool
	// Scrolled is how many lines left the screen at its top meanwhile: row y of
	// then is row y-Scrolled of now, unless Rows has that. The lines that left may
	// have changed before they did: [Terminal.Lines] has them.
	Scrolled int
	Rows     []RowChange
}

// A RowChange is a row that changed, as it is now.
type RowChange struct {
	Row  int
	Line Line
}

// Since returns what changed since an earlier snapshot of the same terminal. It
// says nothing of cursor, modes and titles, which are small enough to compare.
func (s *Snapshot) Since(before *Snapshot) Diff {
	d := Diff{From: before.Epoch, To: s.Epoch}
	scrolled := s.FirstLine - before.FirstLine
	d.Reset = s.redrawn > before.Epoch || s.Layout != before.Layout || scrolled >= uint64(s.Rows)
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
