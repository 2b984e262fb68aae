package app_test

import (
	"encoding/json"
	"strings"
	"testing"

	"ui-mcp/internal/app"
)

// States and events have each name once, and are whole. What they cannot have is a problem, with
// the line; that of a state goes with its cause.
func TestNamesThatClash(t *testing.T) {
	h := started(t, nil)
	h.write("apps/box/viewdefs/Box.DEFAULT.html", "<template><p></p></template>")
	h.write("apps/box/app.lua", `Box = session:prototype("Box", {
  byId = EMPTY })
function Box:tell()
  mcp.pushState({ app = "box", ids = { [7] = "number", ["7"] = "string" } })
end
if not session.reloading then box = Box:new({ n = 1 }) end`)
	if _, err := h.Display(t.Context(), "1", "box"); err != nil {
		t.Fatal(err)
	}
	problems := func() string {
		t.Helper()
		s, err := h.Session(t.Context(), app.DefaultSession)
		if err != nil {
			t.Fatal(err)
		}
		list, err := s.Problems(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, p := range list {
			out = append(out, p.String())
		}
		return strings.Join(out, "\n")
	}
	state := func() string {
		t.Helper()
		raw, err := h.State(t.Context(), app.DefaultSession)
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	h.run(`box:tell()`)
	if got := h.events(); !strings.Contains(strings.Join(got, "\n"), `{"app":"box","ids":{"7":"string"}}`) {
		t.Errorf("events: %s", got)
	}
	if got := problems(); got != `apps/box/app.lua:4: the keys 7 and "7" have the same name in JSON, in ids: only the value of "7" is used` {
		t.Errorf("problems after an event: %s", got)
	}
	h.run(`box.byId = { [1.5] = "number", ["1.5"] = "string" }`)
	for range 3 {
		if got := state(); !strings.Contains(got, `"byId":{"1.5":"string"}`) {
			t.Errorf("state: %s", got)
		}
	}
	if got := problems(); !strings.Contains(got, `apps/box/app.lua:2: ui://state: the keys 1.5 and "1.5" have the same name in JSON, in byId`) {
		t.Errorf("problems of the state: %s", got)
	}
	h.run(`box.byId = nil`)
	state()
	if got := problems(); strings.Contains(got, "ui://state") {
		t.Errorf("problems after the fix: %s", got)
	}
	h.run(`box["$events"] = "mine" mcp.pushState({n = 1})`)
	var whole struct {
		Value  map[string]any    `json:"value"`
		Events []json.RawMessage `json:"$events"`
	}
	if err := json.Unmarshal([]byte(state()), &whole); err != nil || whole.Value["$events"] != "mine" || len(whole.Events) == 0 {
		t.Errorf("a state with a field $events: %+v %v", whole, err)
	}
}
