//go:build unix

package wsh

import (
	"context"
	"errors"
	"net"
	"strings"
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

// attachFrames attaches to a session, or creates one, and closes the connection in the end.
func attachFrames(t *testing.T, socket, session string, kind socketwire.Kind, request string) *frameClient {
	t.Helper()
	conn, err := net.Dial("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), wait.Patience)
	t.Cleanup(cancel)
	attached, err := remoteclient.Attach(ctx, conn, session, socketwire.Frame{Kind: kind, Content: []byte(request)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = attached.Close() })
	return &frameClient{attached, ctx}
}

// watchOn attaches to a session, and returns the connection when it is attached.
func watchOn(t *testing.T, socket, session string) *frameClient {
	t.Helper()
	c := attachFrames(t, socket, session, socketwire.AttachSession, `{"rows":24,"cols":80,"client":{}}`)
	c.await(t, socketwire.PtyOutput, "")
	return c
}

// await reads until the frames of a kind have a text.
func (c *frameClient) await(t *testing.T, kind socketwire.Kind, text string) {
	t.Helper()
	for shown := ""; ; {
		f, err := c.Read(c.ctx)
		if err != nil || f.Kind == socketwire.Failed {
			t.Fatalf("no frame %02x with %q: %s, %v, after %q", byte(kind), text, f.Content, err, shown)
		}
		if f.Kind == kind {
			if shown += string(f.Content); strings.Contains(shown, text) {
				return
			}
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
