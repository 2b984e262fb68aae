package pipelink

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet/remote"
	"ui-mcp/internal/fleet/stream"
	"ui-mcp/internal/terminals"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// pair returns the two ends of a connection.
func pair(t *testing.T) (here, there *Conn) {
	t.Helper()
	a, b := net.Pipe()
	connected := make(chan *Conn, 1)
	go func() {
		c, err := New(t.Context(), b, Hello{ID: "2", Name: "there", Version: "1.2"})
		if err != nil {
			t.Error(err)
		}
		connected <- c
	}()
	here, err := New(t.Context(), a, Hello{ID: "1", Name: "here", Version: "1.2"})
	there = <-connected
	if err != nil || there == nil {
		t.Fatal(err)
	}
	t.Cleanup(here.Close)
	t.Cleanup(there.Close)
	return here, there
}

// TestIntroduction has hosts introduce themselves in every way.
func TestIntroduction(t *testing.T) {
	t.Parallel()
	fits := fmt.Sprintf(`wsh-fleet %d {"id":"b","name":"build1","version":"1.3","protocol":%d,"more":[1]}`, remote.Protocol, terminals.Protocol)
	newer := fmt.Sprintf(`wsh-fleet %d {"id":"b","name":"build1","version":"9.9","protocol":%d}`, remote.Protocol+1, terminals.Protocol)
	otherOperations := fmt.Sprintf(`wsh-fleet %d {"id":"b","name":"build1","version":"9.9","protocol":%d}`, remote.Protocol, terminals.Protocol+1)
	for _, tt := range []struct {
		name, sent string
		kind       fault.Kind
		detail     fault.Detail
		says       []string // nil: they fit
	}{
		{name: "the same version", sent: fits + "\n"},
		{name: "the line of another system", sent: fits + "\r\n"},
		{name: "after what a login prints", sent: "Welcome!\n\nYou have mail.\n" + fits + "\n"},
		{"another version", newer + "\n", fault.Invalid, terminals.HostLacks, []string{"build1", "9.9", "1.2", fmt.Sprint(remote.Protocol+1, "."), fmt.Sprint(remote.Protocol, ".")}},
		{"other operations", otherOperations + "\n", fault.Invalid, terminals.HostLacks, []string{"9.9", "1.2"}},
		{"this host", strings.Replace(fits, `"b"`, `"a"`, 1) + "\n", fault.Exists, "", []string{"this server itself"}},
		{"no host", "bash: wsh: command not found\n", fault.Invalid, "", []string{"command not found"}},
		{"no line", "wsh", fault.Invalid, "", []string{`"wsh"`}},
		{"nothing", "", fault.Unreachable, terminals.HostAway, []string{"does not introduce itself"}},
		{"no ID", strings.Replace(fits, `"b"`, `""`, 1) + "\n", fault.Invalid, "", []string{"invalid"}},
		{"a name that is a path", strings.Replace(fits, "build1", "a/b", 1) + "\n", fault.Invalid, "", []string{"invalid"}},
		{"a name that cannot be printed", strings.Replace(fits, "build1", `\u001b[m`, 1) + "\n", fault.Invalid, "", []string{"invalid"}},
		{"no JSON", "wsh-fleet 1 {\n", fault.Invalid, "", []string{"wrongly"}},
		{"too much", strings.Repeat("noise\n", 20_000) + fits + "\n", fault.Invalid, "", []string{"noise"}},
		{"a long line", strings.Repeat("noise", 20_000), fault.Invalid, "", []string{"noise"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			a, b := net.Pipe()
			go func() { _, _ = io.Copy(io.Discard, b) }()
			go func() {
				_, _ = b.Write([]byte(tt.sent))
				if tt.says != nil {
					b.Close()
				}
			}()
			c, err := New(t.Context(), a, Hello{ID: "a", Name: "here", Version: "1.2"})
			if tt.says == nil {
				if err != nil || c.Peer().Name != "build1" || c.Peer().Version != "1.3" {
					t.Fatal(err)
				}
				c.Close()
				return
			}
			if err == nil || fault.KindOf(err) != tt.kind || fault.DetailOf(err) != tt.detail {
				t.Fatalf("%v (%v, %q), want %v, %q", err, fault.KindOf(err), fault.DetailOf(err), tt.kind, tt.detail)
			}
			for _, text := range tt.says {
				if !strings.Contains(err.Error(), text) {
					t.Errorf("%q does not say %q", err, text)
				}
			}
		})
	}
}

// A host that says nothing is waited for as long as the caller wants.
func TestSilentIntroduction(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := net.Pipe()
		defer b.Close()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if _, err := New(ctx, a, Hello{ID: "a", Name: "here"}); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
	})
}

// collect receives what arrives.
func collect(t *testing.T, c *Conn) <-chan remote.Message {
	t.Helper()
	all := make(chan remote.Message, 100_000)
	stop, err := c.Receive(func(m remote.Message) { all <- m })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	return all
}

// TestTurns floods a connection whose other end reads slowly: another stream's message waits for a
// few messages only, its flood for the reader, and order is kept.
func TestTurns(t *testing.T) {
	t.Parallel()
	here, there := pair(t)
	flood := func(n int) remote.Message {
		return remote.Message{Peer: "2", Kind: remote.Up, Stream: "flood", Data: bytes.Repeat([]byte{byte(n)}, 16<<10)}
	}
	sent := 0
	for ; ; sent++ {
		if here.Send(ended(), flood(sent)) != nil {
			break // there is no room: nobody reads
		}
	}
	if err := here.Send(ended(), remote.Message{Peer: "2", Kind: remote.Up, Stream: "key", Data: []byte("a")}); err != nil {
		t.Fatalf("a key has no room: %v", err)
	}
	waiting := make(chan error)
	go func() { waiting <- here.Send(context.Background(), flood(sent)) }()
	all := collect(t, there)
	if err := <-waiting; err != nil {
		t.Fatal(err)
	}
	floods, key := 0, -1
	for n := 0; n < sent+2; n++ {
		switch m := <-all; {
		case m.Peer != "1":
			t.Errorf("a message of %q", m.Peer)
		case m.Stream == "key":
			key = n
		case m.Data[0] != byte(floods) || len(m.Data) != 16<<10:
			t.Errorf("flood %d is %d", floods, m.Data[0])
		default:
			floods++
		}
	}
	if key < 0 || key > 3 { // what was written at once, and one of the other stream
		t.Errorf("the key was message %d", key)
	}
}

// ended returns a context that has ended.
func ended() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

// TestBothFlood has both ends write more than the way between them holds: neither waits for the
// other for ever.
func TestBothFlood(t *testing.T) {
	t.Parallel()
	here, there := pair(t)
	const messages = 2000
	var sending sync.WaitGroup
	for _, c := range []*Conn{here, there} {
		for n := range 4 {
			sending.Go(func() {
				for range messages / 4 {
					m := remote.Message{Peer: c.Peer().ID, Kind: remote.Up, Stream: fmt.Sprint(n), Data: make([]byte, 10_000)}
					if err := c.Send(context.Background(), m); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
	}
	fromThere, fromHere := collect(t, here), collect(t, there)
	for range messages {
		<-fromThere
		<-fromHere
	}
	sending.Wait()
}

// TestEmptyMessages answers a flood of another host, which reads nothing, with empty messages: they
// take room, too.
func TestEmptyMessages(t *testing.T) {
	t.Parallel()
	for name, streams := range map[string]int{"one stream": 1, "many streams": 5000} {
		here, _ := pair(t)
		sent := 0
		for n := 0; n < 100_000 && sent == n; n++ {
			if here.Send(ended(), remote.Message{Peer: "2", Kind: remote.Unknown, Stream: fmt.Sprint(n % streams)}) == nil {
				sent++
			}
		}
		if sent > 20_000 {
			t.Errorf("%s: %d messages wait", name, sent)
		}
	}
}

// TestEnd ends connections: both ends learn it, and so do senders that wait.
func TestEnd(t *testing.T) {
	t.Parallel()
	here, there := pair(t)
	collect(t, here)
	m := remote.Message{Peer: "2", Kind: remote.Up, Stream: "a", Data: make([]byte, remote.MaxData)}
	for here.Send(ended(), m) == nil {
	}
	waiting := make(chan error)
	go func() { waiting <- here.Send(context.Background(), m) }()
	there.Close()
	<-here.Done()
	for _, err := range []error{<-waiting, here.Err(), here.Send(context.Background(), m)} {
		if fault.KindOf(err) != fault.Unreachable || fault.DetailOf(err) != terminals.HostAway {
			t.Errorf("%v (%v, %q)", err, fault.KindOf(err), fault.DetailOf(err))
		}
	}
	if _, err := here.Receive(func(remote.Message) {}); err == nil {
		t.Error("an ended connection receives")
	}
	if err := here.Send(t.Context(), remote.Message{Peer: "3"}); fault.KindOf(err) != fault.Internal {
		t.Errorf("to another host: %v", err)
	}
}

// TestMalformed ends a connection whose other end sends malformed frames.
func TestMalformed(t *testing.T) {
	t.Parallel()
	for name, sent := range map[string]string{
		"length":    strings.Repeat("\xff", 11),
		"long":      "\xff\xff\xff\x7f",
		"short":     "\x01u",
		"stream":    "\x04u\x7fab",
		"cut":       "\x20u\x01a",
		"cut early": "\x80",
	} {
		here, there := pair(t)
		collect(t, here)
		if _, err := there.rw.Write([]byte(sent)); err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(name, "cut") {
			there.Close()
		}
		<-here.Done()
		if err := here.Err(); fault.KindOf(err) != fault.Unreachable || strings.HasPrefix(name, "cut") != errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestStuck ends a connection whose other end takes nothing.
func TestStuck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		here, _ := pair(t)
		start := time.Now()
		if err := here.Send(t.Context(), remote.Message{Peer: "2", Kind: remote.Up, Stream: "a"}); err != nil {
			t.Fatal(err)
		}
		<-here.Done()
		if after := time.Since(start); after != stream.Silence || !errors.Is(here.Err(), errStuck) {
			t.Errorf("after %v: %v", after, here.Err())
		}
	})
}

// FuzzFrame reads any bytes as frames: what is read is written as it was.
func FuzzFrame(f *testing.F) {
	f.Add(appendFrame(nil, remote.Message{Kind: remote.Open, Stream: "ABCDEFGH1", Data: []byte("x")}))
	f.Add([]byte("\x02u\x00\x04u\x7fab"))
	f.Fuzz(func(t *testing.T, b []byte) {
		r := bufio.NewReader(bytes.NewReader(b))
		var all []byte
		for {
			m, err := readFrame(r)
			if err != nil {
				break
			}
			if len(m.Data) > remote.MaxData || len(m.Stream) > remote.MaxNumber {
				t.Fatalf("a message of %d bytes, stream of %d", len(m.Data), len(m.Stream))
			}
			all = appendFrame(all, m)
		}
		again := bufio.NewReader(bytes.NewReader(all))
		for {
			if _, err := readFrame(again); err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
	})
}

// FuzzHello reads any line as an introduction.
func FuzzHello(f *testing.F) {
	own := Hello{ID: "a", Name: "here", Version: "1"}
	f.Add(string(own.line()))
	f.Add("wsh-fleet 2 {}")
	f.Fuzz(func(t *testing.T, line string) {
		h, err := readHello(bufio.NewReader(strings.NewReader(line)), own)
		if err == nil && (h.ID == "" || h.ID == own.ID || h.Name == "" || strings.ContainsAny(h.Name, "/\x1b\n")) {
			t.Errorf("%+v", h)
		}
	})
}
