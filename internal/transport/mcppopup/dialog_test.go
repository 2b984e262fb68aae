package mcppopup

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/core"
	"ui-mcp/internal/popup/question"
)

// legacy makes a client one with a handshake, whose dialog answers as the test says.
func legacy(dialog func(ctx context.Context, p *mcp.ElicitParams) (*mcp.ElicitResult, error)) *mcp.ClientOptions {
	return &mcp.ClientOptions{
		Capabilities: &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapabilities{}},
		ElicitationHandler: func(ctx context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return dialog(ctx, req.Params)
		},
	}
}

func after(d time.Duration, res *mcp.ElicitResult) func(context.Context, *mcp.ElicitParams) (*mcp.ElicitResult, error) {
	return func(ctx context.Context, _ *mcp.ElicitParams) (*mcp.ElicitResult, error) {
		select {
		case <-time.After(d):
			return res, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// eras are how a client connects: with a handshake, when the server asks in the middle of a call,
// and without, when the client calls again with what came of its dialog.
var eras = map[string]func(*testing.T, *mcp.ClientOptions) *room{
	"handshake": openLegacy,
	"rounds":    func(t *testing.T, o *mcp.ClientOptions) *room { return open(t, o, nil) },
}

// fitsNot are answers that are no option.
var fitsNot = map[string]bool{"maybe": true, "No": true}

// The result of a dialog counts if a person can have caused it; otherwise the page asks.
func TestDialog(t *testing.T) {
	for era, connect := range eras {
		t.Run(era, func(t *testing.T) { testDialog(t, era, connect) })
	}
}

func testDialog(t *testing.T, era string, connect func(*testing.T, *mcp.ClientOptions) *room) {
	for name, tt := range map[string]struct {
		after  time.Duration
		answer mcp.ElicitResult
		args   map[string]any
		want   map[string]any // nil: the page is asked
		again  bool           // the page is asked at once the next time
	}{
		"accepted":                 {time.Second, mcp.ElicitResult{Action: "accept", Content: map[string]any{"answer": "no"}}, nil, map[string]any{"status": "answered", "selectedValue": "no", "source": "option", "channel": "elicitation"}, false},
		"accepted, several":        {time.Second, mcp.ElicitResult{Action: "accept", Content: map[string]any{"answer": []any{"no"}}}, map[string]any{"multiple": true}, map[string]any{"status": "answered", "selectedValue": "no", "selectedValues": []any{"no"}, "source": "option", "channel": "elicitation"}, false},
		"accepted, a text":         {time.Second, mcp.ElicitResult{Action: "accept", Content: map[string]any{"text": "x"}}, map[string]any{"allowText": true}, map[string]any{"status": "answered", "selectedValue": "x", "text": "x", "source": "text", "channel": "elicitation"}, false},
		"accepted without content": {time.Second, mcp.ElicitResult{Action: "accept"}, nil, nil, false},
		"accepted something else":  {time.Second, mcp.ElicitResult{Action: "accept", Content: map[string]any{"answer": "maybe"}}, nil, map[string]any{"status": "dismissed", "text": "maybe", "channel": "elicitation", "advice": unfit}, false},
		"accepted a longer text":   {time.Second, mcp.ElicitResult{Action: "accept", Content: map[string]any{"answer": "maybe", "text": "not now"}}, map[string]any{"allowText": true}, map[string]any{"status": "dismissed", "text": "maybe not now", "channel": "elicitation", "advice": unfit}, false},
		"accepted, else as text":   {time.Second, mcp.ElicitResult{Action: "accept", Content: map[string]any{"answer": "maybe"}}, map[string]any{"allowText": true}, map[string]any{"status": "answered", "selectedValue": "maybe", "text": "maybe", "source": "text", "channel": "elicitation"}, false},
		"accepted by its label":    {time.Second, mcp.ElicitResult{Action: "accept", Content: map[string]any{"answer": "No"}}, nil, map[string]any{"status": "answered", "selectedValue": "no", "source": "option", "channel": "elicitation"}, false},
		"declined":                 {time.Second, mcp.ElicitResult{Action: "decline"}, nil, map[string]any{"status": "declined", "channel": "elicitation", "advice": question.Declined.Advice()}, false},
		"accepted in 2 ms":         {2 * time.Millisecond, mcp.ElicitResult{Action: "accept", Content: map[string]any{"answer": "yes"}}, map[string]any{"severity": "danger"}, nil, true},
		"declined in 15 ms":        {15 * time.Millisecond, mcp.ElicitResult{Action: "decline"}, nil, nil, true},
		"cancelled in 15 ms":       {15 * time.Millisecond, mcp.ElicitResult{Action: "cancel"}, nil, nil, true},
		"cancelled":                {time.Second, mcp.ElicitResult{Action: "cancel"}, nil, nil, false},
		"a secret":                 {time.Second, mcp.ElicitResult{Action: "accept", Content: map[string]any{"text": "x"}}, map[string]any{"secret": true, "options": nil}, nil, false},
	} {
		if said, _ := tt.answer.Content["answer"].(string); era == "rounds" && fitsNot[said] {
			continue // this client checks its own dialog, and calls no more
		}
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				calls := 0
				show := after(tt.after, &tt.answer)
				r := connect(t, legacy(func(ctx context.Context, p *mcp.ElicitParams) (*mcp.ElicitResult, error) {
					calls++
					return show(ctx, p)
				}))
				said := r.ask(args(tt.args))
				if tt.want == nil {
					asked := <-r.person.Asked
					if _, err := r.broker.Answer(asked.ID, question.Reply{Action: question.Dismiss}, "page"); err != nil {
						t.Fatal(err)
					}
					if got := <-said; got["status"] != "dismissed" || got["channel"] != "page" {
						t.Errorf("said %v", got)
					}
				} else if diff := cmp.Diff(tt.want, plain(<-said)); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
				if !tt.again {
					return
				}
				before := calls
				second := r.ask(args(nil))
				if _, err := r.broker.Answer((<-r.person.Asked).ID, question.Reply{Action: question.Dismiss}, "page"); err != nil {
					t.Fatal(err)
				}
				<-second
				if calls != before {
					t.Error("a client that shows nothing was asked again")
				}
			})
		})
	}
}

// The dialog closes when somebody answers in the page.
func TestDialogIsWithdrawn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shown, closed := make(chan struct{}), make(chan struct{})
		r := openLegacy(t, legacy(func(ctx context.Context, _ *mcp.ElicitParams) (*mcp.ElicitResult, error) {
			close(shown)
			<-ctx.Done()
			close(closed)
			return nil, ctx.Err()
		}))
		said := r.ask(args(nil))
		<-shown
		if _, err := r.broker.Answer(r.broker.Pending()[0].ID, question.Reply{Action: question.Submit, Values: []string{"yes"}}, "page"); err != nil {
			t.Fatal(err)
		}
		<-closed
		if got := <-said; got["channel"] != "page" || got["selectedValue"] != "yes" {
			t.Errorf("said %v", got)
		}
	})
}

// A dialog that closes with its call, or whose client takes its time, has not been dismissed,
// though there is no other channel: the question waits, and the person can still answer or cancel
// it.
func TestDialogIsLost(t *testing.T) {
	for era, connect := range eras {
		for action, want := range map[string]question.Outcome{"accept": question.Answered, "cancel": question.Dismissed, "decline": question.Declined} {
			t.Run(era+", "+action, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					shown := make(chan struct{}, 10)
					release := make(chan struct{})
					r := connect(t, legacy(func(ctx context.Context, _ *mcp.ElicitParams) (*mcp.ElicitResult, error) {
						shown <- struct{}{}
						select {
						case <-release:
							time.Sleep(tooFast) // since it was displayed
							return &mcp.ElicitResult{Action: action, Content: map[string]any{"answer": "yes"}}, nil
						case <-ctx.Done():
							return nil, ctx.Err()
						}
					}))
					r.leave()
					said := r.ask(args(nil))
					<-shown
					time.Sleep(2 * roundPatience)
					id := r.broker.Pending()[0].ID
					close(release)
					if era == "handshake" { // the call could not wait any longer
						if got := <-said; got["status"] != "waiting" || got["popupId"] != id {
							t.Errorf("said %v", got)
						}
						said = r.beside("popup_wait", map[string]any{"popupId": id})
					}
					if got := <-said; got["status"] != string(want) || got["channel"] != "elicitation" {
						t.Errorf("said %v", got)
					}
				})
			})
		}
	}
}

// A client that asks itself and does not call again leaves the question to the page; what it brings
// later counts only if nobody has answered meanwhile.
func TestRoundIsLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		r := open(t, legacy(func(ctx context.Context, _ *mcp.ElicitParams) (*mcp.ElicitResult, error) {
			<-release
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"answer": "yes"}}, nil
		}), nil)
		said := r.ask(args(nil))
		asked := <-r.person.Asked // after roundPatience
		if _, err := r.broker.Answer(asked.ID, question.Reply{Action: question.Submit, Values: []string{"no"}}, "page"); err != nil {
			t.Fatal(err)
		}
		close(release)
		if got := <-said; got["channel"] != "page" || got["selectedValue"] != "no" {
			t.Errorf("said %v", got)
		}
	})
}

// Nobody but the server makes the state that a client brings back.
func TestForgedState(t *testing.T) {
	r := open(t, nil, nil)
	for _, state := range []string{"x", newTools(Options{}).state("id", question.Question{})} {
		_, err := r.client.CallTool(t.Context(), &mcp.CallToolParams{Name: "popup", Arguments: args(nil), RequestState: state,
			InputResponses: mcp.InputResponseMap{inputKey: &mcp.ElicitResult{Action: "accept", Content: map[string]any{"answer": "yes"}}}})
		if err == nil || !strings.Contains(err.Error(), "requestState") {
			t.Errorf("%q: %v", state, err)
		}
	}
	if n := len(r.broker.Pending()); n != 0 {
		t.Errorf("%d questions were asked", n)
	}
}

// Clients of an old revision are sent forms that they can draw, and no Markdown.
func TestOldForm(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := make(chan *mcp.ElicitParams, 1)
		r := openAs(t, "2025-06-18", legacy(func(_ context.Context, p *mcp.ElicitParams) (*mcp.ElicitResult, error) {
			asked <- p
			time.Sleep(time.Second)
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"answer1": true, "answer2": true}}, nil
		}), nil)
		said := <-r.ask(args(map[string]any{"multiple": true, "message": "**Which** of:\n\n* `a`\n* b"}))
		if p := <-asked; p.Message != "Confirm\n\nWhich of:\n\n• a\n• b" || !strings.Contains(fmt.Sprint(p.RequestedSchema), "answer2:map[title:No – stop type:boolean]") {
			t.Errorf("asked %q with %v", p.Message, p.RequestedSchema)
		}
		if diff := cmp.Diff([]any{"yes", "no"}, said["selectedValues"]); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}

func TestForms(t *testing.T) {
	options := []question.Option{{Label: "Yes", Value: "yes"}, {Label: "No", Value: "no", Description: "stop"}}
	for name, tt := range map[string]struct {
		q    question.Question
		want string
	}{
		"a choice":      {question.Question{Options: options}, `{"type":"object","properties":{"answer":{"type":"string","title":"Answer","oneOf":[{"title":"Yes","const":"yes"},{"title":"No – stop","const":"no"}]}},"required":["answer"]}`},
		"several":       {question.Question{Options: options[:1], Multiple: true}, `{"type":"object","properties":{"answer":{"type":"array","title":"Answer","items":{"anyOf":[{"title":"Yes","const":"yes"}]}}},"required":["answer"]}`},
		"a choice, old": {question.Question{Options: options, AllowText: true}, `{"type":"object","properties":{"answer":{"type":"string","title":"Answer","enum":["yes","no"],"enumNames":["Yes","No – stop"]},"text":{"type":"string","title":"Text"}}}`},
		"several, old":  {question.Question{Options: options, Multiple: true}, `{"type":"object","properties":{"answer1":{"type":"boolean","title":"Yes"},"answer2":{"type":"boolean","title":"No – stop"}}}`},
		"a text":        {question.Question{AllowText: true}, `{"type":"object","properties":{"text":{"type":"string","title":"Text"}},"required":["text"]}`},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := json.Marshal(schema(tt.q, strings.HasSuffix(name, ", old")))
			if err != nil {
				t.Fatal(err)
			}
			var have, want any
			if json.Unmarshal(got, &have) != nil || json.Unmarshal([]byte(tt.want), &want) != nil {
				t.Fatalf("%s", got)
			}
			if diff := cmp.Diff(want, have); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// A round that is over when the client learns of its question leaves no entry behind.
func TestRoundIsRemoved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tools := newTools(Options{})
		var passed error
		r := &round{tools: tools, pass: func(cause error) { passed = cause }, result: make(chan error, 1)}
		ctx, cancel := context.WithCancel(t.Context())
		cancel() // somebody has answered already
		if err := r.Show(ctx, popup.Asked{ID: "id"}); err != nil {
			t.Error(err)
		}
		if _, left := tools.rounds.Load("id"); left {
			t.Error("the round is left")
		}
		if passed != errPassedOn {
			t.Errorf("the call ends with %v", passed)
		}
	})
}

// A lead is the channel that opens the page by a function.
type lead struct {
	open func(ctx context.Context, url string) error
	err  chan error // what the function has returned
}

func (l *lead) Name() string            { return "page" }
func (l *lead) Kind() core.Kind         { return core.NewPage }
func (l *lead) Presence() core.Presence { return core.Possible }
func (l *lead) Show(ctx context.Context, _ popup.Asked) error {
	err := l.open(ctx, "http://page/popup")
	l.err <- err
	if err == nil {
		<-ctx.Done()
	}
	return err
}

// A client that can display an address leads the person to the page where its form does not do. A
// person who does not go there has put the question away; a client that answers by itself is not
// asked again.
func TestLeading(t *testing.T) {
	for name, tt := range map[string]struct {
		args   map[string]any
		after  time.Duration
		action string
		want   error // of what opens the page
		form   bool  // is displayed instead
		away   bool  // no page is served
	}{
		"danger":               {map[string]any{"severity": "danger"}, time.Second, "accept", nil, false, false},
		"danger, refused":      {map[string]any{"severity": "danger"}, time.Second, "decline", popup.ErrPutAway, false, false},
		"danger, by itself":    {map[string]any{"severity": "danger"}, time.Millisecond, "decline", popup.ErrNotShown, false, false},
		"a secret":             {map[string]any{"secret": true, "options": nil}, time.Second, "accept", nil, false, false},
		"long":                 {map[string]any{"message": strings.Repeat("Why? ", 400)}, time.Second, "accept", nil, false, false},
		"an ordinary question": {nil, time.Second, "decline", nil, true, false},
		"danger, but no page":  {map[string]any{"severity": "danger"}, time.Second, "decline", nil, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := &lead{err: make(chan error, 1)}
				var asked []*mcp.ElicitParams
				show := after(tt.after, &mcp.ElicitResult{Action: tt.action})
				client := legacy(func(ctx context.Context, p *mcp.ElicitParams) (*mcp.ElicitResult, error) {
					asked = append(asked, p)
					return show(ctx, p)
				})
				client.Capabilities.Elicitation = &mcp.ElicitationCapabilities{Form: &mcp.FormElicitationCapabilities{}, URL: &mcp.URLElicitationCapabilities{}}
				r := openAs(t, "2025-11-25", client, func(o *Options) {
					o.Opener = func(open func(context.Context, string) error) popup.Channel { l.open = open; return l }
					if tt.away {
						o.URL = func() string { return "" }
					}
				})
				r.leave() // no page is open
				said := r.ask(args(tt.args))
				if tt.form {
					if got := <-said; got["status"] != "declined" || asked[0].Mode != "form" {
						t.Errorf("%v after %+v", got, asked[0])
					}
					return
				}
				if err := <-l.err; !errors.Is(err, tt.want) || len(asked) != 1 || asked[0].Mode != "url" || asked[0].URL != "http://page/popup" || asked[0].ElicitationID == "" {
					t.Errorf("%v after %+v", err, asked)
				}
				if tt.want == nil {
					if _, err := r.broker.Answer(r.broker.Pending()[0].ID, question.Reply{Action: question.Dismiss}, "page"); err != nil {
						t.Error(err)
					}
				}
				<-said
			})
		})
	}
}
