//go:build linux || darwin

package attach

import (
	"bufio"
	"encoding/json"
	"io"
	"net"
	"testing"

	"github.com/creack/pty"
	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/term/outer"
	"ui-mcp/internal/transport/frame"
)

// Keys that are read between the server's response and the first use of the connection reach the
// session: the terminal is read by another goroutine, which may be quicker.
func TestTypedBeforeUse(t *testing.T) {
	person, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer person.Close()
	defer tty.Close()
	// A PTY of macOS waits until its output is read before it closes.
	go func() { _, _ = io.Copy(io.Discard, person) }()
	term, err := openTerminal(tty, tty)
	if err != nil {
		t.Fatal(err)
	}
	defer term.close()
	c := &client{
		o: Options{Session: "a", Detach: outer.DefaultKey}, terminal: term,
		leave: make(chan struct{}), answered: make(chan struct{}), painted: make(chan struct{}),
	}
	over := make(chan outcome, 1)
	for _, first := range []bool{true, false} {
		ours, theirs := net.Pipe()
		got := make(chan string, 1)
		go func() {
			defer theirs.Close()
			r := bufio.NewReader(theirs)
			if _, err := frame.Read(r); err != nil {
				t.Errorf("the request: %v", err)
			}
			content, _ := json.Marshal(identity{"a", 7})
			if _, err := theirs.Write(frame.Append(nil, frame.AttachSessionResponse, content)); err != nil {
				t.Error(err)
			}
			f, err := frame.Read(r)
			if err != nil {
				t.Errorf("the input: %v", err)
			}
			got <- string(f.Content)
		}()
		l, err := c.open(t.Context(), ours, first)
		if err != nil {
			t.Fatal(err)
		}
		c.key([]byte("typed"))
		if err := c.use(l, over); err != nil {
			t.Fatal(err)
		}
		c.key([]byte("!")) // if the first is lost, this one arrives instead
		if diff := cmp.Diff("typed", <-got); diff != "" {
			t.Errorf("first connection: %t: (-want +got):\n%s", first, diff)
		}
		<-over
		c.drop()
	}
}
