package mcppopup

import (
	"context"
	"errors"
	"flag"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"
	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/persons"

	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/transport/mcpserver"
)

var update = flag.Bool("update", false, "write the tools as they are to testdata")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A room has a server with the tools, a client of it, and a person.
type room struct {
	t      *testing.T
	broker *popup.Broker
	person *persons.Page
	leave  func() // removes the page
	client *mcp.ClientSession
}

func open(t *testing.T, opts *mcp.ClientOptions, change func(*Options)) *room {
	t.Helper()
	return openAs(t, "", opts, change)
}

// openLegacy is open for a client that shakes hands.
func openLegacy(t *testing.T, opts *mcp.ClientOptions) *room {
	t.Helper()
	return openAs(t, "2025-11-25", opts, nil)
}

func openAs(t *testing.T, version string, opts *mcp.ClientOptions, change func(*Options)) *room {
	t.Helper()
	return openBy(t, "c", version, opts, change)
}

func openBy(t *testing.T, client, version string, opts *mcp.ClientOptions, change func(*Options)) *room {
	t.Helper()
	b := persons.Broker(t, popup.Options{Workspaces: []string{"/w"}, Files: t.TempDir()})
	p := persons.NewPage()
	leave := b.AddChannel(p)
	s := mcpserver.New(mcpserver.Options{Name: "ui-mcp", Version: "0", Instructions: Instructions, Logger: slog.New(slog.DiscardHandler)})
	o := Options{Broker: b, URL: func() string { return "http://127.0.0.1:8000/popup" }}
	if change != nil {
		change(&o)
	}
	Register(s, o)
	c := mcp.NewClient(&mcp.Implementation{Name: client, Version: "0"}, opts)
	if opts != nil && opts.ElicitationHandler != nil {
		// Unlike the SDK, other clients send what does not fit the form, too.
		c.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
			return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
				if elicit, ok := req.(*mcp.ElicitRequest); ok {
					return opts.ElicitationHandler(ctx, elicit)
				}
				return next(ctx, method, req)
			}
		})
	}
	return &room{t, b, p, leave, testkit.InMemory(t, s.Server, c, version)}
}

// call calls a tool and returns what it says.
func (r *room) call(ctx context.Context, tool string, args map[string]any, token any) (map[string]any, error) {
	params := &mcp.CallToolParams{Name: tool, Arguments: args}
	if token != nil {
		params.SetProgressToken(token)
	}
	res, err := r.client.CallTool(ctx, params)
	if err != nil {
		return nil, err
	}
	said, _ := res.StructuredContent.(map[string]any)
	if said == nil {
		r.t.Errorf("no structured content: %+v", res)
	}
	return said, nil
}

// ask calls popup beside the test.
func (r *room) ask(args map[string]any) <-chan map[string]any { return r.beside("popup", args) }

// beside calls a tool beside the test.
func (r *room) beside(tool string, args map[string]any) <-chan map[string]any {
	out := make(chan map[string]any, 1)
	go func() {
		said, err := r.call(r.t.Context(), tool, args, nil)
		if err != nil {
			r.t.Error(err)
		}
		out <- said
	}()
	return out
}

func args(more map[string]any) map[string]any {
	all := map[string]any{
		"title": "Confirm", "message": "Proceed?",
		"options": []any{map[string]any{"label": "Yes", "value": "yes"}, map[string]any{"label": "No", "value": "no", "description": "stop"}},
	}
	for k, v := range more {
		if all[k] = v; v == nil {
			delete(all, k)
		}
	}
	return all
}

// plain is what a tool said, without what differs each time.
func plain(said map[string]any) map[string]any {
	delete(said, "popupId")
	delete(said, "answeredAt")
	return said
}

func TestOutcomes(t *testing.T) {
	for name, tt := range map[string]struct {
		args  map[string]any
		reply question.Reply
		want  map[string]any
	}{
		"an option": {nil, question.Reply{Action: question.Submit, Values: []string{"no"}}, map[string]any{"status": "answered", "selectedValue": "no", "source": "option", "channel": "page"}},
		"labels":    {map[string]any{"options": []any{"Red", "Green"}}, question.Reply{Action: question.Submit, Values: []string{"Green"}}, map[string]any{"status": "answered", "selectedValue": "Green", "source": "option", "channel": "page"}},
		"several":   {map[string]any{"multiple": true}, question.Reply{Action: question.Submit, Values: []string{"no", "yes"}}, map[string]any{"status": "answered", "selectedValue": "yes", "selectedValues": []any{"yes", "no"}, "source": "option", "channel": "page"}},
		"a text":    {map[string]any{"allowText": true}, question.Reply{Action: question.Submit, Text: "later"}, map[string]any{"status": "answered", "selectedValue": "later", "text": "later", "source": "text", "channel": "page"}},
		"dismissed": {nil, question.Reply{Action: question.Dismiss}, map[string]any{"status": "dismissed", "channel": "page", "advice": question.Dismissed.Advice()}},
		"declined":  {nil, question.Reply{Action: question.Decline}, map[string]any{"status": "declined", "channel": "page", "advice": question.Declined.Advice()}},
		"timed out": {map[string]any{"timeoutSeconds": 30}, question.Reply{}, map[string]any{"status": "timed_out", "advice": question.TimedOut.Advice()}},
		"default":   {map[string]any{"timeoutSeconds": 1, "defaultValue": "no"}, question.Reply{}, map[string]any{"status": "default", "selectedValue": "no", "source": "default"}},
		"a secret":  {map[string]any{"secret": true, "options": nil}, question.Reply{Action: question.Submit, Text: "hush"}, map[string]any{"status": "answered", "source": "text", "channel": "page", "advice": secretTaken}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := open(t, nil, nil)
				said := r.ask(args(tt.args))
				asked := <-r.person.Asked
				if tt.reply.Action != "" {
					if _, err := r.broker.Answer(asked.ID, tt.reply, "page"); err != nil {
						t.Fatal(err)
					}
				}
				if diff := cmp.Diff(tt.want, plain(<-said)); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
			})
		})
	}
}

// The model sees the pictures of an answer, and gets the path of each file.
func TestFilesOfAnswer(t *testing.T) {
	r := openLegacy(t, nil)
	png := []byte("\x89PNG\r\n\x1a\n rest")
	done := make(chan *mcp.CallToolResult, 1)
	go func() {
		res, err := r.client.CallTool(t.Context(), &mcp.CallToolParams{Name: "popup", Arguments: map[string]any{"title": "T", "message": "m", "files": 2}})
		if err != nil {
			t.Error(err)
		}
		done <- res
	}()
	asked := <-r.person.Asked
	files := []question.File{{Name: "a.png", Size: len(png), Data: png}, {Name: "lie.png", Mime: "image/png", Size: 4, Data: []byte("text")}}
	if _, err := r.broker.Answer(asked.ID, question.Reply{Action: question.Submit, Files: files, Text: "these"}, "page"); err != nil {
		t.Fatal(err)
	}
	res := <-done
	if len(res.Content) != 2 {
		t.Fatalf("the result has %d parts: %+v", len(res.Content), res.Content)
	}
	text, _ := res.Content[0].(*mcp.TextContent)
	picture, _ := res.Content[1].(*mcp.ImageContent)
	if text == nil || strings.Count(text.Text, `"path":"/`) != 2 || !strings.Contains(text.Text, `"text":"these"`) {
		t.Errorf("the text is %+v", text)
	}
	if picture == nil || picture.MIMEType != "image/png" || string(picture.Data) != string(png) {
		t.Errorf("the picture is %+v", picture)
	}
}

func TestRevealedSecret(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := open(t, nil, nil)
		_, err := r.call(t.Context(), "popup", args(map[string]any{"secret": true, "revealSecret": true, "options": nil}), nil)
		if we, ok := errors.AsType[*jsonrpc.Error](err); !ok || we.Code != jsonrpc.CodeInvalidParams {
			t.Errorf("err = %v", err)
		}
	})
}

// A call that cannot wait any longer returns; the answer is collected later.
func TestWaiting(t *testing.T) {
	for name, tt := range map[string]struct {
		token  any
		client string
		block  time.Duration
		beats  int
	}{
		"without progress":    {nil, "claude-code", 50 * time.Second, 0},
		"with progress":       {"p1", "gemini-cli-mcp-client", 9 * time.Minute, 44}, // and one that may come at the very end
		"of a patient client": {"p1", "claude-code", 50 * time.Minute, 249},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var beats []float64
				r := openBy(t, tt.client, "", &mcp.ClientOptions{ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) {
					beats = append(beats, req.Params.Progress)
					if req.Params.Total != tt.block.Seconds() {
						t.Errorf("of %v s", req.Params.Total)
					}
				}}, nil)
				start := time.Now()
				said, err := r.call(t.Context(), "popup", args(nil), tt.token)
				if err != nil {
					t.Fatal(err)
				}
				id := said["popupId"].(string)
				if d := time.Since(start); d != tt.block || said["status"] != "waiting" || said["url"] != "http://127.0.0.1:8000/popup" {
					t.Errorf("after %v: %v", d, said)
				}
				synctest.Wait()
				if n := len(beats); n != tt.beats && (n == 0 || n != tt.beats+1) {
					t.Errorf("%d beats, want %d", len(beats), tt.beats)
				}
				for i, b := range beats {
					if want := float64(12 * (i + 1)); b != want {
						t.Fatalf("beat %d at %v, want %v", i, b, want)
					}
				}
				if _, err := r.broker.Answer(id, question.Reply{Action: question.Submit, Values: []string{"yes"}}, "page"); err != nil {
					t.Fatal(err)
				}
				for range 2 {
					if said, err = r.call(t.Context(), "popup_wait", map[string]any{"popupId": id}, nil); err != nil || said["selectedValue"] != "yes" {
						t.Errorf("collected %v, %v", said, err)
					}
				}
			})
		})
	}
}

// A call learns how to get the answer at the next server when this one stops.
func TestServerStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := open(t, nil, nil)
		time.AfterFunc(time.Second, r.broker.Close)
		said, err := r.call(t.Context(), "popup", args(nil), nil)
		if id := (<-r.person.Asked).ID; err != nil || said["status"] != "waiting" || said["popupId"] != id {
			t.Errorf("%v, %v; asked was %s", said, err, id)
		}
	})
}

// Cancelling a call withdraws its question.
func TestCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := open(t, nil, nil)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() {
			_, err := r.call(ctx, "popup", args(nil), nil)
			done <- err
		}()
		id := (<-r.person.Asked).ID
		cancel()
		start := time.Now()
		if taken := <-r.person.Gone; taken != id || time.Since(start) > time.Second {
			t.Errorf("taken away: %s, after %v", taken, time.Since(start))
		}
		if err := <-done; err == nil {
			t.Error("the call has succeeded")
		}
	})
}

// A client that gave up waiting does not withdraw its question: it gets the answer when it asks the
// same again, and withdraws it when it cancels that. Another question is another one.
func TestGaveUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := persons.Broker(t, popup.Options{Workspaces: []string{"/w"}})
		p := persons.NewPage()
		b.AddChannel(p)
		tools := newTools(Options{Broker: b})
		again := func(ctx context.Context, q question.Question) (question.Answer, error) {
			return tools.askOrCollect(ctx, subjectOf(ctx, q), q, "", waitOptions(ctx, q.Title))
		}
		q, err := question.Request{Title: "Confirm", Message: "Proceed?", AllowText: true}.Question()
		if err != nil {
			t.Fatal(err)
		}
		var id string
		for i := range 3 {
			ctx, giveUp := context.WithCancelCause(t.Context())
			time.AfterFunc(silentBlock/2, func() { giveUp(mcpserver.ErrGaveUp) })
			if i == 0 {
				go func() { id = (<-p.Asked).ID }()
			}
			if _, err := again(ctx, q); !errors.Is(err, mcpserver.ErrGaveUp) {
				t.Fatalf("gave up: %v", err)
			}
			synctest.Wait()
			if open := b.Pending(); len(open) != 1 || open[0].ID != id {
				t.Fatalf("%d: open are %v, asked was %q", i, open, id)
			}
		}
		other := q
		other.Message = "Really?"
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if a, err := again(ctx, other); err != nil || a.Outcome != question.Withdrawn || a.PopupID == id {
			t.Errorf("another question: %v, %v", a, err)
		}
		if _, err := b.Answer(id, question.Reply{Action: question.Submit, Text: "yes"}, "page"); err != nil {
			t.Fatal(err)
		}
		if a, err := again(t.Context(), q); err != nil || a.Value != "yes" || a.PopupID != id {
			t.Errorf("asked again: %v, %v", a, err)
		}

		for _, end := range []error{mcpserver.ErrGaveUp, context.Canceled} {
			ctx, stop := context.WithCancelCause(t.Context())
			time.AfterFunc(time.Second, func() { stop(end) })
			if a, err := again(ctx, q); end == context.Canceled && (err != nil || a.Outcome != question.Withdrawn) {
				t.Errorf("cancelled: %v, %v", a, err)
			}
		}
		if open := b.Pending(); len(open) > 0 {
			t.Errorf("the person is asked, for nobody: %v", open)
		}
	})
}

func TestNoHuman(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := persons.Broker(t, popup.Options{})
		r := open(t, nil, func(o *Options) { o.Broker = b })
		for channel, named := range map[string]string{"": "dialog", "page": "page", "terminal": "terminal"} {
			said, err := r.call(t.Context(), "popup", args(map[string]any{"channel": channel}), nil)
			want := map[string]any{"status": "no_human", "advice": question.NoHuman.Advice() + wayOut, "url": "http://127.0.0.1:8000/popup"}
			if diff := cmp.Diff(want, plain(said)); diff != "" || err != nil {
				t.Errorf("channel %q: %v, -want +got:\n%s", channel, err, diff)
			}
			// What could not display it is named, the channel that the call names included.
			if advice, _ := said["advice"].(string); !strings.Contains(advice, named) {
				t.Errorf("channel %q: the advice is %s", channel, advice)
			}
		}
	})
}

func TestWrongArguments(t *testing.T) {
	for name, tt := range map[string]struct {
		tool string
		args map[string]any
		want string
	}{
		"no title":   {"popup", map[string]any{"message": "m"}, `missing argument "title" (its description: a few words)`},
		"no options": {"popup", args(map[string]any{"options": nil}), `"options" is missing or empty: give at least one option, or set "allowText"`},
		"no such id": {"popup_wait", map[string]any{"popupId": "x"}, `there is no question "x", or it was over long ago`},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := open(t, nil, nil)
				_, err := r.call(t.Context(), tt.tool, tt.args, nil)
				we, ok := errors.AsType[*jsonrpc.Error](err)
				if !ok || we.Code != jsonrpc.CodeInvalidParams || we.Message != tt.want {
					t.Errorf("err = %v, want %s", err, tt.want)
				}
			})
		})
	}
}

// None of the tools gives an answer: a model must not answer its own question.
func TestDeclarations(t *testing.T) {
	var names []string
	for _, tool := range testkit.Tools(t, open(t, nil, nil).client, *update) {
		names = append(names, tool.Name)
	}
	if diff := cmp.Diff([]string{"popup", "popup_wait"}, names); diff != "" {
		t.Errorf("tools: -want +got:\n%s", diff)
	}
}
