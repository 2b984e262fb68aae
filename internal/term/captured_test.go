package term_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/term/tty"
)

// waitKeys returns what was typed, the next generation and the mode, as text.
func waitKeys(t *testing.T, s *term.Session, last *uint64) string {
	t.Helper()
	k, err := s.WaitKeys(t.Context(), term.KeysOptions{LastGeneration: last, MaxWait: time.Second})
	if err != nil {
		return fmt.Sprint(fault.KindOf(err))
	}
	var b strings.Builder
	for _, e := range k.Events {
		switch {
		case e.Secret:
			b.WriteString("*")
		default:
			b.Write(e.Raw)
		}
	}
	return fmt.Sprintf("%s %d %s", b.String(), k.Generation, k.Mode)
}

func TestWaitKeys(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		check := func(last *uint64, want string) {
			t.Helper()
			if got := waitKeys(t, s, last); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		}
		capture := func() {
			t.Helper()
			must(t, s.CaptureInput(t.Context()))
		}
		v := attach(t, s)
		typed := func(keys string) {
			t.Helper()
			must(t, v.Type(t.Context(), []byte(keys)))
		}
		typed("before")
		check(nil, " 0 passthrough")
		capture()
		check(nil, fmt.Sprint(fault.Timeout))
		typed("ab")
		check(nil, "ab 2 capture")
		check(nil, "ab 2 capture") // reading takes nothing away
		check(new(uint64(1)), "b 2 capture")
		check(new(uint64(2)), fmt.Sprint(fault.Timeout))
		done := make(chan string)
		go func() { done <- waitKeys(t, s, new(uint64(2))) }()
		synctest.Wait()
		typed("c")
		if got := <-done; got != "c 3 capture" {
			t.Errorf("while waiting: %q", got)
		}
		go func() { done <- waitKeys(t, s, new(uint64(3))) }()
		synctest.Wait()
		typed("\x1c") // the person takes the keyboard back
		if got := <-done; got != " 3 passthrough" {
			t.Errorf("released while waiting: %q", got)
		}
		typed("x")
		check(nil, "abc 3 passthrough") // what was typed before can still be read
		capture()
		check(nil, fmt.Sprint(fault.Timeout)) // until the next time
		typed("d")
		check(nil, "d 4 capture")
		p.become(tty.ModeSecret, tty.Reads)
		typed("pw")
		p.become(tty.ModeLines, tty.Reads)
		check(new(uint64(4)), "** 6 capture")
		k, err := s.WaitKeys(t.Context(), term.KeysOptions{LastGeneration: new(uint64(4)), MayCapture: true})
		if err != nil || len(k.Events) != 2 || string(k.Events[1].Raw) != "w" {
			t.Errorf("for callers that may capture: %+v, %v", k.Events, err)
		}
		if got := p.input(); got != "beforex" {
			t.Errorf("the program got %q", got)
		}
		go func() { done <- waitKeys(t, s, new(uint64(6))) }()
		synctest.Wait()
		p.end(tty.Exit{})
		if got := <-done; got != fmt.Sprint(fault.Gone) {
			t.Errorf("the program ended while waiting: %q", got)
		}
	})
}

// A person who types without end costs a bounded amount of memory.
func TestWaitKeysBound(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		must(t, s.CaptureInput(t.Context()))
		v := attach(t, s)
		for range 3 {
			must(t, v.Type(t.Context(), []byte(strings.Repeat("x", 500))))
		}
		k, err := s.WaitKeys(t.Context(), term.KeysOptions{})
		if err != nil || len(k.Events) != 1000 || k.Missed != 0 || k.Generation != 1500 {
			t.Errorf("%d events, %d missed, generation %d, %v", len(k.Events), k.Missed, k.Generation, err)
		}
		k, err = s.WaitKeys(t.Context(), term.KeysOptions{LastGeneration: new(uint64)})
		if err != nil || len(k.Events) != 1000 || k.Missed != 500 {
			t.Errorf("from the start: %d events, %d missed, %v", len(k.Events), k.Missed, err)
		}
		paste := "\x1b[200~" + strings.Repeat("y", 40<<10) + "\x1b[201~"
		for range 3 {
			must(t, v.Type(t.Context(), []byte(paste)))
		}
		k, err = s.WaitKeys(t.Context(), term.KeysOptions{})
		if size := rawSize(k.Events); err != nil || size > 64<<10 || len(k.Events) != 1 {
			t.Errorf("after pastes: %d events of %d bytes, %v", len(k.Events), size, err)
		}
	})
}

func rawSize(events []overlay.InputEvent) (n int) {
	for _, e := range events {
		n += len(e.Raw)
	}
	return n
}
