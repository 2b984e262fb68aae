package join_test

import (
	"io"
	"net"
	"strings"
	"testing"

	"ui-mcp/internal/cli/join"
)

// The headers of an answer have an end, and what follows them has none.
func TestUpgradeLimitsHeaders(t *testing.T) {
	const head, line = "HTTP/1.1 101 Switching Protocols\r\n", "A: b\r\n"
	for name, tt := range map[string]struct {
		text string
		ok   bool
	}{
		"endless headers": {head + strings.Repeat(line, 1<<18), false},
		"a long body":     {head + line + "\r\n" + strings.Repeat("x", 1<<18), true},
	} {
		here, there := net.Pipe()
		written := make(chan int, 1)
		go func() {
			_, _ = there.Read(make([]byte, 4096)) // the request
			n, _ := io.WriteString(there, tt.text)
			there.Close()
			written <- n
		}()
		conn, _, err := join.Upgrade(t.Context(), here, "/", "p", nil)
		if (err == nil) != tt.ok {
			t.Errorf("%s: %v", name, err)
		}
		if tt.ok && err == nil {
			if rest, err := io.ReadAll(conn); len(rest) != 1<<18 || err != nil {
				t.Errorf("%s: %d bytes follow, %v", name, len(rest), err)
			}
		}
		here.Close()
		if n := <-written; !tt.ok && n > 1<<17 {
			t.Errorf("%s: %d bytes were read", name, n)
		}
	}
}
