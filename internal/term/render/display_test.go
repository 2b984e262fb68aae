package render

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"ui-mcp/internal/term/cells"
	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/term/vt"
)

// A person's terminal displays every picture on the right one of its screens. In the end, its
// previous text is above the last picture of the primary screen.
func TestDisplay(t *testing.T) {
	for seed := range uint64(60) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			displayAll(t, rand.New(rand.NewPCG(seed, 2)), 30)
		})
	}
}

func displayAll(t *testing.T, r *rand.Rand, steps int) {
	s := newScene(t, r)
	cols, rows := s.program.Size()
	var err error
	if s.person, err = vt.New(vt.Options{Cols: cols, Rows: rows, Scrollback: 1000}); err != nil {
		t.Fatal(err)
	}
	used := 1 + r.IntN(rows)
	write(s.person, []byte(strings.Repeat("$\r\n", used-1)))
	d, adopted := Display{Screens: true}, false
	elsewhere := Foreign{Screens: true} // the same picture of a session on another host
	pass := func(b []byte) {
		t.Helper()
		if got := elsewhere.Append(nil, b); !bytes.Equal(got, b) {
			t.Fatalf("of another host's picture %q, the terminal gets %q", b, got)
		}
	}
	modes, resized := s.person.Modes(), false
	for step := range steps {
		what := s.change()
		if strings.HasPrefix(what, "resize") {
			d.Forget()
			resized = true
		}
		frame := s.composer.Compose(s.program.Snapshot(), s.model.Snapshot())
		before := s.person.Snapshot().AltScreen()
		off := s.someRows()
		_, top, _ := s.person.Extent()
		b := d.scroll(nil, d.frame, off, frame)
		write(s.person, b)
		pass(b)
		if len(b) > 0 {
			if got, want := s.keptFrom(top), scrollbackOf(off); got != want {
				t.Fatalf("step %d, %s: after %q, the scrollback got\n%s\nwant\n%s", step, what, b, got, want)
			}
		}
		b = d.Draw(nil, nil, frame)
		write(s.person, b)
		pass(b)
		if bad := differ(frame, onScreen(s.person)); bad != "" {
			t.Fatalf("step %d, %s: after %q: %s", step, what, b, bad)
		}
		alternate := frame.Mode == overlay.Alternate
		adopted = adopted || !alternate
		if got := s.person.Snapshot().AltScreen(); got != alternate || Alternate(b, before) != alternate {
			t.Fatalf("step %d, %s: the alternate screen is active: %t, %t, want %t", step, what, got, Alternate(b, before), alternate)
		}
	}
	shown := d.frame
	if d.alternate {
		shown = d.primary
	}
	b := d.Leave(nil)
	write(s.person, b)
	pass(b)
	after := s.person.Snapshot()
	if in := s.person.Input(); after.AltScreen() || in != (vt.Input{Modes: modes&^notRestored | in.Modes&notRestored}) {
		t.Errorf("afterwards: %+v, the modes were %b", in, modes)
	}
	if resized {
		return // which wraps lines again
	}
	kept := 0
	oldest, _, end := s.person.Extent()
	_, lines := s.person.Lines(oldest, int(end-oldest))
	for _, l := range lines {
		if l.Plain() == "$" {
			kept++
		}
	}
	if kept < used-1 {
		t.Errorf("%d of %d lines are left", kept, used-1)
	}
	if !adopted || shown == nil {
		return
	}
	// Below the text, nothing; above, the picture.
	for y := after.Cursor.Row; y < rows; y++ {
		if got := after.Lines[y].Plain(); got != "" {
			t.Errorf("the cursor is in row %d, and row %d has %q", after.Cursor.Row, y, got)
		}
	}
}

// What a terminal displays below the frame, as after its size has changed, goes.
func TestLeaveClearsBelow(t *testing.T) {
	t.Parallel()
	program, person := terminal(t, 10, 4), terminal(t, 10, 4)
	m, err := overlay.New(10, 4)
	if err != nil {
		t.Fatal(err)
	}
	var c Composer
	d := Display{Screens: true}
	write(program, []byte("text"))
	write(person, d.Draw(nil, nil, c.Compose(program.Snapshot(), m.Snapshot())))
	write(person, []byte("\x1b[4Hold status"))
	write(person, d.Leave(nil))
	if lines := person.Snapshot().Lines; lines[0].Plain() != "text" || lines[3].Plain() != "" {
		t.Errorf("the terminal displays %q and %q", lines[0].Plain(), lines[3].Plain())
	}
}

// Rows that scroll off just before the program switches to its alternate screen, and just after it
// has come back, reach the terminal's scrollback, too.
func TestRowsBesideAlternateScreen(t *testing.T) {
	t.Parallel()
	program, person := terminal(t, 10, 3), terminal(t, 10, 3)
	m, err := overlay.New(10, 3)
	if err != nil {
		t.Fatal(err)
	}
	var c Composer
	d := Display{Screens: true}
	scrolled := uint64(0)
	for _, output := range []string{"1\r\n2\r\n3", "\r\n4\x1b[?1049hwhole", "\x1b[?1049l\r\n5"} {
		write(program, []byte(output))
		_, top, _ := program.Extent()
		_, off := program.Lines(scrolled, int(top-scrolled))
		scrolled = top
		m.SetProgramAlternate(program.Snapshot().AltScreen())
		frame := c.Compose(program.Snapshot(), m.Snapshot())
		write(person, d.Draw(nil, c.Rows(off), frame))
		if bad := differ(frame, onScreen(person)); bad != "" {
			t.Errorf("after %q: %s", output, bad)
		}
	}
	var got []string
	oldest, _, end := person.Extent()
	_, lines := person.Lines(oldest, int(end-oldest))
	for _, l := range lines {
		got = append(got, l.Plain())
	}
	if want := "1 2 3 4 5"; strings.TrimSpace(strings.Join(got, " ")) != want {
		t.Errorf("the terminal keeps %q", got)
	}
}

// someRows returns rows as they scroll off, or none.
func (s *scene) someRows() []cells.Row {
	if s.r.IntN(2) == 0 {
		return nil
	}
	oldest, _, end := s.program.Extent()
	_, lines := s.program.Lines(oldest, int(end-oldest))
	return s.composer.Rows(lines[s.r.IntN(len(lines)):])
}

// keptFrom returns the text of the person's scrollback from a line on.
func (s *scene) keptFrom(line uint64) string {
	_, top, _ := s.person.Extent()
	_, lines := s.person.Lines(line, int(top-line))
	rows := make([]cells.Row, len(lines))
	for i, l := range lines {
		rows[i] = cells.FromLine(l)
	}
	return scrollbackOf(rows)
}

// scrollbackOf returns the text of rows without blanks at their ends, a row a line.
func scrollbackOf(rows []cells.Row) string {
	var b strings.Builder
	for _, r := range rows {
		b.WriteString(strings.TrimRight(r.Text, " ") + "\n")
	}
	return b.String()
}

// notRestored are modes that Leave does not restore, since it does not know their previous state.
const notRestored = vt.Modes(1<<vt.ModeGraphemes | 1<<vt.ModeAltScroll)

// Abandon leaves the alternate screen, too.
func TestAbandon(t *testing.T) {
	for _, alternate := range []bool{false, true} {
		w := terminal(t, 20, 4)
		d := Display{Screens: true}
		write(w, []byte("$ wsh\r\n"))
		draw := func(output string) {
			p := terminal(t, 20, 4)
			write(p, []byte(output))
			write(w, d.Draw(nil, nil, OfScreen(p.Snapshot())))
		}
		draw("shell\x1b[31m\x1b[?2004h")
		if alternate {
			draw("\x1b[?1049hvim\x1b[?1000h\x1b[>1u\x1b[2;3r")
		}
		write(w, Abandon(nil, alternate, true))
		s := w.Snapshot()
		if s.AltScreen() || s.Cursor.Row != 3 || s.Cursor.Col != 0 || !s.Cursor.Visible || w.Modes().Has(vt.ModeBracketedPaste) || w.Modes().Mouse() || s.Keys != 0 {
			t.Errorf("alternate %t: cursor %+v, modes %b, keys %v", alternate, s.Cursor, w.Modes(), s.Keys)
		}
	}
}

// The colour of the cursor, which no other sequence resets, is the picture's, also when the
// picture gets another size.
func TestCursorColor(t *testing.T) {
	w := terminal(t, 20, 4)
	var d Display
	for _, step := range []struct {
		cols   int
		output string
		forget bool
		want   string
	}{
		{20, "\x1b]12;#ff0000\x1b\\", false, "#ff0000"},
		{10, "", false, ""},
		{10, "\x1b]12;#00ff00\x1b\\", false, "#00ff00"},
		{20, "\x1b]12;#00ff00\x1b\\", false, "#00ff00"},
		{20, "\x1b]12;#0000ff\x1b\\", true, "#0000ff"},
		{20, "", true, ""},
	} {
		p := terminal(t, step.cols, 4)
		write(p, []byte(step.output))
		must(w.Resize(step.cols, 4))
		if step.forget {
			d.Forget()
		}
		write(w, d.Draw(nil, nil, OfScreen(p.Snapshot())))
		got := ""
		if c := w.Snapshot().Colors.At(vt.PaletteCursor); c != 0 {
			red, green, blue, _ := c.RGB()
			got = fmt.Sprintf("#%02x%02x%02x", red, green, blue)
		}
		if got != step.want {
			t.Errorf("%d columns, %q: the cursor's colour is %q, want %q", step.cols, step.output, got, step.want)
		}
	}
}

// After Forget, the terminal may have another title and colour of the cursor, as after its client
// was suspended: both are drawn again.
func TestForget(t *testing.T) {
	w, p := terminal(t, 20, 4), terminal(t, 20, 4)
	write(p, []byte("\x1b]2;vi\x1b\\\x1b]12;#ff0000\x1b\\"))
	var d Display
	d.Draw(nil, nil, OfScreen(p.Snapshot()))
	d.Forget()
	write(w, d.Draw(nil, nil, OfScreen(p.Snapshot())))
	s := w.Snapshot()
	if want := p.Snapshot().Colors.At(vt.PaletteCursor); s.Title != "vi" || s.Colors.At(vt.PaletteCursor) != want {
		t.Errorf("title %q, the cursor's colour %v", s.Title, s.Colors.At(vt.PaletteCursor))
	}
}
