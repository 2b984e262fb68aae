package wsh

import (
	"encoding/binary"
	"errors"
	"io"
	"log/slog"
	"net"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/discovery"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
)

// Commands find the server by its name or socket, also one whose paths have a prefix.
func TestConnect(t *testing.T) {
	t.Parallel()
	dir := runtimeDir(t)
	serve(t, "-L", "x", "--bind", "127.0.0.1:0", "--base-prefix", "/p", "--token", "0123456789abcdef", "--hostname", "here")
	for _, w := range []caller.Where{{ServerName: "x"}, {ServerName: "default", Socket: dir + "/x.sock"}} {
		r, err := caller.Env{Vars: vars(t), Where: w, Version: "0.1.0", Streams: commandline.Streams{Err: io.Discard}}.Connect(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			about, err := terminals.GetServer.Do(t.Context(), r, terminals.Everything, terminals.None{})
			if err != nil || about.Hostname != "here" {
				t.Errorf("%+v: %+v, %v", w, about, err)
			}
		}
		if token, err := token(t.Context(), r); err != nil || token == nil || *token != "0123456789abcdef" {
			t.Errorf("%+v: the token: %v, %v", w, token, err)
		}
		r.Close()
	}
	for want, w := range map[string]caller.Where{
		`no server runs: start one with "wsh server", or a session with "wsh"`:  {ServerName: "default"},
		`no server "y" runs: start one with "wsh server -L y"`:                  {ServerName: "y"},
		"no server answers at /no/socket: start one with \"wsh server --socket": {ServerName: "x", Socket: "/no/socket"},
	} {
		_, err := caller.Env{Vars: vars(t), Where: w, Streams: commandline.Streams{Err: io.Discard}}.Connect(t.Context())
		if fault.DetailOf(err) != caller.NoServer || fault.KindOf(err) != fault.NotFound || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%+v: %v", w, err)
		}
	}
	// A server of 0.1.0 has the lock, and nothing else.
	registry, err := discovery.OpenIn(dir, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	claim, err := registry.Claim("old", "")
	if err != nil {
		t.Fatal(err)
	}
	_, err = caller.Env{Vars: vars(t), Where: caller.Where{ServerName: "old"}, Streams: commandline.Streams{Err: io.Discard}}.Connect(t.Context())
	if fault.DetailOf(err) != caller.NoServer || !strings.Contains(err.Error(), `a process has the name "old", but cannot be reached`) {
		t.Errorf("a server of 0.1.0: %v", err)
	}
	if err := claim.Release(); err != nil {
		t.Error(err)
	}
}

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
	var accepted atomic.Int32
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				served <- err
				return
			}
			accepted.Add(1)
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
	before := accepted.Load()
	if _, errs, status := wsh(t, "list", "--socket", socket); status != commandline.ExitFailure || !strings.Contains(errs, "without an answer") || accepted.Load() != before+1 {
		t.Errorf("wsh list, over %d connections: status %d, %s", accepted.Load()-before, status, errs)
	}
	l.Close()
	<-served
}
