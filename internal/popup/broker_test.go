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
	"ui-mcp/internal/popup/question"
)

var whatever = cmpopts.IgnoreFields(question.Answer{}, "PopupID", "At")

func TestAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		page := newFakeChannel("page", Page, Possible)
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

// Each outcome can be distinguished from the others.
func TestOutcomes(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(*question.Spec)
		do     func(t *testing.T, b *Broker, id string)
		none   bool // no channel
		want   question.Answer
		after  time.Duration
	}{
		"dismissed": {
			do:   func(t *testing.T, b *Broker, id string) { reply(t, b, id, question.Dismiss) },
			want: question.Answer{Outcome: question.Dismissed, Channel: "page"},
		},
		"declined": {
			do:   func(t *testing.T, b *Broker, id string) { reply(t, b, id, question.Decline) },
			want: question.Answer{Outcome: question.Declined, Channel: "page"},
		},
		"withdrawn": {
			do: func(t *testing.T, b *Broker, id string) {
				if err := b.Withdraw(id); err != nil {
					t.Error(err)
				}
			},
			want: question.Answer{Outcome: question.Withdrawn},
		},
		"timed out": {
			change: func(s *question.Spec) { s.TimeoutSeconds = 30 },
			want:   question.Answer{Outcome: question.TimedOut}, after: 30 * time.Second,
		},
		"default": {
			change: func(s *question.Spec) { s.TimeoutSeconds, s.DefaultValue = 2, "no" },
			want:   question.Answer{Outcome: question.Default, Source: question.FromDefault, Value: "no"}, after: 2 * time.Second,
		},
		"no human": {
			none: true, want: question.Answer{Outcome: question.NoHuman}, after: 5 * time.Second,
		},
		"no human, and a default": {
			none: true, change: func(s *question.Spec) { s.DefaultValue = "no" },
			want: question.Answer{Outcome: question.Default, Source: question.FromDefault, Value: "no"}, after: 5 * time.Second,
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := open(t, Options{})
				if !tt.none {
					b.AddChannel(newFakeChannel("page", Page, Possible))
				}
				start := time.Now()
				id := ask(t, b, deploy(t, tt.change))
				if tt.do != nil {
					tt.do(t, b, id)
				}
				if diff := cmp.Diff(tt.want, wait(t, b, id), whatever); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
				if took := time.Since(start); took != tt.after {
					t.Errorf("it took %v, want %v", took, tt.after)
				}
			})
		})
	}
}

func reply(t *testing.T, b *Broker, id string, a question.Action) {
	t.Helper()
	if _, err := b.Answer(id, question.Reply{Action: a}, "page"); err != nil {
		t.Error(err)
	}
}

// Questions of one workspace are shown one after another; another workspace does not wait for them.
func TestQueues(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		page := newFakeChannel("page", Page, Possible)
		b := open(t, Options{Workspaces: []string{"/a", "/b"}}, page)
		about := func(path string) question.Question {
			return deploy(t, func(s *question.Spec) { s.WorkspacePath = path })
		}
		a1, a2, a3 := ask(t, b, about("/a")), ask(t, b, about("/a/x")), ask(t, b, about("/a"))
		b1 := ask(t, b, about("/b"))
		synctest.Wait()
		if got := []string{(<-page.displayed).ID, (<-page.displayed).ID}; !cmp.Equal(got, []string{a1, b1}) && !cmp.Equal(got, []string{b1, a1}) {
			t.Errorf("shown %v, want %s and %s", got, a1, b1)
		}
		if n := len(page.displayed); n > 0 {
			t.Errorf("%d more are shown", n)
		}
		if got := pendingIDs(b); !cmp.Equal(got, []string{a1, a2, a3, b1}, cmpopts.SortSlices(strings.Compare)) {
			t.Errorf("pending %v", got)
		}
		// One that waits may be answered before its turn, or withdrawn; then it is not shown.
		reply(t, b, a2, question.Decline)
		reply(t, b, a1, question.Dismiss)
		if next := <-page.displayed; next.ID != a3 || next.Workspace != "/a" {
			t.Errorf("next %+v", next)
		}
		if got := b.History(10); len(got) != 2 {
			t.Errorf("history %+v", got)
		}
	})
}

func pendingIDs(b *Broker) []string {
	var ids []string
	for _, a := range b.Pending() {
		ids = append(ids, a.ID)
	}
	return ids
}

func TestOrderOfChannels(t *testing.T) {
	rich := func(s *question.Spec) { s.Message = strings.Repeat("x", 2000) }
	danger := func(s *question.Spec) { s.Severity = question.Danger }
	secret := func(s *question.Spec) { s.Options, s.Secret = nil, true }
	for name, tt := range map[string]struct {
		change func(*question.Spec)
		page   Presence
		want   string
	}{
		"the person looks at a page":   {nil, Attended, "page elicitation chat new"},
		"nobody looks at the page":     {nil, Possible, "elicitation chat page new"},
		"no page":                      {nil, Absent, "elicitation chat new"},
		"rich":                         {rich, Possible, "chat page new elicitation"},
		"danger":                       {danger, Possible, "elicitation page new"},
		"danger, attended":             {danger, Attended, "page elicitation new"},
		"a secret":                     {secret, Possible, "page new"},
		"a wish":                       {func(s *question.Spec) { s.Channel = "terminal" }, Possible, "elicitation chat page new"},
		"a wish that danger forbids":   {func(s *question.Spec) { danger(s); s.Channel = "chat" }, Possible, "elicitation page new"},
		"a wish that a secret forbids": {func(s *question.Spec) { secret(s); s.Channel = "elicitation" }, Possible, "page new"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var order []string
				failing := func(name string, kind Kind, p Presence) Channel {
					return &refuser{fakeChannel: newFakeChannel(name, kind, p), note: func() { order = append(order, name) }}
				}
				var terminals atomic.Int32
				b := open(t, Options{}, &refuser{newFakeChannel("terminal", Terminal, Possible), func() { terminals.Add(1) }}, failing("new", NewPage, Possible), failing("chat", Chat, Possible),
					failing("page", Page, tt.page), failing("elicitation", Elicitation, Possible))
				a := wait(t, b, ask(t, b, deploy(t, tt.change)))
				if a.Outcome != question.NoHuman {
					t.Errorf("outcome %s", a.Outcome)
				}
				if got := strings.Join(order, " "); got != tt.want {
					t.Errorf("tried %s, want %s", got, tt.want)
				}
				if got := terminals.Load(); got != 1 {
					t.Errorf("the terminal was tried %d times", got)
				}
			})
		})
	}
}

// A refuser cannot show anything.
type refuser struct {
	*fakeChannel
	note func()
}

func (r *refuser) Show(context.Context, Asked) error {
	r.note()
	return ErrNotShown
}

// A terminal shows a question while another channel does, too, and the first answer counts.
func TestBeside(t *testing.T) {
	type both struct {
		*Broker
		page, terminal *fakeChannel
		id             string
	}
	for name, tt := range map[string]struct {
		do   func(t *testing.T, b both)
		want question.Answer
	}{
		"answered at the terminal": {func(t *testing.T, b both) {
			if _, err := b.Answer(b.id, choose("yes"), "terminal"); err != nil {
				t.Error(err)
			}
		}, question.Answer{Outcome: question.Answered, Source: question.FromOption, Value: "yes", Channel: "terminal"}},
		"answered in the page": {func(t *testing.T, b both) {
			if _, err := b.Answer(b.id, choose("no"), "page"); err != nil {
				t.Error(err)
			}
		}, question.Answer{Outcome: question.Answered, Source: question.FromOption, Value: "no", Channel: "page"}},
		"the page is lost": {func(t *testing.T, b both) {
			b.page.end <- ErrLost
			time.Sleep(time.Minute) // the terminal still has it
			if _, err := b.Answer(b.id, choose("yes"), "terminal"); err != nil {
				t.Error(err)
			}
		}, question.Answer{Outcome: question.Answered, Source: question.FromOption, Value: "yes", Channel: "terminal"}},
		"put away at the terminal": {func(t *testing.T, b both) {
			b.terminal.end <- ErrPutAway
			time.Sleep(time.Minute) // the page still has it
			if _, err := b.Answer(b.id, choose("yes"), "page"); err != nil {
				t.Error(err)
			}
		}, question.Answer{Outcome: question.Answered, Source: question.FromOption, Value: "yes", Channel: "page"}},
		"put away at the terminal, and the page is lost": {func(t *testing.T, b both) {
			b.terminal.end <- ErrPutAway
			synctest.Wait()
			b.page.end <- ErrNotShown
		}, question.Answer{Outcome: question.Dismissed, Channel: "terminal"}},
		"the page is lost, and then put away at the terminal": {func(t *testing.T, b both) {
			b.page.end <- ErrNotShown
			synctest.Wait()
			b.terminal.end <- ErrPutAway
		}, question.Answer{Outcome: question.Dismissed, Channel: "terminal"}},
		"put away at the terminal, and the page that displays it is lost": {func(t *testing.T, b both) {
			b.terminal.end <- ErrPutAway
			synctest.Wait()
			b.page.end <- ErrLost
			time.Sleep(time.Minute) // nobody has put it away in the page
			b.AddChannel(newFakeChannel("page", Page, Possible))
			if _, err := b.Answer(b.id, choose("yes"), "page"); err != nil {
				t.Error(err)
			}
		}, question.Answer{Outcome: question.Answered, Source: question.FromOption, Value: "yes", Channel: "page"}},
		"the page that displays it is lost, and then put away at the terminal": {func(t *testing.T, b both) {
			b.page.end <- ErrLost
			synctest.Wait()
			b.terminal.end <- ErrPutAway
		}, question.Answer{Outcome: question.Dismissed, Channel: "terminal"}},
		"both are lost": {func(t *testing.T, b both) {
			b.terminal.end <- ErrNotShown
			b.page.end <- ErrNotShown
		}, question.Answer{Outcome: question.NoHuman}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				page, terminal := newFakeChannel("page", Page, Possible), newFakeChannel("terminal", Terminal, Possible)
				b := open(t, Options{}, page, terminal)
				id := ask(t, b, deploy(t, nil))
				<-page.displayed
				<-terminal.displayed
				tt.do(t, both{b, page, terminal, id})
				if diff := cmp.Diff(tt.want, wait(t, b, id), whatever); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
				<-page.taken
				<-terminal.taken
			})
		})
	}
}

// The asker's own channel is tried like the others; when it fails, the next one follows.
func TestFallback(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		page := newFakeChannel("page", Page, Possible)
		dialog := newFakeChannel("elicitation", Elicitation, Possible)
		dialog.fail = ErrNotShown
		b := open(t, Options{}, page)
		id, err := b.Ask(deploy(t, nil), AskOptions{Channels: []Channel{dialog}})
		if err != nil {
			t.Fatal(err)
		}
		if displayed := <-page.displayed; displayed.ID != id {
			t.Errorf("shown %s", displayed.ID)
		}
	})
}

// A dialog that the person closes is tried elsewhere once; then it was dismissed.
func TestPutAway(t *testing.T) {
	for name, tt := range map[string]struct {
		page Presence
		want question.Answer
	}{
		"there is a page": {Possible, question.Answer{Outcome: question.TimedOut}},
		"there is none":   {Absent, question.Answer{Outcome: question.Dismissed, Channel: "elicitation"}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				dialog := newFakeChannel("elicitation", Elicitation, Possible)
				dialog.fail = ErrPutAway
				b := open(t, Options{}, newFakeChannel("page", Page, tt.page), dialog)
				q := deploy(t, func(s *question.Spec) { s.TimeoutSeconds = 60 })
				if diff := cmp.Diff(tt.want, wait(t, b, ask(t, b, q)), whatever); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
			})
		})
	}
}

// A page that is reloaded while it is asked, and one that comes back, get the question.
func TestChannelAppears(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, Options{})
		id := ask(t, b, deploy(t, nil))
		time.Sleep(4 * time.Second)
		page := newFakeChannel("page", Page, Possible)
		remove := b.AddChannel(page)
		<-page.displayed
		remove()
		reply(t, b, id, question.Dismiss)
		id = ask(t, b, deploy(t, nil))
		if a := wait(t, b, id); a.Outcome != question.NoHuman {
			t.Errorf("after the channel was removed: %s", a.Outcome)
		}
	})
}

func TestCallerGoes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		page := newFakeChannel("page", Page, Possible)
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
		b := open(t, Options{}, newFakeChannel("page", Page, Possible))
		_, err := b.AskAndWait(t.Context(), deploy(t, nil), AskOptions{}, WaitOptions{Block: 50 * time.Second})
		open, ok := errors.AsType[*OpenError](err)
		if !ok {
			t.Fatalf("err = %v", err)
		}
		if _, err := b.Collect(t.Context(), open.ID, WaitOptions{Block: time.Second}); !errors.As(err, &open) {
			t.Errorf("collected too early: %v", err)
		}
		if _, err := b.Answer(open.ID, choose("yes"), "page"); err != nil {
			t.Fatal(err)
		}
		if a, err := b.Collect(t.Context(), open.ID, WaitOptions{Block: time.Second}); err != nil || a.Value != "yes" {
			t.Errorf("collected %+v, %v", a, err)
		}
	})
}

func TestServerStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		page := newFakeChannel("page", Page, Possible)
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
		if err := <-failed; fault.KindOf(err) != fault.Gone {
			t.Errorf("err = %v", err)
		}
		if n := len(b.Pending()); n != 2 {
			t.Errorf("%d questions are open, want both", n)
		}
		b.Close()
		if err := <-failed; fault.KindOf(err) != fault.Gone {
			t.Errorf("err = %v", err)
		}
		if _, err := b.Answer(displayed.ID, choose("yes"), "page"); fault.KindOf(err) != fault.Gone {
			t.Errorf("an answer after the end: %v", err)
		}
		if _, err := b.Ask(deploy(t, nil), AskOptions{}); fault.KindOf(err) != fault.Gone {
			t.Errorf("a question after the end: %v", err)
		}
	})
}

func TestFullQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, Options{}, newFakeChannel("page", Page, Possible))
		for range MaxPending {
			ask(t, b, deploy(t, nil))
		}
		if _, err := b.Ask(deploy(t, nil), AskOptions{}); fault.KindOf(err) != fault.Exhausted {
			t.Errorf("err = %v", err)
		}
	})
}

func TestHistoryIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newMemory()
		b := open(t, Options{Store: store}, newFakeChannel("page", Page, Possible))
		var ids []string
		for range MaxHistory + 2 {
			id := ask(t, b, deploy(t, nil))
			reply(t, b, id, question.Dismiss)
			ids = append(ids, id)
		}
		if _, err := b.Collect(t.Context(), ids[1], WaitOptions{}); fault.KindOf(err) != fault.NotFound {
			t.Errorf("the second is still known: %v", err)
		}
		wait(t, b, ids[2])
		if n := len(store.docs); n != MaxHistory {
			t.Errorf("%d documents are kept", n)
		}
		if list := b.History(3); len(list) != 3 || list[0].ID != ids[len(ids)-1] && list[0].Answer.At.Before(list[2].Answer.At) {
			t.Errorf("history %+v", list)
		}
	})
}

func TestWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, Options{}, newFakeChannel("page", Page, Possible))
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
	page := newFakeChannel("page", Page, Possible)
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
