package remote

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"time"

	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/gate"
	"ui-mcp/internal/transport/httpserve"
	"ui-mcp/internal/transport/httpterm"
	"ui-mcp/internal/transport/mux"
	"ui-mcp/internal/transport/wsterm"
)

const (
	// greetTime is how long another host may take to introduce itself.
	greetTime = 10 * time.Second
	// partingTime is how long its requests may take to end when the connection does.
	partingTime = time.Second
)

// A Server lets other hosts use the terminals of this one. Its methods may be called from anywhere.
type Server struct {
	Self    Hello                                                 // of this host
	handler func(may func() (terminals.Grant, bool)) http.Handler // of a host
	log     *slog.Logger
}

// NewServer returns a server of terminals for other hosts.
func NewServer(self Hello, ts terminals.Terminals, log *slog.Logger) *Server {
	return &Server{Self: self, log: log, handler: gate.Hosts(httpterm.New(ts, wsterm.Routes(ts, wsterm.Options{})), httpterm.MaxBody, log)}
}

// Serve serves the host at the other end of a stream of bytes until it leaves, or ctx ends: its
// requests then end as in a server that is stopping. It may do what may returns at the time of each
// request; false: nothing.
func (s *Server) Serve(ctx context.Context, rw io.ReadWriteCloser, may func() (terminals.Grant, bool)) error {
	greeting, cancel := context.WithTimeout(ctx, greetTime)
	defer cancel()
	_, rest, err := greet(greeting, rw, s.Self)
	if err != nil {
		return err
	}
	limits := mux.Limits{Conns: maxConns, Unread: maxUnread}
	if by, _ := may(); by.Guest {
		limits.Unread = maxUnreadGuests
	}
	session := mux.Server(rest, limits)
	defer session.Close()
	served := httpserve.Serve(session.Listener(), s.handler(may), httpserve.Options{Log: s.log, Cause: httpterm.ErrStopping, Refuse: httpterm.Refuse})
	select {
	case <-session.Done():
		err = session.Err()
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	parting, stop := context.WithTimeout(context.Background(), partingTime)
	defer stop()
	context.AfterFunc(parting, func() { _ = session.Close() }) // a write that nobody reads ends no sooner
	_ = served.Close(parting)                                  // what does not end in time is cut off
	return err
}
