package popup

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup/question"
)

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
		if n := len(b.askers[id].own); n != 0 {
			t.Errorf("the question has %d channels afterwards", n)
		}
	})
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
