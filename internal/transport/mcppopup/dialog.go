package mcppopup

import (
	"context"
	"fmt"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/transport/mcpserver"
)

const (
	// tooFast is less than a person needs to read and react. Clients that answer by themselves are
	// faster, whatever they answer.
	tooFast = 400 * time.Millisecond
	// Servers may ask in the middle of a call from the first of these revisions until before the
	// second.
	dialogsSince, dialogsUntil = "2025-06-18", "2026-07-28"
)

// A dialog is the client's own, for the duration of one call.
type dialog struct {
	tools *tools
	call  context.Context // of the tool; the dialog belongs to its request
	ss    *mcp.ServerSession
	who   client
}

// dialog returns the dialog of the calling client, or nil when it has none.
func (t *tools) dialog(ctx context.Context) *dialog {
	call := mcpserver.CallOf(ctx)
	if call == nil {
		return nil
	}
	p := call.Session.InitializeParams()
	if p == nil || p.Capabilities == nil || p.Capabilities.Elicitation == nil || p.ProtocolVersion < dialogsSince || p.ProtocolVersion >= dialogsUntil {
		return nil
	}
	if e := p.Capabilities.Elicitation; e.Form == nil && e.URL != nil {
		return nil
	}
	return &dialog{tools: t, call: ctx, ss: call.Session, who: nameOf(call)}
}

func (d *dialog) Name() string     { return "elicitation" }
func (d *dialog) Kind() popup.Kind { return popup.Elicitation }

func (d *dialog) Presence() popup.Presence {
	if d.call.Err() != nil || d.tools.blind.has(d.who) {
		return popup.Absent
	}
	return popup.Possible
}

// Show implements [popup.Channel]. A result counts only if a person can have caused it.
func (d *dialog) Show(ctx context.Context, a popup.Asked) error {
	dctx, cancel := context.WithCancel(d.call)
	defer cancel()
	defer context.AfterFunc(ctx, cancel)()
	start := time.Now()
	res, err := d.ss.Elicit(dctx, &mcp.ElicitParams{
		Mode: "form", Message: a.Question.Text(), RequestedSchema: schema(a.Question),
	})
	switch {
	case err != nil && d.call.Err() != nil: // it was open for as long as the call
		return fmt.Errorf("%w: %w", popup.ErrLost, err)
	case err != nil:
		return fmt.Errorf("%w: %w", popup.ErrNotShown, err)
	}
	if err := d.tools.apply(a.ID, a.Question, res, time.Since(start), d.who); err != nil {
		return err
	}
	<-ctx.Done() // the question is over
	return nil
}

// Names of the members of a form.
const (
	choiceField = "answer"
	textField   = "text"
)

// schema is the form for a question.
func schema(q question.Question) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}}
	if len(q.Options) > 0 {
		choice := &jsonschema.Schema{Type: "string", Title: "Answer"}
		var titled []*jsonschema.Schema
		for _, o := range q.Options {
			title := o.Label
			if o.Description != "" {
				title += " – " + o.Description
			}
			value := any(o.Value)
			titled = append(titled, &jsonschema.Schema{Const: &value, Title: title})
		}
		if q.Multiple {
			choice = &jsonschema.Schema{Type: "array", Title: "Answer", Items: &jsonschema.Schema{AnyOf: titled}}
		} else {
			choice.OneOf = titled
		}
		s.Properties[choiceField] = choice
		if !q.AllowText {
			s.Required = []string{choiceField}
		}
	}
	if q.AllowText {
		s.Properties[textField] = &jsonschema.Schema{Type: "string", Title: "Text"}
		if len(q.Options) == 0 {
			s.Required = []string{textField}
		}
	}
	return s
}

// reply reads a completed form.
func reply(q question.Question, content map[string]any) question.Reply {
	r := question.Reply{Action: question.Submit}
	r.Text, _ = content[textField].(string)
	switch v := content[choiceField].(type) {
	case string:
		if v != "" {
			r.Values = []string{v}
		}
	case []any:
		for _, one := range v {
			if s, ok := one.(string); ok {
				r.Values = append(r.Values, s)
			}
		}
	}
	if !q.AllowText {
		r.Text = "" // some clients send every member
	}
	return r
}
