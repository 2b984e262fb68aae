package overlay

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkUpdate replaces the text of one of ten overlays, or of the largest allowed one, and
// makes the view.
func BenchmarkUpdate(b *testing.B) {
	for _, c := range []struct {
		name  string
		spans Spans
		write Writes
	}{
		{"usual", Spans{{Text: "Title\n", Style: Style{Bold: true}}, {Text: "progress", ID: "p"}, {Text: "\n日本語のテキスト"}}, Writes{}},
		{"heaviest", heavySpans(), heavyWrites()},
	} {
		b.Run(c.name, func(b *testing.B) {
			m := model(b, 200, 50)
			for range 10 {
				mustApply(b, m, `[{"op":"create","type":"overlay","width":40,"height":8,"background":"blue","spans":[{"text":"some text"}]}]`)
			}
			b.ReportAllocs()
			for b.Loop() {
				_, err := m.Apply(
					Op{Verb: Update, Kind: Overlay, ID: "overlay-3", Form: Form{Spans: c.spans}},
					Op{Verb: Write, Kind: Overlay, ID: "overlay-3", Writes: c.write})
				if err != nil {
					b.Fatal(err)
				}
				if v := m.Snapshot(); len(v.Layers) != 10 {
					b.Fatal(len(v.Layers))
				}
			}
		})
	}
}

func heavySpans() Spans {
	s := make(Spans, MaxSpans)
	for i := range s {
		s[i].Text = strings.Repeat("x", MaxTextAll/2/MaxSpans)
	}
	return s
}

func heavyWrites() Writes {
	w := make(Writes, MaxWrites)
	for i := range w {
		w[i] = RegionWrite{Row: i % 8, Col: i % 40, Text: fmt.Sprint(strings.Repeat("日", MaxTextAll/4/MaxWrites/3))}
	}
	return w
}
