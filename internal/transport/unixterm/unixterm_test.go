package unixterm

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"ui-mcp/internal/term"
	"ui-mcp/internal/term/pty"
	"ui-mcp/internal/term/vt"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/opcases"
	"ui-mcp/internal/transport/socketwire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience bounds failures only.
const patience = 2 * time.Minute

// serve serves terminals on a new socket, and returns its path.
func serve(t *testing.T, l terminals.Terminals, token string) (string, *Server) {
	t.Helper()
	dir, err := os.MkdirTemp("", "frames") // t.TempDir may be too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	path := filepath.Join(dir, "s")
	listener, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	s := Serve(listener, Options{Terminals: l, Token: func() string { return token }, Log: slog.New(slog.DiscardHandler)})
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("Close = %v", err)
		}
	})
	return path, s
}

// A client is a program of the other side.
type client struct {
	net.Conn
	in     *bufio.Reader
	screen *vt.Terminal // of 20 columns and 4 rows, on which output is displayed
}

func dial(t *testing.T, path string) *client {
	t.Helper()
	c, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	_ = c.SetDeadline(time.Now().Add(patience))
	screen, err := vt.New(vt.Options{Cols: 20, Rows: 4, Scrollback: 1000})
	if err != nil {
		t.Fatal(err)
	}
	return &client{c, bufio.NewReader(c), screen}
}

func (c *client) send(t *testing.T, k socketwire.Kind, content string) {
	t.Helper()
	if _, err := c.Write(socketwire.Append(nil, k, []byte(content))); err != nil {
		t.Fatal(err)
	}
}

func (c *client) read(t *testing.T) socketwire.Frame {
	t.Helper()
	f, err := socketwire.Read(c.in)
	if err != nil {
		t.Fatalf("the connection has ended: %v", err)
	}
	return f
}

// expect reads a frame of that kind with that content.
func (c *client) expect(t *testing.T, k socketwire.Kind, want string) socketwire.Frame {
	t.Helper()
	f := c.read(t)
	if f.Kind != k {
		t.Fatalf("frame %02x %s, want %02x", f.Kind, f.Content, k)
	}
	if want != "" {
		if d := opcases.Diff(want, string(f.Content)); d != "" {
			t.Errorf("frame %02x: %s", k, d)
		}
	}
	return f
}

// display displays output until the screen has a line, or the client is detached.
func (c *client) display(t *testing.T, line string) {
	t.Helper()
	for !slices.ContainsFunc(c.screen.Snapshot().Lines, func(l vt.Line) bool { return l.Plain() == line }) {
		switch f := c.read(t); f.Kind {
		case socketwire.PtyOutput:
			_, _ = c.screen.Write(f.Content)
		case socketwire.Ping:
		default:
			t.Fatalf("no line %q before frame %02x %s: %v", line, f.Kind, f.Content, c.screen.Snapshot().Lines)
		}
	}
}

// over reads until the connection has ended, and returns the kind of the last frame.
func (c *client) over(t *testing.T) socketwire.Kind {
	t.Helper()
	var last socketwire.Kind
	for {
		f, err := socketwire.Read(c.in)
		if err == io.EOF {
			return last
		}
		if err != nil {
			t.Fatal(err)
		}
		if last = f.Kind; last == socketwire.PtyOutput {
			_, _ = c.screen.Write(f.Content)
		}
	}
}

// by describes the client in requests.
const by = `,"client":{}}`

// Each request is answered once, failed ones with an error.
func TestRequests(t *testing.T) {
	path, _ := serve(t, opcases.New(t, opcases.Case{}), "secret")
	for _, tt := range []struct {
		request  socketwire.Kind
		content  string
		response socketwire.Kind
		want     string
	}{
		{socketwire.GetToken, `{}`, socketwire.GetTokenResponse, `{"token":"secret"}`},
		{socketwire.AttachSession, `{"name":"none","scrollback":"none","rows":4,"cols":20` + by, socketwire.Failed, `{"code":"session_not_found"}`},
		{socketwire.AttachSession, `{"name":"over","scrollback":"none","rows":4,"cols":20` + by, socketwire.Failed, `{"code":"session_ended"}`},
		{socketwire.AttachSession, `{"name":"a","scrollback":"some","rows":4,"cols":20` + by, socketwire.Failed, `{"code":"invalid_request"}`},
		{socketwire.AttachSession, `{"name":"a","client":{"size":"latest"}}`, socketwire.Failed, `{"code":"invalid_request"}`},
		{socketwire.AttachSession, `{`, socketwire.Failed, `{"code":"invalid_request"}`},
		{socketwire.CreateSession, `{"name":"a","rows":4,"cols":20,"tags":[]` + by, socketwire.Failed, `{"code":"session_name_conflict"}`},
		{socketwire.CreateSession, `{"command":"fail","rows":4,"cols":20,"tags":[]` + by, socketwire.Failed, `{"code":"session_create_failed"}`},
		{0x20, `{}`, socketwire.Failed, `{"code":"invalid_request"}`},
		{socketwire.StdinInput, `x`, socketwire.Failed, `{"code":"invalid_request"}`},
	} {
		c := dial(t, path)
		c.send(t, tt.request, tt.content)
		c.expect(t, tt.response, tt.want)
		if _, err := c.in.ReadByte(); err != io.EOF {
			t.Errorf("after %02x: %v", tt.request, err)
		}
	}
	c := dial(t, path)
	if _, err := c.Write([]byte{byte(socketwire.AttachSession), 0xff, 0, 0, 0}); err != nil {
		t.Fatal(err)
	}
	c.expect(t, socketwire.Failed, `{"code":"invalid_request"}`)

	path, _ = serve(t, opcases.New(t, opcases.Case{}), "")
	c = dial(t, path)
	c.send(t, socketwire.GetToken, ``)
	c.expect(t, socketwire.GetTokenResponse, `{"token":null}`)
}

// An attached client sees the session with what is drawn above it, types, and leaves.
func TestAttach(t *testing.T) {
	l := opcases.New(t, opcases.Case{})
	path, _ := serve(t, l, "")
	do := func(op, in string) {
		t.Helper()
		if _, err := opcases.Do(t.Context(), l, terminals.Everything, op, in); err != nil {
			t.Fatal(err)
		}
	}
	do("overlay.create", `{"session":"a","x":10,"y":3,"spans":[{"text":"over"}]}`)
	c := dial(t, path)
	c.send(t, socketwire.AttachSession, `{"name":"a","scrollback":"all","rows":4,"cols":20`+by)
	c.expect(t, socketwire.AttachSessionResponse, `{"name":"a","rows":4,"cols":20}`)
	c.display(t, "          over")
	c.send(t, socketwire.StdinInput, "typed\r1\r2\r3\r")
	c.display(t, "3")
	c.send(t, socketwire.Pong, "")
	do("panel.create", `{"session":"a","position":"top","spans":[{"text":"panel"}]}`)
	c.display(t, "panel")
	c.send(t, socketwire.Resize, `{"rows":5,"cols":30}`)
	do("session.update", `{"session":"a","name":"b"}`)
	c.send(t, socketwire.Resize, `{"rows":4,"cols":20}`)
	c.send(t, socketwire.GetToken, `{}`)
	for c.read(t).Kind != socketwire.Failed {
	}
	if got, err := opcases.Do(t.Context(), l, terminals.Everything, "session.get", `{"session":"b"}`); opcases.Diff(`{"rows":4,"cols":20,"clients":1}`, got) != "" {
		t.Errorf("%s, %v", got, err)
	}

	// The newest lines of the history, once.
	second := dial(t, path)
	second.send(t, socketwire.AttachSession, `{"name":"b","scrollback":{"lines":2},"rows":4,"cols":20`+by)
	second.expect(t, socketwire.AttachSessionResponse, "")
	history := second.expect(t, socketwire.PtyOutput, "").Content
	if got := strings.Fields(string(history)); !slices.Equal(got, []string{"1", "2"}) && !slices.Equal(got, []string{"$", "typed", "1"}) {
		t.Errorf("the history is %q", history)
	}
	do("session.detach", `{"session":"b","client":"attach-1"}`)
	if last := c.over(t); last != socketwire.Detach {
		t.Errorf("the last frame is %02x", last)
	}
	second.send(t, socketwire.Detach, "")
	if last := second.over(t); last != socketwire.Detach {
		t.Errorf("the last frame is %02x", last)
	}
}

// A client that says when it has drawn gets the newest picture then, and none before: what waits on
// the way to a slow terminal would be old when it arrives.
func TestPaced(t *testing.T) {
	l := opcases.New(t, opcases.Case{})
	path, _ := serve(t, l, "")
	do := func(op, in string) {
		t.Helper()
		if _, err := opcases.Do(t.Context(), l, terminals.Everything, op, in); err != nil {
			t.Fatal(err)
		}
	}
	c := dial(t, path)
	c.send(t, socketwire.AttachSession, `{"name":"a","scrollback":"all","rows":4,"cols":20,"client":{"paced":true}}`)
	c.expect(t, socketwire.AttachSessionResponse, `{"name":"a","pid":4242}`)
	_, _ = c.screen.Write(c.expect(t, socketwire.PtyOutput, "").Content)
	for i := range 5 {
		do("panel.create", `{"session":"a","position":"top","spans":[{"text":"`+strconv.Itoa(i)+`"}]}`)
		do("panel.clear", `{"session":"a"}`)
	}
	do("overlay.create", `{"session":"a","x":0,"y":0,"width":20,"spans":[{"text":"newest"}]}`)
	c.send(t, socketwire.Drawn, "")
	c.send(t, socketwire.Drawn, "") // one too many
	c.send(t, socketwire.Drawn, "")
	_, _ = c.screen.Write(c.expect(t, socketwire.PtyOutput, "").Content)
	if got := c.screen.Snapshot().Lines[0].Plain(); got != "newest" {
		t.Errorf("the next picture has %q", got)
	}
	c.send(t, socketwire.Detach, "") // it needs not have drawn
	if last := c.over(t); last != socketwire.Detach {
		t.Errorf("the last frame is %02x", last)
	}
}

// A client that comes back finds its session by the ID or by its program, whatever the name is now.
func TestComeBack(t *testing.T) {
	l := opcases.New(t, opcases.Case{})
	path, _ := serve(t, l, "")
	if _, err := opcases.Do(t.Context(), l, terminals.Everything, "session.update", `{"session":"a","name":"b"}`); err != nil {
		t.Fatal(err)
	}
	c := dial(t, path)
	c.send(t, socketwire.AttachSession, `{"name":"a","pid":4242,"rows":4,"cols":20`+by)
	c.expect(t, socketwire.AttachSessionResponse, `{"name":"b","pid":4242}`)
	c = dial(t, path)
	c.send(t, socketwire.AttachSession, `{"name":"b","pid":4343,"rows":4,"cols":20`+by)
	c.expect(t, socketwire.Failed, `{"code":"session_not_found"}`)
	c = dial(t, path)
	c.send(t, socketwire.AttachSession, `{"name":"b","rows":4,"cols":20,"client":{}}`)
	var was struct{ ID string }
	if err := c.expect(t, socketwire.AttachSessionResponse, `{"name":"b"}`).Decode(&was); err != nil {
		t.Fatal(err)
	}
	for _, step := range [][2]string{{"session.update", `{"session":"b","name":"c"}`}, {"session.create", `{"name":"b"}`}} {
		if _, err := opcases.Do(t.Context(), l, terminals.Everything, step[0], step[1]); err != nil {
			t.Fatal(err)
		}
	}
	c = dial(t, path)
	c.send(t, socketwire.AttachSession, `{"name":"`+was.ID+`","rows":4,"cols":20,"client":{}}`)
	c.expect(t, socketwire.AttachSessionResponse, `{"name":"c"}`)
	if _, err := opcases.Do(t.Context(), l, terminals.Everything, "session.remove", `{"session":"c"}`); err != nil {
		t.Fatal(err)
	}
	c = dial(t, path)
	c.send(t, socketwire.AttachSession, `{"name":"`+was.ID+`","rows":4,"cols":20,"client":{}}`)
	c.expect(t, socketwire.Failed, `{"code":"session_not_found"}`)
}

// A created session is attached at once. The end of the program detaches the client.
func TestCreate(t *testing.T) {
	l := opcases.New(t, opcases.Case{})
	path, server := serve(t, l, "")
	c := dial(t, path)
	c.send(t, socketwire.CreateSession, `{"name":"n","command":"greeting","rows":4,"cols":20,"tags":["t"]`+by)
	c.expect(t, socketwire.CreateSessionResponse, `{"name":"n","server":"host","pid":4242,"rows":4,"cols":20}`)
	c.display(t, "greeting")
	if _, err := opcases.Do(t.Context(), l, terminals.Everything, "session.signal", `{"session":"n","signal":"TERM"}`); err != nil {
		t.Fatal(err)
	}
	if last := c.over(t); last != socketwire.Detach {
		t.Errorf("the last frame is %02x", last)
	}
	for range 20 { // it may have ended before the client is attached
		c = dial(t, path)
		c.send(t, socketwire.CreateSession, `{"name":"short","command":"bye<exit 3>","rows":4,"cols":20,"tags":[]`+by)
		c.expect(t, socketwire.CreateSessionResponse, `{"name":"short"}`)
		if last := c.over(t); last != socketwire.Detach {
			t.Errorf("the last frame is %02x", last)
		}
		if got := c.screen.Snapshot().Lines[0].Plain(); got != "bye" {
			t.Errorf("the screen has %q", got)
		}
	}
	c = dial(t, path)
	c.send(t, socketwire.AttachSession, `{"name":"a","scrollback":"none","rows":0,"cols":99999`+by)
	c.expect(t, socketwire.AttachSessionResponse, "")
	if err := server.Close(); err != nil {
		t.Error(err)
	}
	if last := c.over(t); last != socketwire.Detach {
		t.Errorf("the last frame is %02x", last)
	}
}

// A client may have a terminal of any size, whatever history it asks for.
func TestAttachSizes(t *testing.T) {
	l := opcases.New(t, opcases.Case{})
	path, _ := serve(t, l, "")
	if _, err := opcases.Do(t.Context(), l, terminals.Everything, "command.run", `{"session":"a","line":"1\r2\r3\r4\r5\r6","timeout_ms":1}`); err != nil {
		t.Fatal(err)
	}
	for _, size := range []string{`"rows":-1,"cols":-1`, `"rows":4611686018427387904,"cols":20`, `"rows":2,"cols":20`} {
		c := dial(t, path)
		c.send(t, socketwire.AttachSession, `{"name":"a","scrollback":"all",`+size+by)
		c.expect(t, socketwire.AttachSessionResponse, "")
		if history := c.expect(t, socketwire.PtyOutput, "").Content; len(history) > 1<<20 {
			t.Errorf("%s: the history has %d bytes", size, len(history))
		}
		c.Close()
	}
}

// pipes is a listener for one connection, which has no buffers.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	if c, ok := <-p; ok {
		return c, nil
	}
	return nil, net.ErrClosed
}
func (p pipes) Close() error   { close(p); return nil }
func (p pipes) Addr() net.Addr { return &net.UnixAddr{} }

// A client that does not read delays the end of the server for a moment only.
func TestCloseStalled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		listener := make(pipes)
		server := Serve(listener, Options{Terminals: opcases.New(t, opcases.Case{}), Log: slog.New(slog.DiscardHandler)})
		near, far := net.Pipe()
		defer near.Close()
		listener <- far
		c := &client{Conn: near, in: bufio.NewReader(near)}
		c.send(t, socketwire.AttachSession, `{"name":"a","scrollback":"none","rows":4,"cols":20`+by)
		c.expect(t, socketwire.AttachSessionResponse, "")
		time.Sleep(time.Second)
		start := time.Now()
		if err := server.Close(); err != nil {
			t.Error(err)
		}
		if took := time.Since(start); took > leaveTime {
			t.Errorf("closing took %v", took)
		}
	})
}

// A slow client gets a frame of any length while it reads; one that stops reading is cut off.
func TestSlowClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near, far := net.Pipe()
		const content = 1<<20 - 5 // with the head, whole pieces
		c := &conn{conn: far}
		written := make(chan error)
		go func() {
			for range 2 {
				written <- c.Write(socketwire.PtyOutput, make([]byte, content))
			}
		}()
		for taken := int64(0); taken < 1<<20; {
			time.Sleep(writeTime / 4)
			n, err := io.CopyN(io.Discard, near, 16<<10)
			if taken += n; err != nil {
				t.Fatalf("after %d bytes: %v", taken, err)
			}
		}
		if err := <-written; err != nil {
			t.Error(err)
		}
		stopped := time.Now()
		if err := <-written; !errors.Is(err, os.ErrDeadlineExceeded) || time.Since(stopped) != writeTime {
			t.Errorf("a client that has stopped reading: %v after %v", err, time.Since(stopped))
		}
	})
}

// A client that sends nothing is cut off.
func TestSilentClient(t *testing.T) {
	path, _ := serve(t, opcases.New(t, opcases.Case{}), "")
	begun := time.Now()
	c := dial(t, path)
	if _, err := c.in.ReadByte(); err != io.EOF || time.Since(begun) < firstTime/2 {
		t.Errorf("%v after %v", err, time.Since(begun))
	}
}

// A large paste arrives whole while the program writes as much, whatever pieces it is sent in.
func TestPasteDuringOutput(t *testing.T) {
	home := t.TempDir()
	r := term.NewRegistry(term.Config{
		Start: func(o pty.Options) (term.Process, error) { return pty.Start(o) },
		Home:  home, Environ: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home}, Log: slog.New(slog.DiscardHandler),
	})
	defer r.Close()
	path, server := serve(t, terminals.NewLocal(r, terminals.Host{}), "")
	defer server.Close()
	c := dial(t, path)
	lines := load.Count(10_000, 40_000)
	command, err := json.Marshal(`stty -echo; echo ready; n=$(head -n ` + strconv.Itoa(lines) + ` | tee /dev/tty | cksum); echo "$n"; exec cat`)
	if err != nil {
		t.Fatal(err)
	}
	c.send(t, socketwire.CreateSession, `{"name":"p","command":`+string(command)+`,"rows":4,"cols":20,"tags":[]`+by)
	c.expect(t, socketwire.CreateSessionResponse, "")
	c.display(t, "ready")
	go func() {
		line := strings.Repeat("x", 49) + "\n"
		stream := socketwire.Append(nil, socketwire.StdinInput, []byte(strings.Repeat(line, lines)))
		for i := 0; len(stream) > 0; i++ {
			n := min(len(stream), 1+i*i%9000)
			if _, err := c.Write(stream[:n]); err != nil {
				return
			}
			stream = stream[n:]
		}
	}()
	c.display(t, cksum(strings.Repeat(strings.Repeat("x", 49)+"\n", lines)))
}

// cksum is what the program of that name writes.
func cksum(s string) string {
	var table [256]uint32
	for i := range table {
		c := uint32(i) << 24
		for range 8 {
			if c&(1<<31) != 0 {
				c = c<<1 ^ 0x04c11db7
			} else {
				c <<= 1
			}
		}
		table[i] = c
	}
	var sum uint32
	for i := range len(s) {
		sum = sum<<8 ^ table[byte(sum>>24)^s[i]]
	}
	for n := len(s); n > 0; n >>= 8 {
		sum = sum<<8 ^ table[byte(sum>>24)^byte(n)]
	}
	b, _ := json.Marshal(^sum)
	n, _ := json.Marshal(len(s))
	return string(b) + " " + string(n)
}
