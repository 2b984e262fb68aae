//go:build unix

package wsh

import (
	"context"
	"errors"
	"net"
	"testing"

	"ui-mcp/internal/testkit/wait"
	remoteclient "ui-mcp/internal/transport/client"
	"ui-mcp/internal/transport/socketwire"
)

// A frameClient is a client of a server's socket that reads frames.
type frameClient struct {
	*remoteclient.Attached
	ctx context.Context
}

// watchOn attaches to a session, and returns the connection when it is attached.
func watchOn(t *testing.T, socket, session string) (*frameClient, error) {
	t.Helper()
	conn, err := net.Dial("unix", socket)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(t.Context(), wait.Patience)
	t.Cleanup(cancel)
	attached, err := remoteclient.Attach(ctx, conn, session, socketwire.Frame{Kind: socketwire.AttachSession, Content: []byte(`{"rows":24,"cols":80,"client":{}}`)})
	if err != nil {
		return nil, err
	}
	t.Cleanup(func() { _ = attached.Close() })
	c := &frameClient{attached, ctx}
	for {
		f, err := c.Read(ctx)
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
		f, err := c.Read(c.ctx)
		if err != nil {
			return err
		}
		if f.Kind == socketwire.Failed {
			return errors.New(string(f.Content))
		}
	}
}
