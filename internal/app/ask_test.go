package app_test

import (
	"context"
	"encoding/json"
	"errors"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/app"
)

func TestAsk(t *testing.T) {
	var asked string
	h := started(t, func(o *app.Options) {
		o.Ask = func(_ context.Context, question json.RawMessage) (json.RawMessage, error) {
			asked = string(question)
			if strings.Contains(asked, "refuse") {
				return nil, errors.New("The person declined")
			}
			return json.RawMessage(`{"selectedValue":"yes","outcome":"answered"}`), nil
		}
	})
	h.run(`mcp:ask({ title = "Deploy", message = "Now?", options = { { label = "Yes", value = "yes" } } },
		function(answer, err) mcp.pushState({ answer.selectedValue, answer.outcome, err == nil }) end)`)
	if diff := cmp.Diff([]string{`["yes","answered",true]`}, h.events()); diff != "" {
		t.Error(diff)
	}
	if want := `{"message":"Now?","options":[{"label":"Yes","value":"yes"}],"title":"Deploy"}`; asked != want {
		t.Errorf("asked %s, want %s", asked, want)
	}
	h.run(`mcp.ask({ title = "refuse" }, function(answer, err) mcp.pushState({ answer == nil, err }) end)`)
	if diff := cmp.Diff([]string{`[true,"The person declined"]`}, h.events()); diff != "" {
		t.Error(diff)
	}
	for _, code := range []string{`mcp:ask()`, `mcp:ask({ title = "x" })`} {
		if _, err := h.Run(t.Context(), "1", code); err == nil || !strings.Contains(err.Error(), "needs a question and a function") {
			t.Errorf("%s: %v", code, err)
		}
	}
}

// The question of a script is withdrawn with its app.
func TestAskEndsWithTheApp(t *testing.T) {
	waiting, ended := make(chan bool, 1), make(chan error, 1)
	h := started(t, func(o *app.Options) {
		o.Ask = func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
			waiting <- true
			<-ctx.Done()
			ended <- ctx.Err()
			return nil, ctx.Err()
		}
	})
	h.run(`mcp:ask({ title = "x" }, function() end)`)
	<-waiting
	if _, err := h.Configure(t.Context(), t.TempDir()); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the question ended with %v", err)
	}
}

func TestNobodyToAsk(t *testing.T) {
	h := started(t, nil)
	if _, err := h.Run(t.Context(), "1", `mcp:ask({ title = "x" }, function() end)`); err == nil || !strings.Contains(err.Error(), "nobody can be asked") {
		t.Errorf("err = %v", err)
	}
}

// Closing an app waits for a question that a timer asks meanwhile.
func TestNothingIsAskedAfterTheEnd(t *testing.T) {
	first := make(chan bool, 1)
	var over atomic.Bool
	var late atomic.Int64
	h := started(t, func(o *app.Options) {
		o.Ask = func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
			select {
			case first <- true:
			default:
			}
			<-ctx.Done()
			runtime.Gosched()
			if over.Load() {
				late.Add(1)
			}
			return nil, ctx.Err()
		}
	})
	h.run(`session:setInterval(function() for _ = 1, 50 do mcp:ask({ title = "x" }, function() end) end end, 1)`)
	<-first
	_, err := h.Configure(t.Context(), t.TempDir())
	over.Store(true)
	if err != nil {
		t.Fatal(err)
	}
	h.Close()
	if n := late.Load(); n > 0 {
		t.Errorf("%d questions were open after the end", n)
	}
}

// An answer of a person is not dropped where listeners have more to do than the session can take.
func TestAnswerBehindManyListeners(t *testing.T) {
	h := started(t, func(o *app.Options) {
		o.Ask = func(context.Context, json.RawMessage) (json.RawMessage, error) { return json.RawMessage(`{}`), nil }
	})
	h.run(`mcp:subscribe("t", function() end)
		for i = 1, 10001 do mcp:publish("t", i) end
		mcp:ask({message = "?"}, function(answer) answered = answer ~= nil end)
		local start = os.time() while os.time() < start + 2 do end`)
	h.wantSoon("return answered", "true")
}
