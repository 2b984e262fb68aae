package nearby

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"testing"

	"ui-mcp/internal/discovery"
	"ui-mcp/internal/testkit"
)

// A program of another user that has got the port of a server gets no question, and its replies are
// nobody's.
func TestForeignServer(t *testing.T) {
	cmd := testkit.Stranger(t, serveVariable+"=1")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	address, err := lines.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	if err := program("asker").to(discovery.Server{Address: strings.TrimSpace(address), Token: "secret"}, "page").Follow(t.Context(), nobody{}); err == nil {
		t.Error("it follows")
	}
	if err := in.Close(); err != nil {
		t.Error(err)
	}
	rest, err := io.ReadAll(lines)
	if err := errors.Join(err, cmd.Wait()); err != nil {
		t.Error(err)
	}
	if len(rest) > 0 {
		t.Errorf("it has got %s", rest)
	}
}
