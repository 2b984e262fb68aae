package typeahead

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/testkit/wait"
)

// A queue that accepts no input says why: it is full, or the program has ended.
func TestQueueRefuses(t *testing.T) {
	w := &slowWriter{release: make(chan struct{})}
	q := New(w)
	if err := q.Put(make([]byte, Max)); err != nil {
		t.Fatal(err)
	}
	if err := q.Put([]byte("x")); !errors.Is(err, ErrFull) {
		t.Errorf("a full queue says %v", err)
	}
	q.Close()
	if err := q.Put([]byte("x")); !errors.Is(err, ErrClosed) {
		t.Errorf("a closed queue says %v", err)
	}
	close(w.release)
	wait.For(t, "the end of the queue", q.done)
}

// Input that is not read makes the queue stuck after a while, and what waits behind it can be
// dropped.
func TestQueueStuck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &slowWriter{release: make(chan struct{})}
		q := New(w)
		put := func(s string) {
			if err := q.Put([]byte(s)); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
		}
		put("unread")
		put("dropped\x03")
		if q.IsStuck() {
			t.Error("the queue is stuck at once")
		}
		time.Sleep(stuckTime)
		if !q.IsStuck() {
			t.Error("the queue is not stuck")
		}
		if !q.cutAfter(func(byte) bool { return true }) {
			t.Error("nothing is dropped")
		}
		put("next")
		close(w.release)
		synctest.Wait()
		if q.IsStuck() {
			t.Error("the queue is stuck when everything was read")
		}
		q.Close()
		wait.For(t, "the end of the queue", q.done)
		if got, want := w.got.String(), "unreadnext"; got != want {
			t.Errorf("the program got %q, want %q", got, want)
		}
	})
}

// What the program has room for is written before put returns, and the rest after it, in order.
func TestQueueWritesAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &slowWriter{release: make(chan struct{}), room: 5}
		q := New(w)
		for _, tt := range []struct{ input, got string }{
			{"one", "one"},
			{"two", "onetw"},
			{"three", "onetw"}, // behind the rest of the second, though there is room again
		} {
			if err := q.Put([]byte(tt.input)); err != nil {
				t.Fatal(err)
			}
			if got := w.got.String(); got != tt.got {
				t.Errorf("after %q, the program has %q, want %q", tt.input, got, tt.got)
			}
			if w.room == 0 {
				synctest.Wait()
				w.room = 100
			}
		}
		close(w.release)
		synctest.Wait()
		w.room = 100
		if q.IsBusy() {
			t.Error("the queue is busy when all is written")
		}
		if err := q.Put([]byte("four")); err != nil {
			t.Fatal(err)
		}
		if got, want := w.got.String(), "onetwothreefour"; got != want {
			t.Errorf("the program has %q, want %q", got, want)
		}
		q.Close()
		wait.For(t, "the end of the queue", q.done)
	})
}

// Whatever happens to input, those who wait for it to be written learn of it only if the program's
// terminal took all of it or it was dropped on purpose, and learn of all of it unless the program
// ends.
func TestQueueNoticesWhatWasTaken(t *testing.T) {
	for seed := range uint64(300) {
		synctest.Test(t, func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 0))
			w := &fickleWriter{slowWriter: slowWriter{release: make(chan struct{})}}
			q := New(w)
			var size []int // of each input, whose bytes are its number
			var dropped, noticed []bool
			took := func(i int) bool { return dropped[i] || bytes.Count(w.got.Bytes(), []byte{byte(i)}) == size[i] }
			notice := func(i int) {
				noticed[i] = true
				for j := range i + 1 {
					if !took(j) {
						t.Errorf("seed %d: input %d is noticed, of which input %d was not taken", seed, i, j)
					}
				}
			}
			ended := false
			for range 30 {
				synctest.Wait()
				switch i := len(size); random.IntN(6) {
				default:
					size, dropped, noticed = append(size, 1+random.IntN(2*writePiece)), append(dropped, false), append(noticed, false)
					if w.room = 0; !ended {
						w.room = random.IntN(writePiece)
					}
					dropped[i] = q.Put(bytes.Repeat([]byte{byte(i)}, size[i])) == ErrFull
					if !q.WhenWritten(func() { notice(i) }) {
						notice(i)
					}
				case 3:
					if !ended && q.IsBusy() {
						w.release <- struct{}{}
					}
				case 4: // a key that interrupts the program
					if !ended && q.IsBusy() {
						for i := range dropped {
							dropped[i] = dropped[i] || !took(i)
						}
						time.Sleep(stuckTime)
						q.cutAfter(func(byte) bool { return true })
						w.err = os.ErrDeadlineExceeded
						w.release <- struct{}{}
						synctest.Wait()
						w.err = nil
					}
				case 5:
					if !ended && random.IntN(10) == 0 {
						ended = true
						w.err = syscall.EIO
						close(w.release)
					}
				}
			}
			if !ended {
				close(w.release)
			}
			synctest.Wait()
			if !ended && slices.Contains(noticed, false) {
				t.Errorf("seed %d: the program took everything, and these were noticed: %v", seed, noticed)
			}
			q.Close()
			wait.For(t, "the end of the queue", q.done)
		})
	}
}

// A fickleWriter is a slowWriter that fails while err is set.
type fickleWriter struct {
	slowWriter
	err error
}

func (w *fickleWriter) Write(b []byte) (int, error) {
	<-w.release
	if w.err != nil {
		return 0, w.err
	}
	return w.got.Write(b)
}

// A slowWriter writes nothing until it is released, except what there is room for.
type slowWriter struct {
	release chan struct{}
	room    int // bytes that WriteNow writes
	got     bytes.Buffer
}

func (*slowWriter) SignalKey(byte) bool  { return false }
func (*slowWriter) KeepsSignalKey() bool { return false }

func (w *slowWriter) WriteNow(b []byte) int {
	n := min(len(b), w.room)
	w.got.Write(b[:n])
	w.room -= n
	return n
}

func (w *slowWriter) Write(b []byte) (int, error) {
	<-w.release
	return w.got.Write(b)
}
