package term_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ui-mcp/internal/term"
	"ui-mcp/internal/term/clients"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/testkit/load"
)

var untimed = cmp.Options{cmpopts.IgnoreFields(core.Typed{}, "At"), cmpopts.IgnoreUnexported(core.Typed{})}

// The ledger says who has typed what. Secrets, and what persons type, are only counted.
func TestLedger(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		agent, curl := core.Sender{Kind: core.SenderMCP, Name: "agent"}, core.Sender{Kind: core.SenderHTTP, Name: "curl", Peer: "127.0.0.1:7"}
		byAgent, byCurl := term.WithSender(t.Context(), agent), term.WithSender(t.Context(), curl)
		v := attachWith(t, s, term.ViewerOptions{Client: clients.Options{Name: "ann"}})
		person := core.Sender{Kind: core.SenderAttach, Name: "ann"}
		start := time.Now()
		step := func(err error) {
			t.Helper()
			if err != nil {
				t.Error(err)
			}
			synctest.Wait()
		}
		step(s.Send(byAgent, []byte("ls é\r")))
		step(s.Keys(byAgent, "C-c", "Up"))
		step(s.Send(byAgent, nil)) // is nothing
		step(s.Paste(byCurl, "text"))
		step(v.Type(t.Context(), []byte("pri")))
		time.Sleep(4 * time.Second)
		step(v.Type(t.Context(), []byte("v\x1b[A\x1b[I"))) // of which the last is no key
		step(s.Signal(byCurl, "INT"))
		step(v.Type(t.Context(), []byte("x")))
		time.Sleep(5 * time.Second)
		step(v.Type(t.Context(), []byte("y")))
		step(s.Type(byAgent, term.Input{Text: []byte("hunter2\r"), Secret: true}))
		step(s.Type(byAgent, term.Input{Keys: []string{"h", "Enter"}, Secret: true}))
		step(s.Type(byAgent, term.Input{Text: []byte("hunter2"), Paste: true, Secret: true}))
		p.become(tty.ModeSecret, tty.ReadsNot)
		step(s.Send(byAgent, []byte("hunter3\r")))
		step(v.Type(t.Context(), []byte("hunter4\r")))
		p.become(tty.ModeLines, tty.ReadsNot)
		step(s.Send(byAgent, []byte("open")))
		got, err := s.Typed(t.Context(), 0, 100)
		want := []core.Typed{
			{Seq: 1, From: agent, Kind: core.InputText, Text: "ls é\r", Count: 5},
			{Seq: 2, From: agent, Kind: core.InputKeys, Text: "C-c Up", Count: 2},
			{Seq: 3, From: curl, Kind: core.InputPaste, Text: "text", Count: 4},
			{Seq: 4, From: person, Kind: core.InputText, Count: 5 + 1},
			{Seq: 5, From: curl, Kind: core.InputSignal, Text: "INT", Count: 1},
			{Seq: 6, From: person, Kind: core.InputText, Count: 1},
			{Seq: 7, From: person, Kind: core.InputText, Count: 1},
			{Seq: 8, From: agent, Kind: core.InputText, Count: 8, Secret: true},
			{Seq: 9, From: agent, Kind: core.InputKeys, Count: 2, Secret: true},
			{Seq: 10, From: agent, Kind: core.InputPaste, Count: 7, Secret: true},
			{Seq: 11, From: agent, Kind: core.InputText, Count: 8, Secret: true},
			{Seq: 12, From: person, Kind: core.InputText, Count: 8, Secret: true},
			{Seq: 13, From: agent, Kind: core.InputText, Text: "open", Count: 4},
		}
		if d := cmp.Diff(want, got, untimed); d != "" || err != nil {
			t.Errorf("%v, %s", err, d)
		}
		if at := got[3].At; !at.Equal(start) {
			t.Errorf("the person began to type at %v, want %v", at, start)
		}
		if got, err := s.Typed(t.Context(), 3, 2); err != nil || len(got) != 2 || got[0].Seq != 12 {
			t.Errorf("the last two: %v, %v", got, err)
		}
		if got, err := s.Typed(t.Context(), 13, 2); err != nil || len(got) != 0 {
			t.Errorf("after the last: %v, %v", got, err)
		}
	})
}

// Only the line that the asking program reads is a secret, behind which nothing is typed in one
// piece. What the session's shell reads while the terminal does not echo is kept.
func TestTypedBehindSecret(t *testing.T) {
	agent := core.Sender{Kind: core.SenderMCP, Name: "agent"}
	typed, pressed := core.InputText, core.InputKeys
	type entry struct {
		kind   core.InputKind
		text   string
		count  int
		secret bool
	}
	send := func(ctx context.Context, s *term.Session, b string) error { return s.Send(ctx, []byte(b)) }
	for name, tt := range map[string]struct {
		say  string
		do   func(context.Context, *term.Session) error
		want []entry
	}{
		"text":                        {"", text("hunter2\rrm -rf build\r"), nil},
		"a dropped line":              {"", text("hunter2\x03rm x\r"), nil},
		"keys":                        {"", press("h", "Enter", "l", "Enter"), nil},
		"a paste":                     {"", paste("hunter2\nls\n"), nil},
		"text and a key":              {"", withKeys("hunter2", "Enter"), []entry{{typed, "", 7, true}, {pressed, "", 1, true}}},
		"text with a line, and a key": {"", withKeys("hunter2\rrm x", "Enter"), nil},
		"one after the other": {"", func(ctx context.Context, s *term.Session) error {
			return errors.Join(send(ctx, s, "hunter2\r"), send(ctx, s, "rm x\r"))
		}, []entry{{typed, "", 8, true}, {typed, "", 5, true}}},
		"the shell without an editor": {markA + "$ " + markB, text("rm x\r"), []entry{{typed, "rm x\r", 5, false}}},
		"a command":                   {markA + "$ " + markB + markC + "Password: ", text("hunter2\r"), []entry{{typed, "", 8, true}}},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, p *script, s *term.Session) {
				p.become(tty.ModeSecret, tty.Reads)
				p.say("Password: ")
				p.say(tt.say)
				if err := tt.do(term.WithSender(t.Context(), agent), s); (err == nil) != (tt.want != nil) {
					t.Errorf("it is typed: %v", err)
				}
				list, err := s.Typed(t.Context(), 0, 100)
				must(t, err)
				var got []entry
				for _, e := range list {
					got = append(got, entry{e.Kind, e.Text, e.Count, e.Secret})
				}
				if d := cmp.Diff(tt.want, got, cmp.AllowUnexported(entry{})); d != "" {
					t.Errorf("-want +got:\n%s", d)
				}
			})
		})
	}
}

// What a ledger and searches keep of long texts keeps nothing else of them in memory.
func TestPartsOfLongTexts(t *testing.T) {
	load.Sequential(t)
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		heap := func() int64 {
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			return int64(m.HeapAlloc)
		}
		const calls = 16
		before := heap()
		for range calls {
			must(t, s.Paste(t.Context(), strings.Repeat("x", 1<<20-100)))
			synctest.Wait() // the program has read it
			p.forget()
		}
		if grown := heap() - before; grown > 8<<20 {
			t.Errorf("the ledger of %d inputs keeps %d bytes", calls, grown)
		}

		line := strings.Repeat("word ", 12<<10)
		for range calls {
			p.say(line + "\r\n")
		}
		before = heap()
		var kept []term.Search
		for range calls {
			found, err := s.Search(t.Context(), term.SearchOptions{Text: "word"})
			if err != nil || len(found.Found) == 0 {
				t.Fatalf("%d found, %v", len(found.Found), err)
			}
			kept = append(kept, found)
		}
		n := len(kept[0].Found)
		if grown := heap() - before; grown > int64(calls*n*(2*4<<10)) {
			t.Errorf("%d searches with %d matches each keep %d bytes", calls, n, grown)
		}
		runtime.KeepAlive(kept)
	})
}
