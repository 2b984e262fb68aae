package popup

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup/question"
)

// A question whose page has gone waits for its deadline: nobody has dismissed it. Callers learn
// that it is open, and wherever the person comes back, it is displayed again.
func TestLost(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(*question.Spec)
		back   string // the channel that appears later, or ""
		want   question.Answer
	}{
		"nobody comes back":            {nil, "", question.Answer{Outcome: question.TimedOut}},
		"nobody, and it has a default": {func(s *question.Spec) { s.DefaultValue = "no" }, "", question.Answer{Outcome: question.Default, Source: question.FromDefault, Value: "no"}},
		"a page":                       {nil, "page", question.Answer{Outcome: question.Answered, Source: question.FromOption, Value: "yes", Channel: "page"}},
		"a terminal":                   {nil, "terminal", question.Answer{Outcome: question.Answered, Source: question.FromOption, Value: "yes", Channel: "terminal"}},
		"a view":                       {nil, "chat", question.Answer{Outcome: question.Answered, Source: question.FromOption, Value: "yes", Channel: "chat"}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				opened := newFakeChannel("opened", NewPage, Possible)
				b := open(t, Options{}, opened)
				q := deploy(t, tt.change)
				id := ask(t, b, q)
				<-opened.displayed
				opened.end <- ErrLost
				if _, err := b.Collect(t.Context(), id, WaitOptions{Block: time.Hour}); !errors.As(err, new(*OpenError)) {
					t.Errorf("while nobody is there: %v", err)
				}
				if p := b.Pending(); len(p) != 1 || !p[0].Idle {
					t.Errorf("pending %+v", p)
				}
				if tt.back != "" {
					back := newFakeChannel(tt.back, requestable[tt.back], Possible)
					b.AddChannel(back)
					synctest.Wait()
					if len(back.displayed) != 1 || (<-back.displayed).ID != id {
						t.Fatal("it is not displayed again")
					}
					if p := b.Pending(); len(p) != 1 || p[0].Idle {
						t.Errorf("pending %+v", p)
					}
					if _, err := b.Answer(id, choose("yes"), back.name); err != nil {
						t.Error(err)
					}
				}
				start := b.entries[id].At
				a := wait(t, b, id)
				if diff := cmp.Diff(tt.want, a, whatever); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
				if tt.back == "" && a.At.Sub(start) != q.Timeout {
					t.Errorf("it ended after %v", a.At.Sub(start))
				}
				if n := len(opened.displayed); n > 0 {
					t.Errorf("a page was opened %d times more", n)
				}
			})
		})
	}
}

// A question whose pages have gone does not hold up those behind it.
func TestLostHoldsUpNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first := newFakeChannel("elicitation", Elicitation, Possible)
		b := open(t, Options{})
		lost, err := b.Ask(deploy(t, nil), AskOptions{Channels: []Channel{first}})
		if err != nil {
			t.Fatal(err)
		}
		<-first.displayed
		first.presence = Absent
		first.end <- ErrLost
		if a := wait(t, b, ask(t, b, deploy(t, nil))); a.Outcome != question.NoHuman {
			t.Errorf("the next question: %+v", a)
		}
		page := newFakeChannel("page", Page, Possible)
		b.AddChannel(page)
		if got := <-page.displayed; got.ID != lost {
			t.Errorf("displayed %s", got.ID)
		}
	})
}

// A page that comes while a terminal displays the question displays it, too.
func TestPageBesideTerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		terminal := newFakeChannel("terminal", Terminal, Possible)
		b := open(t, Options{}, terminal)
		id := ask(t, b, deploy(t, nil))
		<-terminal.displayed
		page := newFakeChannel("page", Page, Possible)
		b.AddChannel(page)
		synctest.Wait()
		if len(page.displayed) != 1 || len(terminal.displayed) != 0 || len(terminal.taken) != 0 {
			t.Errorf("displayed in %d pages; displayed again at %d terminals, and taken from %d", len(page.displayed), len(terminal.displayed), len(terminal.taken))
		}
		reply(t, b, id, question.Dismiss)
	})
}

// A client that waits on shows the question in its dialog again.
func TestWaitingChannel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		before, after := newFakeChannel("elicitation", Elicitation, Possible), newFakeChannel("elicitation", Elicitation, Possible)
		b := open(t, Options{})
		id, err := b.Ask(deploy(t, nil), AskOptions{Channels: []Channel{before}})
		if err != nil {
			t.Fatal(err)
		}
		<-before.displayed
		before.presence = Absent
		before.end <- ErrLost
		done := make(chan struct{})
		go func() {
			defer close(done)
			if a, err := b.Collect(t.Context(), id, WaitOptions{Block: time.Minute, Channels: []Channel{after}}); err != nil || a.Value != "yes" {
				t.Errorf("collected %+v, %v", a, err)
			}
		}()
		<-after.displayed
		if _, err := b.Answer(id, choose("yes"), "elicitation"); err != nil {
			t.Error(err)
		}
		<-done
		if n := len(b.entries[id].own); n != 1 {
			t.Errorf("the question has %d channels afterwards", n)
		}
	})
}

// A viewer is a channel whose person the test plays.
type viewer struct {
	name string
	kind Kind

	mu       sync.Mutex
	presence Presence
	shown    string     // the ID of what it displays, or ""
	end      chan error // ends that
	ever     map[string]bool
}

func (v *viewer) Name() string { return v.name }
func (v *viewer) Kind() Kind   { return v.kind }

func (v *viewer) Presence() Presence {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.presence
}

func (v *viewer) Show(ctx context.Context, a Asked) error {
	v.mu.Lock()
	if v.presence == Absent || v.shown != "" {
		v.mu.Unlock()
		return ErrNotShown
	}
	end := make(chan error, 1)
	v.shown, v.end, v.ever[a.ID] = a.ID, end, true
	v.mu.Unlock()
	defer func() {
		v.mu.Lock()
		defer v.mu.Unlock()
		v.shown = ""
	}()
	select {
	case <-ctx.Done():
		return nil
	case err := <-end:
		return err
	}
}

// stop ends what the viewer displays. It returns the ID, or "" if there is nothing.
func (v *viewer) stop(err error, presence Presence) string {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.presence = presence
	if v.shown == "" || len(v.end) > 0 {
		return ""
	}
	v.end <- err
	return v.shown
}

// displays returns the ID of what the viewer displays, or "".
func (v *viewer) displays() string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.shown
}

func (v *viewer) hasDisplayed(id string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.ever[id]
}

// Viewers come, crash and leave; the person answers, dismisses and puts away. A question is
// dismissed only by an act, each answer gets to its asker, once, and a question that was displayed
// waits until the person has it again.
func TestRandomViewers(t *testing.T) {
	for seed := range uint64(300) {
		synctest.Test(t, func(t *testing.T) { randomViewers(t, rand.New(rand.NewPCG(seed, 1))) })
		if t.Failed() {
			t.Fatalf("with seed %d", seed)
		}
	}
}

func randomViewers(t *testing.T, r *rand.Rand) {
	b := open(t, Options{Workspaces: []string{"/path/to/workspace"}})
	var viewers []*viewer
	newViewer := func(name string, kind Kind) *viewer {
		v := &viewer{name: name, kind: kind, ever: map[string]bool{}}
		viewers = append(viewers, v)
		return v
	}
	for i, kind := range []Kind{Page, Page, Chat, Terminal, Terminal, Nearby} {
		b.AddChannel(newViewer(fmt.Sprintf("viewer %d", i), kind))
	}
	type asked struct {
		id        string
		acted     bool // the person has dismissed it or put it away
		withdrawn bool
		value     string // of the answer that was accepted
	}
	var all []*asked
	find := func(id string) *asked {
		return all[slices.IndexFunc(all, func(a *asked) bool { return a.id == id })]
	}
	displayed := func(id string) bool {
		return slices.ContainsFunc(viewers, func(v *viewer) bool { return v.hasDisplayed(id) })
	}
	act := func() {
		v := viewers[r.IntN(len(viewers))]
		switch r.IntN(8) {
		case 0:
			own := newViewer("own", Elicitation)
			own.presence = Possible
			id, err := b.Ask(deploy(t, nil), AskOptions{Channels: []Channel{own}})
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, &asked{id: id})
		case 1, 2:
			v.mu.Lock()
			v.presence = Presence(1 + r.IntN(2))
			v.mu.Unlock()
			b.Recheck()
		case 3, 4:
			v.stop(ErrLost, Absent)
		case 5:
			if v.kind.isBeside() || v.kind == Elicitation {
				if id := v.stop(ErrPutAway, v.Presence()); id != "" {
					find(id).acted = true
				}
			} else if id := v.displays(); id != "" {
				if _, err := b.Answer(id, question.Reply{Action: question.Dismiss}, v.name); err == nil {
					find(id).acted = true
				}
			}
		case 6:
			if id := v.displays(); id != "" {
				value := []string{"yes", "no"}[r.IntN(2)]
				if _, err := b.Answer(id, choose(value), v.name); err == nil {
					if a := find(id); a.value == "" {
						a.value = value
					} else {
						t.Errorf("%s was answered twice", id)
					}
				}
			}
		case 7:
			if len(all) > 0 && r.IntN(4) == 0 {
				a := all[r.IntN(len(all))]
				a.withdrawn = true
				if err := b.Withdraw(a.id); err != nil {
					t.Error(err)
				}
			}
		}
	}
	for range 80 {
		for range 1 + r.IntN(3) { // some acts come at the same time
			act()
		}
		time.Sleep(time.Duration(r.IntN(20)) * time.Second)
		synctest.Wait()
	}
	// At last the person comes back for good, and answers whatever they get.
	last := newViewer("last", Page)
	last.presence = Attended
	b.AddChannel(last)
	for {
		time.Sleep(time.Minute)
		synctest.Wait()
		open := b.Pending()
		if len(open) == 0 {
			break
		}
		id := ""
		for _, v := range viewers {
			if shown := v.displays(); shown != "" {
				id = shown
			}
		}
		if id == "" {
			t.Fatalf("%d questions are open, and none is displayed", len(open))
		}
		if _, err := b.Answer(id, choose("yes"), "last"); err != nil {
			t.Fatal(err)
		}
		find(id).value = "yes"
	}
	for _, a := range all {
		got := wait(t, b, a.id)
		switch got.Outcome {
		case question.Answered:
			if got.Value != a.value {
				t.Errorf("%s: got %q, want %q", a.id, got.Value, a.value)
			}
			continue
		case question.Dismissed:
			if !a.acted {
				t.Errorf("%s: dismissed, but the person has done nothing", a.id)
			}
		case question.Withdrawn:
			if !a.withdrawn {
				t.Errorf("%s: withdrawn by nobody", a.id)
			}
		case question.NoHuman:
			if displayed(a.id) {
				t.Errorf("%s: it was displayed, and ended with %s", a.id, got.Outcome)
			}
		default:
			t.Errorf("%s: %s", a.id, got.Outcome)
		}
		if a.value != "" {
			t.Errorf("%s: the answer %q was lost: %s", a.id, a.value, got.Outcome)
		}
	}
}

// brokenPeers is another server that comes and goes.
type brokenPeers struct {
	mu   sync.Mutex
	runs []func(context.Context, Asked) (question.Answer, error) // one for each time that it is asked
}

func (p *brokenPeers) Servers() []Peer {
	return []Peer{{Workspaces: []string{"/there"}, Ask: func(ctx context.Context, a Asked) (question.Answer, error) {
		p.mu.Lock()
		run := p.runs[0]
		p.runs = p.runs[1:]
		p.mu.Unlock()
		return run(ctx, a)
	}}}
}

// A server that stops has not dismissed the question that it has taken: it is asked again when it
// is back. If it has never taken the question, nobody was asked.
func TestPeerStops(t *testing.T) {
	stops := func(err error) func(context.Context, Asked) (question.Answer, error) {
		return func(context.Context, Asked) (question.Answer, error) { return question.Answer{}, err }
	}
	answers := func(context.Context, Asked) (question.Answer, error) {
		return question.Answer{Outcome: question.Answered, Value: "yes"}, nil
	}
	waits := func(ctx context.Context, _ Asked) (question.Answer, error) {
		<-ctx.Done()
		return question.Answer{}, ctx.Err()
	}
	refused := errors.New("connection refused")
	for name, tt := range map[string]struct {
		runs []func(context.Context, Asked) (question.Answer, error)
		want question.Outcome
	}{
		"it has not taken it":       {[]func(context.Context, Asked) (question.Answer, error){stops(refused)}, question.NoHuman},
		"it comes back":             {[]func(context.Context, Asked) (question.Answer, error){stops(ErrLost), stops(refused), answers}, question.Answered},
		"it comes back, for longer": {[]func(context.Context, Asked) (question.Answer, error){stops(ErrLost), waits}, question.TimedOut},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := open(t, Options{Workspaces: []string{"/here"}, Peers: &brokenPeers{runs: tt.runs}})
				q := deploy(t, func(s *question.Spec) { s.WorkspacePath = "/there" })
				if a := wait(t, b, ask(t, b, q)); a.Outcome != tt.want {
					t.Errorf("outcome %s, want %s", a.Outcome, tt.want)
				}
			})
		})
	}
}

// A question that another server has routed here, and asks for once more, is the same question,
// even if this server has restarted. Names that this server would not give are replaced: they might
// not differ.
func TestSameQuestion(t *testing.T) {
	for name, tt := range map[string]struct {
		id   string
		same bool
	}{
		"of a server":            {newID(), true},
		"of one before that":     {"1", false},
		"that is a path":         {"../../../../../../../../../x", false},
		"that is long, but ours": {newID() + newID(), true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				store := newMemory()
				ask := func(b *Broker) (question.Answer, error) {
					return b.AskAndWait(t.Context(), deploy(t, nil), AskOptions{ID: tt.id}, WaitOptions{Block: time.Minute})
				}
				b := open(t, Options{Store: store}, newFakeChannel("page", Page, Possible))
				done := make(chan error)
				go func() {
					_, err := ask(b)
					done <- err
				}()
				synctest.Wait()
				b.Close() // the server stops
				if err := <-done; fault.KindOf(err) != fault.Gone {
					t.Errorf("at its end: %v", err)
				}
				page := newFakeChannel("page", Page, Possible)
				b = open(t, Options{Store: store}, page)
				if _, err := b.Answer((<-page.displayed).ID, choose("no"), "page"); err != nil { // before the other server finds it
					t.Fatal(err)
				}
				a, err := ask(b)
				if same := err == nil && a.Value == "no"; same != tt.same || len(page.displayed) > 0 == tt.same {
					t.Errorf("answer %+v, %v; displayed %d times more", a, err, len(page.displayed))
				}
			})
		})
	}
}

// Connections of another server break while it asks for the same question over newer ones. In
// whichever order this is noticed, there is one question, and its answer is for all of them.
func TestConnectionsBreak(t *testing.T) {
	b := open(t, Options{})
	for range 500 {
		id := newID()
		type result struct {
			answer question.Answer
			err    error
		}
		results := make(chan result, 2)
		start := make(chan struct{})
		newer := func() {
			<-start
			a, err := b.AskAndWait(t.Context(), deploy(t, nil), AskOptions{ID: id}, WaitOptions{})
			results <- result{a, err}
		}
		if _, err := b.Ask(deploy(t, nil), AskOptions{ID: id}); err != nil {
			t.Fatal(err)
		}
		go newer()
		go newer()
		close(start)
		if err := b.Withdraw(id); err != nil { // the oldest connection has broken
			t.Fatal(err)
		}
		for { // until it is asked again
			a, err := b.Answer(id, choose("yes"), "page")
			if err == nil {
				if a.Value != "yes" {
					t.Fatalf("answer %+v", a)
				}
				break
			}
		}
		for range cap(results) {
			if r := <-results; r.err != nil || r.answer.Value != "yes" {
				t.Errorf("an asker gets %+v, %v", r.answer, r.err)
			}
		}
	}
}

// A question that is asked again while it is being withdrawn is stored as open.
func TestAskedAgainIsStored(t *testing.T) {
	store := newMemory()
	b := open(t, Options{Store: store})
	for range 300 {
		id := newID()
		if _, err := b.Ask(deploy(t, nil), AskOptions{ID: id}); err != nil {
			t.Fatal(err)
		}
		var both sync.WaitGroup
		both.Go(func() {
			if err := b.Withdraw(id); err != nil {
				t.Error(err)
			}
		})
		for slices.Contains(pendingIDs(b), id) { // until it is withdrawn
			runtime.Gosched()
		}
		if _, err := b.Ask(deploy(t, nil), AskOptions{ID: id}); err != nil {
			t.Fatal(err)
		}
		both.Wait()
		if docs, _ := store.All(); strings.Contains(string(docs[id]), "withdrawn") {
			t.Fatalf("stored: %s", docs[id])
		}
		if _, err := b.Answer(id, choose("no"), "page"); err != nil {
			t.Fatal(err)
		}
	}
}
