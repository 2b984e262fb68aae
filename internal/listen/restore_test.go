package listen

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"testing"

	"ui-mcp/internal/fault"
)

// A socket that is made again serves new clients through the same listener, and keeps the earlier
// ones.
func TestRestore(t *testing.T) {
	path := filepath.Join(shortDir(t), "s")
	l, err := Unix(path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	accepted := make(chan net.Conn)
	go func() {
		defer close(accepted)
		for {
			conn, err := l.Accept()
			if err != nil {
				if !errors.Is(err, net.ErrClosed) {
					t.Error(err)
				}
				return
			}
			accepted <- conn
		}
	}()
	connect := func() (client, server net.Conn) {
		t.Helper()
		client, err := Dial(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { client.Close() })
		server = <-accepted
		t.Cleanup(func() { server.Close() })
		return client, server
	}
	client, server := connect()
	for range 2 {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if err := l.Restore(); err != nil {
			t.Fatal(err)
		}
		before, err := os.Lstat(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Restore(); err != nil { // nothing to do
			t.Fatal(err)
		}
		if after, err := os.Lstat(path); err != nil || !os.SameFile(before, after) {
			t.Errorf("a socket that is there was made again (%v)", err)
		}
		connect()
	}
	if _, err := server.Write([]byte("x")); err != nil {
		t.Error(err)
	}
	if n, err := client.Read(make([]byte, 1)); n != 1 {
		t.Errorf("the first client reads %d bytes: %v", n, err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := l.Restore(); fault.KindOf(err) != fault.Precondition {
		t.Errorf("where a file is: %v", err)
	}
	if err := errors.Join(l.Close(), l.Close(), l.Restore()); err != nil {
		t.Error(err)
	}
	if _, ok := <-accepted; ok {
		t.Error("a connection after Close")
	}
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		t.Errorf("the file at the path is gone: %v", err)
	}
}
