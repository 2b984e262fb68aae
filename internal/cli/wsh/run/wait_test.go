package run

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/opcases"
	"ui-mcp/internal/transport/client"
	"ui-mcp/internal/transport/httpterm"
)

// inMemory returns a server's client whose connections are in memory, so that a test may control
// time.
func inMemory(t *testing.T, h http.Handler) *caller.Remote {
	t.Helper()
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.ServeHTTP(w, r.WithContext(terminals.NewContext(r.Context(), terminals.Everything)))
	})}
	r := &caller.Remote{Client: client.New(client.Options{Dial: func(context.Context) (net.Conn, error) {
		near, far := net.Pipe()
		l := testkit.NewListener(far)
		l.Close() // there is no other connection
		go func() { _ = server.Serve(l) }()
		return near, nil
	}})}
	t.Cleanup(r.Close)
	return r
}

// A silence that is longer than a server waits in one call lasts as long as was asked for, and
// begins again with whatever happens.
func TestWaitForLongSilence(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		quiet, timeout time.Duration
		before         time.Duration // how long the session is quiet at first
		disturbed      time.Duration // when something happens after that; 0: never
		took           time.Duration
		late           bool
	}{
		{quiet: 10 * time.Minute, took: 10 * time.Minute},
		{quiet: 10 * time.Minute, before: 4 * time.Minute, took: 6 * time.Minute},
		{quiet: 10 * time.Minute, before: 11 * time.Minute},
		{quiet: 10 * time.Minute, disturbed: 7 * time.Minute, took: 17 * time.Minute},
		{quiet: 4 * time.Minute, took: 4 * time.Minute},
		{quiet: 10 * time.Minute, timeout: 9 * time.Minute, took: 9 * time.Minute, late: true},
		{quiet: 10 * time.Minute, timeout: 16 * time.Minute, disturbed: 7 * time.Minute, took: 16 * time.Minute, late: true},
	} {
		synctest.Test(t, func(t *testing.T) {
			sessions := opcases.Sessions(t, registry.Config{Start: opcases.Start, Shell: "shell", Log: slog.New(slog.DiscardHandler)})
			if _, err := sessions.Create(t.Context(), registry.CreateOptions{Name: "a"}); err != nil {
				t.Fatal(err)
			}
			time.Sleep(tt.before)
			r := inMemory(t, httpterm.New(terminals.NewLocal(sessions, terminals.Host{})))
			if tt.disturbed > 0 {
				time.AfterFunc(tt.disturbed, func() {
					if err := caller.Change(t.Context(), r, terminals.SendInput, terminals.Input{Target: terminals.Target{Session: "a"}, Data: []byte("x")}); err != nil {
						t.Error(err)
					}
				})
			}
			start := time.Now()
			_, err := Wait{Idle: true, Quiet: caller.Duration{Duration: tt.quiet}, Timeout: caller.Duration{Duration: tt.timeout}}.wait(t.Context(), caller.ByName(r, "a"))
			if took := time.Since(start); took != tt.took || fault.KindOf(err) == fault.Timeout != tt.late || err != nil && !tt.late {
				t.Errorf("%+v: it took %v: %v", tt, took, err)
			}
		})
	}
}
