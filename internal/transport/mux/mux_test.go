package mux

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"ui-mcp/internal/fault"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var some = Limits{Conns: 8, Unread: 4 << 20}

// pair returns both ends of a session.
func pair(t *testing.T, l Limits) (near, far *Session) {
	t.Helper()
	a, b := net.Pipe()
	near, far = Client(t.Context(), a, l), Server(b, l)
	t.Cleanup(func() { _, _ = near.Close(), far.Close() })
	return near, far
}

// connect returns both ends of a connection.
func connect(t *testing.T, near, far *Session) (a, b net.Conn) {
	t.Helper()
	a, err := near.Dial(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	if b, err = far.Listener().Accept(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(b, make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	return a, b
}

// HTTP crosses, many requests at once, and all is closed at the end.
func TestHTTP(t *testing.T) {
	near, far := pair(t, Limits{Conns: 32, Unread: 4 << 20})
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(w, r.Body) // the client notices
	})}
	served := make(chan error)
	go func() { served <- server.Serve(far.Listener()) }()
	client := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return near.Dial(ctx) }}}
	defer client.CloseIdleConnections()
	var asking sync.WaitGroup
	for i := range 20 {
		asking.Go(func() {
			want := strings.Repeat(fmt.Sprint(i), 300_000)
			res, err := client.Post("http://there/", "text/plain", strings.NewReader(want))
			if err != nil {
				t.Error(err)
				return
			}
			got, err := io.ReadAll(res.Body)
			if _ = res.Body.Close(); err != nil || string(got) != want {
				t.Errorf("%d bytes come back, %v", len(got), err)
			}
		})
	}
	asking.Wait()
	_ = near.Close()
	if err := <-served; err == nil || near.Err() != net.ErrClosed || far.Err() == nil {
		t.Errorf("%v, %v, %v", err, near.Err(), far.Err())
	}
	if _, err := near.Dial(t.Context()); err == nil {
		t.Error("a closed session dials")
	}
}

// A Write that waits ends when the other end has closed the connection, and a slow reader holds up
// no other connection.
func TestReaderCloses(t *testing.T) {
	near, far := pair(t, some)
	a, b := connect(t, near, far)
	written := make(chan error)
	go func() {
		_, err := b.Write(make([]byte, 1<<20))
		written <- err
	}()
	go func() { _, _ = io.Copy(io.Discard, b) }() // as HTTP and WebSockets read
	if _, err := io.ReadFull(a, make([]byte, 1000)); err != nil {
		t.Fatal(err)
	}
	c, d := connect(t, near, far)
	go func() { _, _ = d.Write([]byte("quick")) }()
	if _, err := io.ReadFull(c, make([]byte, 5)); err != nil {
		t.Fatal(err)
	}
	_ = a.Close()
	if err := <-written; err == nil {
		t.Error("all was written")
	}
}

// What was written before a connection was closed arrives, however late it is read.
func TestLastBytes(t *testing.T) {
	near, far := pair(t, some)
	a, b := connect(t, near, far)
	const all = windowSize / 2
	if n, err := b.Write(make([]byte, all)); n != all || err != nil {
		t.Fatal(n, err)
	}
	_ = b.Close()
	for range 5 { // so that a has learnt it
		c, _ := connect(t, near, far)
		_ = c.Close()
	}
	if got, err := io.ReadAll(a); len(got) != all || err != nil {
		t.Errorf("of %d bytes %d arrive, %v", all, len(got), err)
	}
}

// A Write that is late has written what it says, which may be changed afterwards.
func TestWriteIsLate(t *testing.T) {
	near, far := pair(t, some)
	a, b := connect(t, near, far)
	if err := b.SetWriteDeadline(time.Now().Add(10 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	content := bytes.Repeat([]byte("a"), 1<<20)
	n, err := b.Write(content)
	if timeout, ok := err.(net.Error); !ok || !timeout.Timeout() {
		t.Fatalf("%d, %v", n, err)
	}
	clear(content)
	_ = b.Close()
	if got, _ := io.ReadAll(a); len(got) != n || strings.Trim(string(got), "a") != "" {
		t.Errorf("of %d bytes %d arrive", n, len(got))
	}
}

// Connections have a limit at both ends: one too many waits for the end of another.
func TestTooManyConnections(t *testing.T) {
	a, b := net.Pipe()
	near, far := Client(t.Context(), a, Limits{Conns: 3, Unread: 1 << 20}), Server(b, Limits{Conns: 2, Unread: 1 << 20})
	defer far.Close()
	defer near.Close()
	first, _ := connect(t, near, far)
	_, _ = connect(t, near, far)
	third, err := near.Dial(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if c, err := near.Dial(t.Context()); fault.KindOf(err) != fault.Exhausted {
		t.Errorf("the fourth of three: %v, %v", c, err)
	}
	go func() { _, _ = third.Write([]byte("third")) }()
	_ = first.Close()
	c, err := far.Listener().Accept()
	if err != nil {
		t.Fatal(err)
	}
	if got := make([]byte, 5); must(io.ReadFull(c, got)) != 5 || string(got) != "third" {
		t.Errorf("%q", got)
	}
}

func must(n int, _ error) int { return n }

// Frames of HTTP/2: types, and the header of a request.
const (
	dataFrame, headersFrame, settingsFrame = 0, 1, 4

	endHeaders = 4
	request    = "\x83\x86\x84\x41\x03mux" // POST http://mux/
)

// raw returns a server's end with one connection, and what writes frames to it.
func raw(t *testing.T, l Limits) (c net.Conn, far *Session, send func(kind, flags byte, id uint32, content string) error) {
	t.Helper()
	a, b := net.Pipe()
	far = Server(b, l)
	t.Cleanup(func() { _, _ = a.Close(), far.Close() })
	go func() { _, _ = io.Copy(io.Discard, a) }()
	send = func(kind, flags byte, id uint32, content string) error {
		frame := binary.BigEndian.AppendUint32(nil, uint32(len(content))<<8|uint32(kind))
		frame = binary.BigEndian.AppendUint32(append(frame, flags), id)
		_, err := io.WriteString(a, string(frame)+content)
		return err
	}
	_, err := io.WriteString(a, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
	if err == nil {
		err = send(settingsFrame, 0, 0, "")
	}
	if err == nil {
		err = send(headersFrame, endHeaders, 1, request)
	}
	if err == nil {
		c, err = far.Listener().Accept()
	}
	if err != nil {
		t.Fatal(err)
	}
	return c, far, send
}

// A peer that sends more than it may ends its connection, and one that breaks the rules its
// session.
func TestHostile(t *testing.T) {
	c, far, send := raw(t, some)
	for range 2 * windowSize / pieceSize {
		if send(dataFrame, 0, 1, strings.Repeat("x", pieceSize)) != nil {
			break
		}
	}
	if n, err := io.Copy(io.Discard, c); n > windowSize+64<<10 || err != nil {
		t.Errorf("%d bytes arrive, %v", n, err)
	}
	_ = send(settingsFrame, 0, 1, "") // which are of no connection
	<-far.Done()
	if far.Err() == nil {
		t.Error("it goes on")
	}
}

// Frames of a byte take no more memory than a byte: a peer fills no more than is allowed.
func TestTinyFrames(t *testing.T) {
	c, _, send := raw(t, some)
	before := heap()
	const frames = windowSize / 2
	for range frames {
		if err := send(dataFrame, 0, 1, "x"); err != nil {
			t.Fatal(err)
		}
	}
	if grown := int64(heap()) - int64(before); grown > 2*windowSize {
		t.Errorf("it takes %d bytes", grown)
	}
	if n := must(io.ReadFull(c, make([]byte, frames))); n != frames {
		t.Errorf("%d bytes arrive", n)
	}
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// A session from which nothing comes ends. One that is used, or only there, goes on.
func TestSilence(t *testing.T) {
	quick := Limits{Conns: 1, Unread: 1 << 20, pingAfter: 10 * time.Millisecond, pingTime: 50 * time.Millisecond}
	a, b := net.Pipe()
	silent := Client(t.Context(), a, quick)
	defer silent.Close()
	go func() { _, _ = io.Copy(io.Discard, b) }()
	defer b.Close()
	c, d := net.Pipe()
	deaf := Server(c, quick)
	defer d.Close()
	e, f := net.Pipe()
	stuck := Server(e, quick)
	defer f.Close()
	if _, err := io.WriteString(f, "PRI"); err != nil { // which HTTP/2 begins with
		t.Fatal(err)
	}
	near, _ := pair(t, Limits{Conns: 1, Unread: 1 << 20, pingAfter: 10 * time.Millisecond})
	idle, used := pair(t, Limits{Conns: 8, Unread: 1 << 20, Idle: 100 * time.Millisecond})
	conn, _ := connect(t, idle, used)
	<-silent.Done()
	<-deaf.Done()
	<-stuck.Done()
	if silent.Err() != errBroken || deaf.Err() != errBroken || near.Err() != nil || idle.Err() != nil {
		t.Errorf("%v, %v, %v", silent.Err(), near.Err(), idle.Err())
	}
	_ = conn.Close()
	if <-idle.Done(); idle.Err() != errIdle {
		t.Error(idle.Err())
	}
}
