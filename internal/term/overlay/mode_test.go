package overlay

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/fault"
)

// TestModes goes through the ways to the alternate screen and back, and creates an overlay on each
// screen.
func TestModes(t *testing.T) {
	const create = `[{"op":"create","type":"overlay","spans":[{"text":"x"}]},{"op":"create","type":"panel"}]`
	for _, c := range []struct {
		name, steps string
		want        string // after each step: mode, ! for an error, * for a canvas, and the overlays
	}{
		{"the program", "program leave", "alt:1 normal:1"},
		{"the agent", "enter exit", "alt*:1 normal:1"},
		{"twice", "enter enter exit exit", "alt*:1 alt*!:2 normal:1 normal!:2"},
		{"while the program does", "program enter exit leave", "alt:1 alt!:2 alt!:3 normal:1"},
		{"the program, above the agent", "enter program leave exit", "alt*:1 alt:2 alt*:3 normal:1"},
		{"the agent leaves first", "enter program exit leave", "alt*:1 alt:2 alt:3 normal:1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := model(t, 80, 24)
			mustApply(t, m, create)
			var got []string
			for step := range strings.FieldsSeq(c.steps) {
				var err error
				switch step {
				case "program", "leave":
					want := m.LayoutWith(step == "program")
					m.SetProgramAlternate(step == "program")
					if d := cmp.Diff(want, m.Layout()); d != "" {
						t.Errorf("%s: layout (-predicted +got):\n%s", step, d)
					}
				case "enter":
					err = m.EnterAlternate()
				case "exit":
					err = m.ExitAlternate()
				}
				s := string(m.Mode())
				if m.Snapshot().Canvas {
					s += "*"
				}
				if err != nil {
					s += "!"
					if fault.KindOf(err) != fault.Precondition {
						t.Errorf("%s: %v", step, err)
					}
				}
				if m.Mode() == Alternate || err != nil {
					mustApply(t, m, create)
				}
				checkModel(t, m)
				got = append(got, s+":"+string(rune('0'+len(m.List(Overlay)))))
			}
			if s := strings.Join(got, " "); s != c.want {
				t.Errorf("%s, want %s", s, c.want)
			}
		})
	}
}

func TestFocus(t *testing.T) {
	m := model(t, 80, 24)
	mustApply(t, m, `[{"op":"create","type":"overlay","focusable":true},{"op":"create","type":"overlay"},{"op":"create","type":"panel","focusable":true}]`)
	for id, kind := range map[string]fault.Kind{"overlay-9": fault.Invalid, "overlay-2": fault.Precondition} {
		if err := m.Focus(id); err == nil || fault.KindOf(err) != kind || m.Focused() != "" {
			t.Errorf("Focus(%q) = %v", id, err)
		}
	}
	for name, lose := range map[string]func(){
		"remove":        func() { mustApply(t, m, `[{"op":"remove","type":"panel","id":"panel-1"}]`) },
		"clear":         func() { mustApply(t, m, `[{"op":"clear","type":"panel"}]`) },
		"release":       func() { m.Release() },
		"unfocus":       func() { m.Unfocus() },
		"not focusable": func() { mustApply(t, m, `[{"op":"update","type":"panel","id":"panel-1","focusable":false}]`) },
		"other screen":  func() { m.SetProgramAlternate(true) },
	} {
		t.Run(name, func(t *testing.T) {
			m = model(t, 80, 24)
			mustApply(t, m, `[{"op":"create","type":"panel","focusable":true}]`)
			if err := m.Focus("panel-1"); err != nil || m.Focused() != "panel-1" {
				t.Fatalf("focus on %q, %v", m.Focused(), err)
			}
			lose()
			checkModel(t, m)
			if m.Focused() != "" {
				t.Errorf("focus on %q", m.Focused())
			}
		})
	}
	m = model(t, 80, 24)
	mustApply(t, m, `[{"op":"create","type":"panel","focusable":true}]`)
	if err := m.Focus("panel-1"); err != nil {
		t.Fatal(err)
	}
	if mustApply(t, m, `[{"op":"clear","type":"overlay"}]`); m.Focused() != "panel-1" {
		t.Errorf("clearing overlays took the focus from a panel: it is on %q", m.Focused())
	}
	m.SetProgramAlternate(true)
	if err := m.Focus("panel-1"); fault.KindOf(err) != fault.Precondition {
		t.Errorf("focus on an invisible element: %v", err)
	}
}
