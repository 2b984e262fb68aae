package popup

import (
	"errors"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/popup/core"
	"ui-mcp/internal/popup/question"
	patiently "ui-mcp/internal/testkit/wait"
)

// A slowStore takes long to store the first document.
type slowStore struct {
	*memory
	begun chan string   // the name of that document
	rest  chan struct{} // closed when it may be stored
}

func newSlowStore() *slowStore {
	return &slowStore{newMemory(), make(chan string, 1), make(chan struct{})}
}

func (s *slowStore) Put(name string, content []byte) error {
	select {
	case s.begun <- name:
		<-s.rest
	default: // not the first
	}
	return s.memory.Put(name, content)
}

// A question that is answered while it is saved is over: the store ends with its answer, nobody is
// shown it, and no timer waits for its deadline.
func TestAnsweredWhileSaved(t *testing.T) {
	store, page := newSlowStore(), newFakeChannel("page", core.Page, core.Possible)
	b := open(t, Options{Store: store}, page)
	asked := make(chan error, 1)
	go func() {
		_, err := b.Ask(deploy(t, nil), AskOptions{})
		asked <- err
	}()
	id := <-store.begun
	answered := make(chan error, 1)
	go func() {
		_, err := b.Answer(id, choose("yes"), "page")
		answered <- err
	}()
	patiently.Until(t, "the question is over", func() bool { return len(b.History(1)) == 1 })
	close(store.rest)
	for what, ended := range map[string]chan error{"ask": asked, "answer": answered} {
		if err := patiently.For(t, "the end of "+what, ended); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	if all, _ := store.All(); !strings.Contains(string(all[id]), `"answer":{`) {
		t.Errorf("stored without its answer: %s", all[id])
	}
	if a, err := b.Collect(t.Context(), id, WaitOptions{}); err != nil || a.Outcome != question.Answered {
		t.Errorf("collected %+v, %v", a, err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.timer != nil || len(page.displayed) > 0 {
		t.Errorf("it has a timer: %t; displayed %d times", b.timer != nil, len(page.displayed))
	}
}

// A fullStore has no room until it is cleared.
type fullStore struct {
	*memory
	full  atomic.Bool
	tries atomic.Int64
}

func (s *fullStore) Put(name string, content []byte) error {
	s.tries.Add(1)
	if s.full.Load() {
		return errors.New("no space left on device")
	}
	return s.memory.Put(name, content)
}

// An answer that could not be saved is saved when there is room again, or at the end, so that the
// next broker does not ask the person a second time.
func TestSavedLater(t *testing.T) {
	for _, closes := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			store := &fullStore{memory: newMemory()}
			b := open(t, Options{Store: store}, newFakeChannel("page", core.Page, core.Possible))
			id := ask(t, b, deploy(t, nil))
			store.full.Store(true)
			reply(t, b, id, question.Decline)
			time.Sleep(10 * storeAgain)
			if all, _ := store.All(); strings.Contains(string(all[id]), `"answer":{`) {
				t.Fatal("the store is not full")
			}
			store.full.Store(false)
			if closes {
				b.Close()
			} else {
				time.Sleep(storeAgain)
				synctest.Wait()
			}
			if all, _ := store.All(); !strings.Contains(string(all[id]), `"answer":{`) {
				t.Errorf("closed: %t; stored without its answer: %s", closes, all[id])
			}
			tries := store.tries.Load()
			if time.Sleep(10 * storeAgain); store.tries.Load() != tries {
				t.Errorf("closed: %t; what is stored is tried again", closes)
			}
		})
	}
}

// A question that is still being saved when the broker closes is left for the next broker: it gets
// neither a timer nor a place before the person.
func TestCloseWhileSaving(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, page := newSlowStore(), newFakeChannel("page", core.Page, core.Possible)
		b := open(t, Options{Store: store}, page)
		asked := make(chan error, 1)
		go func() {
			_, err := b.Ask(deploy(t, nil), AskOptions{})
			asked <- err
		}()
		id := <-store.begun
		closed := make(chan error, 1)
		go func() {
			b.Close()
			closed <- nil
		}()
		synctest.Wait()
		if len(closed) > 0 {
			t.Error("it is closed before the store has the question")
		}
		close(store.rest)
		if err := <-asked; err != nil {
			t.Error(err)
		}
		<-closed
		if b.timer != nil || len(page.displayed) > 0 {
			t.Errorf("it has a timer: %t; displayed %d times", b.timer != nil, len(page.displayed))
		}
		if all, _ := store.All(); all[id] == nil {
			t.Error("it is not stored")
		}
	})
}

// While there is no room, each question is tried once a second, however many there are, and the log
// says of each once that it is not stored; of questions that are, it says nothing.
func TestFullStoreIsTriedSlowly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var logged strings.Builder
		store := &fullStore{memory: newMemory()}
		b := open(t, Options{Store: store, Log: slog.New(slog.NewTextHandler(&logged, nil))}, newFakeChannel("page", core.Page, core.Possible))
		ask(t, b, deploy(t, nil))
		synctest.Wait()
		if logged.Len() > 0 {
			t.Errorf("logged for a question that is stored: %s", logged.String())
		}
		store.full.Store(true)
		ids := []string{ask(t, b, deploy(t, nil)), ask(t, b, deploy(t, nil)), ask(t, b, deploy(t, nil))}
		store.tries.Store(0)
		const seconds = 8
		time.Sleep(seconds*storeAgain + storeAgain/2)
		synctest.Wait()
		if n := store.tries.Load(); n != seconds*int64(len(ids)) {
			t.Errorf("%d questions are tried %d times in %d seconds", len(ids), n, seconds)
		}
		for _, id := range ids {
			if n := strings.Count(logged.String(), id); n != 1 {
				t.Errorf("the log names a question %d times", n)
			}
		}
	})
}

// Nothing is written after the end: the store may be another broker's by then.
func TestNothingIsSavedAfterClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &fullStore{memory: newMemory()}
		b := open(t, Options{Store: store})
		store.full.Store(true)
		ask(t, b, deploy(t, nil))
		b.Close()
		store.tries.Store(0)
		time.Sleep(10 * storeAgain)
		if n := store.tries.Load(); n > 0 {
			t.Errorf("it is saved %d times after the end", n)
		}
	})
}
