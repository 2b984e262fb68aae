package expect_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/term/expect"
	"ui-mcp/internal/term/pattern"
	"ui-mcp/internal/term/vt"
)

// Text that is written while a caller waits for it is found, whatever the size of the screen and
// of the history and however the output is cut, and once.
func TestFound(t *testing.T) {
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 0))
		scrollback := random.IntN(4)
		term, err := vt.New(vt.Options{Cols: 8 + random.IntN(20), Rows: 1 + random.IntN(4), Scrollback: scrollback})
		if err != nil {
			t.Fatal(err)
		}
		texts, now := expect.New(), time.Time{}
		lines := 1 + random.IntN(100)
		want := random.IntN(lines)
		p, err := pattern.Literal(fmt.Sprintf("<%d>", want), false)
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		w := &expect.Wait{Pattern: p, Found: func(expect.Match) { found++ }}
		if texts.Find(term, w, now) {
			t.Fatalf("seed %d: found on an empty screen", seed)
		}
		texts.Add(term, w)
		var b strings.Builder
		for i := range lines {
			fmt.Fprintf(&b, "%s<%d>\x1b[1m.\x1b[m\r\n", strings.Repeat("x", random.IntN(30)), i)
		}
		for rest := b.String(); rest != ""; {
			n := min(1+random.IntN(200), len(rest))
			texts.Write(term, []byte(rest[:n]), now)
			now = now.Add(time.Duration(random.IntN(2000)) * time.Microsecond)
			texts.Due(term, now)
			rest = rest[n:]
		}
		if d := texts.Due(term, now); d > 0 {
			texts.Due(term, now.Add(d))
		}
		if found != 1 || texts.Len() != 0 {
			t.Errorf("seed %d: <%d> of %d lines was found %d times, and %d callers wait", seed, want, lines, found, texts.Len())
		}
	}
}
