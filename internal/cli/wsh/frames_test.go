//go:build unix

package wsh

import (
	"bufio"
	"errors"
	"net"
	"testing"
	"time"

	"ui-mcp/internal/testkit/wait"
	"ui-mcp/internal/transport/socketwire"
)

// A frameClient is a client of a server's socket that reads frames.
type frameClient struct {
	net.Conn
	in *bufio.Reader
}

// watchOn attaches to a session, and returns the connection when it is attached.
func watchOn(t *testing.T, socket, session string) (*frameClient, error) {
	t.Helper()
	conn, err := net.Dial("unix", socket)
	if err != nil {
		return nil, err
	}
	t.Cleanup(func() { _ = conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(wait.Patience))
	c := &frameClient{conn, bufio.NewReader(conn)}
	if _, err := conn.Write(socketwire.Append(nil, socketwire.AttachSession, []byte(`{"name":"`+session+`","rows":24,"cols":80,"client":{}}`))); err != nil {
		return nil, err
	}
	for {
		f, err := socketwire.Read(c.in)
		if err != nil {
			return nil, err
		}
		if f.Kind == socketwire.PtyOutput {
			return c, nil
		}
	}
}

// untilEnd reads until the session is not watched any more, and returns the reason.
func (c *frameClient) untilEnd() error {
	for {
		f, err := socketwire.Read(c.in)
		if err != nil {
			return err
		}
		if f.Kind == socketwire.Failed {
			return errors.New(string(f.Content))
		}
	}
}
