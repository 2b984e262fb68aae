package hostlink

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"ui-mcp/internal/fault"
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

// A Permit is what the host at the other end of a connection may do. Its methods may be called from
// anywhere.
type Permit struct {
	may func() (terminals.Grant, bool)

	mu  sync.Mutex      // guards the fields below
	ctx context.Context // of what is asked for until Withdraw is called
	end context.CancelCauseFunc
}

// NewPermit returns a permit for what may returns at the time of each request; false: nothing.
func NewPermit(may func() (terminals.Grant, bool)) *Permit {
	p := &Permit{may: may}
	p.ctx, p.end = context.WithCancelCause(context.Background())
	return p
}

var errWithdrawn = fault.With(terminals.Withdrawn, fault.New(fault.Gone, "the rights of your host have changed here"))

// Withdraw ends what the host has under way. It is called when what the host may do has changed.
func (p *Permit) Withdraw() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.end(errWithdrawn)
	p.ctx, p.end = context.WithCancelCause(context.Background())
}

// under returns a context for a request, which ends with the right to it. The caller calls end
// afterwards.
func (p *Permit) under(ctx context.Context) (_ context.Context, end func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	ctx, cancel := context.WithCancelCause(gate.WithHost(ctx, p.may)) // which is asked later
	stop := context.AfterFunc(p.ctx, func() { cancel(errWithdrawn) })
	return ctx, func() {
		stop()
		cancel(nil)
	}
}

// A Server lets other hosts use the terminals of this one. Its methods may be called from anywhere.
type Server struct {
	Self    Hello // of this host
	handler http.Handler
	log     *slog.Logger
	unread  atomic.Int64 // of all hosts
}

// NewServer returns a server of terminals for other hosts.
func NewServer(self Hello, ts terminals.Terminals, log *slog.Logger) *Server {
	return &Server{Self: self, log: log, handler: gate.Hosts(wsterm.New(ts, httpterm.New(ts), wsterm.Options{}), httpterm.MaxBody, log)}
}

// Serve serves the host at the other end of a stream of bytes until it leaves, or ctx ends: its
// requests then end as in a server that is stopping.
func (s *Server) Serve(ctx context.Context, rw io.ReadWriteCloser, p *Permit) error {
	greeting, cancel := context.WithTimeout(ctx, greetTime)
	defer cancel()
	_, rest, err := greet(greeting, rw, s.Self)
	if err != nil {
		return err
	}
	limits := mux.Limits{Conns: maxConns, Unread: maxUnread, All: &s.unread}
	if by, _ := p.may(); by.Guest {
		limits.Unread = maxUnreadGuests
	}
	session := mux.Server(rest, limits)
	defer session.Close()
	served := httpserve.Serve(session.Listener(), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		under, end := p.under(r.Context())
		defer end()
		s.handler.ServeHTTP(w, r.WithContext(under))
	}), httpserve.Options{Log: s.log, Stopping: httpterm.Stopping, Cause: httpterm.ErrStopping, Refuse: httpterm.Refuse})
	select {
	case <-session.Done():
		err = session.Err()
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	parting, stop := context.WithTimeout(context.Background(), partingTime)
	defer stop()
	_ = served.Close(parting) // what does not end in time is cut off
	return err
}
