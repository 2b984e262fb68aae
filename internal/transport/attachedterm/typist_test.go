package attachedterm

import (
	"bytes"
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/fault"
)

// A program reads what is typed as far as it does.
type program struct {
	signals  bool // Ctrl-C interrupts it
	detached chan struct{}

	mu   sync.Mutex // guards the fields below
	room int        // bytes that it still takes
	got  []byte
}

func (p *program) Interrupts(b []byte) bool  { return p.signals && bytes.IndexByte(b, 3) >= 0 }
func (p *program) Detached() <-chan struct{} { return p.detached }

func (p *program) Type(_ context.Context, b []byte) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(b) > p.room && !p.Interrupts(b) {
		return fault.New(fault.Exhausted, "no room")
	}
	p.room -= len(b)
	p.got = append(p.got, b...)
	return nil
}

// reads makes room for n more bytes.
func (p *program) reads(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.room = n
}

// has returns what the program has, in short: runs of x as their length.
func (p *program) has() string {
	synctest.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	var out string
	for b := p.got; len(b) > 0; {
		n := len(b) - len(bytes.TrimLeft(b, "x"))
		if n == 0 {
			out, b = out+fmt.Sprintf("%q", b[:1]), b[1:]
			continue
		}
		out, b = out+fmt.Sprint(n), b[n:]
	}
	return out
}

// typing calls f with a program and its typist. wantDropped is how often the person learns that
// input was dropped.
func typing(t *testing.T, signals bool, wantDropped int, f func(*testing.T, *program, *typist)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		p := &program{signals: signals, detached: make(chan struct{})}
		dropped := 0
		k := newTypist(t.Context(), p, func(err error) {
			if err != errUnread {
				t.Errorf("input is refused: %v", err)
			}
			dropped++
		})
		f(t, p, k)
		k.finish()
		if dropped != wantDropped {
			t.Errorf("the person learns %d times that input was dropped, want %d", dropped, wantDropped)
		}
	})
}

var paste = bytes.Repeat([]byte("x"), 4<<20)

// A key that interrupts the program reaches it at once, past what the program does not read. What
// was typed after the key follows.
func TestInterruptBehindPaste(t *testing.T) {
	typing(t, true, 0, func(t *testing.T, p *program, k *typist) {
		p.reads(typePiece)
		for _, b := range [][]byte{paste, paste, []byte("a\x03"), []byte("b")} {
			k.input(t.Context(), b)
		}
		start := time.Now()
		p.has()
		for p.has() == "32768" && time.Since(start) < time.Second {
			time.Sleep(time.Millisecond)
		}
		if took := time.Since(start); took > 2*typePause {
			t.Errorf("the key took %v", took)
		}
		p.reads(10)
		time.Sleep(typePause)
		if got, want := p.has(), `32768"a""\x03""b"`; got != want {
			t.Errorf("the program got %s, want %s", got, want)
		}
	})
}

// A program that reads slowly gets everything, also when it takes Ctrl-C as a key like any other.
func TestSlowProgram(t *testing.T) {
	typing(t, false, 0, func(t *testing.T, p *program, k *typist) {
		k.input(t.Context(), paste)
		k.input(t.Context(), []byte("\x03"))
		for range len(paste)/typePiece + 1 {
			p.reads(typePiece)
			time.Sleep(time.Second)
		}
		if got, want := p.has(), `4194304"\x03"`; got != want {
			t.Errorf("the program got %s, want %s", got, want)
		}
	})
}

// What a program does not read in time is dropped, and more at once until it reads again.
func TestUnreadIsDropped(t *testing.T) {
	typing(t, false, 1, func(t *testing.T, p *program, k *typist) {
		k.input(t.Context(), paste)
		k.input(t.Context(), []byte("a"))
		time.Sleep(typeTime + time.Second)
		p.reads(1 << 20)
		k.input(t.Context(), []byte("b"))
		if got, want := p.has(), `"b"`; got != want {
			t.Errorf("the program got %s, want %s", got, want)
		}
	})
}

// Requests keep their place among what is typed. The client's end waits for neither.
func TestOrderOfRequests(t *testing.T) {
	typing(t, false, 0, func(t *testing.T, p *program, k *typist) {
		var at []string
		note := func() { at = append(at, p.has()) }
		p.reads(2)
		for _, b := range []string{"a", "b", "c"} {
			k.then(t.Context(), 0, func() { p.mu.Lock(); defer p.mu.Unlock(); at = append(at, string(p.got)) })
			k.input(t.Context(), []byte(b))
		}
		start := time.Now()
		k.finish()
		note()
		if got, want := fmt.Sprint(at), `[ a ab "a""b"]`; got != want || time.Since(start) > typePause {
			t.Errorf("the program had %s after %v, want %s at once", got, time.Since(start), want)
		}
	})
}

// The memory of what waits is bounded: the client waits then.
func TestTypistIsFull(t *testing.T) {
	typing(t, false, 0, func(t *testing.T, p *program, k *typist) {
		var sent atomic.Int32
		go func() {
			for range 10 {
				k.input(t.Context(), paste)
				sent.Add(1)
			}
		}()
		synctest.Wait()
		if want := int32(maxWaiting / len(paste)); sent.Load() != want { // one is being typed, and they are more than their content
			t.Errorf("%d wait, want %d", sent.Load(), want)
		}
		p.reads(10 * len(paste))
		for sent.Load() < 10 {
			time.Sleep(time.Second)
		}
	})
}

// A key for which the program has room is typed before input returns, unless something waits to be
// carried out: then it keeps its order.
func TestKeyTypedAtOnce(t *testing.T) {
	typing(t, false, 0, func(t *testing.T, p *program, k *typist) {
		synctest.Wait()
		p.reads(4)
		k.input(t.Context(), []byte("a"))
		if got := string(p.got); got != "a" {
			t.Errorf("when input has returned, the program has %q, want the key", got)
		}
		entered, release := make(chan struct{}), make(chan struct{})
		k.then(t.Context(), 0, func() { close(entered); <-release })
		<-entered
		k.input(t.Context(), []byte("b"))
		if got := p.has(); got != `"a"` {
			t.Errorf("while a request is carried out, the program has %s, want only what was typed before it", got)
		}
		close(release)
		if got := p.has(); got != `"a""b"` {
			t.Errorf("the program has %s, want both keys", got)
		}
		// What has no room waits, and what follows waits behind it.
		p.reads(1)
		k.input(t.Context(), []byte("cd"))
		k.input(t.Context(), []byte("e"))
		if got := p.has(); got != `"a""b"` {
			t.Errorf("without room for the first, the program has %s", got)
		}
		p.reads(3)
		time.Sleep(typePause)
		if got := p.has(); got != `"a""b""c""d""e"` {
			t.Errorf("the program has %s, want all keys in order", got)
		}
	})
}
