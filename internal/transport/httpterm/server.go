package httpterm

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"ui-mcp/internal/fault"
)

// A Server serves HTTP on a listener until it is closed. Use [Serve].
type Server struct {
	http *http.Server
	stop context.CancelCauseFunc // ends the contexts of all requests
	done chan struct{}           // closed when the accepting goroutine has exited
}

// Serve starts to serve a listener, which it owns from then on. The caller must
// Close the server.
func Serve(l net.Listener, h http.Handler, log *slog.Logger) *Server {
	ctx, stop := context.WithCancelCause(context.Background())
	s := &Server{stop: stop, done: make(chan struct{})}
	s.http = &http.Server{
		Handler:           h,
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		// No ReadTimeout and no WriteTimeout: they would end waits for silence.
	}
	go func() {
		defer close(s.done)
		if err := s.http.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			log.Error("the HTTP server has stopped", "address", l.Addr().String(), "error", err)
		}
	}()
	return s
}

// Close stops accepting, ends who waits for silence, and lets other requests finish.
// When ctx ends first, connections are cut.
func (s *Server) Close(ctx context.Context) error {
	s.stop(fault.New(fault.Gone, "the server is stopping"))
	err := s.http.Shutdown(ctx)
	if ctx.Err() != nil {
		_ = s.http.Close()
		err = context.Cause(ctx)
	}
	<-s.done
	return err
}
