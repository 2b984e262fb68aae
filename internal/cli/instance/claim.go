// Package instance finds, claims and starts the servers of terminals. Each has a name, a Unix
// socket and other files, in a folder that only its user can use. Every command that needs a server
// of terminals goes through it.
//
// It opens connections, and does not know what is sent over them.
package instance

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"ui-mcp/internal/discovery"
	"ui-mcp/internal/environ"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/files"
	"ui-mcp/internal/listen"
)

// A Folder is where the servers of one user keep their sockets and locks. It is safe for concurrent
// use, by any number of processes.
type Folder struct {
	dir      string
	registry *discovery.Registry
	environ  environ.Variables
	log      *slog.Logger
}

// Open opens the folder of the user with an environment, and makes it when it does not exist.
// Servers that the folder starts inherit the environment. A folder that other users could change is
// refused with [fault.Precondition].
func Open(vars environ.Variables, log *slog.Logger) (*Folder, error) {
	dir, err := discovery.RuntimeDir(vars)
	if err != nil {
		return nil, err
	}
	registry, err := discovery.Open(dir, log)
	if err != nil {
		return nil, err
	}
	return &Folder{dir, registry, vars, log}, nil
}

// SocketPath returns the path of the socket that a server of that name makes by default.
func (f *Folder) SocketPath(name string) string { return filepath.Join(f.dir, name+".sock") }

// LogFile returns the file to which a server of that name writes its log if [Folder.DialOrStart]
// started it.
func (f *Folder) LogFile(name string) string { return filepath.Join(f.dir, name+".log") }

// Held reports whether a process has a name, and not for a moment only, as readers have it.
func (f *Folder) Held(name string) bool {
	for range 5 {
		if !f.registry.Held(name) {
			return false
		}
		time.Sleep(retryTime)
	}
	return true
}

// Find returns the server of that name, if one runs.
func (f *Folder) Find(name string) (discovery.Server, bool) { return f.registry.Find(name) }

// Names returns the names of the servers that run, sorted.
func (f *Folder) Names() []string { return f.registry.Names() }

// A Claim is a name, and the path of a socket, that this process holds. Its methods except Watch
// must not be called concurrently. From its publication on, what others need to find the server is
// made again when it is removed, as the whole folder is on some systems when its user logs out.
type Claim struct {
	name     string
	folder   *Folder
	named    *discovery.Claim
	path     *discovery.Claim // nil for a path that follows from the name
	socket   string
	listener atomic.Pointer[listen.Socket] // nil until it is opened; read by watch
	started  time.Time

	mu        sync.Mutex       // guards the fields below; held while they are published
	self      discovery.Server // as published
	published bool             // and not released
	stop      func()           // ends the goroutine that restores files, and waits for it
}

// Name returns the name.
func (c *Claim) Name() string { return c.name }

// Claim takes a name and the path of a socket for this process; "" means the path that follows from
// the name. If another server has either, the error is of kind [fault.Exists].
func (f *Folder) Claim(name, socket string) (*Claim, error) {
	c := &Claim{name: name, folder: f, socket: f.SocketPath(name), started: time.Now(), stop: func() {}}
	var err error
	if c.named, err = f.registry.Claim(name); err != nil {
		if fault.KindOf(err) != fault.Exists {
			return nil, err
		}
		return nil, fault.New(fault.Exists, "another server is already running as %q%s: stop it, or name this one with -L", name, f.whereabouts(name))
	}
	if socket == "" {
		return c, nil
	}
	if c.socket, err = filepath.Abs(socket); err != nil {
		return nil, errors.Join(fault.Wrap(fault.Precondition, err, "the path of the socket"), c.named.Release())
	}
	// No other server may make a socket at this path meanwhile.
	sum := sha256.Sum256([]byte(c.socket))
	if c.path, err = f.registry.Claim("socket-" + hex.EncodeToString(sum[:16])); err != nil {
		if fault.KindOf(err) == fault.Exists {
			err = fault.New(fault.Exists, "another server has the socket %s: stop it, or choose another path", c.socket)
		}
		return nil, errors.Join(err, c.named.Release())
	}
	return c, nil
}

// whereabouts describes where a server can be found.
func (f *Folder) whereabouts(name string) string {
	s, ok := f.registry.Find(name)
	switch {
	case !ok:
		return ""
	case s.Address != "":
		return " at " + s.Address
	}
	return " at " + s.Socket
}

// Listen opens the socket. The claim remains the caller's to release, after the listener is closed.
func (c *Claim) Listen() (net.Listener, error) {
	l, err := listen.Unix(c.socket)
	if err != nil {
		return nil, err
	}
	c.listener.Store(l)
	return l, nil
}

// Publish lets others find the server: its socket, and host:port of its HTTP endpoint.
func (c *Claim) Publish(address string) error {
	if err := os.Remove(c.folder.stoppedFile(c.name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fault.Wrap(fault.Precondition, err, "forget that the server was stopped")
	}
	return c.publish(discovery.Server{Address: address})
}

func (c *Claim) publish(s discovery.Server) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	s.PID, s.Started, s.Socket = os.Getpid(), c.started, c.socket
	c.self, c.published = s, true
	return c.publishLocked()
}

// Watch publishes whether questions that are asked at the server are displayed. It is to be called
// after each change, and asks displayed for the newest state. It may be called from anywhere.
func (c *Claim) Watch(displayed func() bool) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := displayed()
	if !c.published || now == c.self.Watched {
		return nil
	}
	c.self.Watched = now
	return c.publishLocked()
}

func (c *Claim) publishLocked() error {
	c.stop()
	if err := c.named.Publish(c.self); err != nil {
		return err
	}
	quit := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() { c.watch(quit) })
	c.stop = sync.OnceFunc(func() {
		close(quit)
		watching.Wait()
	})
	return nil
}

// checkEvery is how often to look whether others can still find the server.
const checkEvery = time.Second

// watch restores what others need to find the server until quit is closed.
func (c *Claim) watch(quit <-chan struct{}) {
	tick := time.NewTicker(checkEvery)
	defer tick.Stop()
	said := ""
	for {
		select {
		case <-quit:
			return
		case <-tick.C:
		}
		switch err := c.restore(); {
		case err == nil && said != "":
			said = ""
			c.folder.log.Info("the server can be found again", "name", c.name)
		case err != nil && said != err.Error():
			said = err.Error()
			c.folder.log.Warn("the server cannot be found by its name", "name", c.name, "error", err)
		}
	}
}

func (c *Claim) restore() error {
	err := c.named.Restore()
	if err == nil && c.path != nil {
		err = c.path.Restore()
	}
	if l := c.listener.Load(); err == nil && l != nil {
		err = l.Restore()
	}
	return err
}

// Variable names the server in the environment of its sessions, for commands that run there.
const Variable = "WSH_SERVER_NAME"

// ProgramPrefix begins the names of programs that have sessions beside other tasks, such as ui-mcp.
// Commands look for sessions there, too.
const ProgramPrefix = "ui-mcp-"

// PublishProgram lets others find the sessions of a program that works in a directory.
func (c *Claim) PublishProgram(dir string) error {
	return c.publish(discovery.Server{Dir: dir})
}

// Programs returns the names of the running programs that have sessions beside other tasks, sorted.
func (f *Folder) Programs() []string {
	return slices.DeleteFunc(f.registry.Names(), func(name string) bool { return !strings.HasPrefix(name, ProgramPrefix) })
}

// Scripts is a folder of the server's own, which Release removes.
func (c *Claim) Scripts() string { return filepath.Join(c.folder.dir, c.name+".shell") }

// TokenFile is where the server keeps a token that it has made for itself. It stays: clients keep
// their settings.
func (c *Claim) TokenFile() string { return filepath.Join(c.folder.dir, c.name+".token") }

// NoteStopped notes that a client has stopped the server: see [Folder.WasStopped].
func (c *Claim) NoteStopped() error {
	return files.Write(c.folder.stoppedFile(c.name), nil, 0o600)
}

// WasStopped reports whether the last server of a name was stopped by a client, and none was
// started since.
func (f *Folder) WasStopped(name string) bool {
	_, err := os.Lstat(f.stoppedFile(name))
	return err == nil
}

func (f *Folder) stoppedFile(name string) string { return filepath.Join(f.dir, name+".stopped") }

// Release gives the name and the path back.
func (c *Claim) Release() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.published = false
	c.stop()
	if _, err := os.Lstat(c.folder.dir); err == nil {
		_ = c.named.Restore() // sessions may have written scripts since the folder was removed
	}
	var err error
	if c.named.Holds() { // else they may be another server's
		err = os.RemoveAll(c.Scripts())
	}
	err = errors.Join(err, c.named.Release())
	if c.path != nil {
		err = errors.Join(err, c.path.Release())
	}
	return err
}
