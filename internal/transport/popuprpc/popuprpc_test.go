package popuprpc

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
	"ui-mcp/internal/testkit/persons"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/core"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/transport/jsonrpc"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// serve returns the methods of a broker, with a person who replies; without an action they never
// do.
func serve(t *testing.T, opts popup.Options, r question.Reply) *Methods {
	t.Helper()
	b, page := persons.Broker(t, opts), persons.NewPage().Be(core.Attended)
	page.Answers(b, r)
	b.AddChannel(page)
	return New(b, "1.2.3")
}

var yes = question.Reply{Action: question.Submit, Values: []string{"yes"}}

// The lines of the specification, word for word. What is answered beside its members is ours.
const (
	line = `{"jsonrpc":"2.0","method":"triggerPopup","params":{"workspacePath":"/path/to/workspace","title":"Confirm","message":"Proceed?","options":[{"label":"Yes","value":"yes"}]},"id":"req1"}`
	said = `{"jsonrpc":"2.0","result":{"selectedValue":"yes"},"id":"req1"}`
)

func TestSpecificationLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := serve(t, popup.Options{}, yes)
		got, code := m.Answer(t.Context(), new(jsonrpc.Parse([]byte(line))), Options{})
		if code != 0 {
			t.Errorf("code %d", code)
		}
		var have, want map[string]any
		decode(t, got, &have)
		decode(t, []byte(said), &want)
		result := have["result"].(map[string]any)
		if id, _ := result["popupId"].(string); id == "" {
			t.Errorf("no popupId in %s", got)
		}
		delete(result, "popupId")
		for name, value := range map[string]any{"source": "option", "outcome": "answered", "channel": "page", "answeredAt": "2000-01-01T00:00:00Z"} {
			if result[name] != value {
				t.Errorf("%s = %v, want %v", name, result[name], value)
			}
			delete(result, name)
		}
		if diff := cmp.Diff(want, have); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}

func decode(t *testing.T, data []byte, v any) {
	t.Helper()
	if err := json.Unmarshal(data, v); err != nil {
		t.Fatalf("%v: %s", err, data)
	}
}

func popupWith(params string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"triggerPopup","params":` + params + `}`
}

func TestBadInput(t *testing.T) {
	const good = `"workspacePath":"/w","title":"t","message":"m"`
	for name, tt := range map[string]struct{ in, want string }{
		"no JSON":                  {`{"jsonrpc":`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error: unexpected end of JSON input"}}`},
		"another version":          {`{"jsonrpc":"1.0","id":7,"method":"healthCheck"}`, `{"jsonrpc":"2.0","id":7,"error":{"code":-32600,"message":"Invalid Request: \"jsonrpc\" must be \"2.0\""}}`},
		"an unknown method":        {`{"jsonrpc":"2.0","id":0,"method":"openPopup"}`, `{"jsonrpc":"2.0","id":0,"error":{"code":-32601,"message":"method not found: \"openPopup\""}}`},
		"the id 0":                 {`{"jsonrpc":"2.0","id":0,"method":"healthCheck"}`, `{"jsonrpc":"2.0","id":0,"result":{"status":"ok","version":"1.2.3","workspaces":[],"pending":0}}`},
		"the id null":              {`{"jsonrpc":"2.0","id":null,"method":"healthCheck"}`, `{"jsonrpc":"2.0","id":null,"result":{"status":"ok","version":"1.2.3","workspaces":[],"pending":0}}`},
		"a fraction as id":         {`{"jsonrpc":"2.0","id": 1.50,"method":"healthCheck"}`, `{"jsonrpc":"2.0","id":1.50,"result":{"status":"ok","version":"1.2.3","workspaces":[],"pending":0}}`},
		"no params":                {`{"jsonrpc":"2.0","id":1,"method":"triggerPopup"}`, invalid(`\"params\" must be an object with \"workspacePath\", \"title\", \"message\" and \"options\"`)},
		"params by position":       {popupWith(`["/w"]`), invalid(`\"params\" must be an object with \"workspacePath\", \"title\", \"message\" and \"options\"`)},
		"no workspace":             {popupWith(`{}`), invalid(`\"workspacePath\" is missing or empty`)},
		"no options, no text":      {popupWith(`{` + good + `,"options":[]}`), invalid(`\"options\" is missing or empty: give at least one option, or set \"allowText\"`)},
		"options that are no list": {popupWith(`{` + good + `,"options":"yes"}`), invalid(`\"options\" cannot be a JSON string`)},
		"a notification":           {`{"jsonrpc":"2.0","method":"triggerPopup","params":{` + good + `,"allowText":true}}`, ``},
	} {
		t.Run(name, func(t *testing.T) {
			got, _ := serve(t, popup.Options{}, yes).Answer(t.Context(), new(jsonrpc.Parse([]byte(tt.in))), Options{})
			if string(got) != tt.want {
				t.Errorf("answer %s\nwant   %s", got, tt.want)
			}
		})
	}
}

func invalid(what string) string {
	return `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Invalid params: ` + what + `"}}`
}

// Each way in which a question can end has an answer of its own.
func TestOutcomes(t *testing.T) {
	for name, tt := range map[string]struct {
		extra  string // of the params
		reply  question.Reply
		opts   popup.Options
		cancel error // unless nil, ctx ends with it
		code   int64
		data   string // with the id as ID
		result string
	}{
		"text":      {extra: `,"allowText":true`, reply: question.Reply{Action: question.Submit, Text: "a <b>"}, result: `{"selectedValue":"a <b>","text":"a <b>","source":"text","outcome":"answered","channel":"page","popupId":"ID","answeredAt":"2000-01-01T00:00:00Z"}`},
		"several":   {extra: `,"multiple":true`, reply: yes, result: `{"selectedValue":"yes","selectedValues":["yes"],"source":"option","outcome":"answered","channel":"page","popupId":"ID","answeredAt":"2000-01-01T00:00:00Z"}`},
		"default":   {extra: `,"defaultValue":"yes","timeoutSeconds":5`, result: `{"selectedValue":"yes","source":"default","outcome":"default","popupId":"ID","answeredAt":"2000-01-01T00:00:05Z"}`},
		"timed out": {extra: `,"timeoutSeconds":30`, code: CodeTimedOut, data: `{"outcome":"timed_out","popupId":"ID"}`},
		"dismissed": {reply: question.Reply{Action: question.Dismiss}, code: CodeDismissed, data: `{"outcome":"dismissed","popupId":"ID","channel":"page"}`},
		"declined":  {reply: question.Reply{Action: question.Decline}, code: CodeDeclined, data: `{"outcome":"declined","popupId":"ID","channel":"page"}`},
		"withdrawn": {cancel: context.Canceled, code: CodeWithdrawn, data: `{"outcome":"withdrawn","popupId":"ID"}`},
		"stopping":  {cancel: fault.New(fault.Gone, "the server is stopping"), code: CodeStopping},
		"routing":   {opts: popup.Options{Workspaces: []string{"/a", "/b"}}, code: CodeRouting, data: `{"workspaces":["/a","/b"]}`},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := serve(t, tt.opts, tt.reply)
				ctx, cancel := context.WithCancelCause(t.Context())
				defer cancel(nil)
				if tt.cancel != nil {
					time.AfterFunc(time.Second, func() { cancel(tt.cancel) })
				}
				in := popupWith(`{"workspacePath":"/w","title":"t","message":"m","options":[{"label":"Yes","value":"yes"}]` + tt.extra + `}`)
				data, code := m.Answer(ctx, new(jsonrpc.Parse([]byte(in))), Options{})
				var got struct {
					Result json.RawMessage
					Error  *jsonrpc.Error
				}
				decode(t, data, &got)
				if code != tt.code || got.Error != nil && got.Error.Code != tt.code {
					t.Errorf("code %d: %s", code, data)
				}
				var about struct {
					PopupID string `json:"popupId"`
				}
				if got.Error != nil {
					_ = json.Unmarshal(got.Error.Data, &about)
					if have := masked(got.Error.Data, about.PopupID); have != tt.data {
						t.Errorf("data %s, want %s", have, tt.data)
					}
					return
				}
				decode(t, got.Result, &about)
				if have := masked(got.Result, about.PopupID); have != tt.result {
					t.Errorf("result %s\nwant   %s", have, tt.result)
				}
			})
		})
	}
}

func masked(data []byte, id string) string {
	if id == "" {
		return string(data)
	}
	return strings.ReplaceAll(string(data), id, "ID")
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(line))
	f.Add([]byte(`[{"jsonrpc":"2.0","id":1}]`))
	f.Add([]byte(`{"jsonrpc":"2.0","method":"x","id":null,"params":[]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		msg := jsonrpc.Parse(data)
		if Handles(&msg) {
			return
		}
		got, _ := New(nil, "").Answer(t.Context(), &msg, Options{})
		if got != nil && !json.Valid(got) {
			t.Errorf("%q is answered %q", data, got)
		}
	})
}
