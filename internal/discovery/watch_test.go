package discovery

import (
	"log/slog"
	"os"
	"testing"

	"ui-mcp/internal/environ"
	"ui-mcp/internal/testkit/wait"
)

// What servers say of themselves is noticed until that is not wanted any more.
func TestWatch(t *testing.T) {
	dir := t.TempDir()
	vars := environ.Variables{"XDG_RUNTIME_DIR=" + dir, "HOME=" + dir, "LocalAppData=" + dir}
	r, err := Open(vars, slog.New(slog.NewTextHandler(t.Output(), nil)))
	if err != nil {
		t.Fatal(err)
	}
	c := claimOne(t, r, born)
	changes := make(chan struct{}, 100)
	stop := Watch(vars, func() { changes <- struct{}{} })
	if err := os.WriteFile(r.File("other", ".json"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	wait.For(t, "the change by hand", changes)
	c.Announce(func(s *Server) { s.Watched = true })
	wait.For(t, "the change", changes)
	stop()
	for len(changes) > 0 {
		<-changes
	}
	c.Announce(func(s *Server) { s.Watched = false })
	if len(changes) > 0 {
		t.Error("it is watched on")
	}
}
