// Package actcases has the cases that compare what a browser does for an act of an agent with what
// the server predicts: controls of each kind, in each state, with each input. A test of package web
// has a page carry them out, and records the events of the page; a test of package act replays the
// record against the view tree.
package actcases

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"

	"ui-mcp/internal/ui/act"
	"ui-mcp/internal/ui/variable"
	"ui-mcp/internal/ui/viewdef"
	"ui-mcp/internal/ui/wire"
)

// A Display is a scene that is displayed.
type Display struct {
	tree    *variable.Tree
	target  variable.Target
	ref     string
	outline string

	Before []act.Input // what is done before the act
}

// Show displays a scene, each call in a tree of its own.
func (s *Scene) Show(t testing.TB) *Display {
	t.Helper()
	if s.store == nil {
		s.store, s.elements = viewdef.NewStore(), map[*viewdef.Template]int{}
		for key, html := range map[string]string{"Scene.DEFAULT": s.HTML, "Inner.DEFAULT": s.Inner, "Inner.list-item": s.Inner} {
			if html == "" {
				continue
			}
			def, err := viewdef.Parse(key, key+".html", "<template>"+html+"</template>")
			if err != nil || len(def.Mistakes) > 0 {
				t.Fatalf("%s: %v, %v in %s", s.Name, err, def.Mistakes, html)
			}
			s.store.Put(0, "", def)
		}
	}
	data := object{"Scene", maps.Clone(s.Data)}
	d := &Display{tree: variable.New(host{}, s.store.Snapshot())}
	d.tree.SetRoot(&data)
	d.tree.Scan()
	d.target = d.find(t, s)
	d.refer()
	if s.Later != nil {
		maps.Copy(data.fields, s.Later)
		d.tree.Scan()
	}
	d.Before = s.Before
	return d
}

// Done carries out the acts before the one to be tried, without a page.
func (d *Display) Done() {
	for _, in := range d.Before {
		if plan, err := d.Act(in); err == nil {
			act.Carried(d.tree, plan)
		}
	}
}

// find returns the element with the id "it".
func (d *Display) find(t testing.TB, s *Scene) variable.Target {
	t.Helper()
	for id := int64(1); id < 100; id++ {
		tmpl := d.tree.TemplateOf(id)
		if tmpl == nil {
			continue
		}
		number, known := s.elements[tmpl]
		if n := (*viewdef.Node)(nil); !known {
			if number, n = -1, marked(tmpl.Elements); n != nil {
				number = n.Element
			}
			s.elements[tmpl] = number
		}
		if number >= 0 && tmpl.Numbered(number) == tmpl.First() {
			return variable.Target{Instance: id, Element: -1}
		} else if number >= 0 {
			return variable.Target{Instance: id, Element: number}
		}
	}
	t.Fatalf("%s: no element has the id it and a number in %s", s.Name, s.HTML)
	return variable.Target{}
}

func marked(nodes []*viewdef.Node) *viewdef.Node {
	for _, n := range nodes {
		if id, _ := n.Attr("id"); id == "it" {
			return n
		}
	}
	return nil
}

// refer takes the reference of the control from the outline, as agents do, or from the list of
// controls, which has those that are hidden, too.
func (d *Display) refer() {
	names := 0
	name := func() string {
		names++
		return fmt.Sprint("r", names)
	}
	d.outline, _ = d.tree.Look(d.target, variable.OutlineOptions{Budget: 1 << 20, Name: name})
	act.Controls(d.tree, 0, name, nil)
	for i := range names {
		ref := fmt.Sprint("r", i+1)
		if _, r, err := d.tree.Referred(ref); err == nil && r.Target == d.target {
			d.ref = ref
		}
	}
}

// Outline describes the scene as agents see it.
func (d *Display) Outline() string { return d.outline }

// Tries are the inputs that an examination tries with the control, or "" if it tries none.
func (d *Display) Tries() string {
	var tries []string
	for _, c := range act.Controls(d.tree, 0, func() string { return "" }, nil) {
		if c.Ref != d.ref {
			continue
		}
		for _, in := range c.Inputs {
			tries = append(tries, Describe(in))
		}
		if c.Acts {
			tries = append(tries, "acts")
		}
	}
	return strings.Join(tries, "; ")
}

// Act is what the server says of an input.
func (d *Display) Act(in act.Input) (*act.Plan, error) { return act.Find(d.tree, d.ref, in) }

// Target is the element to act on.
func (d *Display) Target() variable.Target { return d.target }

// Snapshot is the message that displays the scene in a page, numbered seq. In a page that displays
// another scene, nothing of that is left.
func (d *Display) Snapshot(seq int) []byte {
	return wire.AppendSnapshot(nil, wire.Snapshot{Session: "1", Epoch: fmt.Sprint("scene ", seq), Seq: int64(seq), Defs: d.tree.Defs(), Root: d.tree.Snapshot()})
}

// Events writes messages to the app as text, with the bindings as they are written.
func (d *Display) Events(messages [][]wire.Event) string {
	var out []string
	for _, message := range messages {
		var events []string
		for _, e := range message {
			b := d.tree.TemplateOf(e.Instance).Bindings[e.Slot]
			text := b.Path.Bare
			if e.Value != nil {
				text += "=" + JSON(e.Value)
			}
			events = append(events, text)
		}
		out = append(out, strings.Join(events, " with "))
	}
	if len(out) == 0 {
		return "no event"
	}
	return strings.Join(out, ", ")
}

// JSON returns a value as JSON.
func JSON(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return fmt.Sprint(err)
	}
	return strings.TrimSpace(b.String())
}

// Describe writes an input as text.
func Describe(in act.Input) string {
	switch {
	case in.Click:
		return "click"
	case in.Fill != nil:
		return "fill " + JSON(*in.Fill)
	case in.Check != nil:
		return fmt.Sprint("check ", *in.Check)
	case in.Select != nil:
		return "select " + JSON(in.Select)
	}
	return "key " + in.Key
}
