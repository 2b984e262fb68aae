// Package join connects commands to a server of the same user, over its Unix socket, and starts the
// server if none runs. The connection is upgraded to another protocol, and lasts as long as both
// sides do. Servers take such connections in with [Accept].
//
// It does not know what is said on a connection, nor what the server is for.
package join

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net"
	"net/http"
	"os"
	"time"

	"ui-mcp/internal/cli/instance"
	"ui-mcp/internal/environ"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/listen"
	"ui-mcp/internal/wake"
)

const (
	// EnterTime is how long a server that answers may take to let a command in.
	EnterTime = 10 * time.Second
	// findTime is how long to look for a server while the one that was found is ending.
	findTime = 20 * time.Second
	// findPause is the pause between two attempts.
	findPause = 50 * time.Millisecond
	// maxHead bounds the headers of an answer, in bytes.
	maxHead = 64 << 10
)

// Stopping refuses a connection.
const Stopping = "The server is stopping."

// A Finder finds a server, or starts it. Fields may be changed between two calls of Connect.
type Finder struct {
	Vars    environ.Variables
	Folder  *instance.Folder // nil: that of Vars
	Options instance.Options
	Log     *slog.Logger

	Path, Protocol string      // of the connection
	Header         http.Header // further headers of the request; may be nil
	// Entered checks the headers with which a server lets the command in; nil accepts all.
	Entered func(http.Header) error
	// Refused returns why a server that does not know the connection, and answers with a status,
	// cannot be used.
	Refused func(ctx context.Context, status int) error
	// Ending, unless nil, gets the headers with which a server says that it is stopping.
	Ending func(http.Header)
	// Respects starts no server if a client has stopped the last one.
	Respects bool
}

var errEnding = errors.New("the server is stopping")

// Connect returns a connection to the running server, or to one that it starts, or nil if that is
// this process (see [instance.Options]). It must not be called concurrently.
func (f *Finder) Connect(ctx context.Context) (io.ReadWriteCloser, error) {
	if f.Folder == nil {
		// Its error is the answer to calls: few clients show what a command writes before it ends.
		folder, err := instance.Open(f.Vars, f.Log)
		if err != nil {
			return nil, err
		}
		f.Folder = folder
	}
	limit := time.Now().Add(findTime)
	for {
		conn, started, err := f.dial(ctx)
		if err != nil || conn == nil { // this process is the server
			return nil, err
		}
		f.Log.Info("connected to a server", "name", f.Options.Name, "started", started)
		entered, err := f.enter(ctx, conn)
		if err == nil {
			return entered, nil
		}
		err = errors.Join(err, conn.Close())
		if !errors.Is(err, errEnding) || time.Now().After(limit) {
			return nil, err
		}
		if err := wake.After(ctx, findPause); err != nil {
			return nil, err
		}
	}
}

func (f *Finder) dial(ctx context.Context) (conn net.Conn, started bool, err error) {
	if f.Respects && f.Folder.WasStopped(f.Options.Name) {
		conn, err := f.Folder.Dial(f.Options.Name, f.Options.Socket)
		if fault.KindOf(err) == fault.NotFound {
			err = fault.New(fault.Precondition, "no server runs, since it was stopped with \"wsh stop\": a new session starts one")
		}
		return conn, false, err
	}
	return f.Folder.DialOrStart(ctx, f.Options)
}

// enter makes the server know this command.
func (f *Finder) enter(ctx context.Context, conn net.Conn) (io.ReadWriteCloser, error) {
	entered, res, err := Upgrade(ctx, conn, f.Path, f.Protocol, f.Header)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, err
	case err != nil:
		return nil, f.unanswered(err)
	case res.StatusCode == http.StatusServiceUnavailable:
		if f.Ending != nil {
			f.Ending(res.Header)
		}
		return nil, errEnding
	case res.StatusCode != http.StatusSwitchingProtocols:
		return nil, f.Refused(ctx, res.StatusCode)
	}
	if f.Entered != nil {
		if err := f.Entered(res.Header); err != nil {
			return nil, err
		}
	}
	return entered, nil
}

// Upgrade asks the server at the other end of a connection to upgrade it to a protocol. header has
// further headers of the request; it may be nil. The result is usable if the server agrees: see the
// status of its answer.
func Upgrade(ctx context.Context, conn net.Conn, path, protocol string, header http.Header) (net.Conn, *http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://localhost"+path, nil)
	if err != nil {
		return nil, nil, err
	}
	if header != nil {
		req.Header = header.Clone()
	}
	req.Header.Set("Connection", "Upgrade")
	req.Header.Set("Upgrade", protocol)
	if err := conn.SetDeadline(time.Now().Add(EnterTime)); err != nil {
		return nil, nil, err
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) }) // conn is still open
	limited := &io.LimitedReader{R: conn, N: maxHead}
	body := bufio.NewReader(limited)
	var res *http.Response
	if err = req.Write(conn); err == nil {
		res, err = http.ReadResponse(body, req)
	}
	if !stop() {
		return nil, nil, context.Cause(ctx)
	}
	limited.N = math.MaxInt64 // for what follows
	if err == nil {
		err = conn.SetDeadline(time.Time{})
	}
	return listen.Begun{Conn: conn, Reader: body}, res, err
}

// unanswered returns why a request got no answer: the server is ending, unless it is stuck.
func (f *Finder) unanswered(err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return fault.New(fault.Timeout, "the server %q does not answer: the command doctor says what to do", f.Options.Name)
	}
	return fmt.Errorf("%w: %w", errEnding, err)
}

// Accept takes over the connection of a request, and answers with the headers. whose is for the
// answer to requests that ask for another protocol. Without a connection, the request has been
// answered, or its client has left; an error is a fault of ours.
func Accept(w http.ResponseWriter, r *http.Request, protocol, whose string, headers http.Header) (net.Conn, error) {
	if r.Header.Get("Upgrade") != protocol {
		w.Header().Set("Upgrade", protocol)
		http.Error(w, "This address is for "+whose+".", http.StatusUpgradeRequired)
		return nil, nil
	}
	conn, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		http.Error(w, "The connection cannot be upgraded.", http.StatusInternalServerError)
		return nil, fmt.Errorf("a connection could not be taken over: %w", err)
	}
	_ = conn.SetDeadline(time.Time{}) // HTTP has set some
	head := bufio.NewWriter(conn)
	fmt.Fprintf(head, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: %s\r\n", protocol)
	_ = headers.Write(head) // Flush reports errors
	_, _ = io.WriteString(head, "\r\n")
	if head.Flush() != nil { // the client has ended
		_ = conn.Close()
		return nil, nil
	}
	return listen.Begun{Conn: conn, Reader: buffered.Reader}, nil
}
