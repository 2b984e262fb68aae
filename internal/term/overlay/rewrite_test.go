package overlay

import (
	"fmt"
	"testing"
	"time"
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
