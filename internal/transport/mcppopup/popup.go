package mcppopup

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/regular"
	"ui-mcp/internal/transport/mcpserver"
	"ui-mcp/internal/transport/mcpview"
)

// optionSchema describes both forms of an option.
var optionSchema = &jsonschema.Schema{AnyOf: []*jsonschema.Schema{
	{Type: "string"},
	{
		Type: "object",
		Properties: map[string]*jsonschema.Schema{
			"label":       {Type: "string", Description: "what the person reads"},
			"value":       {Type: "string", Description: "what you get"},
			"description": {Type: "string"},
		},
		Required:             []string{"label", "value"},
		AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}},
	},
}}

func addPopup(s *mcpserver.Server, t *tools) {
	mcpserver.AddTool(s, mcpserver.Tool{
		Name:  popupTool,
		Title: "Ask the person",
		Description: "Asks the person a question in a dialog and waits for the answer. Questions queue: ask one at a time.\n" +
			`Returns JSON with status: "answered" or "default" with selectedValue (selectedValues, text); "dismissed", "declined", "timed_out", "withdrawn" or "no_human" with advice on what to do; ` +
			`"waiting" with popupId when no answer has come within the time of this call: the question stays open, call popup_wait.`,
		// The answer comes from outside, and each call asks the person again.
		Hints:   mcpserver.Hints{ReadOnly: mcpserver.Yes, Destructive: mcpserver.No, Idempotent: mcpserver.No, OpenWorld: mcpserver.Yes},
		Schemas: map[reflect.Type]*jsonschema.Schema{reflect.TypeFor[question.Option](): optionSchema},
		Meta:    mcpview.Meta(mcpview.AppURI),
	}, func(ctx context.Context, in question.Request) (mcpserver.Result, error) {
		ctx, cancel := mcpserver.UntilGone(ctx)
		defer cancel()
		q, err := in.Question()
		if err = cmp.Or(err, t.Ready()); err != nil {
			return mcpserver.Result{}, err
		}
		a, err := t.askOrCollect(ctx, subjectOf(ctx, q), q, "", waitOptions(ctx, q.Title))
		return t.result(a, err)
	})
}

// askOrCollect asks a question, or goes on with the one about the same that the caller has asked
// and then did not wait for any longer without learning its ID, as permissions never do.
func (t *tools) askOrCollect(ctx context.Context, of subject, q question.Question, caller string, wait popup.WaitOptions, more ...popup.Channel) (a question.Answer, err error) {
	until := time.Now().Add(q.Timeout)
	if open, again := t.open.take(of); again {
		until = open.until
		a, err = t.Broker.Await(ctx, open.id, t.withDialog(ctx, wait))
	} else {
		a, err = t.ask(ctx, q, caller, wait, more...)
	}
	if left, ok := errors.AsType[*popup.OpenError](err); ok && (q.About != "" || errors.Is(err, mcpserver.ErrGaveUp)) {
		t.open.put(of, openQuestion{id: left.ID, until: until})
	}
	return a, err
}

// subjectOf returns who asks what.
func subjectOf(ctx context.Context, q question.Question) (of subject) {
	of.about = sha256.Sum256(fmt.Appendf(nil, "%+v", q))
	if call := mcpserver.CallOf(ctx); call != nil {
		of.session = call.Session
	}
	return of
}

// ask asks a question for the calling client, whose own dialog is a channel, too. If the client has
// to show that itself and call again, the error is a [mcpserver.NeedsInput]. Without a call of a
// client, another program asks. caller is as in [popup.AskOptions].
func (t *tools) ask(ctx context.Context, q question.Question, caller string, wait popup.WaitOptions, more ...popup.Channel) (question.Answer, error) {
	call := mcpserver.CallOf(ctx)
	if call == nil {
		return t.Broker.AskAndWait(ctx, q, popup.AskOptions{Asked: popup.Asked{Asker: question.ByProgram, Caller: caller}, Channels: more}, wait)
	}
	if call.Params.RequestState != "" {
		return t.comeBack(ctx, call, q, wait)
	}
	if v := t.view(ctx); v != nil {
		more = append(slices.Clip(more), v)
	}
	ask := popup.AskOptions{Asked: popup.Asked{Asker: question.ByAgent, Caller: caller, Client: t.Client(ctx)}, Channels: more}
	if r := t.round(call); r != nil {
		return t.askInRounds(ctx, q, ask, wait, r)
	}
	if l := t.leading(ctx, q); l != nil {
		ask.Channels = append(ask.Channels, l)
	} else if d := t.dialog(ctx); d != nil {
		ask.Channels = append(ask.Channels, d)
	}
	return t.Broker.AskAndWait(ctx, q, ask, wait)
}

type waitInput struct {
	PopupID string `json:"popupId" jsonschema:"as popup returned it"`
}

func addWait(s *mcpserver.Server, t *tools) {
	mcpserver.AddTool(s, mcpserver.Tool{
		Name:        waitTool,
		Title:       "Wait for the person's answer",
		Description: `Goes on waiting for the answer to a question that popup returned as "waiting", or gets the one that came meanwhile. Returns what popup returns.`,
		Hints:       mcpserver.Hints{ReadOnly: mcpserver.Yes, Destructive: mcpserver.No, Idempotent: mcpserver.Yes, OpenWorld: mcpserver.Yes},
	}, func(ctx context.Context, in waitInput) (mcpserver.Result, error) {
		ctx, cancel := mcpserver.UntilGone(ctx)
		defer cancel()
		if err := t.Ready(); err != nil {
			return mcpserver.Result{}, err
		}
		a, err := t.Broker.Collect(ctx, in.PopupID, t.withDialog(ctx, waitOptions(ctx, in.PopupID)))
		return t.result(a, err)
	})
}

// An outcome is the result that a model reads.
type outcome struct {
	Status         string          `json:"status"`
	SelectedValue  *string         `json:"selectedValue,omitempty"`
	SelectedValues []string        `json:"selectedValues,omitempty"`
	Text           string          `json:"text,omitempty"`
	Files          []question.File `json:"files,omitempty"`
	Source         question.Source `json:"source,omitempty"`
	Channel        string          `json:"channel,omitempty"`
	PopupID        string          `json:"popupId"`
	AnsweredAt     string          `json:"answeredAt,omitempty"`
	Advice         string          `json:"advice,omitempty"`
	URL            string          `json:"url,omitempty"` // where the person can open the questions
}

const (
	stillOpen   = "The question is still open: the person has it in front of them, or gets it when they are back. Call popup_wait with this popupId to go on waiting, or do what does not depend on the answer first. Do not ask again."
	wayOut      = " To have a person there, open the page at url (ui_open_browser does that), and ask again."
	unfit       = "The person answered with the text, which fits none of the answers. Ask in the conversation what they mean, or ask again with an answer that fits."
	secretTaken = "The person has entered the secret. It is not shown to you."
)

// result returns the result for an answer, or for the lack of one.
func (t *tools) result(a question.Answer, err error) (mcpserver.Result, error) {
	if open, ok := errors.AsType[*popup.OpenError](err); ok {
		return mcpserver.JSON(outcome{Status: "waiting", PopupID: open.ID, Advice: stillOpen, URL: t.URL()})
	}
	if err != nil {
		return mcpserver.Result{}, err
	}
	result := a.ForAsker()
	o := outcome{
		Status: string(a.Outcome), Source: result.Source, Channel: result.Channel, PopupID: result.PopupID,
		AnsweredAt: result.At.UTC().Format("2006-01-02T15:04:05.000Z"), Advice: a.Outcome.Advice(),
	}
	switch {
	case a.Secret && !a.Reveal && a.HasValue():
		o.Advice = secretTaken
	case a.HasValue():
		o.SelectedValues, o.Text, o.Files = result.Values, result.Text, result.Files
		if result.Source != question.FromFile {
			o.SelectedValue = &result.Value
		}
	case a.Outcome == question.Dismissed && a.Text != "":
		o.Text, o.Advice = a.Text, unfit
	case a.Outcome == question.NoHuman:
		if o.URL = t.URL(); o.URL != "" {
			o.Advice += wayOut
		}
	}
	r, err := mcpserver.JSON(o)
	if err != nil {
		return r, err
	}
	for _, f := range o.Files {
		// One that was removed meanwhile, or is no picture in fact, is not shown.
		if data, err := regular.ReadFile(f.Path, question.MaxFileBytes); err == nil && pictures[http.DetectContentType(data)] {
			r = r.WithImage(http.DetectContentType(data), data)
		}
	}
	return r, nil
}

// pictures are the types of files that models see.
var pictures = map[string]bool{"image/png": true, "image/jpeg": true, "image/gif": true, "image/webp": true}
