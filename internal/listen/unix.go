package listen

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"
	"time"

	"ui-mcp/internal/fault"
)

// maxPath is the longest path of a socket in bytes, on the system with the shortest (macOS).
const maxPath = 103

// temporaryPath is the longest path, below the directory, at which bind makes a socket.
const temporaryPath = "/.4294967295/s"

// answerTime is how long to try to connect. The system accepts on a server's behalf, so even a busy
// server accepts at once, until its queue of connections is full.
const answerTime = time.Second

// retryTime is how often to look whether a full queue has room.
const retryTime = 20 * time.Millisecond

// Unix opens a Unix socket to which only this user can connect, from its first moment on. A socket
// that a killed server left behind is replaced atomically; if a server listens there, even one that
// is stopped, the error is of kind [fault.Exists]. The directory must exist and must not let other
// users replace the socket. Two processes must not open one path at the same time: the caller holds
// a lock. Closing the listener removes the socket, unless it was replaced.
func Unix(path string) (*Socket, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fault.Wrap(fault.Precondition, err, "the path of the socket")
	}
	if n := Excess(path); n > 0 {
		return nil, fault.New(fault.Invalid, "the path of the socket is %d bytes too long for the system: choose a shorter one: %s", n, path)
	}
	now, err := open(path)
	if err != nil {
		return nil, err
	}
	return &Socket{addr: &net.UnixAddr{Name: path, Net: "unix"}, now: now}, nil
}

// Excess returns how many bytes too long an absolute path is for a socket, or 0.
func Excess(path string) int {
	return max(0, len(path)-maxPath, len(filepath.Dir(path))+len(temporaryPath)-maxPath)
}

// A bound is a listener, and the file of its socket.
type bound struct {
	*net.UnixListener
	file fs.FileInfo
}

// open makes the socket at an absolute path.
func open(path string) (*bound, error) {
	dir, err := os.Lstat(filepath.Dir(path))
	if err == nil && !dir.IsDir() {
		err = errors.New("it is not a directory")
	}
	if err == nil {
		err = checkProtected(dir)
	}
	if err != nil {
		return nil, fault.Wrap(fault.Precondition, err, "no socket can be made in %s", filepath.Dir(path))
	}
	if err := vacant(path); err != nil {
		return nil, err
	}
	l, err := bind(path)
	if err != nil {
		return nil, fault.Wrap(fault.Precondition, err, "open the socket %s", path)
	}
	mine, err := os.Lstat(path)
	if err != nil {
		return nil, errors.Join(fault.Wrap(fault.Precondition, err, "open the socket %s", path), l.Close())
	}
	return &bound{l, mine}, nil
}

// vacant returns an error unless a socket can be made at a path: there is nothing, or a socket that
// a killed server left behind.
func vacant(path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fault.Wrap(fault.Precondition, err, "the socket %s", path)
	case info.Mode().Type() != fs.ModeSocket:
		return fault.New(fault.Precondition, "%s exists and is not a socket: choose another path, or remove it", path)
	}
	conn, err := dial(path)
	switch {
	case isDead(err):
		return nil
	case err != nil:
		return fault.Wrap(fault.Exists, err, "a server listens at %s, but does not answer: continue it if it is stopped, kill it, or choose another path", path)
	}
	return errors.Join(fault.New(fault.Exists, "another server listens at %s: stop it, or choose another path", path), conn.Close())
}

// isDead reports whether an error means that no server listens at a socket. Others, such as a full
// queue of connections, do not: the server may be stopped for a moment.
func isDead(err error) bool {
	const wsaECONNREFUSED = syscall.Errno(10061) // not syscall.ECONNREFUSED, which Go makes up on Windows
	return errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, fs.ErrNotExist) ||
		runtime.GOOS == "windows" && errors.Is(err, wsaECONNREFUSED)
}

// dial connects to a socket. While its server's queue of connections is full, it waits.
func dial(path string) (net.Conn, error) {
	for end := time.Now().Add(answerTime); ; time.Sleep(retryTime) {
		conn, err := net.DialTimeout("unix", path, time.Until(end))
		if !errors.Is(err, syscall.EAGAIN) || time.Until(end) < 2*retryTime {
			return conn, err
		}
	}
}

// A Socket is the listener of [Unix]. Its methods may be called from anywhere.
type Socket struct {
	addr *net.UnixAddr

	mu     sync.Mutex // guards the fields below
	now    *bound
	closed bool
}

// Addr implements [net.Listener].
func (u *Socket) Addr() net.Addr { return u.addr }

// Accept implements [net.Listener]. It goes on with the socket that Restore has made.
func (u *Socket) Accept() (net.Conn, error) {
	for {
		l := u.listener()
		conn, err := l.Accept()
		if err == nil || l == u.listener() {
			return conn, err
		}
	}
}

func (u *Socket) listener() *bound {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.now
}

// isThereLocked reports whether the path leads to the socket.
func (u *Socket) isThereLocked() bool {
	file, err := os.Lstat(u.addr.Name)
	return err == nil && os.SameFile(u.now.file, file)
}

// Restore makes the socket again if it is no longer at its path, under the conditions of [Unix].
// Connections that were accepted remain. After Close it does nothing.
func (u *Socket) Restore() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.closed || u.isThereLocked() {
		return nil
	}
	l, err := open(u.addr.Name)
	if err != nil {
		return err
	}
	before := u.now
	u.now = l
	return before.Close()
}

// Close implements [net.Listener]. Closing again does nothing.
func (u *Socket) Close() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.closed {
		return nil
	}
	u.closed = true
	if u.isThereLocked() {
		return errors.Join(os.Remove(u.addr.Name), u.now.Close())
	}
	return u.now.Close()
}

// Dial connects to a socket that [Unix] opened, if it is this user's or root's, and so is the
// program that listens there: another user may have made a socket at the same path. If no server
// listens there, the error is of kind [fault.NotFound]; of a server that does not answer within a
// second it is of kind [fault.Timeout].
func Dial(path string) (net.Conn, error) {
	info, err := os.Lstat(path)
	if err == nil {
		if err := checkOwner(info); err != nil {
			return nil, fault.Wrap(fault.Precondition, err, "%s cannot be trusted", path)
		}
	}
	conn, err := dial(path)
	switch {
	case isDead(err):
		return nil, fault.Wrap(fault.NotFound, err, "no server answers at %s", path)
	case os.IsTimeout(err): // its queue is full, at once or until the time was over
		return nil, fault.Wrap(fault.Timeout, err, "the server at %s does not answer: continue it if it is stopped, or kill it", path)
	case err != nil:
		return nil, fault.Wrap(fault.Precondition, err, "connect to the server at %s", path)
	}
	if err := checkPeer(conn.(*net.UnixConn)); err != nil {
		return nil, errors.Join(fault.Wrap(fault.Precondition, err, "%s cannot be trusted", path), conn.Close())
	}
	return conn, nil
}

// checkPeer returns an error unless the program at the other end is this user's or root's. The
// socket may have been replaced since its owner was looked up.
func checkPeer(conn *net.UnixConn) error {
	raw, err := conn.SyscallConn()
	if err != nil {
		return err
	}
	uid := 0
	var unknown error
	if err := raw.Control(func(fd uintptr) { uid, unknown = peerOf(int(fd)) }); err != nil {
		return err
	}
	if unknown != nil {
		return fmt.Errorf("whose program listens there is unknown: %w", unknown)
	}
	if uid != os.Geteuid() && uid != 0 {
		return errForeign(uid)
	}
	return nil
}

func errForeign(uid int) error { return fmt.Errorf("it belongs to another user (%d)", uid) }
