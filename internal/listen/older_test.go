package listen

import (
	"io"
	"net"
	"path/filepath"
	"testing"
	"time"
)

// Clients of another protocol, which they show with their first byte, get an answer that they
// understand. The others do not notice.
func TestRefuse(t *testing.T) {
	socket, err := Unix(filepath.Join(shortDir(t), "s.sock"))
	if err != nil {
		t.Fatal(err)
	}
	l := Refuse(socket, '0', []byte("no"))
	defer l.Close()
	go func() { // echoes
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				_, _ = io.Copy(struct{ io.Writer }{conn}, struct{ io.Reader }{conn})
			}()
		}
	}()
	for _, tt := range []struct{ say, want string }{{"\x01x", "no"}, {"A/no", "A/no"}, {"GET", "GET"}, {"0\x01", "0\x01"}} {
		conn, err := Dial(l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		_ = conn.SetDeadline(time.Now().Add(time.Minute))
		for i := range tt.say { // only the first byte of all counts
			if _, err := conn.Write([]byte{tt.say[i]}); err != nil && i == 0 {
				t.Fatal(err)
			}
		}
		if tt.want == tt.say {
			_ = conn.(*net.UnixConn).CloseWrite()
		}
		got, err := io.ReadAll(conn)
		if err != nil && tt.want == tt.say || string(got) != tt.want {
			t.Errorf("%q is answered with %q, %v", tt.say, got, err)
		}
		_ = conn.Close()
	}
}
