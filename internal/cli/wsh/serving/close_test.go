package serving

import (
	"io"
	"log/slog"
	"net"
	"net/http"
	"testing"
	"time"

	"ui-mcp/internal/popup"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/httpserve"
)

// A client that does not finish its request is cut off at the end, which is not a failure.
func TestStopDuringRequest(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/", "/mcp"} {
		t.Run(path, func(t *testing.T) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			log := slog.New(slog.NewTextHandler(t.Output(), nil))
			sessions := registry.New(registry.Config{Log: log})
			broker, err := popup.New(popup.Options{Log: log})
			if err != nil {
				t.Fatal(err)
			}
			overMCP := newMCP(terminals.NewLocal(sessions, terminals.Host{}), broker, "test", 0, nil, log)
			server := httpserve.Serve(l, overMCP.beside(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				_, _ = io.ReadAll(r.Body) // until the connection is cut
			})), httpserve.Options{Log: log})
			conn, err := net.Dial("tcp", l.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			if _, err := io.WriteString(conn, "POST "+path+" HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n"); err != nil {
				t.Fatal(err)
			}
			if _, err := conn.Read(make([]byte, 100)); err != nil { // the handler reads
				t.Fatal(err)
			}
			if err := closeAll(time.Millisecond, overMCP, []*httpserve.Server{server}, log); err != nil {
				t.Errorf("closing is said to have failed: %v", err)
			}
			if err := sessions.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}
