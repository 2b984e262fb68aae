// Package popuprpc is the question to a person as plain JSON-RPC 2.0: the methods triggerPopup and
// healthCheck, which need no handshake. It has no connection: the transports bring the messages, in
// HTTP bodies or on the stream of a server that has methods of its own.
package popuprpc

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/transport/jsonrpc"
)

// Methods are the methods, by name.
type Methods struct {
	broker  *popup.Broker
	version string
}

// New returns the methods of a broker. version is the program's.
func New(b *popup.Broker, version string) *Methods { return &Methods{broker: b, version: version} }

// Names of the methods.
const (
	TriggerPopup = "triggerPopup"
	// TriggerIfPresent is TriggerPopup for questions with what older servers do not know, and would
	// leave out.
	TriggerIfPresent = "triggerPopupIfPresent"
	HealthCheck      = "healthCheck"
)

// MethodFor returns the method that asks a question.
func MethodFor(s question.Spec) string {
	if s.IfPresent || s.Quote != "" {
		return TriggerIfPresent
	}
	return TriggerPopup
}

// Asks reports whether a method asks a question.
func Asks(method string) bool { return method == TriggerPopup || method == TriggerIfPresent }

// Options are what a transport adds to a call. The zero value is right for most.
type Options struct {
	Beat  func(waited time.Duration) // see [popup.WaitOptions]
	Asker question.Asker             // see [popup.AskOptions]
}

// Call runs a method and returns the value to encode as its result. triggerPopup returns when the
// question has its outcome; when ctx ends, as when the caller disconnects, the question is
// withdrawn. Errors are of type [*jsonrpc.Error].
func (m *Methods) Call(ctx context.Context, method string, params json.RawMessage, opts Options) (any, error) {
	switch method {
	case TriggerPopup, TriggerIfPresent:
		return m.triggerPopup(ctx, params, opts)
	case HealthCheck:
		return m.healthCheck(), nil
	}
	return nil, jsonrpc.Errorf(jsonrpc.CodeMethodNotFound, "method not found: %q", method)
}

// A Result is an answer to triggerPopup.
type Result struct {
	SelectedValue  string           `json:"selectedValue"`
	SelectedValues []string         `json:"selectedValues,omitempty"` // where several may be chosen
	Text           string           `json:"text,omitempty"`
	Files          []question.File  `json:"files,omitempty"` // those that the person has added
	Source         question.Source  `json:"source"`
	Outcome        question.Outcome `json:"outcome"`
	Secret         bool             `json:"secret,omitempty"` // there is a text, but the caller did not ask to see it
	Channel        string           `json:"channel,omitempty"`
	PopupID        string           `json:"popupId"`
	AnsweredAt     time.Time        `json:"answeredAt"`
}

func (m *Methods) triggerPopup(ctx context.Context, params json.RawMessage, opts Options) (any, error) {
	spec, q, err := parse(params)
	if err != nil {
		return nil, err
	}
	a, err := m.broker.AskAndWait(ctx, q, popup.AskOptions{Asked: popup.Asked{ID: spec.PopupID, Asker: opts.Asker}}, popup.WaitOptions{Beat: opts.Beat})
	if err != nil {
		return nil, asError(err)
	}
	if !a.HasValue() {
		return nil, outcomeError(a)
	}
	a = a.ForAsker()
	return Result{
		SelectedValue: a.Value, SelectedValues: a.Values, Text: a.Text, Files: a.Files, Source: a.Source, Outcome: a.Outcome,
		Secret: a.Secret && !a.Reveal, Channel: a.Channel, PopupID: a.PopupID, AnsweredAt: a.At.UTC(),
	}, nil
}

// parse reads the parameters of triggerPopup. Unknown members are ignored, since callers may be
// newer.
func parse(params json.RawMessage) (spec question.Spec, q question.Question, err error) {
	params = bytes.TrimSpace(params)
	if len(params) == 0 || params[0] != '{' {
		return spec, q, jsonrpc.Errorf(jsonrpc.CodeInvalidParams, `Invalid params: "params" must be an object with "workspacePath", "title", "message" and "options"`)
	}
	if err := json.Unmarshal(params, &spec); err != nil {
		if te, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			return spec, q, jsonrpc.Errorf(jsonrpc.CodeInvalidParams, "Invalid params: %q cannot be a JSON %s", strings.TrimPrefix(te.Field, "Request."), te.Value)
		}
		return spec, q, jsonrpc.Errorf(jsonrpc.CodeInvalidParams, "Invalid params: %v", err)
	}
	if spec.WorkspacePath == "" {
		return spec, q, jsonrpc.Errorf(jsonrpc.CodeInvalidParams, `Invalid params: "workspacePath" is missing or empty`)
	}
	if q, err = spec.Question(); err != nil {
		return spec, q, jsonrpc.Errorf(jsonrpc.CodeInvalidParams, "Invalid params: %v", err)
	}
	return spec, q, nil
}

// A Health is the result of healthCheck.
type Health struct {
	Status     string   `json:"status"` // "ok"
	Version    string   `json:"version"`
	Workspaces []string `json:"workspaces"`
	Pending    int      `json:"pending"` // questions that wait for the person
}

func (m *Methods) healthCheck() Health {
	return Health{Status: "ok", Version: m.version, Workspaces: append([]string{}, m.broker.Workspaces()...), Pending: len(m.broker.Pending())}
}
