package popup

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/files"
	"ui-mcp/internal/popup/core"
	"ui-mcp/internal/popup/question"
)

// A memory is a store without a disk.
type memory struct {
	mu   sync.Mutex
	docs map[string][]byte
}

func newMemory() *memory { return &memory{docs: map[string][]byte{}} }

func (m *memory) Put(name string, content []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.docs[name] = content
	return nil
}

func (m *memory) Delete(name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.docs, name)
	return nil
}

func (m *memory) All() (map[string][]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return maps.Clone(m.docs), nil
}

// A question survives the server, and is answered at the next one.
func TestRestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newMemory()
		first := open(t, Options{Store: store}, newFakeChannel("page", core.Page, core.Possible))
		done := ask(t, first, deploy(t, nil))
		reply(t, first, done, question.Decline)
		time.Sleep(time.Second)
		one := ask(t, first, deploy(t, func(s *question.Spec) { s.Title = "one" }))
		time.Sleep(time.Second)
		two := ask(t, first, deploy(t, func(s *question.Spec) { s.Title, s.TimeoutSeconds, s.DefaultValue = "two", 60, "no" }))
		first.Close()

		time.Sleep(10 * time.Second)
		second := open(t, Options{Store: store})
		// No page is there yet. Nobody waits, so there is no hurry.
		time.Sleep(20 * time.Second)
		page := newFakeChannel("page", core.Page, core.Possible)
		second.AddChannel(page)
		if displayed := <-page.displayed; displayed.ID != one || displayed.Question.Title != "one" {
			t.Errorf("shown %+v", displayed)
		}
		if _, err := second.Answer(one, choose("yes"), "page"); err != nil {
			t.Fatal(err)
		}
		if displayed := <-page.displayed; displayed.ID != two {
			t.Errorf("shown %+v", displayed)
		}
		second.Close()

		// Its time goes by while no server runs.
		time.Sleep(time.Hour)
		third := open(t, Options{Store: store})
		for id, want := range map[string]question.Outcome{done: question.Declined, one: question.Answered, two: question.Default} {
			if a := wait(t, third, id); a.Outcome != want {
				t.Errorf("outcome %s, want %s", a.Outcome, want)
			}
		}
		if list := third.History(10); len(list) != 3 || list[0].ID != two || list[1].ID != one || list[2].ID != done {
			t.Errorf("history %+v", list)
		}
	})
}

// A clock that was set back while no server ran gives a question no more time than it was asked
// for.
func TestClockSetBackMeanwhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := time.Now().Add(10 * time.Hour)
		doc, err := json.Marshal(record{Asked: Asked{ID: "id", Question: deploy(t, func(s *question.Spec) { s.TimeoutSeconds = 60 }), At: asked, Deadline: asked.Add(time.Minute)}})
		if err != nil {
			t.Fatal(err)
		}
		b := open(t, Options{Store: &memory{docs: map[string][]byte{"id": doc}}})
		start := time.Now()
		if a := wait(t, b, "id"); a.Outcome != question.TimedOut || time.Since(start) > time.Minute {
			t.Errorf("%s after %v", a.Outcome, time.Since(start))
		}
	})
}

// No part of a secret is written anywhere, and only askers that requested it get it.
func TestSecretsAreNotKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newMemory()
		b := open(t, Options{Store: store}, newFakeChannel("page", core.Page, core.Possible))
		for _, reveal := range []bool{false, true} {
			id := ask(t, b, deploy(t, func(s *question.Spec) { s.Options, s.Secret, s.RevealSecret = nil, true, reveal }))
			if _, err := b.Answer(id, question.Reply{Action: question.Submit, Text: "hush"}, "page"); err != nil {
				t.Fatal(err)
			}
			want := ""
			if reveal {
				want = "hush"
			}
			if got := wait(t, b, id).ForAsker().Text; got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		}
		for name, doc := range store.docs {
			if bytes.Contains(doc, []byte("hush")) {
				t.Errorf("%s is kept: %s", name, doc)
			}
		}
		for _, p := range b.History(10) {
			if p.Answer.Text != "" || p.Answer.Value != "" {
				t.Errorf("in the history: %+v", p.Answer)
			}
		}
	})
}

// A broken record on disk affects no other.
func TestBrokenRecords(t *testing.T) {
	dir := t.TempDir()
	folder, err := files.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	b := open(t, Options{Store: folder}, newFakeChannel("page", core.Page, core.Possible))
	id := ask(t, b, deploy(t, nil))
	b.Close()
	newer := `{"format":2,"id":"newer","workspace":"/w","deadline":"2100-01-01T00:00:00Z"}`
	for name, content := range map[string]string{"broken": "{", "other": `{"id":"another"}`, "empty": "", "newer": newer} {
		if err := os.WriteFile(filepath.Join(dir, name+".json"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	again := open(t, Options{Store: folder})
	if diff := cmp.Diff([]string{id}, pendingIDs(again)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	again.Close()
	if got, err := os.ReadFile(filepath.Join(dir, "newer.json")); string(got) != newer {
		t.Errorf("a newer version's question: %s, %v", got, err)
	}
}

// A question of an earlier run that finds no channel does not delay others: the next one is asked,
// here in the dialog of its own client, and the old one when a page appears in time.
func TestKeptQuestionWaitsAside(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newMemory()
		first := open(t, Options{Store: store}, newFakeChannel("page", core.Page, core.Possible))
		kept := ask(t, first, deploy(t, nil))
		short := ask(t, first, deploy(t, func(s *question.Spec) { s.TimeoutSeconds = 60 }))
		first.Close()

		second := open(t, Options{Store: store})
		dialog := newFakeChannel("elicitation", core.Elicitation, core.Possible)
		for range 2 {
			id := askWith(t, second, deploy(t, nil), AskOptions{Channels: []Channel{dialog}})
			asked := time.Now()
			if displayed := <-dialog.displayed; displayed.ID != id {
				t.Fatalf("shown %+v", displayed)
			}
			if waited := time.Since(asked); waited != 0 {
				t.Errorf("it was shown after %v", waited)
			}
			if _, err := second.Answer(id, choose("yes"), "elicitation"); err != nil {
				t.Fatal(err)
			}
		}
		if a := wait(t, second, short); a.Outcome != question.TimedOut {
			t.Errorf("outcome %s", a.Outcome)
		}
		page := newFakeChannel("page", core.Page, core.Possible)
		second.AddChannel(page)
		if displayed := <-page.displayed; displayed.ID != kept {
			t.Errorf("shown %+v", displayed)
		}
	})
}

// A question of the broker's own project is displayed here also when the project's folder has been
// renamed since, and one of another program's project is not.
func TestRenamedWorkspace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newMemory()
		first := open(t, Options{Store: store, Patience: time.Hour, Workspaces: []string{"/old"}, Others: others("/other")})
		in := func(path string) string {
			return ask(t, first, deploy(t, func(s *question.Spec) { s.WorkspacePath = path }))
		}
		in("/other")
		own := in("/old")
		first.Close()
		page := newFakeChannel("page", core.Page, core.Possible)
		second := open(t, Options{Store: store, Patience: time.Hour, Workspaces: []string{"/new"}}, page)
		synctest.Wait()
		if n := len(second.Pending()); n != 2 || len(page.displayed) != 1 || (<-page.displayed).ID != own {
			t.Errorf("of %d questions, another is displayed than %s, or none", n, own)
		}
	})
}

// What an earlier version has stored can be read.
func TestStoredForm(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newMemory()
		const old = `{"id":"old","workspace":"/w","asker":"agent","question":{"workspace":"/w","title":"t","message":"m","timeout":3600000000000,` +
			`"severity":"info"},"at":"2000-01-01T00:00:00Z","deadline":"2000-01-01T01:00:00Z"}`
		if err := store.Put("old", []byte(old)); err != nil {
			t.Fatal(err)
		}
		b := open(t, Options{Store: store})
		want := Asked{ID: "old", Workspace: "/w", Asker: question.ByAgent, At: time.Now(), Deadline: time.Now().Add(time.Hour),
			Question: question.Question{Workspace: "/w", Title: "t", Message: "m", Timeout: time.Hour, Severity: question.Info}}
		list := b.Pending()
		if len(list) != 1 {
			t.Fatalf("pending: %+v", list)
		}
		list[0].Idle = false
		if diff := cmp.Diff(want, list[0]); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		if err := b.Withdraw("old"); err != nil {
			t.Fatal(err)
		}
		all, _ := store.All()
		if got := string(all["old"]); !strings.HasPrefix(got, `{"format":1,`+strings.TrimSuffix(strings.TrimPrefix(old, "{"), "}")+`,"answer":{`) {
			t.Errorf("stored: %s", got)
		}
	})
}

// A brokenStore cannot be read, or only in part.
type brokenStore struct {
	*memory
	docs map[string][]byte
}

func (s brokenStore) All() (map[string][]byte, error) {
	return s.docs, errors.New("the disk is broken")
}

// A broker that can read nothing of its store does not start; one that can read a part does.
func TestBrokenStore(t *testing.T) {
	if _, err := New(Options{Store: brokenStore{newMemory(), nil}}); err == nil {
		t.Error("it starts without its questions")
	}
	now := time.Now()
	docs := map[string][]byte{}
	for name, a := range map[string]Asked{
		"good":     {ID: "good", Deadline: now.Add(time.Hour)},
		"wrong":    {ID: "another", Deadline: now.Add(time.Hour)},
		"timeless": {ID: "timeless"},
	} {
		a.Question, a.At = deploy(t, nil), now
		doc, err := json.Marshal(record{Asked: a})
		if err != nil {
			t.Fatal(err)
		}
		docs[name] = doc
	}
	if got := pendingIDs(open(t, Options{Store: brokenStore{newMemory(), docs}})); len(got) != 1 || got[0] != "good" {
		t.Errorf("pending: %v", got)
	}
}
