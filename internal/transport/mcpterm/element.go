package mcpterm

import (
	"context"
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"

	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/mcpserver"
)

// An elementInput is the input of wsh_overlay or wsh_panel.
type elementInput interface {
	// read returns which element it is about, whether all are to be listed, and the settings.
	read() (of terminals.ElementID, list bool, form overlay.Form)
}

type overlayInput struct {
	Session    string             `json:"session"`
	ID         string             `json:"id,omitempty" jsonschema:"omit to create"`
	X          *int               `json:"x,omitempty" jsonschema:"column, from 0"`
	Y          *int               `json:"y,omitempty" jsonschema:"row, from 0"`
	Z          *int               `json:"z,omitempty" jsonschema:"order"`
	Width      *int               `json:"width,omitempty" jsonschema:"default: fits"`
	Height     *int               `json:"height,omitempty" jsonschema:"default: fits"`
	Background overlay.Background `json:"background,omitzero"`
	Spans      overlay.Spans      `json:"spans,omitempty"`
	Focusable  *bool              `json:"focusable,omitempty" jsonschema:"default true"`
	List       bool               `json:"list,omitempty" jsonschema:"return all instead"`
}

func (in overlayInput) read() (terminals.ElementID, bool, overlay.Form) {
	return elementID(in.Session, in.ID), in.List, overlay.Form{X: in.X, Y: in.Y, Z: in.Z, Width: in.Width, Height: in.Height, Background: in.Background, Spans: in.Spans, Focusable: in.Focusable}
}

type panelInput struct {
	Session    string             `json:"session"`
	ID         string             `json:"id,omitempty" jsonschema:"omit to create"`
	Position   *overlay.Position  `json:"position,omitempty" jsonschema:"default bottom"`
	Height     *int               `json:"height,omitempty" jsonschema:"rows; default 1"`
	Z          *int               `json:"z,omitempty" jsonschema:"order from the edge"`
	Background overlay.Background `json:"background,omitzero"`
	Spans      overlay.Spans      `json:"spans,omitempty"`
	Focusable  *bool              `json:"focusable,omitempty" jsonschema:"default true"`
	List       bool               `json:"list,omitempty" jsonschema:"return all instead"`
}

func (in panelInput) read() (terminals.ElementID, bool, overlay.Form) {
	return elementID(in.Session, in.ID), in.List, overlay.Form{Position: in.Position, Z: in.Z, Height: in.Height, Background: in.Background, Spans: in.Spans, Focusable: in.Focusable}
}

func elementID(session, id string) terminals.ElementID {
	return terminals.ElementID{Target: terminals.Target{Session: session}, ID: id}
}

// elementSchemas describe what elements are made of.
var elementSchemas = map[reflect.Type]*jsonschema.Schema{
	reflect.TypeFor[overlay.Position](): {Type: "string", Enum: []any{"top", "bottom"}},
	reflect.TypeFor[overlay.Background](): {
		AnyOf: []*jsonschema.Schema{{Type: "string"}, {Type: "object"}, {Type: "null"}}, Description: `"blue", "#rrggbb"...; null removes it`,
	},
	reflect.TypeFor[overlay.Spans](): {
		Type: "array", Description: `with fg, bg, bold, italic, underline, inverse, id if wanted`,
		Items: &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{"text": {Type: "string"}}, Required: []string{"text"}},
	},
}

// elementTools are the two tools about one kind of elements.
type elementTools[In elementInput] struct {
	kind  string // as in the name of the tools
	ops   terminals.ElementOps
	title string
	doc   string
}

var (
	overlayTools = elementTools[overlayInput]{
		kind: "overlay", ops: terminals.Overlays, title: "Show an overlay",
		doc: "Shows the person text above the terminal: without id in a new overlay; with id changes one; list returns all.",
	}
	panelTools = elementTools[panelInput]{
		kind: "panel", ops: terminals.Panels, title: "Show a panel",
		doc: "As wsh_overlay, in whole rows at the top or bottom, which the program loses.",
	}
)

// An element is the answer to a change of an overlay or panel. What the caller has sent is left
// out.
type element struct {
	ID       string `json:"id"`
	Status   string `json:"status"`
	X        *int   `json:"x,omitempty"`
	Y        *int   `json:"y,omitempty"`
	Z        int    `json:"z"`
	Width    *int   `json:"width,omitempty"`
	Height   int    `json:"height"`
	Position string `json:"position,omitempty"`
	Visible  *bool  `json:"visible,omitempty"` // false: there is no room for the panel
	Clipped  bool   `json:"clipped,omitempty"` // a part of the text is not
}

func newElement(e overlay.Element, status string) element {
	v := element{ID: e.ID, Status: status, Z: e.Z, Height: e.Height, Clipped: e.Clipped}
	if e.Kind == overlay.Panel {
		v.Position, v.Visible = string(e.Position), &e.Visible
	} else {
		v.X, v.Y, v.Width = &e.X, &e.Y, &e.Width
	}
	return v
}

type removeInput struct {
	Session string `json:"session"`
	ID      string `json:"id,omitempty" jsonschema:"omit to remove all"`
}

func addElement[In elementInput](s *mcpserver.Server, f *Face, t elementTools[In]) {
	add(s, f, mcpserver.Tool{
		Name: "wsh_" + t.kind, Title: t.title, Description: t.doc,
		Hints:   mcpserver.Hints{ReadOnly: mcpserver.No, Destructive: mcpserver.No, Idempotent: mcpserver.No, OpenWorld: mcpserver.No},
		Order:   ofSession,
		Schemas: elementSchemas,
	}, func(ctx context.Context, in In) (mcpserver.Result, error) {
		target, list, form := in.read()
		if list {
			return mcpserver.Answer(do(ctx, f, t.ops.List, target.Target))
		}
		status := "updated"
		if target.ID == "" {
			if form.Focusable == nil {
				form.Focusable = new(true)
			}
			status = "created"
			made, err := do(ctx, f, t.ops.Create, terminals.NewElement{Target: target.Target, Form: form})
			if err != nil {
				return mcpserver.Result{}, err
			}
			target.ID = made.ID
		} else if _, err := do(ctx, f, t.ops.Update, terminals.ElementChange{ElementID: target, Form: form}); err != nil {
			return mcpserver.Result{}, err
		}
		now, err := do(ctx, f, t.ops.Get, target)
		return mcpserver.Answer(newElement(now, status), err)
	}, terminals.Draw)

	add(s, f, mcpserver.Tool{
		Name: "wsh_remove_" + t.kind, Title: "Remove " + t.kind + "s",
		Description: "Removes one " + t.kind + ", or all of a session.",
		Hints:       mcpserver.Hints{ReadOnly: mcpserver.No, Destructive: mcpserver.Yes, Idempotent: mcpserver.Yes, OpenWorld: mcpserver.No},
		Order:       ofSession,
	}, func(ctx context.Context, in removeInput) (mcpserver.Result, error) {
		target := elementID(in.Session, in.ID)
		if in.ID == "" {
			_, err := do(ctx, f, t.ops.Clear, target.Target)
			return mcpserver.Answer(done{Success: true, Status: "cleared"}, err)
		}
		_, err := do(ctx, f, t.ops.Remove, target)
		return mcpserver.Answer(done{Success: true, Status: "removed"}, err)
	}, terminals.Draw)
}
