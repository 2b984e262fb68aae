package mcpbridge

import (
	"encoding/json"
	"testing"

	"ui-mcp/internal/transport/jsonrpc"
)

// The id of an answer has the key of the call's id, although servers write ids in a form of their
// own: as a text, or as an integer.
func FuzzKeyOf(f *testing.F) {
	for _, id := range []string{"1", "-0", "1e0", "1.0", "9007199254740991", `"a"`, `"\u00e4"`, `"\ud800"`, `"1"`, `""`} {
		f.Add(id)
	}
	f.Fuzz(func(t *testing.T, id string) {
		m, _, _ := jsonrpc.ParseOne([]byte(`{"jsonrpc":"2.0","method":"ping","id":` + id + `}`))
		if m == nil || m.IsNotification() {
			return
		}
		var v any
		if err := json.Unmarshal(m.ID, &v); err != nil {
			t.Fatal(err)
		}
		if n, ok := v.(float64); ok {
			v = int64(n)
		}
		again, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if keyOf(m.ID) != keyOf(again) {
			t.Errorf("%s is answered as %s, with the key %v and not %v", m.ID, again, keyOf(again), keyOf(m.ID))
		}
	})
}
