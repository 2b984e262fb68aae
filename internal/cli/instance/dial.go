package instance

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"ui-mcp/internal/discovery"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/files"
	"ui-mcp/internal/listen"
)

const (
	// startTime is how long a server may take from its start until its socket answers.
	startTime = 10 * time.Second
	// endTime is how long to wait for a server that does not answer any more to end.
	endTime = 15 * time.Second
	// retryTime is how often to look.
	retryTime = 5 * time.Millisecond
	// answerTime is how often to look for the socket of a server that was just started.
	answerTime = time.Millisecond
	// maxLog is how long the log of a server that was killed may be to be kept, in bytes. Servers
	// of terminals keep theirs shorter.
	maxLog = 8 << 20
	// maxReason is how much of a failed server's last words is reported, in bytes.
	maxReason = 2000
)

// Options say which server to connect to, and how to start it.
type Options struct {
	Name   string
	Socket string // the path of its socket; "" means the running server's, or the usual one
	// Bind is where a server that is started listens for HTTP; "" means the usual port, or any if
	// that is in use.
	Bind  string
	Token string   // for a server that is started; it gets a file that only this user can read
	Args  []string // further flags of "wsh server", with absolute paths, without secrets
	// Command is the whole command line of a server that is not one of terminals: the fields above
	// from Bind on do not apply. It runs in Dir; "" is the root.
	Command []string
	Dir     string
	// Serve, unless nil, is called instead of starting a process: this one becomes the server, and
	// there is no connection to it.
	Serve func() error
}

// Dial connects to the server of a name. Without one the error is of kind [fault.NotFound].
func (f *Folder) Dial(name, socket string) (net.Conn, error) {
	if err := discovery.CheckName(name); err != nil {
		return nil, err
	}
	return listen.Dial(f.SocketOf(name, socket))
}

// SocketOf returns the path of the socket that commands connect to for a name: the given one, else
// that of the running server, else the usual one.
func (f *Folder) SocketOf(name, socket string) string {
	if socket != "" {
		return socket
	}
	if s, ok := f.Find(name); ok && s.Socket != "" {
		return s.Socket
	}
	return f.File(name, ".sock")
}

// DialOrStart connects to the server of a name. If there is none, it starts one, which ends with
// its last session, and waits until it answers. A server that is ending has its name until it has
// ended, and DialOrStart waits for that first. Several callers at once, in any processes, start one
// server. When ctx ends first, a server that was started continues, and ends if no client uses it.
//
// A server that is about to end may answer, and refuse to create sessions as [registry.Stopping]:
// then the caller should try again, once.
func (f *Folder) DialOrStart(ctx context.Context, o Options) (conn net.Conn, started bool, err error) {
	if conn, err = f.Dial(o.Name, o.Socket); fault.KindOf(err) != fault.NotFound {
		return conn, false, err
	}
	waiting, cancel := context.WithTimeout(ctx, startTime+endTime)
	defer cancel()
	unlock, err := f.LockStart(waiting, o.Name)
	if err != nil {
		return nil, false, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if conn, err = f.dialSettled(ctx, o); fault.KindOf(err) != fault.NotFound {
		return conn, false, err // another process has started it
	}
	if o.Serve != nil {
		return nil, true, o.Serve()
	}
	starting, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	conn, err = f.start(starting, o)
	return conn, err == nil, err
}

// dialSettled connects to the server of a name. It waits while one has the name but does not
// listen: that is about to listen, or ending.
func (f *Folder) dialSettled(ctx context.Context, o Options) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, endTime)
	defer cancel()
	retry := time.NewTicker(retryTime)
	defer retry.Stop()
	for {
		conn, err := f.Dial(o.Name, o.Socket)
		if fault.KindOf(err) != fault.NotFound || !f.Held(o.Name) {
			return conn, err
		}
		if path, e := filepath.Abs(o.Socket); o.Socket != "" && e == nil {
			if s, ok := f.Find(o.Name); ok && s.Socket != path {
				return nil, err // it listens elsewhere
			}
		}
		select {
		case <-retry.C:
		case <-ctx.Done():
			return nil, fault.Wrap(fault.Timeout, context.Cause(ctx), "a server has the name %q, but does not answer, nor end: the command doctor says what to do", o.Name)
		}
	}
}

// start starts a server and waits until it answers.
func (f *Folder) start(ctx context.Context, o Options) (net.Conn, error) {
	args, err := f.arguments(o)
	if err != nil {
		return nil, err
	}
	if o.Token != "" {
		file := f.tokenFile(o.Name)
		if err := files.Write(file, []byte(o.Token+"\n"), 0o600); err != nil {
			return nil, fault.Wrap(fault.Precondition, err, "keep the token for the server")
		}
		defer os.Remove(file) // the server has read it
	}
	program, err := os.Executable() // called as "server --ephemeral ...", with this process's environment
	if err != nil {
		return nil, fault.Wrap(fault.Internal, err, "find the program to start as the server")
	}
	log, err := os.OpenFile(f.LogFile(o.Name), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fault.Wrap(fault.Precondition, err, "open the log of the server")
	}
	defer log.Close()
	said, err := log.Seek(0, io.SeekEnd)
	if said > maxLog {
		said, err = 0, log.Truncate(0)
	}
	if err != nil {
		return nil, fault.Wrap(fault.Precondition, err, "open the log of the server")
	}
	cmd := exec.Command(program, args...)
	cmd.Stderr, cmd.Env = log, f.environ
	cmd.Dir = cmp.Or(o.Dir, string(filepath.Separator)) // another one would keep a file system from being unmounted
	detach(cmd)
	if err := cmd.Start(); err != nil {
		return nil, fault.Wrap(fault.Precondition, err, "start the server")
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = cmd.Wait() // its log says what happened
	}()
	return f.await(ctx, o, ended, said)
}

func (f *Folder) tokenFile(name string) string { return f.File(name, ".spawn.token") }

// arguments returns the command line of a server.
func (f *Folder) arguments(o Options) ([]string, error) {
	if o.Command != nil {
		return o.Command, nil
	}
	args := []string{"server", "--ephemeral", "--server-name", o.Name, "--log-file", f.LogFile(o.Name)}
	if o.Socket != "" {
		socket, err := filepath.Abs(o.Socket)
		if err != nil {
			return nil, fault.Wrap(fault.Precondition, err, "the path of the socket")
		}
		args = append(args, "--socket", socket)
	}
	if o.Bind != "" {
		args = append(args, "--bind", o.Bind)
	} else {
		args = append(args, "--any-port")
	}
	if o.Token != "" {
		args = append(args, "--token-file", f.tokenFile(o.Name))
	}
	return append(args, o.Args...), nil
}

// await connects to a server that is starting.
func (f *Folder) await(ctx context.Context, o Options, ended <-chan struct{}, said int64) (net.Conn, error) {
	retry := time.NewTicker(answerTime)
	defer retry.Stop()
	socket := cmp.Or(o.Socket, f.File(o.Name, ".sock")) // without a look at what others have published
	for {
		conn, err := f.Dial(o.Name, socket)
		if fault.KindOf(err) != fault.NotFound {
			return conn, err
		}
		select {
		case <-retry.C:
		case <-ended:
			// A person may have started another one at the same moment.
			if conn, err := f.Dial(o.Name, o.Socket); err == nil {
				return conn, nil
			}
			return nil, fault.New(fault.Precondition, "the server could not start: %s", f.lastWords(o.Name, said))
		case <-ctx.Done():
			return nil, fault.Wrap(fault.Timeout, context.Cause(ctx), "the server was started, but does not answer: %s", f.lastWords(o.Name, said))
		}
	}
}

// lastWords returns what a server has written to its log.
func (f *Folder) lastWords(name string, from int64) string {
	log, err := os.Open(f.LogFile(name))
	if err != nil {
		return err.Error()
	}
	defer log.Close()
	b, err := io.ReadAll(io.NewSectionReader(log, from, maxReason))
	if text := strings.TrimSpace(string(b)); text != "" {
		return strings.TrimPrefix(strings.TrimPrefix(text, "ui-mcp: "), "wsh: ")
	}
	if err != nil {
		return err.Error()
	}
	return "its log " + f.LogFile(name) + " says nothing: the disk may be full"
}
