// Package httpserve runs an HTTP server on one listener and stops it: no long poll, stream,
// WebSocket, stalled upload or idle connection delays that, and no handler runs any more
// afterwards. It has no routes. The one check that it makes is [RefuseScripts], so
// that no listener is without it.
package httpserve

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/transport/inflight"
	"ui-mcp/internal/transport/peer"
)

// A Server serves HTTP on a listener until it is closed. Use [Serve].
type Server struct {
	http     *http.Server
	handlers *inflight.Group // running handlers, those of WebSockets included: Shutdown does not count them
	done     chan struct{}   // closed when the accepting goroutine has exited
	refuse   Refuser
	cause    error // of the end of requests' contexts

	mu      sync.Mutex            // guards the fields below
	fresh   map[net.Conn]struct{} // connections that have sent nothing yet
	closing bool
}

// Options configure a server.
type Options struct {
	Log *slog.Logger // required
	// Cause is why the contexts of requests end when the server stops; nil means an error of kind
	// [fault.Gone].
	Cause error
	// Refuse answers requests of scripts of apps, and those that arrive while the server stops; nil
	// means [InText].
	Refuse Refuser
	// MaxBody is how long a body may be, in bytes, to have more than five minutes if it needs them.
	// The server does not refuse longer ones.
	MaxBody int64
}

// Serve starts a server on a listener, which the server owns from then on. The caller must Close
// it.
func Serve(l net.Listener, h http.Handler, o Options) *Server {
	if o.Refuse == nil {
		o.Refuse = InText
	}
	if o.Cause == nil {
		o.Cause = fault.New(fault.Gone, "the server is stopping")
	}
	s := &Server{
		cause:    o.Cause,
		handlers: inflight.New(),
		refuse:   o.Refuse,
		done:     make(chan struct{}),
		fresh:    map[net.Conn]struct{}{},
	}
	s.http = &http.Server{
		Handler:           s.track(limitBodies(RefuseScripts(h, o.Refuse), o.MaxBody)),
		BaseContext:       func(net.Listener) context.Context { return s.handlers.Context() },
		ConnContext:       peer.NewContext,
		ConnState:         s.connState,
		ErrorLog:          slog.NewLogLogger(o.Log.Handler(), slog.LevelWarn),
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		// Handlers see "OPTIONS *", too, so that it is checked like every request.
		DisableGeneralOptionsHandler: true,
		// No ReadTimeout and no WriteTimeout: they would end long polls and streams. Bodies have a
		// deadline of their own (see limitBodies), and handlers that send a lot set one for
		// writing.
	}
	go func() {
		defer close(s.done)
		if err := s.http.Serve(l); !errors.Is(err, http.ErrServerClosed) && !errors.Is(err, net.ErrClosed) {
			o.Log.Error("the HTTP server has stopped", "address", l.Addr().String(), "error", err)
		}
	}()
	return s
}

// Close stops accepting, ends long polls, streams and WebSockets (with the code "going away"), and
// lets other requests finish. When ctx ends first, it cuts the connections and returns the cause.
// In any case no handler is running any more when Close returns. It may be called more than once.
func (s *Server) Close(ctx context.Context) error {
	s.mu.Lock()
	s.closing = true
	fresh := s.fresh
	s.fresh = nil
	s.mu.Unlock()

	s.handlers.Close(s.cause)
	for conn := range fresh {
		_ = conn.Close() // Shutdown would wait some seconds for its first request
	}
	err := s.http.Shutdown(ctx)
	if ctx.Err() != nil {
		_ = s.http.Close()
		err = context.Cause(ctx)
	}
	<-s.done
	<-s.handlers.Drained()
	return err
}

func (s *Server) track(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.handlers.Enter() {
			w.Header().Set("Connection", "close")
			s.refuse(w, r, http.StatusServiceUnavailable, "The server is stopping.")
			return
		}
		defer s.handlers.Leave()
		next.ServeHTTP(w, r)
	})
}

func (s *Server) connState(conn net.Conn, state http.ConnState) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case state != http.StateNew:
		delete(s.fresh, conn)
	case s.closing:
		_ = conn.Close()
	default:
		s.fresh[conn] = struct{}{}
	}
}
