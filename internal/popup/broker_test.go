package popup

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup/core"
	"ui-mcp/internal/popup/question"
)

var whatever = cmpopts.IgnoreFields(question.Answer{}, "PopupID", "At")

func TestAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		page := newFakeChannel("page", core.Page, core.Possible)
		b := open(t, Options{}, page)
		id := ask(t, b, deploy(t, nil))
		displayed := <-page.displayed
		if displayed.ID != id || displayed.Question.Title != "Confirm Action" || displayed.Deadline.Sub(displayed.At) != 24*time.Hour {
			t.Errorf("shown %+v", displayed)
		}
		// An answer that does not fit is refused, and the question stays.
		if _, err := b.Answer(id, choose("maybe"), "page"); fault.KindOf(err) != fault.Invalid || err == nil {
			t.Errorf("Answer = %v", err)
		}
		time.Sleep(time.Minute)
		if _, err := b.Answer(id, choose("no"), "page"); err != nil {
			t.Fatal(err)
		}
		if taken := <-page.taken; taken != id {
			t.Errorf("taken away: %s", taken)
		}
		want := question.Answer{PopupID: id, Outcome: question.Answered, Source: question.FromOption, Value: "no", Channel: "page", At: time.Now()}
		for range 2 { // an answer can be collected more than once
			if diff := cmp.Diff(want, wait(t, b, id)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		}
		// A caller that comes later gets the outcome, too.
		_, err := b.Answer(id, choose("yes"), "elicitation")
		if fault.KindOf(err) != fault.Exists || !strings.Contains(err.Error(), "dealt with elsewhere (answered, in page)") {
			t.Errorf("a second answer: %v", err)
		}
		if _, err := b.Collect(t.Context(), "unknown", WaitOptions{}); fault.KindOf(err) != fault.NotFound {
			t.Errorf("an unknown id: %v", err)
		}
	})
}

// A reply is checked against the question that it is to, and one that is sent again gets the answer
// that it gave, whatever asks under the ID by then.
func TestReplySentAgain(t *testing.T) {
	b := open(t, Options{}, newFakeChannel("page", core.Page, core.Possible))
	id := ask(t, b, deploy(t, nil))
	another := errors.New("it is another question")
	for _, tt := range []struct {
		id, delivery string
		check, want  error
		kind         fault.Kind
	}{
		{id: id, delivery: "1", check: another, want: another},
		{id: id, delivery: "1"},
		{id: id, delivery: "1", check: another},
		{id: id, delivery: "2", kind: fault.Exists},
		{id: "unknown", delivery: "1", check: another, kind: fault.NotFound},
	} {
		r := choose("yes")
		r.Delivery = tt.delivery
		a, err := b.AnswerShown(tt.id, func(Asked) error { return tt.check }, r, "page")
		if tt.kind != 0 && fault.KindOf(err) != tt.kind || tt.kind == 0 && !errors.Is(err, tt.want) || err == nil && a.Value != "yes" {
			t.Errorf("%+v: %+v, %v", tt, a, err)
		}
	}
}

func reply(t *testing.T, b *Broker, id string, a question.Action) {
	t.Helper()
	if _, err := b.Answer(id, question.Reply{Action: a}, "page"); err != nil {
		t.Error(err)
	}
}

func pendingIDs(b *Broker) []string {
	var ids []string
	for _, a := range b.Pending() {
		ids = append(ids, a.ID)
	}
	return ids
}

func TestCallerGoes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		page := newFakeChannel("page", core.Page, core.Possible)
		b := open(t, Options{}, page)
		ctx, cancel := context.WithCancel(t.Context())
		var beats []time.Duration
		done := make(chan question.Answer)
		go func() {
			a, err := b.AskAndWait(ctx, deploy(t, nil), AskOptions{}, WaitOptions{Beat: func(d time.Duration) { beats = append(beats, d) }})
			if err != nil {
				t.Error(err)
			}
			done <- a
		}()
		<-page.displayed
		time.Sleep(40 * time.Second)
		cancel()
		start := time.Now()
		if a := <-done; a.Outcome != question.Withdrawn {
			t.Errorf("outcome %s", a.Outcome)
		}
		<-page.taken
		if d := time.Since(start); d > time.Second {
			t.Errorf("withdrawn after %v", d)
		}
		if diff := cmp.Diff([]time.Duration{12 * time.Second, 24 * time.Second, 36 * time.Second}, beats); diff != "" {
			t.Errorf("beats: -want +got:\n%s", diff)
		}
	})
}

// A caller that stops waiting can collect the answer later.
func TestLateAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, Options{}, newFakeChannel("page", core.Page, core.Possible))
		_, err := b.AskAndWait(t.Context(), deploy(t, nil), AskOptions{}, WaitOptions{Block: 50 * time.Second})
		open, ok := errors.AsType[*OpenError](err)
		if !ok || err.Error() != "the question "+open.ID+" is still open" {
			t.Fatalf("err = %v", err)
		}
		appeared := b.Appearance()
		if _, err := b.Collect(t.Context(), open.ID, WaitOptions{Block: time.Second}); !errors.As(err, &open) {
			t.Errorf("collected too early: %v", err)
		}
		if _, err := b.Answer(open.ID, choose("yes"), "page"); err != nil {
			t.Fatal(err)
		}
		if a, err := b.Collect(t.Context(), open.ID, WaitOptions{Block: time.Second}); err != nil || a.Value != "yes" {
			t.Errorf("collected %+v, %v", a, err)
		}
		select {
		case <-appeared:
			t.Error("a caller without channels has brought one")
		default:
		}
	})
}

func TestServerStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		page := newFakeChannel("page", core.Page, core.Possible)
		b := open(t, Options{}, page)
		failed := make(chan error)
		go func() {
			_, err := b.AskAndWait(t.Context(), deploy(t, nil), AskOptions{}, WaitOptions{})
			failed <- err
		}()
		displayed := <-page.displayed
		ctx, stop := context.WithCancelCause(t.Context())
		go func() {
			_, err := b.AskAndWait(ctx, deploy(t, nil), AskOptions{}, WaitOptions{})
			failed <- err
		}()
		synctest.Wait()
		stop(fault.New(fault.Gone, "the server is stopping"))
		stopped := func() {
			t.Helper()
			err := <-failed
			if _, open := errors.AsType[*OpenError](err); !open || fault.KindOf(err) != fault.Gone || !strings.Contains(err.Error(), "stopping") {
				t.Errorf("err = %v", err)
			}
		}
		stopped()
		if n := len(b.Pending()); n != 2 {
			t.Errorf("%d questions are open, want both", n)
		}
		b.Close()
		stopped()
		if _, err := b.Answer(displayed.ID, choose("yes"), "page"); fault.KindOf(err) != fault.Gone {
			t.Errorf("an answer after the end: %v", err)
		}
		if _, err := b.Ask(deploy(t, nil), AskOptions{}); fault.KindOf(err) != fault.Gone {
			t.Errorf("a question after the end: %v", err)
		}
	})
}

func TestHistoryIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newMemory()
		b := open(t, Options{Store: store}, newFakeChannel("page", core.Page, core.Possible))
		var ids []string
		for range core.MaxHistory + 2 {
			id := ask(t, b, deploy(t, nil))
			reply(t, b, id, question.Dismiss)
			ids = append(ids, id)
		}
		if _, err := b.Collect(t.Context(), ids[1], WaitOptions{}); fault.KindOf(err) != fault.NotFound {
			t.Errorf("the second is still known: %v", err)
		}
		wait(t, b, ids[2])
		if n := len(store.docs); n != core.MaxHistory {
			t.Errorf("%d documents are kept", n)
		}
		if list := b.History(3); len(list) != 3 || list[0].ID != ids[len(ids)-1] && list[0].Answer.At.Before(list[2].Answer.At) {
			t.Errorf("history %+v", list)
		}
	})
}

func TestWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, Options{}, newFakeChannel("page", core.Page, core.Possible))
		var calls atomic.Int32
		stop := b.Watch(func() { calls.Add(1) })
		id := ask(t, b, deploy(t, nil))
		reply(t, b, id, question.Dismiss)
		if n := calls.Load(); n != 2 {
			t.Errorf("called %d times, want 2", n)
		}
		stop()
		ask(t, b, deploy(t, nil))
		if n := calls.Load(); n != 2 {
			t.Errorf("called after the end")
		}
	})
}

// Many callers and a person with two pages, who is quick: each question is answered once, and with
// its own answer.
func TestManyCallers(t *testing.T) {
	const callers, each = 50, 20
	page := newFakeChannel("page", core.Page, core.Possible)
	b := open(t, Options{Workspaces: []string{"/a", "/b", "/c"}}, page)
	var accepted, refused atomic.Int32
	var person sync.WaitGroup
	answered := make(chan struct{})
	person.Go(func() {
		for {
			select {
			case <-answered:
				return
			case asked := <-page.displayed:
				var tabs sync.WaitGroup
				for _, tab := range []string{"one", "two"} {
					tabs.Go(func() {
						// The right value is named in the title, so a mix-up would show.
						_, err := b.Answer(asked.ID, choose(asked.Question.Title), tab)
						switch fault.KindOf(err) {
						case fault.Exists:
							refused.Add(1)
						default:
							if err != nil {
								t.Error(err)
							}
							accepted.Add(1)
						}
					})
				}
				tabs.Wait()
			}
		}
	})
	var all sync.WaitGroup
	for c := range callers {
		all.Go(func() {
			for i := range each {
				value := fmt.Sprintf("v%d-%d", c, i)
				q := deploy(t, func(s *question.Spec) {
					s.WorkspacePath = []string{"/a", "/b", "/c"}[rand.IntN(3)]
					s.Title = value
					s.Options = []question.Option{{Label: "it", Value: value}, {Label: "other", Value: "other"}}
				})
				a, err := b.AskAndWait(t.Context(), q, AskOptions{}, WaitOptions{})
				if err != nil || a.Value != value {
					t.Errorf("caller %d, question %d: %+v, %v", c, i, a, err)
				}
			}
		})
	}
	all.Wait()
	close(answered)
	person.Wait()
	if accepted.Load() != callers*each || refused.Load() != callers*each {
		t.Errorf("%d answers were accepted and %d refused, want %d each", accepted.Load(), refused.Load(), callers*each)
	}
}
