package term

import (
	"errors"
	"testing"
)

type stuckWriter struct{ release chan struct{} }

func (w stuckWriter) Write(b []byte) (int, error) {
	<-w.release
	return len(b), nil
}

// A queue that takes nothing says why: nobody reads slowly, or nobody reads any more.
func TestQueueRefuses(t *testing.T) {
	w := stuckWriter{make(chan struct{})}
	q := newQueue(w)
	if err := q.put(make([]byte, MaxInput)); err != nil {
		t.Fatal(err)
	}
	if err := q.put([]byte("x")); !errors.Is(err, errQueueFull) {
		t.Errorf("a full queue says %v", err)
	}
	q.close()
	if err := q.put([]byte("x")); !errors.Is(err, errQueueClosed) {
		t.Errorf("a closed queue says %v", err)
	}
	close(w.release)
	<-q.done
}
