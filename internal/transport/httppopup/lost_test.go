package httppopup

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"
	"ui-mcp/internal/popup/core"
	"ui-mcp/internal/testkit/persons"

	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/popup/wire"
)

// A question that a page has displayed is lost when the page closes, which differs from never
// having been shown.
func TestShownAndLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := persons.Broker(t, popup.Options{})
		p := NewPages(PagesOptions{Broker: b, Client: fstest.MapFS{}})
		defer p.Close()
		start := time.Now()
		if err := p.Show(t.Context(), popup.Asked{ID: "id"}); !errors.Is(err, popup.ErrNotShown) || time.Since(start) != proofWithin {
			t.Errorf("without a page: %v after %v", err, time.Since(start))
		}
		open := newGuest(p)
		open.leave = func() {}
		open.displayed["id"] = time.Now()
		p.pages[open] = struct{}{}
		done := make(chan error, 1)
		go func() { done <- p.Show(context.WithoutCancel(t.Context()), popup.Asked{ID: "id"}) }()
		time.Sleep(time.Minute) // the person puts it off, with Escape: it stays as a chip
		open.Leave()
		if err := <-done; !errors.Is(err, popup.ErrLost) {
			t.Errorf("after the page has closed: %v", err)
		}
	})
}

// A page that reports questions which are not open costs no memory.
func TestShownUnknown(t *testing.T) {
	b := persons.Broker(t, popup.Options{Workspaces: []string{"/w"}})
	p := NewPages(PagesOptions{Broker: b, Client: fstest.MapFS{}})
	defer p.Close()
	c := newGuest(p)
	for i := range 1000 {
		p.handle(c, wire.Received{Type: "shown", ID: strings.Repeat("x", i)})
	}
	if len(c.displayed) != 0 {
		t.Errorf("%d unknown questions are remembered", len(c.displayed))
	}
	id, err := b.Ask(question.Question{Title: "t", Message: "m", Options: []question.Option{{Label: "Yes", Value: "yes"}}, Timeout: time.Minute, Workspace: "/w"}, popup.AskOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if p.handle(c, wire.Received{Type: "shown", ID: id}); len(c.displayed) != 1 {
		t.Error("an open question is not remembered")
	}
	if err := b.Withdraw(id); err != nil {
		t.Fatal(err)
	}
	if p.state(c); len(c.displayed) != 0 {
		t.Error("a question that is over is remembered")
	}
}

// A view that the person cannot see for a while, or a page that something covers, has not dismissed
// the question. It keeps it, and takes the answer when the person is back.
func TestHiddenForLong(t *testing.T) {
	for name, make := range map[string]func(b *popup.Broker) *Pages{
		"view": NewChat,
		"page": func(b *popup.Broker) *Pages {
			return NewPages(PagesOptions{Broker: b, Client: fstest.MapFS{}})
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := persons.Broker(t, popup.Options{Workspaces: []string{"/w"}})
				p := make(b)
				defer p.Close()
				var now wire.State
				guest := p.Join(func(msg []byte) {
					now = wire.State{}
					if err := json.Unmarshal(msg, &now); err != nil {
						t.Error(err)
					}
				})
				defer guest.Leave()
				q, err := question.Request{Title: "Q", Message: "?", Options: []question.Option{{Label: "A", Value: "a"}}}.Question()
				if err != nil {
					t.Fatal(err)
				}
				id, err := b.Ask(q, popup.AskOptions{Channels: []popup.Channel{p}})
				if err != nil {
					t.Fatal(err)
				}
				say := func(msg string) string {
					t.Helper()
					reply, err := guest.Receive([]byte(strings.ReplaceAll(msg, "ID", id)))
					if err != nil {
						t.Fatal(err)
					}
					synctest.Wait()
					return string(reply)
				}
				listed := func(when string) {
					t.Helper()
					if len(now.Order) != 1 || !now.Order[0].Dialog {
						t.Errorf("%s: the state = %+v", when, now)
					}
				}
				synctest.Wait()
				listed("at first")
				say(`{"type":"shown","id":"ID"}`)
				say(`{"type":"hidden","id":"ID"}`)
				time.Sleep(time.Hour)
				synctest.Wait()
				listed("after an hour")
				if open := b.Pending(); len(open) != 1 || !open[0].Idle {
					t.Errorf("after an hour: pending %+v", open)
				}
				say(`{"type":"shown","id":"ID"}`)
				listed("when the person is back")
				if open := b.Pending(); len(open) != 1 || open[0].Idle {
					t.Errorf("when the person is back: pending %+v", open)
				}
				time.Sleep(tooFast)
				if got := say(`{"type":"answer","id":"ID","action":"answer","values":["a"]}`); !strings.Contains(got, `"ok":true`) {
					t.Errorf("an answer: %s", got)
				}
			})
		})
	}
}

// A question that leaves a page's list, and comes back, is described again: the page has forgotten
// it.
func TestListedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := persons.Broker(t, popup.Options{})
		b.AddChannel(persons.NewPage().Be(core.Attended))
		p := NewPages(PagesOptions{Broker: b, Client: fstest.MapFS{}})
		defer p.Close()
		q, err := question.Request{Title: "Q", Message: "?", AllowText: true}.Question()
		if err != nil {
			t.Fatal(err)
		}
		last := ""
		for range maxListed + 1 {
			if last, err = b.Ask(q, popup.AskOptions{}); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Millisecond)
		}
		c := newGuest(p)
		for step, want := range []struct{ change, order, described int }{
			{0, maxListed, maxListed}, {1, maxListed + 1, 1}, {0, maxListed + 1, 0}, {-1, maxListed, 0}, {1, maxListed + 1, 1},
		} {
			p.activate(last, want.change)
			if s := p.state(c); len(s.Order) != want.order || len(s.Questions) != want.described {
				t.Errorf("step %d: %d questions, %d of them described, want %d and %d", step, len(s.Order), len(s.Questions), want.order, want.described)
			}
		}
	})
}
