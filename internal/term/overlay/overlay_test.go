package overlay

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/fault"
)

func model(t testing.TB, cols, rows int) *Model {
	t.Helper()
	m, err := New(cols, rows)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// apply applies operations given as JSON, and returns the ids.
func apply(m *Model, ops string) ([]string, error) {
	var parsed []Op
	if err := json.Unmarshal([]byte(ops), &parsed); err != nil {
		return nil, fault.Wrap(fault.Invalid, err, "operations")
	}
	return m.Apply(parsed...)
}

func mustApply(t testing.TB, m *Model, ops string) []string {
	t.Helper()
	ids, err := apply(m, ops)
	if err != nil {
		t.Fatal(err)
	}
	checkModel(t, m)
	return ids
}

// checkModel fails if the model is inconsistent.
func checkModel(t testing.TB, m *Model) {
	t.Helper()
	l := m.Layout()
	if l.ProgramRows() < 1 || l.Top < 0 || l.Bottom < 0 || l.Cols != m.cols || l.Rows != m.rows {
		t.Fatalf("layout %+v of %dx%d", l, m.cols, m.rows)
	}
	text, rows := 0, 0
	for id, e := range m.elements {
		text += e.textSize()
		if e.ID != id || e.order == 0 || e.order > m.order || e.check() != nil {
			t.Fatalf("%q is %+v: %v", id, e, e.check())
		}
		if e.Mode == Alternate && m.Mode() == Primary {
			t.Fatalf("%s belongs to a closed screen", id)
		}
		if e.Kind == Panel && e.Mode == m.Mode() && !slices.Contains(l.Hidden, id) {
			rows += e.Height
		}
	}
	if text != m.text || text > MaxTextAll {
		t.Fatalf("%d bytes of text, counted as %d", text, m.text)
	}
	if rows != l.Top+l.Bottom {
		t.Fatalf("%d rows of panels, but %+v", rows, l)
	}
	if e := m.elements[m.focus]; m.focus != "" && (e == nil || !e.Focusable || e.Mode != m.Mode()) {
		t.Fatalf("focus on %q, which is %+v", m.focus, e)
	}
	v := m.Snapshot()
	if v.Layout.ProgramRows() != l.ProgramRows() || v.Mode != m.Mode() || v != m.Snapshot() {
		t.Fatalf("view %+v", v)
	}
}

func TestLayout(t *testing.T) {
	type panel struct {
		edge      Position
		height, z int
	}
	for _, c := range []struct {
		name        string
		rows        int
		panels      []panel
		top, bottom int
		hidden      string
		at          string // rows of the panels
	}{
		{"none", 24, nil, 0, 0, "", ""},
		{"one at each edge", 24, []panel{{Top, 2, 0}, {Bottom, 3, 0}}, 2, 3, "", "1:0 2:21"},
		{"the higher Z is nearer to the edge", 24, []panel{{Top, 1, 1}, {Top, 2, 5}, {Bottom, 1, 0}, {Bottom, 2, 9}}, 3, 3, "", "4:22 2:0 1:2 3:21"},
		{"of equal Z the older is first", 24, []panel{{Bottom, 1, 3}, {Bottom, 1, 3}}, 0, 2, "", "1:23 2:22"},
		{"all but the last row", 6, []panel{{Top, 2, 0}, {Bottom, 3, 0}}, 2, 3, "", "1:0 2:3"},
		{"never the last row", 6, []panel{{Top, 3, 1}, {Bottom, 3, 0}}, 3, 0, "2", "1:0"},
		{"a smaller one still fits", 6, []panel{{Top, 3, 9}, {Top, 3, 8}, {Top, 2, 7}}, 5, 0, "2", "1:0 3:3"},
		{"hidden ones, the first first", 3, []panel{{Top, 5, 1}, {Top, 9, 2}, {Top, 1, 0}}, 1, 0, "2 1", "3:0"},
		{"a screen of one row", 1, []panel{{Top, 1, 0}, {Bottom, 1, 0}}, 0, 0, "1 2", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := model(t, 80, c.rows)
			for _, p := range c.panels {
				mustApply(t, m, fmt.Sprintf(`[{"op":"create","type":"panel","position":%q,"height":%d,"z":%d}]`, p.edge, p.height, p.z))
			}
			l := m.Layout()
			hidden := strings.ReplaceAll(strings.Join(l.Hidden, " "), "panel-", "")
			var at []string
			for _, layer := range m.Snapshot().Layers {
				at = append(at, fmt.Sprintf("%s:%d", strings.TrimPrefix(layer.ID, "panel-"), layer.Row))
			}
			if l.Top != c.top || l.Bottom != c.bottom || hidden != c.hidden || strings.Join(at, " ") != c.at {
				t.Errorf("top %d, bottom %d, hidden %q, at %q; want %d, %d, %q, %q", l.Top, l.Bottom, hidden, at, c.top, c.bottom, c.hidden, c.at)
			}
			for _, e := range m.List(Panel) {
				if e.Visible == slices.Contains(l.Hidden, e.ID) {
					t.Errorf("%s is visible: %t", e.ID, e.Visible)
				}
			}
		})
	}
}

func TestLayoutFollows(t *testing.T) {
	m := model(t, 80, 10)
	mustApply(t, m, `[{"op":"create","type":"panel","position":"top","height":2,"z":1},{"op":"create","type":"panel","position":"bottom","height":6,"z":0}]`)
	step := func(what string, want int) {
		t.Helper()
		checkModel(t, m)
		if got := m.Layout().ProgramRows(); got != want {
			t.Fatalf("%s: %d rows for the program, want %d", what, got, want)
		}
	}
	step("created", 2)
	if err := m.Resize(80, 5); err != nil {
		t.Fatal(err)
	}
	step("a smaller screen hides one", 3)
	if err := m.Resize(40, 30); err != nil {
		t.Fatal(err)
	}
	step("a larger one brings it back", 22)
	m.SetProgramAlternate(true)
	step("the other screen has no panels", 30)
	mustApply(t, m, `[{"op":"create","type":"panel","height":4}]`)
	step("or its own", 26)
	m.SetProgramAlternate(false)
	step("which go with it", 22)
	mustApply(t, m, `[{"op":"update","type":"panel","id":"panel-1","height":5}]`)
	step("a new height", 19)
	mustApply(t, m, `[{"op":"clear","type":"panel"}]`)
	step("cleared", 30)
}

func TestLists(t *testing.T) {
	m := model(t, 80, 24)
	mustApply(t, m, `[
		{"op":"create","type":"overlay","z":5,"spans":[{"text":"a"}]},
		{"op":"create","type":"overlay","z":-1},
		{"op":"create","type":"overlay"},
		{"op":"create","type":"overlay","z":5},
		{"op":"create","type":"panel","position":"bottom"},
		{"op":"create","type":"panel","position":"top","z":1},
		{"op":"create","type":"panel","position":"top","z":2}]`)
	ids := func(k Kind) (out []string) {
		for _, e := range m.List(k) {
			out = append(out, fmt.Sprintf("%s z=%d", e.ID, e.Z))
		}
		return out
	}
	if d := cmp.Diff([]string{"overlay-2 z=-1", "overlay-1 z=5", "overlay-4 z=5", "overlay-3 z=6"}, ids(Overlay)); d != "" {
		t.Errorf("overlays: -want +got:\n%s", d)
	}
	if d := cmp.Diff([]string{"panel-3 z=2", "panel-2 z=1", "panel-1 z=7"}, ids(Panel)); d != "" {
		t.Errorf("panels: -want +got:\n%s", d)
	}
	m.SetProgramAlternate(true)
	if got := ids(Overlay); got != nil {
		t.Errorf("List includes overlays of the other screen: %q", got)
	}
	if e, err := m.Get(Overlay, "overlay-1"); err != nil || e.Mode != Primary {
		t.Errorf("Get = %+v, %v; it should find elements of both screens", e, err)
	}
}

// TestIDs checks that ids are not reused.
func TestIDs(t *testing.T) {
	m := model(t, 80, 24)
	mustApply(t, m, `[{"op":"create","type":"overlay"},{"op":"remove","type":"overlay","id":"overlay-1"}]`)
	mustApply(t, m, `[{"op":"clear","type":"overlay"}]`)
	if got := mustApply(t, m, `[{"op":"create","type":"overlay"}]`); got[0] != "overlay-2" {
		t.Errorf("the next id is %q", got[0])
	}
}

func TestFit(t *testing.T) {
	m := model(t, 80, 24)
	size := func() string {
		t.Helper()
		e, err := m.Get(Overlay, "overlay-1")
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%dx%d", e.Width, e.Height)
	}
	for _, c := range []struct{ op, want string }{
		{`"create","spans":[{"text":"日本\nabc"}]`, "4x2"},
		{`"update","spans":[{"text":"abcdefg","id":"x"}]`, "7x1"},
		{`"spans","spans":[{"text":"a\nb\nc","id":"x"}]`, "1x3"},
		{`"write","writes":[{"row":4,"col":10,"text":"xy"}]`, "12x5"},
		{`"update","width":3`, "3x5"},
		{`"write","writes":[]`, "3x3"},
		{`"update","width":0,"height":9`, "1x9"},
		{`"update","spans":[]`, "1x9"},
	} {
		id := `,"id":"overlay-1"`
		if strings.HasPrefix(c.op, `"create`) {
			id = ""
		}
		mustApply(t, m, `[{"type":"overlay","op":`+c.op+id+`}]`)
		if got := size(); got != c.want {
			t.Errorf("%s: %s, want %s", c.op, got, c.want)
		}
	}
}

func TestJSON(t *testing.T) {
	m := model(t, 80, 24)
	mustApply(t, m, `[
		{"op":"create","type":"overlay","x":1,"y":-2,"width":10,"height":3,"background":{"bg":{"r":1,"g":2,"b":3}},"focusable":true,
		 "spans":[{"text":"a","id":"s","fg":"red","bg":"bright-blue","bold":true,"underline":true},{"text":"b","fg":{"indexed":200},"inverse":true}]},
		{"op":"write","type":"overlay","id":"overlay-1","writes":[{"row":1,"col":2,"text":"w","fg":"#0A0b0c"}]},
		{"op":"create","type":"panel","position":"top","height":2,"z":7,"background":"gray"}]`)
	m.SetProgramAlternate(true)
	mustApply(t, m, `[{"op":"create","type":"panel","height":30}]`)
	for id, want := range map[string]string{
		"overlay-1": `{"id":"overlay-1","z":0,"height":3,"background":{"bg":{"r":1,"g":2,"b":3}},` +
			`"spans":[{"text":"a","id":"s","fg":"red","bg":"bright_blue","bold":true,"underline":true},{"text":"b","fg":{"indexed":200},"inverse":true}],` +
			`"region_writes":[{"row":1,"col":2,"text":"w","fg":{"r":10,"g":11,"b":12}}],"focusable":true,"clipped":true,"x":1,"y":-2,"width":10}`,
		"panel-1": `{"id":"panel-1","z":7,"height":2,"position":"top","background":{"bg":"bright_black"},"spans":[],"visible":true}`,
		"panel-2": `{"id":"panel-2","z":8,"height":30,"position":"bottom","spans":[],"screen_mode":"alt","visible":false}`,
	} {
		e, err := m.Get(Kind(strings.Split(id, "-")[0]), id)
		if err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, string(got)); d != "" {
			t.Errorf("-want +got:\n%s", d)
		}
	}
}

func TestBackgroundRemoved(t *testing.T) {
	m := model(t, 80, 24)
	mustApply(t, m, `[{"op":"create","type":"overlay","background":"red","spans":[{"text":"x"}]}]`)
	if l := m.Snapshot().Layers[0]; !l.Filled {
		t.Errorf("%+v is not filled", l)
	}
	mustApply(t, m, `[{"op":"update","type":"overlay","id":"overlay-1","x":3}]`)
	if l := m.Snapshot().Layers[0]; !l.Filled || l.Col != 3 {
		t.Errorf("%+v is not filled, or not at 3", l)
	}
	mustApply(t, m, `[{"op":"update","type":"overlay","id":"overlay-1","background":null}]`)
	if l := m.Snapshot().Layers[0]; l.Filled {
		t.Errorf("%+v is filled", l)
	}
}

// TestRefused checks that refused operations change nothing, and that their errors say what is
// wrong.
func TestRefused(t *testing.T) {
	long := strings.Repeat("x", MaxText+1)
	for _, c := range []struct {
		name, ops string
		kind      fault.Kind
		says      string
	}{
		{"a colour", `[{"op":"create","type":"overlay","spans":[{"text":"a"},{"text":"b","fg":"purple"}]}]`, fault.Invalid, `no colour "purple"`},
		{"part of a colour", `[{"op":"create","type":"overlay","background":{"bg":{"r":1}}}]`, fault.Invalid, `{"r":1} is not a colour: give a name, "#rrggbb", {"r","g","b"}`},
		{"too large a colour", `[{"op":"create","type":"overlay","background":{"bg":{"r":1,"g":2,"b":256}}}]`, fault.Invalid, "numbers from 0 to 255"},
		{"no operation", `[{"op":"paint","type":"overlay","id":"overlay-1"}]`, fault.Invalid, `op "paint": give "create"`},
		{"no kind", `[{"op":"create","type":"window"}]`, fault.Invalid, `create window: type "window": give "overlay" or "panel"`},
		{"unknown", `[{"op":"remove","type":"overlay","id":"overlay-9"}]`, fault.NotFound, `no overlay exists with id "overlay-9"`},
		{"of the other kind", `[{"op":"remove","type":"overlay","id":"panel-1"}]`, fault.NotFound, `no overlay exists with id "panel-1"`},
		{"the second of two", `[{"op":"update","type":"overlay","id":"overlay-1","x":9},{"op":"remove","type":"overlay","id":"overlay-9"}]`, fault.NotFound, "operation 1, remove overlay overlay-9: no overlay"},
		{"an id of one's own", `[{"op":"create","type":"overlay","id":"mine"}]`, fault.Invalid, "leave it out"},
		{"a panel's place", `[{"op":"create","type":"panel","x":1}]`, fault.Invalid, "a panel has no x, y or width"},
		{"an overlay's edge", `[{"op":"create","type":"overlay","position":"top"}]`, fault.Invalid, "an overlay has no position"},
		{"no edge", `[{"op":"create","type":"panel","position":"left"}]`, fault.Invalid, `position "left": give "top" or "bottom"`},
		{"no height", `[{"op":"create","type":"panel","height":0}]`, fault.Invalid, "height 0: give 1 to"},
		{"negative width", `[{"op":"create","type":"overlay","width":-1}]`, fault.Invalid, "width -1: give 1 to"},
		{"too far", `[{"op":"create","type":"overlay","y":-70000}]`, fault.Invalid, "x 0, y -70000"},
		{"too high", `[{"op":"create","type":"overlay","z":3000000000}]`, fault.Invalid, "z 3000000000: give"},
		{"too many spans", `[{"op":"create","type":"overlay","spans":[` + strings.Repeat(`{},`, MaxSpans) + `{}]}]`, fault.Invalid, "4097 spans: give at most 4096"},
		{"a long text", `[{"op":"create","type":"overlay","spans":[{"text":"a"},{"text":"` + long + `"}]}]`, fault.Invalid, "spans[1]: text of 65537 bytes"},
		{"a long id", `[{"op":"create","type":"overlay","spans":[{"id":"` + long + `"}]}]`, fault.Invalid, "spans[0]: id of"},
		{"too many writes", `[{"op":"write","type":"overlay","id":"overlay-1","writes":[` + strings.Repeat(`{},`, MaxWrites) + `{}]}]`, fault.Invalid, "4097 region writes"},
		{"a long write", `[{"op":"write","type":"overlay","id":"overlay-1","writes":[{"text":"` + long + `"}]}]`, fault.Invalid, "writes[0]: text of 65537 bytes"},
		{"a write above the element", `[{"op":"write","type":"overlay","id":"overlay-1","writes":[{},{"row":-1}]}]`, fault.Invalid, "writes[1]: row -1, column 0: give 0 to 65534 of each"},
		{"a write too far away", `[{"op":"write","type":"overlay","id":"overlay-1","writes":[{"col":65535}]}]`, fault.Invalid, "writes[0]: row 0, column 65535: give"},
		{"no writes", `[{"op":"write","type":"overlay","id":"overlay-1"}]`, fault.Invalid, "writes: give a list"},
		{"no spans", `[{"op":"spans","type":"overlay","id":"overlay-1"}]`, fault.Invalid, "spans: give a list"},
		{"half a replacement", `[{"op":"replace","type":"panel","id":"panel-1","spans":[]}]`, fault.Invalid, "give position, height, z and spans"},
		{"no replacement", `[{"op":"replace","type":"overlay","id":"overlay-1","x":1}]`, fault.Invalid, "give spans"},
		{"too many overlays", `[` + strings.Repeat(`{"op":"create","type":"overlay"},`, MaxOverlays-1) + `{"op":"create","type":"overlay"}]`, fault.Exhausted, "operation 255, create overlay: there are 256 overlays already"},
		{"too many panels", `[` + strings.Repeat(`{"op":"create","type":"panel"},`, MaxPanels-1) + `{"op":"create","type":"panel"}]`, fault.Exhausted, "there are 256 panels already"},
		{"too many operations", `[` + strings.Repeat(`{"op":"clear","type":"panel"},`, MaxBatch) + `{"op":"clear","type":"panel"}]`, fault.Exhausted, "1025 operations"},
		{"too much text", `[` + strings.TrimSuffix(strings.Repeat(`{"op":"create","type":"overlay","spans":[{"text":"`+long[1:]+`"}]},`, 65), ",") + `]`, fault.Exhausted, "operation 63, create overlay: all elements together"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := model(t, 80, 24)
			mustApply(t, m, `[{"op":"create","type":"overlay","width":5,"height":2,"focusable":true,"spans":[{"text":"a","id":"s"}]},{"op":"create","type":"panel"}]`)
			if err := m.Focus("overlay-1"); err != nil {
				t.Fatal(err)
			}
			before, view := m.state, m.Snapshot()
			ids, err := apply(m, c.ops)
			if err == nil || fault.KindOf(err) != c.kind || !strings.Contains(err.Error(), c.says) {
				t.Fatalf("%q, %v: %v; want %v, %q", ids, fault.KindOf(err), err, c.kind, c.says)
			}
			if len(err.Error()) > 600 {
				t.Errorf("an error of %d bytes", len(err.Error()))
			}
			if m.Snapshot() != view || m.focus != before.focus || len(m.elements) != 2 || m.text != before.text || m.order != before.order {
				t.Errorf("the model changed: %+v, was %+v", m.state, before)
			}
			if ids := mustApply(t, m, `[{"op":"create","type":"overlay"}]`); ids[0] != "overlay-2" {
				t.Errorf("the next id is %q", ids[0])
			}
		})
	}
}

func TestSpansByID(t *testing.T) {
	m := model(t, 80, 24)
	mustApply(t, m, `[{"op":"create","type":"overlay","spans":[{"text":"a","id":"x","bold":true},{"text":"b"},{"text":"c","id":"x"},{"text":"d","id":"y"}]}]`)
	before := m.List(Overlay)[0]
	mustApply(t, m, `[{"op":"spans","type":"overlay","id":"overlay-1","spans":[{"text":"1","id":"x"},{"text":"2","id":"y","italic":true}]}]`)
	want := Spans{{Text: "1", ID: "x"}, {Text: "b"}, {Text: "1", ID: "x"}, {Text: "2", ID: "y", Style: Style{Italic: true}}}
	if d := cmp.Diff(want, m.List(Overlay)[0].Spans); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if before.Spans[0].Text != "a" {
		t.Error("a returned element changed")
	}
}

// TestBatchSeesItself checks that operations of a batch see the effects of those before them.
func TestBatchSeesItself(t *testing.T) {
	m := model(t, 80, 24)
	for range MaxOverlays {
		mustApply(t, m, `[{"op":"create","type":"overlay"}]`)
	}
	ids := mustApply(t, m, `[{"op":"remove","type":"overlay","id":"overlay-7"},{"op":"create","type":"overlay"},{"op":"update","type":"overlay","id":"overlay-257","x":3}]`)
	if d := cmp.Diff([]string{"overlay-7", "overlay-257", "overlay-257"}, ids); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if e, err := m.Get(Overlay, "overlay-257"); err != nil || e.X != 3 {
		t.Errorf("%+v, %v", e, err)
	}
}

func TestSizeRefused(t *testing.T) {
	for _, size := range [][2]int{{0, 5}, {5, 0}, {-1, 1}, {MaxScreen + 1, 1}, {1, MaxScreen + 1}} {
		if _, err := New(size[0], size[1]); fault.KindOf(err) != fault.Invalid || err == nil {
			t.Errorf("New%v: %v", size, err)
		}
	}
}

func TestRevision(t *testing.T) {
	m := model(t, 80, 24)
	mustApply(t, m, `[{"op":"create","type":"overlay","focusable":true}]`)
	quiet := func(what string, f func()) {
		t.Helper()
		before := m.Revision()
		if f(); m.Revision() != before {
			t.Errorf("%s changed the revision", what)
		}
	}
	loud := func(what string, f func()) {
		t.Helper()
		before, view := m.Revision(), m.Snapshot()
		if f(); m.Revision() <= before || m.Snapshot() == view {
			t.Errorf("%s did not change the revision", what)
		}
	}
	quiet("the same size", func() { _ = m.Resize(80, 24) })
	loud("another size", func() { _ = m.Resize(81, 24) })
	quiet("no operations", func() { _, _ = m.Apply() })
	quiet("the same mode", func() { m.SetProgramAlternate(false) })
	loud("focus", func() { _ = m.Focus("overlay-1") })
	quiet("focus where it is", func() { _ = m.Focus("overlay-1") })
	loud("unfocus", m.Unfocus)
	quiet("unfocus again", m.Unfocus)
	loud("capture", m.Capture)
	quiet("capture again", m.Capture)
	loud("release", m.Release)
	loud("another mode", func() { m.SetProgramAlternate(true) })
}

// Text that has no room is said to be cut, in the element and at the edge of the screen.
func TestClipped(t *testing.T) {
	m := model(t, 20, 5)
	for form, want := range map[string]bool{
		`"type":"panel","spans":[{"text":"fits"}]`:                                   false,
		`"type":"panel","spans":[{"text":"longer than the screen"}]`:                 true,
		`"type":"panel","spans":[{"text":"two\nrows"}]`:                              true,
		`"type":"panel","height":2,"spans":[{"text":"two\nrows"}]`:                   false,
		`"type":"overlay","spans":[{"text":"fits"}]`:                                 false,
		`"type":"overlay","width":3,"spans":[{"text":"more"}]`:                       true,
		`"type":"overlay","x":18,"spans":[{"text":"beside"}]`:                        true,
		`"type":"overlay","y":4,"spans":[{"text":"below\nit"}]`:                      true,
		`"type":"overlay","width":3,"height":1,"background":"red","x":18,"spans":[]`: false,
	} {
		ids := mustApply(t, m, `[{"op":"create",`+form+`}]`)
		kind := Overlay
		if strings.Contains(form, "panel") {
			kind = Panel
		}
		e, err := m.Get(kind, ids[0])
		if err != nil || e.Clipped != want {
			t.Errorf("%s: clipped %t, %v", form, e.Clipped, err)
		}
		mustApply(t, m, `[{"op":"remove","type":"`+string(kind)+`","id":"`+ids[0]+`"}]`)
	}
}
