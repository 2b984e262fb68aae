package render

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"ui-mcp/internal/term/cells"
	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/term/sgr"
	"ui-mcp/internal/term/vt"
)

// TestDiffIsThePicture changes a program's screen and a model at random, and writes only the
// differences to a real terminal, which must show each picture as if it had been drawn from
// scratch.
func TestDiffIsThePicture(t *testing.T) {
	for seed := range uint64(80) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			play(t, rand.New(rand.NewPCG(seed, 1)), 40)
		})
	}
}

func FuzzDiffIsThePicture(f *testing.F) {
	f.Add(uint64(1), uint64(2))
	f.Fuzz(func(t *testing.T, a, b uint64) {
		play(t, rand.New(rand.NewPCG(a, b)), 25)
	})
}

func play(t *testing.T, r *rand.Rand, steps int) {
	s := newScene(t, r)
	for step := range steps {
		what := s.change()
		frame := s.composer.Compose(s.program.Snapshot(), s.model.Snapshot())
		fresh := Compose(s.program.Snapshot(), s.model.Snapshot())
		if d := differ(frame, fresh); d != "" {
			t.Fatalf("step %d, %s: composed incrementally: %s", step, what, d)
		}
		bytes := changes(nil, s.shown, frame)
		write(s.person, bytes)
		if d := differ(frame, onScreen(s.person)); d != "" {
			t.Fatalf("step %d, %s: after %q: %s", step, what, bytes, d)
		}
		if again := changes(nil, frame, fresh); len(again) > 0 {
			t.Fatalf("step %d, %s: nothing changed, but the difference is %q", step, what, again)
		}
		s.shown = frame
	}
}

// A scene is a session and the terminal of a person who watches it.
type scene struct {
	r        *rand.Rand
	program  *vt.Terminal
	model    *overlay.Model
	composer Composer
	person   *vt.Terminal
	shown    *Frame
	ids      []string
}

func newScene(t *testing.T, r *rand.Rand) *scene {
	cols, rows := 1+r.IntN(24), 1+r.IntN(10)
	m, err := overlay.New(cols, rows)
	if err != nil {
		t.Fatal(err)
	}
	s := &scene{r: r, model: m, program: terminal(t, cols, rows), person: terminal(t, cols, rows)}
	// The state of the person's terminal is unknown.
	write(s.person, []byte(s.output()+"\x1b[?69h\x1b[2;3s\x1b[2;3r\x1b[?6h\x1b[4h\x0e\x1b)0\x1b[?7l\x1b[?2027l\x1b[?25l\x1b[?5h\x1b[?1;66;1003;1016;1004;2004h\x1b[=7u\x1b[>4;1m\x1b]2;\x1b\\"))
	return s
}

func terminal(t *testing.T, cols, rows int) *vt.Terminal {
	term, err := vt.New(vt.Options{Cols: cols, Rows: rows, Scrollback: 10})
	if err != nil {
		t.Fatal(err)
	}
	return term
}

func write(to *vt.Terminal, p []byte) {
	if n, err := to.Write(p); n != len(p) || err != nil {
		panic(fmt.Sprintf("Write = %d, %v; it takes everything", n, err))
	}
}

// change changes something, and returns a description of it.
func (s *scene) change() string {
	var what string
	switch n := s.r.IntN(20); {
	case n < 10:
		what = s.output()
		write(s.program, []byte(what))
		what = fmt.Sprintf("output %q", what)
	case n < 12:
		cols, rows := 1+s.r.IntN(24), 1+s.r.IntN(10)
		must(s.model.Resize(cols, rows))
		must(s.person.Resize(cols, rows))
		what = fmt.Sprintf("resize %dx%d", cols, rows)
	case n < 13:
		if s.model.Mode() == overlay.Primary {
			must(s.model.EnterAlternate())
		} else if err := s.model.ExitAlternate(); err == nil {
			s.ids = nil
		}
		what = "mode"
	default:
		ops := []overlay.Op{s.op()}
		ids, err := s.model.Apply(ops...)
		if err == nil && ops[0].Verb == overlay.Create {
			s.ids = append(s.ids, ids[0])
		}
		what = fmt.Sprintf("%+v: %v", ops, err)
	}
	s.model.SetProgramAlternate(s.program.Snapshot().AltScreen())
	if l := s.model.Layout(); s.r.IntN(8) > 0 { // sometimes the program lags behind
		must(s.program.Resize(l.Cols, l.ProgramRows()))
	}
	return what
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// words are text of programs and agents: narrow, wide, combining, joined.
var words = strings.Split("a|bc|hello world|    |          |日|日本|한|é|e\u0301|☂\ufe0f|☂|😀|👍🏽|👍|🏽|👩\u200d💻|👩\u200d|🇩🇪|🇩|🇪|ᄒ|ᅡ|ᆫ|ก|ำ|\u0301|x\u200d|1\ufe0f\u20e3|─│┌┐|ﬁ|ｱ|\u00a0|\ufffd", "|")

func (s *scene) word() string { return words[s.r.IntN(len(words))] }

var controls = strings.Split("\r\n|\r\n\r\n|\x1b[H|\x1b[2J|\x1b[K|\x1b[1K|\x1b[3X|\x1b[2;2H|\x1b[m|\x1b[1m|\x1b[22m|\x1b[2;3m|\x1b[4:3m|\x1b[24m|\x1b[58:5:9m|\x1b[59m|"+
	"\x1b[31m|\x1b[97;104m|\x1b[38;5;200;48;2;1;2;3m|\x1b[39m|\x1b[49m|\x1b[7m|\x1b[27m|\x1b[5;6;8;9;53m|\x1b[S|\x1b[2S|\x1b[T|\x1b[L|\x1b[M|\x1b[2P|\x1b[@|\x1b[2;4r|\x1b[;3r|\x1b[3H\n\n|\x1b[r|"+
	"\x1b[?25l|\x1b[?25h|\x1b[5 q|\x1b[0 q|\x1b[?5h|\x1b[?5l|\x1b[?1049h|\x1b[?1049l|\x1b[?2027l|\x1b[?2027h|\x1b[?2026h|\x1b[?2026l|\x1b]8;;http://a/\x1b\\|\x1b]8;;\x1b\\|\t|\b|\x1b#8|\x1bc|\x1b#3|\x1b#4|\x1b#5|\x1b#6|\x1b#6|"+
	"\x1b]0;title\x1b\\|\x1b]2;\x1b\\|\x1b[?1h|\x1b[?1l|\x1b=|\x1b>|\x1b[?1000;1006h|\x1b[?1003h|\x1b[?1002;1015h|\x1b[?1000;1003;1006l|\x1b[?2004;1004h|\x1b[?2004;1004l|\x1b[?1007l|\x1b[>5u|\x1b[<u|\x1b[>4;2m|\x1b[>4m|"+
	"\x1b]4;1;#102030\x1b\\|\x1b]11;#000040\x1b\\|\x1b]10;#ffffff\x1b\\|\x1b]111\x1b\\|\x1b]110\x1b\\|\x1b]104\x1b\\", "|")

func (s *scene) output() string {
	var b strings.Builder
	for range 1 + s.r.IntN(12) {
		if s.r.IntN(2) == 0 {
			b.WriteString(controls[s.r.IntN(len(controls))])
		} else {
			b.WriteString(s.word())
		}
	}
	return b.String()
}

func (s *scene) style() overlay.Style {
	colors := []overlay.Color{0, 0, overlay.Color(sgr.Indexed(1)), overlay.Color(sgr.Indexed(12)), overlay.Color(sgr.Indexed(99)), overlay.Color(sgr.RGB(1, 20, 200))}
	pick := func() overlay.Color { return colors[s.r.IntN(len(colors))] }
	return overlay.Style{FG: pick(), BG: pick(), Bold: s.r.IntN(4) == 0, Underline: s.r.IntN(4) == 0, Inverse: s.r.IntN(4) == 0}
}

func (s *scene) text() string {
	var b strings.Builder
	for range s.r.IntN(6) {
		b.WriteString(s.word())
		if s.r.IntN(4) == 0 {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func (s *scene) spans() overlay.Spans {
	spans := overlay.Spans{}
	for range s.r.IntN(4) {
		spans = append(spans, overlay.Span{Text: s.text(), Style: s.style()})
	}
	return spans
}

func (s *scene) op() overlay.Op {
	number := func(from, to int) *int { n := from + s.r.IntN(to-from+1); return &n }
	op := overlay.Op{Kind: overlay.Overlay, Form: overlay.Form{Spans: s.spans()}}
	if s.r.IntN(3) == 0 {
		op.Kind = overlay.Panel
		edge := []overlay.Position{overlay.Top, overlay.Bottom}[s.r.IntN(2)]
		op.Position, op.Height = &edge, number(1, 4)
	} else {
		op.X, op.Y, op.Width, op.Height = number(-5, 20), number(-3, 9), number(0, 12), number(0, 5)
	}
	if s.r.IntN(2) == 0 {
		op.Background = overlay.Background{Filled: true, Color: s.style().BG}
	}
	if s.r.IntN(2) == 0 {
		op.Z = number(-2, 2)
	}
	op.Verb = overlay.Create
	if len(s.ids) > 3 {
		op.ID = s.ids[s.r.IntN(len(s.ids))]
		if strings.HasPrefix(op.ID, "panel") != (op.Kind == overlay.Panel) {
			op.Kind, op.Position, op.X, op.Y, op.Width = overlay.Kind(strings.Split(op.ID, "-")[0]), nil, nil, nil, nil
		}
		op.Verb = []overlay.Verb{overlay.Update, overlay.Write, overlay.Remove}[s.r.IntN(3)]
		op.Writes = overlay.Writes{{Row: s.r.IntN(2), Col: s.r.IntN(4), Text: s.text(), Style: s.style()}}
	}
	return op
}

// onScreen returns a terminal's screen as a frame.
func onScreen(t *vt.Terminal) *Frame {
	s := t.Snapshot()
	f := &Frame{Cols: s.Cols, Rows: s.Rows, Cursor: s.Cursor, Reverse: s.Modes.Has(vt.ModeReverseScreen), Title: s.Title}
	f.Input = vt.Input{Modes: s.Modes & allInput, Keys: s.Keys, ModifyOtherKeys: s.ModifyOtherKeys}
	for _, l := range s.Lines {
		f.Lines = append(f.Lines, visible(cells.FromLine(l), s.Cols))
	}
	return f
}

// visible returns a row of a screen without the columns that its size hides.
func visible(r cells.Row, cols int) cells.Row {
	n := r.Size.Columns(cols)
	if r.Columns() <= n {
		return r
	}
	var p cells.Painter
	p.Reset(n)
	p.Paint(r, 0, 0, n, 0)
	out := p.Row()
	out.Size = r.Size
	return out
}

var allInput = func() (all vt.Modes) {
	for _, m := range inputModes {
		all |= 1 << m.mode
	}
	return all
}()

// differ describes how two frames look different, or returns "".
func differ(want, got *Frame) string {
	if want.Cols != got.Cols || want.Rows != got.Rows || len(want.Lines) != want.Rows || len(got.Lines) != got.Rows {
		return fmt.Sprintf("%dx%d (%d rows), want %dx%d (%d rows)", got.Cols, got.Rows, len(got.Lines), want.Cols, want.Rows, len(want.Lines))
	}
	for y := range want.Lines {
		if w, g := canonical(want.Lines[y]), canonical(got.Lines[y]); w != g {
			return fmt.Sprintf("row %d is\n%s want\n%s", y, g, w)
		}
		for _, f := range []*Frame{want, got} {
			if n, most := f.Lines[y].Columns(), f.Lines[y].Size.Columns(f.Cols); n > most {
				return fmt.Sprintf("row %d has %d columns of %d", y, n, most)
			}
		}
	}
	if want.Title != got.Title || want.Input != got.Input {
		return fmt.Sprintf("title %q, input %+v, want %q, %+v", got.Title, got.Input, want.Title, want.Input)
	}
	w, g := want.Cursor, got.Cursor
	if w.Visible != g.Visible || w.Visible && (w.Row != g.Row || w.Col != g.Col || w.Shape != g.Shape || w.Blinks != g.Blinks) || want.Reverse != got.Reverse {
		return fmt.Sprintf("cursor %+v reverse %t, want %+v reverse %t", g, got.Reverse, w, want.Reverse)
	}
	return ""
}

// A row of double size that is longer than the half of a terminal is drawn single, so that it does
// not wrap.
func TestLongLineOfDoubleSize(t *testing.T) {
	const cols = 10
	row := func(text string) *Frame {
		program := terminal(t, 2*cols, 1)
		write(program, []byte("\x1b#6"+text))
		f := *OfScreen(program.Snapshot())
		f.Cols = cols // as of a frame that was not fitted
		return &f
	}
	person := terminal(t, cols, 1)
	var shown *Frame
	for _, tt := range []struct {
		text string
		size vt.LineSize
	}{{"short", vt.DoubleWidth}, {"longer", vt.SingleSize}, {"long again", vt.SingleSize}, {"long", vt.DoubleWidth}} {
		f := row(tt.text)
		f.Cursor.Visible = false
		write(person, changes(nil, shown, f))
		shown = f
		if got := person.Snapshot().Lines[0]; got.Plain() != tt.text || got.Size != tt.size {
			t.Errorf("%q is displayed as %q in size %d, want %d", tt.text, got.Plain(), got.Size, tt.size)
		}
	}
}

// canonical returns a text that is the same for rows that look the same.
func canonical(r cells.Row) string {
	var b strings.Builder
	if r.Size != vt.SingleSize {
		fmt.Fprintf(&b, "size %d\n", r.Size)
	}
	end := b.Len()
	for w := r.Walk(); w.Next(); {
		fmt.Fprintf(&b, "%d+%d:%q %s %s\n", w.Col, w.Width, w.Text, strings.TrimPrefix(string(w.Style.AppendSGR(nil)), "0"), w.Link)
		if !isBlank(&w.Cell) {
			end = b.Len()
		}
	}
	return b.String()[:end]
}

// The terminal moves rows if that takes fewer bytes than to draw them.
func TestMovesRowsToSave(t *testing.T) {
	const cols, rows = 80, 12
	picture := func(rows string, differs int) *Frame {
		var lines []string
		for _, c := range rows {
			lines = append(lines, strings.Repeat("x", cols-differs)+strings.Repeat(string(c), differs))
		}
		return frame(t, cols, len(rows), strings.Join(lines, "\r\n")+"\x1b[H", "[]")
	}
	for _, tt := range []struct {
		what     string
		from, to string
		differs  int    // in how many columns a row differs from another
		moves    string // sequences
		most     int    // bytes
	}{
		{"up", "0123456789ab", "123456789abc", 80, "M", 95},
		{"up by two", "0123456789ab", "23456789abcd", 80, "2M", 180},
		{"down", "0123456789ab", "-0123456789a", 80, "L", 90},
		{"a part up", "0123456789ab", "01245678z9ab", 80, "4;9r M r", 110},
		{"a part down", "0123456789ab", "01z2345689ab", 80, "3;8r L r", 110},
		{"the end up", "0123456789ab", "0123456789b ", 80, "M", 100},
		{"two parts", "0123456789ab", "1234y56z789b", 80, "", 240},
		{"up, some changed", "0123456789ab", "123x567y9abc", 80, "M", 265},
		{"rows that are like each other", "0123456789ab", "12xxxxxxxxxx", 1, "", 140},
		{"nothing but one row", "0123456789ab", "0123456x89ab", 80, "", 90},
		{"other rows", "0123456789ab", "cdefghijklmn", 80, "", 1100},
		{"equal rows", "000000000000", "000000000001", 80, "", 90},
		{"turned around", "0123456789ab", "ba9876543210", 80, "", 1100},
	} {
		from, to := picture(tt.from, tt.differs), picture(tt.to, tt.differs)
		b := changes(nil, from, to)
		var moves []string
		for _, m := range regexp.MustCompile(`\x1b\[([0-9;]*[LMr])`).FindAllSubmatch(b, -1) {
			moves = append(moves, string(m[1]))
		}
		if got := strings.Join(moves, " "); tt.moves != "" && got != tt.moves || len(b) > tt.most {
			t.Errorf("%s: moved by %q, want %q; %d bytes, want at most %d: %q", tt.what, got, tt.moves, len(b), tt.most, b)
		}
		person := terminal(t, cols, rows)
		write(person, changes(nil, nil, from))
		write(person, b)
		if bad := differ(to, onScreen(person)); bad != "" {
			t.Errorf("%s: after %q: %s", tt.what, b, bad)
		}
	}
}
