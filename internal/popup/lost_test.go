package popup

import (
	"log/slog"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup/core"
	"ui-mcp/internal/popup/question"
)

// A client that waits on shows the question in its dialog again. Meanwhile the question is idle.
func TestWaitingChannel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		before, after := newFakeChannel("elicitation", core.Elicitation, core.Possible), newFakeChannel("elicitation", core.Elicitation, core.Possible)
		var logged strings.Builder
		b := open(t, Options{Log: slog.New(slog.NewTextHandler(&logged, &slog.HandlerOptions{Level: slog.LevelDebug}))})
		id := askWith(t, b, deploy(t, nil), AskOptions{Channels: []Channel{before}})
		<-before.displayed
		before.presence = core.Absent
		before.end <- ErrLost
		synctest.Wait()
		if !b.Pending()[0].Idle {
			t.Error("a question that is lost is not idle")
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			if a, err := b.Collect(t.Context(), id, WaitOptions{Block: time.Minute, Channels: []Channel{after}}); err != nil || a.Value != "yes" {
				t.Errorf("collected %+v, %v", a, err)
			}
		}()
		<-after.displayed
		if b.Pending()[0].Idle {
			t.Error("a question that is displayed is idle")
		}
		if _, err := b.Answer(id, choose("yes"), "elicitation"); err != nil {
			t.Error(err)
		}
		<-done
		if n := len(b.askers[id].own); n != 0 {
			t.Errorf("the question has %d channels afterwards", n)
		}
		synctest.Wait()
		if log := logged.String(); strings.Count(log, "\n") != 1 || !strings.Contains(log, ErrLost.Error()) {
			t.Errorf("logged beside the loss: %s", log)
		}
	})
}

// A question that another program has asked here, and asks for once more, is the same question,
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
		"that is too long":       {strings.Repeat(newID(), 5), false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				store := newMemory()
				ask := func(b *Broker) (question.Answer, error) {
					return b.AskAndWait(t.Context(), deploy(t, nil), AskOptions{Asked: Asked{ID: tt.id}}, WaitOptions{Block: time.Minute})
				}
				b := open(t, Options{Store: store}, newFakeChannel("page", core.Page, core.Possible))
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
				page := newFakeChannel("page", core.Page, core.Possible)
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

// A question that is asked again while it is being withdrawn is stored as open.
func TestAskedAgainIsStored(t *testing.T) {
	store := newMemory()
	b := open(t, Options{Store: store})
	for range 300 {
		id := newID()
		askWith(t, b, deploy(t, nil), AskOptions{Asked: Asked{ID: id}})
		var both sync.WaitGroup
		both.Go(func() {
			if err := b.Withdraw(id); err != nil {
				t.Error(err)
			}
		})
		for slices.Contains(pendingIDs(b), id) { // until it is withdrawn
			runtime.Gosched()
		}
		askWith(t, b, deploy(t, nil), AskOptions{Asked: Asked{ID: id}})
		both.Wait()
		if docs, _ := store.All(); strings.Contains(string(docs[id]), "withdrawn") {
			t.Fatalf("stored: %s", docs[id])
		}
		if _, err := b.Answer(id, choose("no"), "page"); err != nil {
			t.Fatal(err)
		}
	}
}

func isAt(t *testing.T, b *Broker, id string) {
	t.Helper()
	if _, err := b.Answer(id, question.Reply{Action: question.Active}, "page"); err != nil {
		t.Errorf("active: %v", err)
	}
}

// The asker that keeps a question open learns that the person is at it here.
func TestActiveForTheAsker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, Options{}, newFakeChannel("page", core.Page, core.Possible))
		calls := 0
		id := askWith(t, b, deploy(t, func(s *question.Spec) { s.DefaultValue = "yes" }), AskOptions{
			Deliver: func(question.Reply) error { return nil }, Active: func() { calls++ },
		})
		isAt(t, b, id)
		if calls != 1 {
			t.Errorf("%d calls", calls)
		}
	})
}
