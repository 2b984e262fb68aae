package render

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/term/sgr"
	"ui-mcp/internal/term/vt"
)

// busy returns a screen of 200 by 50 full of coloured text, with wide characters in every fifth
// row, and a model with overlays.
func busy(tb testing.TB, overlays int) (*vt.Terminal, *overlay.Model) {
	r := rand.New(rand.NewPCG(1, 2))
	term, err := vt.New(vt.Options{Cols: 200, Rows: 50})
	if err != nil {
		tb.Fatal(err)
	}
	for y := range 50 {
		write(term, fmt.Appendf(nil, "\x1b[%dH", y+1))
		for range 18 {
			write(term, fmt.Appendf(nil, "\x1b[%dm%s\x1b[0m ", 31+r.IntN(7), strings.Repeat("x", 4+r.IntN(5))))
		}
		if y%5 == 0 {
			write(term, []byte(" 日本語 한국어 😀"))
		}
	}
	m, err := overlay.New(200, 50)
	if err != nil {
		tb.Fatal(err)
	}
	for i := range overlays {
		x, y, width, height := 19*i, 4*i, 40, 8
		_, err := m.Apply(overlay.Op{Verb: overlay.Create, Kind: overlay.Overlay, Form: overlay.Form{
			X: &x, Y: &y, Width: &width, Height: &height,
			Background: overlay.BackgroundForm{Set: true, Value: &overlay.Background{Color: overlay.Color(sgr.Indexed(4))}},
			Spans: overlay.Spans{
				{Text: "A title\n", Style: overlay.Style{Bold: true}},
				{Text: "some text of one line in it\nand another line\n"}, {Text: "日本語のテキスト", Style: overlay.Style{FG: overlay.Color(sgr.Indexed(1))}},
			},
		}})
		if err != nil {
			tb.Fatal(err)
		}
	}
	return term, m
}

// BenchmarkCompose composes a picture of 200 by 50 from scratch, and after a change of one line of
// the program's.
func BenchmarkCompose(b *testing.B) {
	for _, overlays := range []int{0, 10} {
		term, model := busy(b, overlays)
		v := model.Snapshot()
		b.Run(fmt.Sprintf("overlays=%d/scratch", overlays), func(b *testing.B) {
			s := term.Snapshot()
			var c Composer
			b.ReportAllocs()
			for b.Loop() {
				c = Composer{painter: c.painter, rows: c.rows}
				if f := c.Compose(s, v); len(f.Lines) != 50 {
					b.Fatal(len(f.Lines))
				}
			}
		})
		b.Run(fmt.Sprintf("overlays=%d/one-line", overlays), func(b *testing.B) {
			var before Composer
			before.Compose(term.Snapshot(), v)
			write(term, []byte("\x1b[20Hanother line"))
			s := term.Snapshot()
			b.ReportAllocs()
			for b.Loop() {
				c := before
				if f := c.Compose(s, v); len(f.Lines) != 50 {
					b.Fatal(len(f.Lines))
				}
			}
		})
	}
}

// BenchmarkDiff writes the changes of a picture of 200 by 50, and reports their size in bytes.
func BenchmarkDiff(b *testing.B) {
	term, model := busy(b, 10)
	var c, bareComposer Composer
	before := c.Compose(term.Snapshot(), model.Snapshot())
	write(term, []byte("\x1b[20Hone line has changed"))
	line := c.Compose(term.Snapshot(), model.Snapshot())
	write(term, []byte("\x1b[50;1H\r\na new line"))
	scrolled := c.Compose(term.Snapshot(), model.Snapshot())
	bare, empty := busy(b, 0)
	unscrolled := bareComposer.Compose(bare.Snapshot(), empty.Snapshot())
	write(bare, []byte("\x1b[50;1H\r\na new line"))
	bareScrolled := bareComposer.Compose(bare.Snapshot(), empty.Snapshot())
	x := 5
	if _, err := model.Apply(overlay.Op{Verb: overlay.Update, Kind: overlay.Overlay, ID: "overlay-1", Form: overlay.Form{X: &x}}); err != nil {
		b.Fatal(err)
	}
	moved := c.Compose(term.Snapshot(), model.Snapshot())
	for _, c := range []struct {
		name     string
		from, to *Frame
	}{
		{"nothing", before, before}, {"one-line", before, line}, {"scrolled", unscrolled, bareScrolled},
		{"scrolled-under-overlays", line, scrolled}, {"overlay-moved", scrolled, moved}, {"whole", nil, before},
	} {
		b.Run(c.name, func(b *testing.B) {
			var out []byte
			b.ReportAllocs()
			for b.Loop() {
				out = changes(out[:0], c.from, c.to)
			}
			b.ReportMetric(float64(len(out)), "bytes/diff")
		})
	}
}
