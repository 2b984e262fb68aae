package events

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ui-mcp/internal/fault"
)

// list makes events of numbers: list(1, 3) is 1, 2, 3.
func list(from, to int) []json.RawMessage {
	var out []json.RawMessage
	for i := from; i <= to; i++ {
		out = append(out, number(i))
	}
	return out
}

func number(i int) json.RawMessage { return json.RawMessage(strconv.Itoa(i)) }

func push(q *Queue, events []json.RawMessage) {
	for _, e := range events {
		q.Push(e)
	}
}

// collect is Wait with a delivery that succeeds.
func collect(q *Queue, ctx context.Context, timeout time.Duration) (got []json.RawMessage, err error) {
	err = q.Wait(ctx, timeout, func(events []json.RawMessage) error { got = events; return nil })
	return got, err
}

// errLost is why a delivery fails in these tests.
var errLost = errors.New("the client is gone")

// fail is Wait with a delivery that fails, after meanwhile has run.
func fail(t *testing.T, q *Queue, meanwhile func()) {
	t.Helper()
	called := false
	err := q.Wait(t.Context(), 0, func([]json.RawMessage) error { called = true; meanwhile(); return errLost })
	if !called || !errors.Is(err, errLost) {
		t.Fatalf("Wait = %v, delivered %v", err, called)
	}
}

// take collects what is there, without waiting.
func take(t *testing.T, q *Queue) []json.RawMessage {
	t.Helper()
	got, err := collect(q, t.Context(), 0)
	if err != nil {
		t.Fatalf("Wait: %v", err)
	}
	return got
}

func TestArray(t *testing.T) {
	for want, n := range map[string]int{"[]": 0, "[1]": 1, "[1,2,3]": 3} {
		if got := string(Array(list(1, n))); got != want {
			t.Errorf("%d events are %s, want %s", n, got, want)
		}
	}
}

func TestWaitTakesWhatIsThere(t *testing.T) {
	q := New()
	push(q, list(1, 3))
	if diff := cmp.Diff(list(1, 3), pending(q)); diff != "" {
		t.Errorf("Pending (-want +got):\n%s", diff)
	}
	for bytes, n := range map[int]int{0: 0, 1: 1, 2: 2, 3: 3, 4: 3} {
		if got, more := q.Oldest(bytes); !cmp.Equal(got, list(1, n), cmpopts.EquateEmpty()) || more != 3-n {
			t.Errorf("Oldest(%d) = %s and %d more", bytes, got, more)
		}
	}
	if n := q.Len(); n != 3 {
		t.Errorf("Len = %d, want 3", n)
	}
	if diff := cmp.Diff(list(1, 3), take(t, q)); diff != "" {
		t.Errorf("Wait (-want +got):\n%s", diff)
	}
	if left := pending(q); len(left) != 0 {
		t.Errorf("after Wait, Pending = %s", left)
	}
	if again := take(t, q); len(again) != 0 {
		t.Errorf("second Wait = %s", again)
	}
}

func TestWaitTimesOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New()
		begin := time.Now()
		got, err := collect(q, t.Context(), 30*time.Second)
		if got != nil || err != nil {
			t.Fatalf("Wait = %s, %v; want nothing", got, err)
		}
		if d := time.Since(begin); d != 30*time.Second {
			t.Errorf("waited %v", d)
		}
		if n := q.Waiters(); n != 0 {
			t.Errorf("Waiters = %d after the wait", n)
		}
		if err := q.Wait(t.Context(), time.Second, func([]json.RawMessage) error { return errLost }); err != nil {
			t.Errorf("Wait delivers nothing: %v", err)
		}
		q.Push(number(1)) // nothing is being delivered any more
		if got, err := collect(q, t.Context(), 0); len(got) != 1 || err != nil {
			t.Errorf("after waits in vain: %s, %v", got, err)
		}
	})
}

// However events come, go and come back, their bytes are counted as they are.
func TestBytesAreCounted(t *testing.T) {
	q := New()
	check := func(when string) {
		t.Helper()
		want := 0
		for _, e := range pending(q) {
			want += len(e)
		}
		if q.bytes != want {
			t.Errorf("%s: %d bytes, want %d", when, q.bytes, want)
		}
	}
	push(q, list(1, Capacity))
	check("full")
	push(q, list(1, 7))
	check("fuller")
	fail(t, q, func() { push(q, list(1, 20)) })
	check("put back")
	take(t, q)
	check("taken")
	push(q, list(1, 3))
	q.Close()
	check("closed")
}

func TestWaitIsWoken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New()
		go func() {
			time.Sleep(7 * time.Second)
			q.Push(number(1))
		}()
		begin := time.Now()
		got, err := collect(q, t.Context(), time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(list(1, 1), got); diff != "" {
			t.Errorf("Wait (-want +got):\n%s", diff)
		}
		if d := time.Since(begin); d != 7*time.Second {
			t.Errorf("woken after %v", d)
		}
	})
}

func TestFirstWaiterGetsAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New()
		got := make([][]json.RawMessage, 3)
		var wg sync.WaitGroup
		for i := range got {
			wg.Go(func() { got[i], _ = collect(q, t.Context(), time.Minute) })
			synctest.Wait() // so that they queue in this order
		}
		if n := q.Waiters(); n != 3 {
			t.Fatalf("Waiters = %d, want 3", n)
		}
		push(q, list(1, 2))
		synctest.Wait()
		push(q, list(3, 3))
		wg.Wait()
		// The first push wakes the first waiter, who may see one event or both before it runs: what
		// matters is that nothing is lost, repeated, or given to the third while the second waits.
		if len(got[0]) == 0 || len(got[1]) == 0 || len(got[2]) != 0 {
			t.Errorf("got %s", got)
		}
		if diff := cmp.Diff(list(1, 3), append(got[0], got[1]...)); diff != "" {
			t.Errorf("events (-want +got):\n%s", diff)
		}
	})
}

// A newcomer must not overtake those who wait, even when it comes between the push and their
// waking.
func TestNewcomerDoesNotOvertake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New()
		var first []json.RawMessage
		done := make(chan struct{})
		go func() {
			defer close(done)
			first, _ = collect(q, t.Context(), time.Minute)
		}()
		synctest.Wait()
		q.Push(number(1))
		newcomer := take(t, q)
		<-done
		if len(newcomer) != 0 || len(first) != 1 {
			t.Errorf("first = %s, newcomer = %s", first, newcomer)
		}
	})
}

func TestCancelledWaitTakesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New()
		why := errors.New("the client left")
		ctx, cancel := context.WithCancelCause(t.Context())
		errs := make(chan error, 1)
		go func() {
			_, err := collect(q, ctx, time.Minute)
			errs <- err
		}()
		var second []json.RawMessage
		done := make(chan struct{})
		synctest.Wait()
		go func() {
			defer close(done)
			second, _ = collect(q, t.Context(), time.Minute)
		}()
		synctest.Wait()
		cancel(why)
		q.Push(number(1)) // before the first has noticed
		if err := <-errs; !errors.Is(err, why) {
			t.Errorf("Wait = %v, want the cause", err)
		}
		<-done
		if diff := cmp.Diff(list(1, 1), second); diff != "" {
			t.Errorf("the second waiter (-want +got):\n%s", diff)
		}
		if _, err := collect(q, ctx, time.Minute); !errors.Is(err, why) {
			t.Errorf("Wait with an ended context = %v", err)
		}
	})
}

func TestUndeliveredKeepOrder(t *testing.T) {
	q := New()
	push(q, list(1, 3))
	fail(t, q, func() {
		push(q, list(4, 5))
		// A caller that comes now must not get later events.
		if got := take(t, q); len(got) > 0 {
			t.Errorf("%s were given to another meanwhile", got)
		}
	})
	func() {
		defer func() {
			if recover() == nil {
				t.Error("no panic")
			}
		}()
		_ = q.Wait(t.Context(), 0, func([]json.RawMessage) error { panic("x") })
	}()
	if diff := cmp.Diff(list(1, 5), take(t, q)); diff != "" {
		t.Errorf("after a delivery that failed, and one that panicked (-want +got):\n%s", diff)
	}
}

func TestUndeliveredWakeWaiter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New()
		push(q, list(1, 2))
		go func() {
			_ = q.Wait(t.Context(), 0, func([]json.RawMessage) error { time.Sleep(time.Second); return errLost })
		}()
		synctest.Wait()
		got, err := collect(q, t.Context(), time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(list(1, 2), got); diff != "" {
			t.Errorf("Wait (-want +got):\n%s", diff)
		}
	})
}

func TestOldestAreDropped(t *testing.T) {
	q := New()
	push(q, list(1, Capacity+5))
	if n := q.Dropped(); n != 5 {
		t.Errorf("Dropped = %d, want 5", n)
	}
	if diff := cmp.Diff(list(6, Capacity+5), pending(q)); diff != "" {
		t.Errorf("kept the wrong events")
	}
	fail(t, q, func() { push(q, list(1, 2)) }) // two of those that come back have no room: the oldest two
	if n := q.Dropped(); n != 7 {
		t.Errorf("Dropped = %d, want 7", n)
	}
	if first := take(t, q)[0]; string(first) != "8" {
		t.Errorf("first is %s, want 8", first)
	}
}

func TestSinceWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New()
		time.Sleep(time.Second)
		if d := q.SinceWait(); d != time.Second {
			t.Errorf("SinceWait = %v before any wait", d)
		}
		take(t, q)
		time.Sleep(time.Minute)
		if d := q.SinceWait(); d != time.Minute {
			t.Errorf("SinceWait = %v", d)
		}
		if _, err := collect(q, t.Context(), time.Second); err != nil {
			t.Fatal(err)
		}
		if d := q.SinceWait(); d != 0 {
			t.Errorf("SinceWait = %v just after a wait", d)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if _, err := collect(q, ctx, time.Hour); err == nil {
			t.Fatal("the caller had not left")
		}
		if d := q.SinceWait(); d != 0 {
			t.Errorf("SinceWait = %v when the caller has left", d)
		}
	})
}

func TestClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New()
		errs := make(chan error, 2)
		for range 2 {
			go func() {
				_, err := collect(q, t.Context(), time.Minute)
				errs <- err
			}()
		}
		synctest.Wait()
		q.Close()
		q.Close()
		for range 2 {
			if err := <-errs; fault.KindOf(err) != fault.Gone {
				t.Errorf("Wait = %v, want Gone", err)
			}
		}
		if _, err := collect(q, t.Context(), time.Minute); fault.KindOf(err) != fault.Gone {
			t.Errorf("Wait after Close = %v, want Gone", err)
		}
		q.Push(number(1))
		if n := q.Dropped(); n != 1 {
			t.Errorf("Dropped = %d, want 1", n)
		}
		for when, close := range map[string]func(*Queue){
			"while they are there":           (*Queue).Close,
			"while they are being delivered": func(q *Queue) { fail(t, q, q.Close) },
		} {
			full := New()
			push(full, list(1, 3))
			close(full)
			if n := full.Dropped(); n != 3 {
				t.Errorf("closed %s: Dropped = %d of 3", when, n)
			}
		}
		if p := pending(q); len(p) != 0 {
			t.Errorf("Pending = %s", p)
		}
	})
}

// Producers push while consumers collect, give up, and put back: every event is seen exactly once
// or counted.
func TestExactlyOnce(t *testing.T) {
	const producers, each, consumers = 4, 3000, 6
	q := New()
	var mu sync.Mutex
	seen := map[string]int{}

	stop, stopAll := context.WithCancel(t.Context())
	var eaters sync.WaitGroup
	for i := range consumers {
		rnd := rand.New(rand.NewPCG(1, uint64(i)))
		eaters.Go(func() {
			for stop.Err() == nil {
				ctx, cancel := context.WithTimeout(stop, time.Duration(rnd.IntN(300))*time.Microsecond)
				_ = q.Wait(ctx, time.Second, func(got []json.RawMessage) error {
					if rnd.IntN(3) == 0 {
						return errLost
					}
					mu.Lock()
					defer mu.Unlock()
					for _, e := range got {
						seen[string(e)]++
					}
					return nil
				})
				cancel()
			}
		})
	}
	var makers sync.WaitGroup
	for p := range producers {
		makers.Go(func() {
			for i := range each {
				q.Push(number(p*each + i))
			}
		})
	}
	makers.Wait()
	stopAll()
	eaters.Wait()
	for _, e := range take(t, q) {
		seen[string(e)]++
	}
	for e, n := range seen {
		if n != 1 {
			t.Errorf("event %s was seen %d times", e, n)
		}
	}
	if total := uint64(len(seen)) + q.Dropped(); total != producers*each {
		t.Errorf("%d seen + %d dropped = %d, want %d", len(seen), q.Dropped(), total, producers*each)
	}
}

// Events are bounded in bytes as well as in number; the newest is kept whatever its length.
func TestQueueIsBoundedInBytes(t *testing.T) {
	q := New()
	const each = 1 << 20
	event := func(n int) json.RawMessage { return json.RawMessage(`"` + strings.Repeat("x", n-2) + `"`) }
	for range 1_500 {
		q.Push(event(each))
	}
	if got, want := len(pending(q)), CapacityBytes/each; got != want || q.Dropped() != uint64(1_500-want) {
		t.Errorf("%d events are left and %d dropped, want %d left", got, q.Dropped(), want)
	}
	// They come in parts, in order, none twice; one that does not arrive comes again.
	q.Push(number(7))
	fail(t, q, func() { q.Push(number(8)) })
	var sizes []int
	var last json.RawMessage
	for {
		got := take(t, q)
		if got == nil {
			break
		}
		n := 0
		for _, e := range got {
			n += len(e)
		}
		if n > PartBytes {
			t.Errorf("a part has %d bytes", n)
		}
		sizes, last = append(sizes, len(got)), got[len(got)-1]
	}
	// The oldest made room for the last two.
	if want := []int{16, 16, 16, 17}; !slices.Equal(sizes, want) || string(last) != "8" {
		t.Errorf("parts of %v events, the last is %s; want %v and 8", sizes, last, want)
	}
	q.Push(event(2 * CapacityBytes))
	if got := take(t, q); len(got) != 1 {
		t.Errorf("a long event: %d are there", len(got))
	}
}

// pending returns all events that nobody has collected.
func pending(q *Queue) []json.RawMessage {
	events, _ := q.Oldest(math.MaxInt)
	return events
}
