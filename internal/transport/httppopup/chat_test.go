package httppopup

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"ui-mcp/internal/testkit/persons"

	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/core"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/popup/wire"
)

// A view in the conversation learns of the questions that it is to show, and of no others, and its
// answers count only if a person can have read the question there.
func TestViewInTheConversation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := persons.Broker(t, popup.Options{Workspaces: []string{"/w"}})
		chat := NewChat(b)
		defer chat.Close()
		states := make(chan []byte, 100)
		guest := chat.Join(func(msg []byte) { states <- msg })
		defer guest.Leave()
		latest := func() (s wire.State) {
			t.Helper()
			synctest.Wait()
			for len(states) > 0 {
				s = wire.State{}
				if err := json.Unmarshal(<-states, &s); err != nil {
					t.Fatal(err)
				}
			}
			return s
		}
		say := func(msg string) string {
			t.Helper()
			reply, err := guest.Receive([]byte(msg))
			if err != nil {
				t.Fatal(err)
			}
			return string(reply)
		}

		ask := func(title string, channels ...popup.Channel) <-chan question.Answer {
			q, err := question.Request{Title: title, Message: "?", Options: []question.Option{{Label: "A", Value: "a"}}}.Question()
			if err != nil {
				t.Fatal(err)
			}
			answered := make(chan question.Answer, 1)
			go func() {
				a, err := b.AskAndWait(t.Context(), q, popup.AskOptions{Channels: channels}, popup.WaitOptions{Block: time.Hour})
				if err != nil {
					t.Error(err)
				}
				answered <- a
			}()
			synctest.Wait()
			return answered
		}
		ours := ask("ours", chat)
		ask("another")
		s := latest()
		if len(s.Questions)+len(s.Order) == 0 || len(s.Order) != 1 || s.Waiting != 1 || len(s.History) != 0 {
			t.Fatalf("the state = %+v", s)
		}
		id := s.Order[0].ID
		answer := `{"type":"answer","id":"` + id + `","action":"answer","values":["a"]}`
		if got := say(answer); strings.Contains(got, `"ok":true`) {
			t.Errorf("an answer to a question that was not displayed: %s", got)
		}
		say(`{"type":"shown","id":"` + id + `"}`)
		if got := say(answer); strings.Contains(got, `"ok":true`) || !strings.Contains(got, `"again":400`) {
			t.Errorf("an answer at once: %s", got)
		}
		time.Sleep(tooFast - time.Millisecond/2)
		if got := say(answer); strings.Contains(got, `"ok":true`) || !strings.Contains(got, `"again":1}`) {
			t.Errorf("an answer a moment too early: %s", got)
		}
		time.Sleep(time.Millisecond / 2)
		if got := say(answer); !strings.Contains(got, `"ok":true`) {
			t.Errorf("an answer: %s", got)
		}
		if a := <-ours; a.Value != "a" || a.Channel != "chat" {
			t.Errorf("the answer = %+v", a)
		}
		if s := latest(); len(s.Order) != 0 {
			t.Errorf("the state afterwards = %+v", s)
		}
		if _, err := guest.Receive([]byte(`{"type":"x"}`)); err == nil {
			t.Error("an unknown message was accepted")
		}

		// The next question brings a view of its own, which displays it; the first one does not.
		withdraw := func() {
			for _, other := range b.Pending() {
				if err := b.Withdraw(other.ID); err != nil {
					t.Error(err)
				}
			}
		}
		withdraw()
		ask("later", chat)
		if s := latest(); len(s.Order) != 0 {
			t.Errorf("a view whose question is over has got another: %+v", s)
		}
		guest.Leave()
		own := chat.Join(func(msg []byte) { states <- msg })
		defer own.Leave()
		if s := latest(); len(s.Order) != 1 {
			t.Errorf("the view of the next question has got %+v", s)
		}
		withdraw()
	})
}

// Views that are open for another purpose display what apps and programs ask, and nothing that an
// agent asks.
func TestOpenViewInTheConversation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := persons.Broker(t, popup.Options{Workspaces: []string{"/w"}})
		chat := NewOpenChat(b)
		defer chat.Close()
		if got := chat.Presence(); got != core.Absent {
			t.Errorf("without views: presence %v", got)
		}
		b.AddChannel(chat)
		var last wire.State
		guest := chat.Join(func(msg []byte) {
			last = wire.State{}
			if err := json.Unmarshal(msg, &last); err != nil {
				t.Error(err)
			}
		})
		defer guest.Leave()
		q, err := question.Request{Title: "Q", Message: "?", Options: []question.Option{{Label: "A", Value: "a"}}}.Question()
		if err != nil {
			t.Fatal(err)
		}
		for _, asker := range []question.Asker{question.ByApp, question.ByAgent} {
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan struct{})
			go func() {
				defer close(done)
				_, _ = b.AskAndWait(ctx, q, popup.AskOptions{Asked: popup.Asked{Asker: asker}}, popup.WaitOptions{Block: time.Hour})
			}()
			synctest.Wait()
			if got, want := len(last.Order), map[question.Asker]int{question.ByApp: 1}[asker]; got != want {
				t.Errorf("asked by %q: the view displays %d questions, want %d", asker, got, want)
			}
			cancel()
			<-done
			synctest.Wait()
		}
	})
}
