package mcpcases

import (
	"encoding/json"
	"maps"
	"testing"
)

func decode(t *testing.T, text string, v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}

func (a *agent) elements(t *testing.T, kind, session string) (list []object) {
	t.Helper()
	a.call(t, "wsh_"+kind, object{"session": session, "list": true}, &list)
	return list
}

// element creates an overlay or panel and returns its id.
func (a *agent) element(t *testing.T, kind, session, text string) string {
	t.Helper()
	var made struct{ ID string }
	a.call(t, "wsh_"+kind, object{"session": session, "spans": []object{{"text": text}}}, &made)
	return made.ID
}

// textOf returns the text of an element's first span.
func textOf(e object) any {
	spans, _ := e["spans"].([]any)
	if len(spans) == 0 {
		return nil
	}
	span, _ := spans[0].(object)
	return span["text"]
}

// elementCases are the cases of overlays, and of panels. given are position and size, moved another
// position.
func elementCases(kind string, given, moved object) []Case {
	tool := "wsh_" + kind
	return []Case{
		{Name: "Create → list → update spans → read back → remove → list empty", run: func(t *testing.T, a *agent) {
			name := a.session(t)
			id := a.element(t, kind, name, "before")
			list := a.elements(t, kind, name)
			want(t, "listed", []any{len(list), list[0]["id"], textOf(list[0])}, []any{1, id, "before"})
			a.call(t, tool, object{"session": name, "id": id, "spans": []object{{"text": "after"}}}, nil)
			want(t, "text", textOf(a.elements(t, kind, name)[0]), "after")
			a.call(t, "wsh_remove_"+kind, object{"session": name, "id": id}, nil)
			want(t, "list", a.elements(t, kind, name), []object{})
		}},
		{Name: "Create with all position/size params → stored correctly", run: func(t *testing.T, a *agent) {
			name := a.session(t)
			args := maps.Clone(given)
			args["session"], args["background"], args["spans"] = name, "blue", []object{{"text": "x", "fg": "red"}}
			a.call(t, tool, args, nil)
			e := a.elements(t, kind, name)[0]
			for key, value := range given {
				want(t, key, e[key], value)
			}
			want(t, "background", e["background"], object{"bg": "blue"})
		}},
		{Name: "Update position (x, y, z) via upsert with id", run: func(t *testing.T, a *agent) {
			name := a.session(t)
			args := maps.Clone(moved)
			args["session"], args["id"] = name, a.element(t, kind, name, "moved")
			a.call(t, tool, args, nil)
			e := a.elements(t, kind, name)[0]
			for key, value := range moved {
				want(t, key, e[key], value)
			}
			want(t, "text", textOf(e), "moved")
		}},
		{Name: "Remove specific overlay by id (others remain)", run: func(t *testing.T, a *agent) {
			name := a.session(t)
			one, other := a.element(t, kind, name, "1"), a.element(t, kind, name, "2")
			a.call(t, "wsh_remove_"+kind, object{"session": name, "id": one}, nil)
			list := a.elements(t, kind, name)
			want(t, "left", []any{len(list), list[0]["id"]}, []any{1, other})
		}},
		{Name: "Clear all overlays (no id param)", run: func(t *testing.T, a *agent) {
			name := a.session(t)
			a.element(t, kind, name, "1")
			a.element(t, kind, name, "2")
			a.call(t, "wsh_remove_"+kind, object{"session": name}, nil)
			want(t, "list", a.elements(t, kind, name), []object{})
		}},
		{Name: "Overlay on nonexistent session → error", run: func(t *testing.T, a *agent) { a.refused(t, tool, object{"session": "nobody"}) }},
		{Name: "Update nonexistent overlay id → error", run: func(t *testing.T, a *agent) {
			a.refused(t, tool, object{"session": a.session(t), "id": "none", "z": 1})
		}},
	}
}

// A mode is the result of wsh_input_mode and wsh_screen_mode.
type mode struct {
	Mode    string
	Focused string `json:"focused_element"`
}

func (a *agent) mode(t *testing.T, tool string, args object) (m mode) {
	t.Helper()
	a.call(t, tool, args, &m)
	return m
}

var inputCases = []Case{
	{Name: "`input_mode()` → returns passthrough", run: func(t *testing.T, a *agent) {
		want(t, "mode", a.mode(t, "wsh_input_mode", object{"session": a.session(t)}).Mode, "passthrough")
	}},
	{Name: "`input_mode(capture)` → mode changes → confirmed on re-read", run: func(t *testing.T, a *agent) {
		name := a.session(t)
		want(t, "mode", a.mode(t, "wsh_input_mode", object{"session": name, "mode": "capture"}).Mode, "capture")
		want(t, "mode", a.mode(t, "wsh_input_mode", object{"session": name}).Mode, "capture")
	}},
	{Name: "`input_mode(release)` → back to passthrough", run: func(t *testing.T, a *agent) {
		name := a.session(t)
		a.mode(t, "wsh_input_mode", object{"session": name, "mode": "capture"})
		want(t, "mode", a.mode(t, "wsh_input_mode", object{"session": name, "mode": "release"}).Mode, "passthrough")
	}},
	{Name: "`input_mode(capture, focus: overlay_id)` → focus set", run: func(t *testing.T, a *agent) {
		name := a.session(t)
		id := a.element(t, "overlay", name, "focused")
		want(t, "mode", a.mode(t, "wsh_input_mode", object{"session": name, "mode": "capture", "focus": id}), mode{"capture", id})
	}},
	{Name: "`input_mode(unfocus: true)` → focus cleared", run: func(t *testing.T, a *agent) {
		name := a.session(t)
		id := a.element(t, "overlay", name, "focused")
		a.mode(t, "wsh_input_mode", object{"session": name, "mode": "capture", "focus": id})
		want(t, "mode", a.mode(t, "wsh_input_mode", object{"session": name, "unfocus": true}), mode{Mode: "capture"})
	}},
	{Name: "Focus on nonexistent element → error", run: func(t *testing.T, a *agent) {
		a.refused(t, "wsh_input_mode", object{"session": a.session(t), "focus": "none"})
	}},
}
