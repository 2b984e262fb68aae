package serving

import (
	"bufio"
	"log/slog"
	"net"
	"strings"
	"testing"

	"ui-mcp/internal/term"
	"ui-mcp/internal/testkit/silent"
)

// The answer that tells a client of a session comes after the line that tells the bridge, also
// where nothing has reported the session before.
func TestPresentBeforeAnswers(t *testing.T) {
	sessions := term.NewRegistry(term.Config{Start: silent.Start, Shell: "shell", Log: slog.New(slog.DiscardHandler)})
	defer sessions.Close()
	here, there := net.Pipe()
	defer here.Close()
	p := &presenter{Conn: here, id: "s", sessions: sessions}
	lines := bufio.NewReader(there)
	for i, want := range []string{`"sessions":null`, "", `"sessions":["a"]`, ""} {
		if i == 2 {
			if _, err := sessions.Create(t.Context(), term.CreateOptions{Name: "a"}); err != nil {
				t.Fatal(err)
			}
		}
		written := make(chan error, 1)
		go func() {
			_, err := p.Write([]byte("answer\n"))
			written <- err
		}()
		if want != "" {
			if line, err := lines.ReadString('\n'); err != nil || !strings.Contains(line, want) {
				t.Errorf("%d: %s, %v; want %s", i, line, err, want)
			}
		}
		if line, err := lines.ReadString('\n'); err != nil || line != "answer\n" {
			t.Errorf("%d: %s, %v", i, line, err)
		}
		if err := <-written; err != nil {
			t.Error(err)
		}
	}
}
