package mcppopup

import (
	"context"
	"crypto/rand"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/markdown"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/core"
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
	// titlesSince is the first revision whose forms have titled choices, and lists of them.
	titlesSince = "2025-11-25"
)

// A dialog is the client's own, for the duration of one call.
type dialog struct {
	tools *tools
	call  context.Context // of the tool; the dialog belongs to its request
	ss    *mcp.ServerSession
	who   client
	old   bool // its revision has no titled choices
}

// dialog returns the dialog of the calling client, or nil when it has none.
func (t *tools) dialog(ctx context.Context) *dialog {
	d, can := t.asksIn(ctx)
	if d == nil || can.Form == nil && can.URL != nil {
		return nil
	}
	return d
}

// asksIn returns the dialog of the calling client, and what it can display; nil when it has none.
func (t *tools) asksIn(ctx context.Context) (*dialog, *mcp.ElicitationCapabilities) {
	call := mcpserver.CallOf(ctx)
	if call == nil {
		return nil, nil
	}
	p := call.Session.InitializeParams()
	if p == nil || p.Capabilities == nil || p.Capabilities.Elicitation == nil || p.ProtocolVersion < dialogsSince || p.ProtocolVersion >= dialogsUntil {
		return nil, nil
	}
	return &dialog{tools: t, call: ctx, ss: call.Session, who: nameOf(call), old: p.ProtocolVersion < titlesSince}, p.Capabilities.Elicitation
}

// leading returns the channel by which the calling client leads the person to the page, for
// questions that its dialog cannot display well or must not; nil when it cannot, or need not, or
// while the page is not served.
func (t *tools) leading(ctx context.Context, q question.Question) popup.Channel {
	d, can := t.asksIn(ctx)
	if d == nil || can.URL == nil || t.Opener == nil || t.URL() == "" || t.isBlind(d.who) || !q.Secret && q.Severity != question.Danger && !q.IsRich() {
		return nil
	}
	return t.Opener(func(ctx context.Context, url string) error {
		res, took, err := d.elicit(ctx, &mcp.ElicitParams{Mode: "url", Message: q.Title, URL: url, ElicitationID: rand.Text()}, nil)
		if err == nil {
			err = t.fromPerson(res, took, d.who)
		}
		if err == nil && res.Action != "accept" {
			return popup.ErrPutAway
		}
		return err
	})
}

// elicit has the client display something, for as long as the call and ctx last, and returns what
// has come of it after which time. A form has a schema.
func (d *dialog) elicit(ctx context.Context, p *mcp.ElicitParams, form *jsonschema.Schema) (*mcp.ElicitResult, time.Duration, error) {
	dctx, cancel := context.WithCancel(d.call)
	defer cancel()
	defer context.AfterFunc(ctx, cancel)()
	if form != nil {
		dctx = context.WithValue(dctx, formKey{}, form)
	}
	start := time.Now()
	res, err := d.ss.Elicit(dctx, p)
	return res, time.Since(start), err
}

func (d *dialog) Name() string    { return "elicitation" }
func (d *dialog) Kind() core.Kind { return core.Elicitation }

func (d *dialog) Presence() core.Presence {
	if d.call.Err() != nil || d.tools.isBlind(d.who) {
		return core.Absent
	}
	return core.Possible
}

// Show implements [popup.Channel]. A result counts only if a person can have caused it.
func (d *dialog) Show(ctx context.Context, a popup.Asked) error {
	res, took, err := d.elicit(ctx, &mcp.ElicitParams{Mode: "form", Message: plainText(a.Question)}, schema(a.Question, d.old))
	switch {
	case err != nil && d.call.Err() != nil: // it was open for as long as the call
		return fmt.Errorf("%w: %w", popup.ErrLost, err)
	case err != nil:
		return fmt.Errorf("%w: %w", popup.ErrNotShown, err)
	}
	if err := d.tools.apply(a.ID, a.Question, res, took, d.who); err != nil {
		return err
	}
	<-ctx.Done() // the question is over
	return nil
}

// formKey is the key of the schema of a form in the context of its request.
type formKey struct{}

// withForm adds the schema to the request of a dialog. The SDK, which would otherwise know it,
// hides an answer that does not fit.
func withForm(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if form, ok := req.GetParams().(*mcp.ElicitParams); ok && ctx.Value(formKey{}) != nil {
			form.RequestedSchema = ctx.Value(formKey{})
			defer func() { form.RequestedSchema = nil }()
		}
		return next(ctx, method, req)
	}
}

// plainText returns all that is to be read of a question, as lines without Markdown.
func plainText(q question.Question) string {
	q = q.WithoutFiles(true)
	if q.Plain {
		return q.Text()
	}
	var lines []string
	for _, line := range markdown.Lines(q.Message) {
		text := line.First
		for _, span := range line.Spans {
			text += span.Text
		}
		lines = append(lines, text)
	}
	q.Message = strings.Join(lines, "\n")
	return q.Text()
}

// Names of the members of a form.
const (
	choiceField = "answer"
	textField   = "text"
)

// boolField is the member for one of several options that may be chosen, counted from 0, in old
// forms.
func boolField(i int) string { return choiceField + strconv.Itoa(i+1) }

// schema is the form for a question. Old forms have one string of several, and no lists.
func schema(q question.Question, old bool) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}}
	if q.AllowText {
		s.Properties[textField] = &jsonschema.Schema{Type: "string", Title: "Text"}
		if len(q.Options) == 0 {
			s.Required = []string{textField}
		}
	}
	if len(q.Options) == 0 {
		return s
	}
	choice := &jsonschema.Schema{Type: "string", Title: "Answer"}
	var titled []*jsonschema.Schema
	var titles, values []any
	for i, o := range q.Options {
		title := o.Label
		if o.Description != "" {
			title += " – " + o.Description
		}
		if old && q.Multiple {
			s.Properties[boolField(i)] = &jsonschema.Schema{Type: "boolean", Title: title}
		}
		value := any(o.Value)
		titled = append(titled, &jsonschema.Schema{Const: &value, Title: title})
		titles, values = append(titles, title), append(values, value)
	}
	switch {
	case old && q.Multiple:
		return s
	case old:
		choice.Enum, choice.Extra = values, map[string]any{"enumNames": titles}
	case q.Multiple:
		choice = &jsonschema.Schema{Type: "array", Title: "Answer", Items: &jsonschema.Schema{AnyOf: titled}}
	default:
		choice.OneOf = titled
	}
	s.Properties[choiceField] = choice
	if !q.AllowText {
		s.Required = []string{choiceField}
	}
	return s
}

// reply reads a completed form. Anything but an option counts as a text if the question takes one.
func reply(q question.Question, content map[string]any) question.Reply {
	r := question.Reply{Action: question.Submit}
	r.Text, _ = content[textField].(string)
	if !q.AllowText {
		r.Text = "" // some clients send every member
	}
	choose := func(said any) {
		text, _ := said.(string)
		value, fits := optionOf(q, text)
		switch {
		case text == "":
		case !fits && q.AllowText && r.Text == "":
			r.Text = text
		default:
			r.Values = append(r.Values, value)
		}
	}
	if list, ok := content[choiceField].([]any); ok {
		for _, said := range list {
			choose(said)
		}
	} else {
		choose(content[choiceField])
	}
	for i, o := range q.Options {
		if chosen, _ := content[boolField(i)].(bool); chosen {
			choose(o.Value)
		}
	}
	return r
}

// optionOf returns the value of the option that a client means by its value or its label, else what
// it said.
func optionOf(q question.Question, said string) (value string, fits bool) {
	for _, o := range q.Options {
		if o.Value == said {
			return said, true
		}
	}
	for _, o := range q.Options {
		if o.Label == said {
			return o.Value, true
		}
	}
	return said, false
}
