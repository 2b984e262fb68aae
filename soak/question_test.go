//go:build linux

package soak

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"ui-mcp/internal/testkit/wait"
)

// A ballot knows what must be true of questions. Each has at most one answer, which is the one that
// a person has given to it; once the server has accepted it, the asker gets it, and it can be
// collected again, also from a later run of the server.
type ballot struct {
	report func(format string, args ...any) // gets each contradiction

	mu       sync.Mutex
	given    map[string][]string // what persons have sent, by question
	accepted map[string]string   // what the server has accepted
	got      map[string]string   // what askers got
	order    []string            // the accepted ones, the newest last
}

func newBallot(report func(format string, args ...any)) *ballot {
	return &ballot{report: report, given: map[string][]string{}, accepted: map[string]string{}, got: map[string]string{}}
}

// give reports that a person is about to send an answer.
func (b *ballot) give(id, value string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.given[id] = append(b.given[id], value)
}

// accept reports that the server has accepted the answer.
func (b *ballot) accept(id, value string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if other, ok := b.accepted[id]; ok {
		b.report("the question %s has accepted %q and %q", id, other, value)
		return
	}
	if got, ok := b.got[id]; ok && got != value {
		b.report("the question %s has accepted %q, but its asker got %q", id, value, got)
	}
	b.accepted[id] = value
	b.order = append(b.order, id)
}

// get reports the answer that an asker got to a question with a title.
func (b *ballot) get(id, title, value string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	accepted, known := b.accepted[id]
	switch {
	case !strings.HasPrefix(value, title+"/"):
		b.report("the question %q got %q, which answers another one", title, value)
	case known && value != accepted:
		b.report("the question %s has accepted %q, but its asker got %q", id, accepted, value)
	case !slices.Contains(b.given[id], value):
		b.report("the asker of %q got %q, which nobody has sent: %q", title, value, b.given[id])
	}
	if other, ok := b.got[id]; ok && other != value {
		b.report("the question %s was answered with %q and %q", id, other, value)
	}
	b.got[id] = value
}

// recent returns one of the last accepted answers; "" if there are none.
func (b *ballot) recent(r *rand.Rand) (id, value string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	last := b.order[max(0, len(b.order)-50):] // the server remembers more
	if len(last) == 0 {
		return "", ""
	}
	id = last[r.IntN(len(last))]
	return id, b.accepted[id]
}

func (b *ballot) summary() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return fmt.Sprintf("%d answers accepted, %d received by their askers", len(b.accepted), len(b.got))
}

// outcome is the end of a question, for its asker.
type outcome struct {
	Status        string `json:"status"`
	SelectedValue string `json:"selectedValue"`
	PopupID       string `json:"popupId"`
}

// ask asks one question after another.
func (w *world) ask(ctx context.Context, x *site, name string) {
	r := stream(w.s.seed, name)
	a := x.agent(x.mcp)
	for n := 1; sleep(ctx, pause(r, 2*pace)); n++ {
		title := fmt.Sprintf("%s:%d", name, n)
		options := []map[string]string{}
		for _, letter := range []string{"a", "b", "c"} {
			options = append(options, map[string]string{"label": letter, "value": title + "/" + letter})
		}
		args := map[string]any{"title": title, "message": "Which one?", "options": options}
		call, leave, err := x.enter(ctx)
		if err != nil {
			return
		}
		o, err := askByTool(call, a, args)
		leave()
		switch {
		case err != nil:
			w.s.note("unknown", "question %s: %v", title, err)
		case o.Status == "answered":
			w.ballot.get(o.PopupID, title, o.SelectedValue)
			w.s.note("answered", "%s: %s", title, o.SelectedValue)
		case o.Status == "no_human" || o.Status == "stopping":
			w.s.note("unheard", "question %s: %v", title, o)
		default:
			w.s.wrong("the question %s ended with %v", title, o)
		}
	}
}

// askByTool asks with the tools popup and popup_wait.
func askByTool(ctx context.Context, a agent, args map[string]any) (o outcome, err error) {
	tool := "popup"
	for {
		r, err := must(a.call(ctx, tool, args))
		if err == nil {
			err = json.Unmarshal([]byte(r.text), &o)
		}
		if err != nil || o.Status != "waiting" {
			return o, err
		}
		tool, args = "popup_wait", map[string]any{"popupId": o.PopupID}
	}
}

// collect asks again for answers that were accepted.
func (w *world) collect(ctx context.Context, x *site) {
	r := stream(w.s.seed, "collector")
	a := x.agent(x.mcp)
	for sleep(ctx, pause(r, 3*pace)) {
		id, want := w.ballot.recent(r)
		if id == "" {
			continue
		}
		call, leave, err := x.enter(ctx)
		if err != nil {
			return
		}
		res, err := a.call(call, "popup_wait", map[string]any{"popupId": id})
		leave()
		var o outcome
		switch {
		case err != nil:
			w.s.note("unknown", "collecting %s: %v", id, err)
		case res.isError || json.Unmarshal([]byte(res.text), &o) != nil || o.Status != "answered" || o.SelectedValue != want:
			w.s.wrong("the answer to %s, %q, was collected as %s", id, want, res.text)
		default:
			w.s.note("collected", "%s: %s", id, want)
		}
	}
}

// person answers the questions in a simulated page, each after a moment for reading it.
func (w *world) person(ctx context.Context, x *site, address, name string) {
	r := stream(w.s.seed, name)
	for ctx.Err() == nil {
		call, leave, err := x.enter(ctx)
		if err != nil {
			return
		}
		err = w.answerAll(call, address, name, r)
		leave()
		w.s.note("away", "%s: %v", name, err)
		if !sleep(ctx, 300*time.Millisecond) {
			return
		}
	}
}

// answerAll answers questions until the connection ends.
func (w *world) answerAll(ctx context.Context, address, name string, r *rand.Rand) error {
	_, port, _ := strings.Cut(address, ":")
	there := "localhost:" + port
	conn, _, err := websocket.Dial(ctx, "ws://"+there+"/popup-ws", &websocket.DialOptions{HTTPHeader: http.Header{"Origin": {"http://" + there}}})
	if err != nil {
		return err
	}
	defer conn.CloseNow()
	conn.SetReadLimit(-1)
	say := func(m map[string]any) error {
		b, err := json.Marshal(m)
		if err != nil {
			return err
		}
		return conn.Write(ctx, websocket.MessageText, b)
	}
	if err := say(map[string]any{"type": "hello", "focused": true}); err != nil {
		return err
	}
	options := map[string][]string{} // values, by question
	sent := map[string]string{}      // what was answered, without a verdict
	shown := ""                      // the question in the dialog
	var ripe <-chan time.Time        // when it has been read
	messages, failed := make(chan []byte), make(chan error, 1)
	go func() {
		for {
			_, msg, err := conn.Read(ctx)
			if err != nil {
				failed <- err
				return
			}
			select {
			case messages <- msg:
			case <-ctx.Done():
				return
			}
		}
	}()
	for {
		select {
		case err := <-failed:
			return err
		case <-ctx.Done():
			return ctx.Err()
		case <-ripe:
			ripe = nil
			if list := options[shown]; len(list) > 0 && sent[shown] == "" {
				value := list[r.IntN(len(list))]
				w.ballot.give(shown, value)
				sent[shown] = value
				if err := say(map[string]any{"type": "answer", "id": shown, "action": "answer", "values": []string{value}}); err != nil {
					return err
				}
			}
		case msg := <-messages:
			var m struct {
				Type  string
				Order []struct {
					ID     string
					Dialog bool
				}
				Questions []struct {
					ID      string
					Options []struct{ Value string }
				}
				ID    string
				OK    bool
				Over  bool
				Error string
			}
			if err := json.Unmarshal(msg, &m); err != nil {
				return err
			}
			for _, q := range m.Questions {
				options[q.ID] = nil
				for _, o := range q.Options {
					options[q.ID] = append(options[q.ID], o.Value)
				}
			}
			switch {
			case m.Type == "verdict" && m.OK:
				w.ballot.accept(m.ID, sent[m.ID])
			case m.Type == "verdict":
				w.s.note("refused", "%s: the answer to %s: %s", name, m.ID, m.Error)
				if !m.Over {
					delete(sent, m.ID)
				}
			case m.Type == "state":
				dialog := ""
				for _, q := range m.Order {
					if q.Dialog && dialog == "" && sent[q.ID] == "" {
						dialog = q.ID
					}
				}
				if dialog != shown {
					shown, ripe = dialog, nil
				}
				if shown != "" && ripe == nil {
					if err := say(map[string]any{"type": "shown", "id": shown}); err != nil {
						return err
					}
					ripe = time.After(wait.Reading + time.Duration(r.IntN(1000))*time.Millisecond)
				}
			}
		}
	}
}

// The ballot accepts what may happen, and reports everything else.
func TestBallot(t *testing.T) {
	for _, c := range []struct {
		name, want string // want is part of the first report; "" means no report
		run        func(b *ballot)
	}{
		{"an answer arrives", "", func(b *ballot) { b.give("1", "q/a"); b.accept("1", "q/a"); b.get("1", "q", "q/a") }},
		{"the asker is quicker", "", func(b *ballot) { b.give("1", "q/a"); b.get("1", "q", "q/a"); b.accept("1", "q/a") }},
		{"the verdict is lost", "", func(b *ballot) { b.give("1", "q/a"); b.get("1", "q", "q/a") }},
		{"an answer is invented", "nobody has sent", func(b *ballot) { b.get("1", "q", "q/a") }},
		{"an answer belongs to another question", "answers another one", func(b *ballot) { b.give("1", "p/a"); b.get("1", "q", "p/a") }},
		{"two are accepted", `accepted "q/a" and "q/b"`, func(b *ballot) { b.accept("1", "q/a"); b.accept("1", "q/b") }},
		{"the other one arrives", `accepted "q/a", but its asker got "q/b"`, func(b *ballot) {
			b.give("1", "q/a")
			b.give("1", "q/b")
			b.accept("1", "q/a")
			b.get("1", "q", "q/b")
		}},
		{"it changes", `answered with "q/a" and "q/b"`, func(b *ballot) {
			b.give("1", "q/a")
			b.give("1", "q/b")
			b.get("1", "q", "q/a")
			b.get("1", "q", "q/b")
		}},
		{"another one was accepted", `accepted "q/b", but its asker got "q/a"`, func(b *ballot) {
			b.give("1", "q/a")
			b.get("1", "q", "q/a")
			b.accept("1", "q/b")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var reports []string
			c.run(newBallot(func(format string, args ...any) { reports = append(reports, fmt.Sprintf(format, args...)) }))
			if c.want == "" && len(reports) > 0 || c.want != "" && (len(reports) == 0 || !strings.Contains(reports[0], c.want)) {
				t.Errorf("it reports %q, want %q", reports, c.want)
			}
		})
	}
}
