package overlay

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/fault"
)

// FuzzOps applies arbitrary JSON to a small model: it must stay consistent, refuse with a kind, and
// list its elements in a form that can recreate them.
func FuzzOps(f *testing.F) {
	for _, seed := range []string{
		`[]`, `null`, `[null]`, `[{"op":"create","type":"overlay","x":-3,"y":9,"z":4,"width":0,"spans":[{"text":"日\n\tb","id":"a","fg":"red"}],"background":null}]`,
		`[{"op":"create","type":"panel","position":"top","height":2,"background":{"bg":{"r":1,"g":2,"b":3}},"focusable":true},{"op":"clear","type":"overlay"}]`,
		`[{"op":"replace","type":"panel","id":"panel-1","position":"bottom","height":900,"z":-5,"spans":[]}]`,
		`[{"op":"write","type":"overlay","id":"overlay-1","writes":[{"row":1,"col":2,"text":"x","bg":{"indexed":7}}]},{"op":"spans","type":"overlay","id":"overlay-1","spans":[{"id":"s","text":"\u0000"}]}]`,
		`[{"op":"update","type":"overlay","id":"overlay-1","width":65535,"height":65535},{"op":"remove","type":"panel","id":"panel-1"}]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m := model(t, 20, 6)
		mustApply(t, m, `[{"op":"create","type":"overlay","width":5,"height":2,"spans":[{"text":"a","id":"s"}]},{"op":"create","type":"panel"}]`)
		if _, err := apply(m, string(data)); err != nil && fault.KindOf(err) == fault.Internal {
			t.Fatalf("%v", err)
		}
		checkModel(t, m)
		for _, l := range m.Snapshot().Layers {
			if len(l.Lines) > min(l.Height, 6-min(l.Row, 0)) {
				t.Fatalf("%d lines in %+v", len(l.Lines), l)
			}
		}
		for _, k := range []Kind{Overlay, Panel} {
			for _, e := range m.List(k) {
				again(t, e)
			}
		}
	})
}

// again creates an element from its JSON.
func again(t *testing.T, e Element) {
	data, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	var form Form
	if err := json.Unmarshal(data, &form); err != nil {
		t.Fatalf("%s: %v", data, err)
	}
	m := model(t, 20, 6)
	ids, err := m.Apply(Op{Verb: Create, Kind: e.Kind, Form: form, Writes: e.Writes})
	if err != nil {
		t.Fatalf("%s: %v", data, err)
	}
	got, err := m.Get(e.Kind, ids[0])
	if err != nil {
		t.Fatal(err)
	}
	got.ID, got.order, got.Visible = e.ID, e.order, e.Visible
	e.FitWidth, e.FitHeight = false, false
	got.FitWidth, got.FitHeight, e.drawn = false, false, nil
	if d := cmp.Diff(e, got, cmp.AllowUnexported(Element{})); d != "" {
		t.Fatalf("%s recreates a different element (-want +got):\n%s", data, d)
	}
}
