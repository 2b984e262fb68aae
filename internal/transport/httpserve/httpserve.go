// Package httpserve runs an HTTP server on one listener, and ends it: so that nobody's
// long poll, stream, WebSocket or idle connection holds that up, and no handler runs
// any more when it is over.
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
)

// A Server serves HTTP on a listener until it is closed. Use [Serve].
type Server struct {
	http     *http.Server
	listener net.Listener
	stop     context.CancelCauseFunc // ends the contexts of all requests
	done     chan struct{}           // closed when the accepting goroutine has exited

	stopping http.Handler

	handlers sync.WaitGroup // running handlers, WebSockets' included; Add only with mu held and closing false

	mu      sync.Mutex            // guards the fields below
	fresh   map[net.Conn]struct{} // connections that have sent nothing yet
	closing bool
}

// Options say how a server speaks.
type Options struct {
	Log *slog.Logger // of what goes wrong; required
	// Stopping answers requests that come while the server ends; nil says so as plain
	// text.
	Stopping http.Handler
}

// Serve starts to serve a listener, which it owns from then on. The caller must Close the server.
func Serve(l net.Listener, h http.Handler, o Options) *Server {
	if o.Stopping == nil {
		o.Stopping = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "The server is stopping.", http.StatusServiceUnavailable)
		})
	}
	ctx, stop := context.WithCancelCause(context.Background())
	s := &Server{
		listener: l,
		stopping: o.Stopping,
		stop:     stop,
		done:     make(chan struct{}),
		fresh:    map[net.Conn]struct{}{},
	}
	s.http = &http.Server{
		Handler:           s.track(h),
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ConnState:         s.connState,
		ErrorLog:          slog.NewLogLogger(o.Log.Handler(), slog.LevelWarn),
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		// No ReadTimeout and no WriteTimeout: they would end long polls and streams. Handlers that can be held up by a
		// slow client set deadlines themselves.
	}
	go func() {
		defer close(s.done)
		if err := s.http.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			o.Log.Error("the HTTP server has stopped", "address", l.Addr().String(), "error", err)
		}
	}()
	return s
}

// Addr is the listener's address.
func (s *Server) Addr() net.Addr { return s.listener.Addr() }

// Close stops accepting, ends long polls, streams and WebSockets (pages hear "going away"), and lets other requests
// finish. When ctx ends first, connections are cut and the cause is returned. In any case Close returns when no handler
// is running any more. It may be called more than once.
func (s *Server) Close(ctx context.Context) error {
	s.mu.Lock()
	s.closing = true
	fresh := s.fresh
	s.fresh = nil
	s.mu.Unlock()

	s.stop(fault.New(fault.Gone, "the server is stopping"))
	for conn := range fresh {
		_ = conn.Close() // Shutdown would wait some seconds for its first request
	}
	err := s.http.Shutdown(ctx)
	if ctx.Err() != nil {
		_ = s.http.Close()
		err = context.Cause(ctx)
	}
	<-s.done
	s.handlers.Wait()
	return err
}

// track counts running handlers: Shutdown knows nothing of those that have taken over their connection.
func (s *Server) track(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		closing := s.closing
		if !closing {
			s.handlers.Add(1)
		}
		s.mu.Unlock()
		if closing {
			w.Header().Set("Connection", "close")
			s.stopping.ServeHTTP(w, r)
			return
		}
		defer s.handlers.Done()
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
