package wsh

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"

	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/terminals"
)

// elementFlags are the flags that overlays and panels share.
type elementFlags struct {
	Session caller.SessionName `arg:"" help:"The session."`
	Text    []string           `arg:"" optional:"" help:"The text; several arguments are joined with blanks. Left out: list what there is."`
	ID      caller.EntryID     `name:"id" placeholder:"ID" help:"Change this one instead of adding one."`
	Remove  caller.EntryID     `complete:"element" placeholder:"ID" help:"Remove one."`
	Clear   bool               `help:"Remove all."`
	Height  *int               `placeholder:"ROWS" help:"Its height (default: as the text needs)."`
	FG      string             `name:"fg" placeholder:"COLOR" help:"Color of the text: a name such as red, or #rrggbb."`
	BG      string             `name:"bg" placeholder:"COLOR" help:"Color of the background."`
	Bold    bool               `help:"Bold text."`
	caller.JSONFlag
}

type overlayCommand struct {
	elementFlags
	X     *int `placeholder:"COLUMN" help:"Column of its upper left, from 0."`
	Y     *int `placeholder:"ROW" help:"Row of its upper left, from 0."`
	Width *int `placeholder:"COLUMNS" help:"Its width (default: as the text needs)."`
}

func (c overlayCommand) Run(ctx context.Context, e caller.Env) error {
	return c.apply(ctx, e, terminals.Overlays, map[string]any{"x": c.X, "y": c.Y, "width": c.Width})
}

type panelCommand struct {
	elementFlags
	Position string `enum:"top,bottom," default:"" placeholder:"EDGE" help:"top or bottom (default: bottom)."`
}

func (c panelCommand) Run(ctx context.Context, e caller.Env) error {
	return c.apply(ctx, e, terminals.Panels, map[string]any{"position": c.Position})
}

// apply carries out what the flags say. members has what only one kind of element has.
func (c elementFlags) apply(ctx context.Context, e caller.Env, ops terminals.ElementOps, members map[string]any) error {
	in := map[string]any{"session": c.Session}
	o, text := &ops.List.Operation, strings.Join(c.Text, " ")
	if !c.Clear && c.Remove == "" {
		c.describe(in, text, members)
	}
	described := len(in) > 1
	switch {
	case c.Clear:
		o = &ops.Clear.Operation
	case c.Remove != "":
		o, in["id"] = &ops.Remove.Operation, c.Remove
	case c.ID != "" && !described:
		return fault.New(fault.Invalid, "there is nothing to change: give a text, or where it is")
	case c.ID != "":
		o, in["id"] = &ops.Update.Operation, c.ID
	case text != "":
		o = &ops.Create.Operation
	case described || c.FG != "" || c.Bold:
		return fault.New(fault.Invalid, "which text? Give it, or the ID of what to change with --id")
	}
	return e.WithServer(ctx, func(r *caller.Remote) error {
		var raw json.RawMessage
		if err := r.Do(ctx, terminals.Everything, o, in, &raw); err != nil {
			return err
		}
		if c.JSON {
			return e.PrintJSON(raw)
		}
		switch o {
		case &ops.Create.Operation:
			var made struct{ ID string }
			if err := json.Unmarshal(raw, &made); err != nil {
				return err
			}
			return e.Printf("%s\n", made.ID)
		case &ops.List.Operation:
			return printElements(e, raw)
		}
		return nil
	})
}

// describe adds the members of an element that were given.
func (c elementFlags) describe(in map[string]any, text string, members map[string]any) {
	members["height"] = c.Height
	for name, value := range members {
		if !reflect.ValueOf(value).IsZero() {
			in[name] = value
		}
	}
	if c.BG != "" {
		in["background"] = map[string]string{"bg": c.BG}
	}
	if text == "" {
		return
	}
	span := map[string]any{"text": text, "bold": c.Bold}
	if c.FG != "" {
		span["fg"] = c.FG
	}
	if c.BG != "" {
		span["bg"] = c.BG
	}
	in["spans"] = []any{span}
}

// An element is what this package reads of an overlay or a panel.
type element struct {
	ID    string
	Spans []struct{ Text string }
}

func (e element) text() string {
	var text strings.Builder
	for _, span := range e.Spans {
		text.WriteString(span.Text)
	}
	return text.String()
}

// printElements prints a line for each element: its ID and its text.
func printElements(e caller.Env, raw json.RawMessage) error {
	var list []element
	if err := json.Unmarshal(raw, &list); err != nil {
		return err
	}
	var t caller.Table
	for _, one := range list {
		t.Add(one.ID, caller.Clip(safetext.Visible(one.text()), 100))
	}
	return t.Print(e)
}
