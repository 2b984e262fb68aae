package overlay

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/fault"
)

// TestRewriteIsLinear checks that replacing twice as many spans takes about twice as long, and not
// four times: the heaviest legal batch took half a minute.
func TestRewriteIsLinear(t *testing.T) {
	rewrite := func(n int) time.Duration {
		spans := make(Spans, n)
		for i := range spans {
			spans[i] = Span{Text: "x", ID: fmt.Sprint("span ", i)}
		}
		e := &Element{Spans: spans}
		best := time.Hour
		for range 20 { // the machine may be busy
			begin := time.Now()
			if err := e.rewrite(spans); err != nil {
				t.Fatal(err)
			}
			best = min(best, time.Since(begin))
		}
		return best
	}
	few, many := rewrite(MaxSpans/16), rewrite(MaxSpans)
	if many > 80*few {
		t.Errorf("%d spans take %v, and %d take %v", MaxSpans/16, few, MaxSpans, many)
	}
}

// Spans without an id, or whose ids no span has, are ignored; the others of the call count.
func TestRewriteUnknownSpan(t *testing.T) {
	m := model(t, 80, 24)
	mustApply(t, m, `[{"op":"create","type":"overlay","spans":[{"text":"a","id":"s"},{"text":"b"}]},
		{"op":"spans","type":"overlay","id":"overlay-1","spans":[{"text":"x","id":"none"},{"text":"y"},{"text":"new","id":"s"}]}]`)
	got, err := m.Get(Overlay, "overlay-1")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(Spans{{Text: "new", ID: "s"}, {Text: "b"}}, got.Spans); d != "" {
		t.Errorf("spans (-want +got):\n%s", d)
	}
}

// Details survive the description of the operation that failed.
func TestDetails(t *testing.T) {
	for ops, want := range map[string]fault.Detail{
		`[{"op":"remove","type":"overlay","id":"x"}]`:                                          UnknownOverlay,
		`[{"op":"remove","type":"panel","id":"x"}]`:                                            UnknownPanel,
		`[{"op":"clear","type":"panel"},{"op":"remove","type":"panel","id":"x"}]`:              UnknownPanel,
		fmt.Sprintf(`[{"op":"create","type":"panel","spans":[{"text":"%*d"}]}]`, MaxText+1, 1): TooLong,
	} {
		if _, err := apply(model(t, 80, 24), ops); fault.DetailOf(err) != want {
			t.Errorf("%.60s: %v, detail %q, want %q", ops, err, fault.DetailOf(err), want)
		}
	}
}

// A region write may lie outside its element, which cuts it off, and appears when the element
// grows.
func TestWriteOutside(t *testing.T) {
	m := model(t, 80, 24)
	mustApply(t, m, `[{"op":"create","type":"overlay","width":5,"height":2},
		{"op":"write","type":"overlay","id":"overlay-1","writes":[{"row":1,"col":3,"text":"long"},{"row":2,"text":"below"},{"col":5,"text":"right"}]}]`)
	strokes := func() []string {
		var list []string
		for _, w := range m.Snapshot().Layers[0].Writes {
			list = append(list, fmt.Sprintf("%d,%d %d", w.Row, w.Col, w.Text.Columns()))
		}
		return list
	}
	if d := cmp.Diff([]string{"1,3 2"}, strokes()); d != "" {
		t.Errorf("row, column and width of writes (-want +got):\n%s", d)
	}
	mustApply(t, m, `[{"op":"update","type":"overlay","id":"overlay-1","width":8,"height":3}]`)
	if d := cmp.Diff([]string{"1,3 4", "2,0 5", "0,5 3"}, strokes()); d != "" {
		t.Errorf("row, column and width of writes in a larger overlay (-want +got):\n%s", d)
	}
}
