package attach

import (
	"bytes"
	"errors"
	"os"
	"sync"
)

// ReadKeys lets every key of a terminal pass as it is, and calls f with what is typed, on another
// goroutine, until the caller calls stop. That returns when f no longer runs, and the terminal has
// its settings again. If one of the files is not a terminal, the error is of kind Precondition.
func ReadKeys(in, out *os.File, f func([]byte)) (stop func() error, err error) {
	t, err := openTerminal(in, out)
	if err != nil {
		return nil, err
	}
	if err := t.makeRaw(); err != nil {
		t.close()
		return nil, err
	}
	var reading sync.WaitGroup
	reading.Go(func() {
		b := make([]byte, 256)
		for {
			n, err := t.read(b, -1)
			if err != nil && !errors.Is(err, errResized) {
				return
			}
			if n > 0 {
				f(bytes.Clone(b[:n]))
			}
		}
	})
	return func() error {
		t.interrupt()
		reading.Wait()
		defer t.close()
		return t.restore()
	}, nil
}
