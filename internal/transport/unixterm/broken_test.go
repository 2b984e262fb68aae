package unixterm

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"strings"
	"sync"
	"syscall"
	"testing"

	"ui-mcp/internal/testkit/opcases"
	"ui-mcp/internal/transport/socketwire"
)

// Clients that send anything but frames are answered with an error at most. They end nothing but
// their own connections.
func TestBrokenFrames(t *testing.T) {
	path, _ := serve(t, opcases.New(t, opcases.Case{}), "")
	whole := socketwire.Append(nil, socketwire.AttachSession, []byte(`{"name":"a","rows":4,"cols":20`+by))
	broken := [][]byte{nil}
	for n := range len(whole) {
		broken = append(broken, whole[:n])
	}
	for _, length := range []uint32{0, 1, socketwire.MaxSize, socketwire.MaxSize + 1, 1 << 31, 1<<32 - 1} {
		head := binary.BigEndian.AppendUint32([]byte{byte(socketwire.AttachSession)}, length)
		broken = append(broken, head, append(head, whole...))
	}
	for kind := range 256 {
		switch k := socketwire.Kind(kind); k {
		case socketwire.CreateSession:
		default:
			for _, content := range []string{"", "{}", "[]", "null", `{"name":1}`, `{"name":"none"}`, strings.Repeat("[", 1000), "\x00\xff"} {
				broken = append(broken, socketwire.Append(nil, k, []byte(content)))
			}
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		b := make([]byte, 1+r.IntN(100))
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		if k := socketwire.Kind(b[0]); k != socketwire.CreateSession {
			broken = append(broken, b)
		}
	}
	// What follows a request that succeeds is broken, too.
	for _, b := range broken[:len(broken):len(broken)] {
		if len(b) > 0 && r.IntN(8) == 0 && socketwire.Kind(b[0]) != socketwire.StdinInput {
			broken = append(broken, append(whole[:len(whole):len(whole)], b...))
		}
	}
	var clients sync.WaitGroup
	turns := make(chan struct{}, 50)
	for _, b := range broken {
		turns <- struct{}{}
		clients.Go(func() {
			defer func() { <-turns }()
			c := dial(t, path)
			defer c.Close()
			_, _ = c.Write(b) // the server may have closed the connection
			_ = c.Conn.(*net.UnixConn).CloseWrite()
			for {
				_, err := socketwire.Read(c.in)
				if errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) {
					return
				}
				if err != nil {
					t.Errorf("after %.60x: %v", b, err)
					return
				}
			}
		})
	}
	clients.Wait()
	c := dial(t, path)
	c.send(t, socketwire.AttachSession, `{"name":"a"`+by)
	c.expect(t, socketwire.AttachSessionResponse, `{"name":"a"}`)
}

// Clients of one session get the same picture at the same time, also if one of them never reads.
func TestClientThatNeverReads(t *testing.T) {
	path, _ := serve(t, opcases.New(t, opcases.Case{}), "")
	attach := func() *client {
		c := dial(t, path)
		c.send(t, socketwire.AttachSession, `{"name":"a","scrollback":"none","rows":4,"cols":20`+by)
		c.expect(t, socketwire.AttachSessionResponse, "")
		return c
	}
	attach() // and does nothing else
	var clients []*client
	for range 20 {
		clients = append(clients, attach())
	}
	const lines = 3000
	var reading sync.WaitGroup
	for _, c := range clients {
		reading.Go(func() { c.display(t, fmt.Sprintf("line %d", lines-1)) })
	}
	for i := range lines {
		clients[0].send(t, socketwire.StdinInput, fmt.Sprintf("\x1b[4%dmline %d\x1b[m\r", i%8, i))
	}
	reading.Wait()
}
