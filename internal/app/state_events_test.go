package app_test

import (
	"encoding/json"
	"testing"

	"ui-mcp/internal/app"
)

// A state has the app's object and the events apart, whatever names the app gives to its fields.
func TestStateWithEvents(t *testing.T) {
	h := started(t, nil)
	h.write("apps/box/viewdefs/Box.DEFAULT.html", "<template><p></p></template>")
	h.write("apps/box/app.lua", `Box = session:prototype("Box", {})
if not session.reloading then box = Box:new({ n = 1 }) end`)
	if _, err := h.Display(t.Context(), "1", "box"); err != nil {
		t.Fatal(err)
	}
	h.run(`box["$events"] = "mine" mcp.pushState({n = 1})`)
	var whole struct {
		Value  map[string]any    `json:"value"`
		Events []json.RawMessage `json:"$events"`
	}
	raw, err := h.State(t.Context(), app.DefaultSession)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &whole); err != nil || whole.Value["$events"] != "mine" || len(whole.Events) == 0 {
		t.Errorf("a state with a field $events: %+v %v", whole, err)
	}
}
