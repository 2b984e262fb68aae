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
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"
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
	if b, err = far.accept(); err != nil {
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

// What is written may be changed afterwards, and a Write that was late ends the connection.
func TestWriteIsLate(t *testing.T) {
	near, far := pair(t, some)
	a, b := connect(t, near, far)
	if err := a.SetWriteDeadline(time.Now().Add(10 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	content := bytes.Repeat([]byte("a"), 1<<20)
	n, err := a.Write(content)
	if timeout, ok := err.(net.Error); !ok || !timeout.Timeout() {
		t.Fatalf("%d, %v", n, err)
	}
	clear(content)
	got, _ := io.ReadAll(b)
	if len(got) < n || strings.Trim(string(got), "a") != "" {
		t.Errorf("of %d bytes %d arrive", n, len(got))
	}
	if _, err := a.Write([]byte("a")); err == nil {
		t.Error("it writes again")
	}
}

// Connections have a limit at both ends.
func TestTooManyConnections(t *testing.T) {
	a, b := net.Pipe()
	near, far := Client(t.Context(), a, Limits{Conns: 5, Unread: 1 << 20}), Server(b, Limits{Conns: 3, Unread: 1 << 20})
	defer far.Close()
	defer near.Close()
	go func() {
		for {
			if _, err := far.accept(); err != nil {
				return
			}
		}
	}()
	var last net.Conn
	for range 5 {
		var err error
		if last, err = near.Dial(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := last.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("the fifth of three: %v", err)
	}
	for { // the fourth is closed, too
		if c, err := near.Dial(t.Context()); err == nil {
			if _, err = c.Read(make([]byte, 1)); err != io.EOF {
				t.Error(err)
			}
			break
		}
	}
	_ = last.Close()
}

// raw returns a server's end, and what writes frames to it on a goroutine of its own, which ends
// with the session.
func raw(t *testing.T, l Limits) (far *Session, send func(kind byte, conn uint32, content string)) {
	a, b := net.Pipe()
	far = Server(b, l)
	go func() { _, _ = io.Copy(io.Discard, a) }()
	t.Cleanup(func() { _, _ = a.Close(), far.Close() })
	return far, func(kind byte, conn uint32, content string) {
		frame := []byte{version, kind}
		frame = binary.LittleEndian.AppendUint16(frame, uint16(len(content)))
		frame = binary.LittleEndian.AppendUint32(frame, conn)
		if _, err := a.Write(append(frame, content...)); err != nil {
			runtime.Goexit() // the session has ended
		}
	}
}

// A peer that breaks the rules ends its session.
func TestHostile(t *testing.T) {
	var full atomic.Int64
	full.Store(MaxAll)
	big := strings.Repeat("x", 60_000)
	for name, tt := range map[string]struct {
		attack func(send func(byte, uint32, string))
		limits Limits
		want   error
	}{
		"version": {func(send func(byte, uint32, string)) { send(9, 1, "") }, some, errMalformed},
		"length":  {func(send func(byte, uint32, string)) { send(frameSYN, 3, "x") }, some, errMalformed},
		"again":   {func(send func(byte, uint32, string)) { send(frameSYN, 3, ""); send(frameSYN, 3, "") }, some, errMalformed},
		"beyond a window": {func(send func(byte, uint32, string)) {
			send(frameSYN, 3, "")
			flood(6, func() { send(framePSH, 3, big) })
		}, some, errTooMuch},
		"of all sessions": {func(send func(byte, uint32, string)) {
			for conn := uint32(3); conn < 15; conn += 2 { // one that sends little is not ended for what others send
				send(frameSYN, conn, "")
				flood(4, func() { send(framePSH, conn, big) })
			}
		}, Limits{Conns: 8, Unread: 8 << 20, All: &full}, errTooMuch},
		"opens without end": {func(send func(byte, uint32, string)) {
			for i := range uint32(maxRefused + 20) {
				send(frameSYN, 3+2*i, "")
			}
		}, some, errMany},
	} {
		t.Run(name, func(t *testing.T) {
			far, send := raw(t, tt.limits)
			go tt.attack(send)
			for {
				if _, err := far.accept(); err != nil {
					break
				}
			}
			if err := far.Err(); err != tt.want {
				t.Error(err)
			}
		})
	}
	if full.Load() != MaxAll {
		t.Errorf("%d bytes are counted", full.Load())
	}
}

func flood(n int, f func()) {
	for range n {
		f()
	}
}

// Frames of a byte count what they take: a peer fills no more memory than is allowed.
func TestTinyFrames(t *testing.T) {
	far, send := raw(t, Limits{Conns: 8, Unread: 2 << 20})
	before := heap()
	go func() {
		for conn := uint32(3); conn <= 17; conn += 2 {
			send(frameSYN, conn, "")
			flood(100_000, func() { send(framePSH, conn, "x") })
		}
	}()
	c, err := far.accept()
	if err != nil {
		t.Fatal(err)
	}
	for far.carrier.held() < 2<<20 {
		runtime.Gosched()
	}
	if grown := int64(heap()) - int64(before); grown > 8<<20 {
		t.Errorf("it takes %d bytes", grown)
	}
	if n, err := c.Read(make([]byte, 1)); n != 1 || err != nil {
		t.Error(err)
	}
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func (l *carrier) held() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.unread
}

// What was read counts no more, however it is read.
func TestCounts(t *testing.T) {
	near, far := pair(t, some)
	a, b := connect(t, near, far)
	for _, size := range []int{1, 7, 100, frameSize, 3*frameSize + 1} {
		go func() { _, _ = a.Write(make([]byte, size)) }()
		for got := 0; got < size; {
			n, err := b.Read(make([]byte, 1+size/3))
			if got += n; err != nil {
				t.Fatal(err)
			}
		}
		if held := far.carrier.held(); held != 0 {
			t.Errorf("after %d bytes %d count", size, held)
		}
	}
	go func() { _, _ = a.Write(make([]byte, 1000)) }()
	if _, err := b.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	_ = b.Close()
	if held := far.carrier.held(); held != 0 || far.carrier.count() != 0 {
		t.Errorf("after the end %d count", held)
	}
}

// A session from which nothing comes ends. One that is used, or only there, goes on.
func TestSilence(t *testing.T) {
	a, b := net.Pipe()
	silent := Client(t.Context(), a, Limits{Conns: 1, Unread: 1, silence: 100 * time.Millisecond})
	defer silent.Close()
	go func() { _, _ = io.Copy(io.Discard, b) }()
	defer b.Close()
	near, _ := pair(t, some)
	idle, used := pair(t, Limits{Conns: 8, Unread: 1 << 20, Idle: 100 * time.Millisecond})
	c, _ := connect(t, idle, used)
	<-silent.Done()
	if silent.Err() != errSilent || near.Err() != nil || idle.Err() != nil {
		t.Errorf("%v, %v, %v", silent.Err(), near.Err(), idle.Err())
	}
	_ = c.Close()
	if <-idle.Done(); idle.Err() != errIdle && idle.Err() != errEOF {
		t.Error(idle.Err())
	}
}
