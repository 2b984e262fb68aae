//go:build linux || darwin

package attach

import (
	"errors"
	"io"
	"testing"
	"time"
)

// What was typed before a resize is read before it, and nothing after an interruption: the next
// program gets that.
func TestReadInOrder(t *testing.T) {
	person, tty := openPTY(t)
	term, err := openTerminal(tty, tty)
	if err != nil {
		t.Fatal(err)
	}
	defer term.close()
	if err := term.makeRaw(); err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 100)
	for range 20 {
		if _, err := io.WriteString(person, "key"); err != nil {
			t.Fatal(err)
		}
		term.resized()
		term.resized()
		got := ""
		for {
			n, err := term.read(buf, time.Minute)
			got += string(buf[:n])
			if errors.Is(err, errResized) {
				break
			}
			if err != nil || n == 0 {
				t.Fatalf("read: %d bytes, %v", n, err)
			}
		}
		if got != "key" {
			t.Fatalf("before the resize, %q was typed", got)
		}
		if n, err := term.read(buf, time.Millisecond); n != 0 || err != nil {
			t.Fatalf("the resize is reported again: %d bytes, %v", n, err)
		}
	}
	if _, err := io.WriteString(person, "for the shell"); err != nil {
		t.Fatal(err)
	}
	term.interrupt()
	if n, err := term.read(buf, -1); !errors.Is(err, errInterrupted) {
		t.Errorf("after an interruption: %d bytes, %v", n, err)
	}
	if err := term.restore(); err != nil {
		t.Error(err)
	}
}
