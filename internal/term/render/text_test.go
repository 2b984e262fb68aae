package render

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/term/sgr"
	"ui-mcp/internal/term/vt"
)

func frame(t *testing.T, cols, rows int, output, ops string) *Frame {
	t.Helper()
	m, err := overlay.New(cols, rows)
	if err != nil {
		t.Fatal(err)
	}
	var parsed []overlay.Op
	if err := json.Unmarshal([]byte(ops), &parsed); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Apply(parsed...); err != nil {
		t.Fatal(err)
	}
	program := terminal(t, cols, m.Layout().ProgramRows())
	write(program, []byte(output))
	return Compose(program.Snapshot(), m.Snapshot())
}

// TestProgramLagsBehind composes screens of a different size than the view has for them.
func TestProgramLagsBehind(t *testing.T) {
	m, err := overlay.New(6, 3)
	if err != nil {
		t.Fatal(err)
	}
	var ops []overlay.Op
	if err := json.Unmarshal([]byte(`[{"op":"create","type":"panel","spans":[{"text":"status"}]}]`), &ops); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Apply(ops...); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name       string
		cols, rows int
		want       []string
		cursor     vt.Cursor
	}{
		{"larger", 9, 5, []string{"123456", "123456", "status"}, vt.Cursor{Row: 1, Col: 5}},
		{"smaller", 3, 1, []string{"123", "", "status"}, vt.Cursor{Row: 0, Col: 2, Visible: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			program := terminal(t, c.cols, c.rows)
			for range c.rows {
				write(program, []byte("\r\n123456789"[:c.cols+2]))
			}
			f := Compose(program.Snapshot(), m.Snapshot())
			if d := cmp.Diff(c.want, f.Plain()); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
			if f.Cursor.Row != c.cursor.Row || f.Cursor.Col != c.cursor.Col || f.Cursor.Visible != c.cursor.Visible {
				t.Errorf("cursor %+v, want %+v", f.Cursor, c.cursor)
			}
		})
	}
}

// TestSameFrame checks that a frame stays the same until something changes.
func TestSameFrame(t *testing.T) {
	m, err := overlay.New(6, 3)
	if err != nil {
		t.Fatal(err)
	}
	program := terminal(t, 6, 3)
	var c Composer
	first := c.Compose(program.Snapshot(), m.Snapshot())
	if again := c.Compose(program.Snapshot(), m.Snapshot()); again != first {
		t.Error("nothing changed, but the frame is a new one")
	}
	write(program, []byte("x"))
	if next := c.Compose(program.Snapshot(), m.Snapshot()); next == first || first.Plain()[0] != "" || next.Plain()[0] != "x" {
		t.Errorf("%q after %q", next.Plain(), first.Plain())
	}
}

// TestRestore restores a terminal after a frame with many settings.
func TestRestore(t *testing.T) {
	fresh := terminal(t, 10, 3).Snapshot()
	person := terminal(t, 10, 3)
	f := frame(t, 10, 3, "\x1b[1;31m\x1b]8;;http://x/\x1b\\a\x1b[?25l\x1b[?5h\x1b[4 q\x1b[?1h\x1b=\x1b[?1003h\x1b[?1006h\x1b[?1004h\x1b[?2004h\x1b[?1049h\x1b[>7u\x1b[>4;2m", `[]`)
	write(person, AppendRestore(changes(nil, nil, f)))
	got := person.Snapshot()
	if modes := got.Modes ^ fresh.Modes&^(1<<vt.ModeAltScroll); modes != 0 || got.Keys != 0 || got.ModifyOtherKeys != 0 {
		t.Errorf("modes that differ: %b, keys %d, %d", modes, got.Keys, got.ModifyOtherKeys)
	}
	if got.Cursor.Shape != fresh.Cursor.Shape || !got.Cursor.Visible {
		t.Errorf("cursor %+v", got.Cursor)
	}
	write(person, AppendRestore([]byte("\x1b[2;3r\x1b[2;4H"))) // in the middle of a scroll
	if c := person.Snapshot().Cursor; c.Row != 1 || c.Col != 3 {
		t.Errorf("the cursor has moved: %+v", c)
	}
	write(person, []byte("\x1b[3;10Hx\r\ny"))
	if l := person.Snapshot().Lines; l[1].Text != "         x" || l[2].Text != "y" || l[2].Spans != nil {
		t.Errorf("rows %+v", l)
	}
}

// Lines keep their sizes, except below an element, which has the screen's columns.
func TestLineSizes(t *testing.T) {
	x := terminal(t, 10, 3)
	write(x, []byte("\x1b]10;#010203;#040506\x1b\\\x1b]12;#070809\x1b\\\x1b#6one\r\n\x1b#3two\r\nthree"))
	over := &overlay.Snapshot{Layout: overlay.Layout{Cols: 10, Rows: 3}, Layers: []overlay.Layer{{Row: 1, Col: 8, Width: 2, Height: 1, Filled: true}}}
	f := Compose(x.Snapshot(), over)
	var sizes []vt.LineSize
	for _, l := range f.Lines {
		sizes = append(sizes, l.Size)
	}
	if d := cmp.Diff([]vt.LineSize{vt.DoubleWidth, vt.SingleSize, vt.SingleSize}, sizes); d != "" {
		t.Errorf("the sizes (-want +got):\n%s", d)
	}
	if f.Foreground != sgr.RGB(1, 2, 3) || f.Background != sgr.RGB(4, 5, 6) || f.CursorColor != sgr.RGB(7, 8, 9) {
		t.Errorf("the default colours are %x, %x and %x, want those that the program has set", f.Foreground, f.Background, f.CursorColor)
	}
}
