package picture

import (
	"encoding/json"
	"testing"

	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/term/render"
	"ui-mcp/internal/term/vt"
)

// composed returns the frame of a program's output with elements, in JSON.
func composed(t *testing.T, cols, rows int, out, elements string) *render.Frame {
	t.Helper()
	m, err := overlay.New(cols, rows)
	if err != nil {
		t.Fatal(err)
	}
	var ops []overlay.Op
	if err := json.Unmarshal([]byte(elements), &ops); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Apply(ops...); err != nil {
		t.Fatal(err)
	}
	l := m.Layout()
	x, err := vt.New(vt.Options{Cols: l.Cols, Rows: l.ProgramRows()})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := x.Write([]byte(out)); err != nil {
		t.Fatal(err)
	}
	return render.Compose(x.Snapshot(), m.Snapshot())
}

// Panels at both edges; overlays on wide characters, cut by an edge and by each other, with region
// writes and with nothing behind their text; lines of double size with an overlay and without.
const (
	below = "漢字漢字漢字漢字漢字 end\r\n漢字漢字漢字漢字漢字 end\r\n\x1b#6wide ┌┐\r\n\x1b#6wide ┌┐\r\n\x1b#3tall\r\n\x1b#4tall\r\n─┼─ $ "
	above = `[
		{"op":"create","type":"panel","position":"top","background":"blue","spans":[{"text":"build ","bold":true,"fg":"white"},{"text":"done 完","fg":"bright_green"}]},
		{"op":"create","type":"panel","position":"bottom","height":2,"background":"#222222","spans":[{"text":"┌──┐ ▂▄▆█\n└──┘ ░▒▓"}]},
		{"op":"create","type":"overlay","x":3,"y":1,"width":8,"height":3,"background":"#333388","spans":[{"text":"┏━━━━━━┓\n┃      ┃\n┗━━━━━━┛","fg":"bright_cyan"}]},
		{"op":"write","type":"overlay","id":"overlay-1","writes":[{"row":1,"col":1,"text":"漢w","fg":"red"},{"row":1,"col":6,"text":"字"}]},
		{"op":"create","type":"overlay","x":8,"y":2,"background":"#777700","spans":[{"text":"two 字"}]},
		{"op":"create","type":"overlay","x":-1,"y":2,"background":"#005500","spans":[{"text":"漢x"}]},
		{"op":"create","type":"overlay","x":22,"y":1,"background":"#550000","spans":[{"text":"r漢字"}]},
		{"op":"create","type":"overlay","x":5,"y":7,"spans":[{"text":"see\nthrough","underline":true}]}
	]`
)

func TestComposed(t *testing.T) {
	f := composed(t, 25, 10, below, above)
	for name, o := range map[string]Options{"composed.svg": {}, "composed-light.svg": {Theme: Light, NoCursor: true}} {
		b, err := SVG(f, o)
		if err != nil {
			t.Fatal(err)
		}
		golden(t, name, b)
	}
}
