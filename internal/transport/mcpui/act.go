package mcpui

import (
	"bytes"
	"context"
	"encoding/json"
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/transport/mcpserver"
	"ui-mcp/internal/ui"
)

type actInput struct {
	Ref       string  `json:"ref" jsonschema:"of a control or row, as ui_inspect shows it after @"`
	Click     bool    `json:"click,omitempty"`
	Fill      *string `json:"fill,omitempty" jsonschema:"the field's new text, number, date"`
	Check     *bool   `json:"check,omitempty" jsonschema:"false unchecks"`
	Select    options `json:"select,omitempty" jsonschema:"option, or options, by value or text"`
	Key       string  `json:"key,omitempty" jsonschema:"such as enter, ctrl-s"`
	SessionID string  `json:"sessionId,omitempty" jsonschema:"default \"1\""`
}

type options []string

// UnmarshalJSON implements [json.Unmarshaler].
func (o *options) UnmarshalJSON(data []byte) error {
	if bytes.HasPrefix(data, []byte(`"`)) {
		*o = options{""}
		return json.Unmarshal(data, &(*o)[0])
	}
	return json.Unmarshal(data, (*[]string)(o))
}

func addAct(s *mcpserver.Server, ops Ops) {
	mcpserver.AddTool(s, mcpserver.Tool{
		Name:  "ui_act",
		Title: "Act on the page",
		Description: "Does what the person could: exactly one of click, fill, check, select and key, in the open page that was used last, else without one. " +
			"Returns what changed in the display, and as a second text what stopped working. Refuses what is hidden, disabled or covered, and what is the person's: files, links, questions, terminals, a field they are editing.\n" +
			`Example: {"ref": "@kqhd12", "fill": "Ada"}`,
		// What a click does is up to the app.
		Hints:   mcpserver.Hints{ReadOnly: mcpserver.No, Destructive: mcpserver.Yes, Idempotent: mcpserver.No, OpenWorld: mcpserver.Yes},
		Order:   ofSession,
		Schemas: map[reflect.Type]*jsonschema.Schema{reflect.TypeFor[options](): {AnyOf: []*jsonschema.Schema{{Type: "string"}, {Type: "array", Items: &jsonschema.Schema{Type: "string"}}}}},
	}, func(ctx context.Context, in actInput) (mcpserver.Result, error) {
		input, err := in.input()
		if err != nil {
			return mcpserver.Result{}, err
		}
		acted, err := ops.Act(ctx, sessionOr(in.SessionID), in.Ref, input)
		if err != nil {
			return mcpserver.Result{}, err
		}
		res := mcpserver.Text(acted.Text)
		if len(acted.Problems) > 0 {
			res = res.With("New problems:" + lines(acted.Problems))
		}
		if acted.Unknown {
			res = res.AsError()
		}
		return res, nil
	})
}

func (in actInput) input() (ui.Input, error) {
	n := 0
	for _, given := range [...]bool{in.Click, in.Fill != nil, in.Check != nil, in.Select != nil, in.Key != ""} {
		if given {
			n++
		}
	}
	if n != 1 {
		return ui.Input{}, fault.New(fault.Invalid, "ui_act does exactly one of click, fill, check, select and key; the call has %d of them", n)
	}
	return ui.Input{Click: in.Click, Fill: in.Fill, Check: in.Check, Select: in.Select, Key: in.Key}, nil
}
