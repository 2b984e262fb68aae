package presence_test

import (
	"encoding/json"
	"testing"
	"time"

	"ui-mcp/internal/fleet/presence"
)

// FuzzCards has hosts send any cards: none becomes this host.
func FuzzCards(f *testing.F) {
	f.Add([]byte(`{"run":"a","n":1,"every_ms":5000,"name":"build1","protocol":1,"sessions":2,"running":1,"asks":true}`), []byte(`{"run":"b","n":1,"name":"here"}`))
	f.Add([]byte(`{"run":"a","n":18446744073709551615,"every_ms":18446744073709551615,"name":"-\u001b/~"}`), []byte(`{"run":"a","leaves":true}`))
	f.Fuzz(func(t *testing.T, one, other []byte) {
		now := time.Unix(0, 0)
		d := presence.NewDirectory(id(0))
		for i, text := range [][]byte{one, other, one, other, one} {
			var c presence.Card
			if json.Unmarshal(text, &c) != nil {
				continue
			}
			now = now.Add(3 * time.Second)
			d.Heard(id(i%3), "b", "worker", c, now)
			d.Tick(now)
		}
		for n := range 3 {
			if h, ok := d.Get(id(n)); ok && n == 0 {
				t.Errorf("%+v", h)
			}
		}
	})
}
