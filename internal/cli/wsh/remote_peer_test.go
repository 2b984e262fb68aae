package wsh

import (
	"encoding/binary"
	"errors"
	"io"
	"net"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
)

// A server of another program, which takes the beginning of a request for a frame that is too long
// and closes, is called that, and not a reset of the connection.
func TestForeignServer(t *testing.T) {
	t.Parallel()
	socket := filepath.Join(filepath.Dir(runtimeDir(t)), "foreign")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				served <- err
				return
			}
			var head [5]byte // a type and a length
			if _, err := io.ReadFull(c, head[:]); err == nil && binary.BigEndian.Uint32(head[1:]) < 16<<20 {
				t.Errorf("a frame %x", head)
			}
			c.Close() // with the rest unread
		}
	}()
	e := caller.Env{Vars: vars(t), Where: caller.Where{ServerName: "default", Socket: socket}, Version: "0.1.0", Streams: commandline.Streams{Err: io.Discard}}
	_, connected := e.Connect(t.Context())
	anyServer := e.WithAnyServer(t.Context(), func(*caller.Remote, terminals.ServerInfo) error { return errors.New("it answers") })
	for _, err := range []error{connected, anyServer} {
		if fault.KindOf(err) != fault.Precondition || errors.Is(err, syscall.ECONNRESET) || !strings.HasPrefix(err.Error(), "the program that listens at "+socket+" has closed the connection without an answer") {
			t.Errorf("it says: %v", err)
		}
	}
	l.Close()
	<-served
}
