package discovery

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/files"
	"ui-mcp/internal/listen"
)

// A Claim is the name of this program, and the path of its socket. It is safe for concurrent use.
// Once it listens or is published, what others need to find it is made again when it is removed, as
// the whole folder is on some systems when its user logs out.
type Claim struct {
	registry *Registry
	log      *slog.Logger
	name     string // "": nobody can find this program
	socket   string // absolute
	quit     chan struct{}
	kept     sync.Once // starts keep
	keeping  sync.WaitGroup

	mu       sync.Mutex // guards the fields below; held while files change, so that changes stay in order
	lock     *files.Lock
	self     Server
	content  []byte // of the document; nil before it was published
	written  bool   // content is in the document
	listener *listen.Socket
	leave    func() // returned by the last call of Serve; may be called again
	released bool
}

// Claim takes a name for this process until Release, for a server whose socket is to be at an
// absolute path; "" means the path that follows from the name. If another process has the name, the
// error is of kind [fault.Exists].
func (r *Registry) Claim(name, socket string) (*Claim, error) {
	return r.claim(name, socket, claimTime)
}

// ClaimProgram takes a name that begins with [ProgramPrefix].
func (r *Registry) ClaimProgram() (*Claim, error) {
	for n := 1; ; n++ {
		name := fmt.Sprint(ProgramPrefix, os.Getpid())
		if n > 1 { // in containers that share the folder, processes may have the same number
			name += fmt.Sprint("-", n)
		}
		if c, err := r.claim(name, "", 0); fault.KindOf(err) != fault.Exists || n == 999 {
			return c, err
		}
	}
}

// Alone returns the claim of a program that nobody can find and that finds no other. Its port files
// are written all the same.
func Alone(log *slog.Logger) *Claim {
	return &Claim{registry: &Registry{log: log}, log: log, self: Server{PID: os.Getpid(), Started: time.Now()}, quit: make(chan struct{})}
}

func (r *Registry) claim(name, socket string, within time.Duration) (_ *Claim, err error) {
	if err := CheckName(name); err != nil {
		return nil, err
	}
	c := Alone(r.log)
	c.registry, c.name, c.self.Name = r, name, name
	c.socket = cmp.Or(socket, r.File(name, ".sock"))
	if c.lock, err = r.lockWithin(name, within); err != nil {
		return nil, fault.Wrap(fault.Internal, err, "claim the name %q", name)
	}
	if c.lock == nil {
		return nil, fault.New(fault.Exists, "another server has the name %q", name)
	}
	if err := r.folder.Delete(name); err != nil { // of a killed server
		return nil, errors.Join(fault.Wrap(fault.Internal, err, "claim the name %q", name), c.lock.Unlock())
	}
	return c, nil
}

// Name returns the name, or "" if nobody can find this program.
func (c *Claim) Name() string { return c.name }

// Token is the secret by which other servers authenticate.
func (c *Claim) Token() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.self.Token
}

// Scripts is a folder of the program's own, which Release removes.
func (c *Claim) Scripts() string { return c.registry.File(c.name, ".shell") }

// Listen opens the socket, which others learn of by the next Publish. The claim is to be released
// after the listener is closed.
func (c *Claim) Listen() (net.Listener, error) {
	defer c.lockPorts()() // another server may have the same path
	l, err := listen.Unix(c.socket)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.listener, c.self.Socket = l, c.socket
	c.kept.Do(func() { c.keeping.Go(c.keep) })
	return l, nil
}

// Publish changes how the program is described to others, who can find it from now on. If the
// description cannot be written, it is tried again until Release.
func (c *Claim) Publish(change func(*Server)) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	change(&c.self)
	if c.name == "" || c.released {
		return nil
	}
	content, err := json.Marshal(document{documentFormat, c.self})
	if err != nil {
		return err
	}
	c.kept.Do(func() { c.keeping.Go(c.keep) })
	if c.written && string(content) == string(c.content) {
		return nil
	}
	c.content, c.written = content, false
	return c.writeLocked()
}

// Announce is Publish where nothing else can be done about an error.
func (c *Claim) Announce(change func(*Server)) {
	if err := c.Publish(change); err != nil {
		c.log.Warn("other servers cannot find this one", "error", err)
	}
}

func (c *Claim) writeLocked() error {
	err := c.registry.folder.Put(c.name, c.content)
	c.written = err == nil
	return err
}

// checkEvery is how often to look whether others can still find the program, and whether port files
// name a living one.
const checkEvery = time.Second

// keep restores what others need to find the program until the claim is released.
func (c *Claim) keep() {
	tick := time.NewTicker(checkEvery)
	defer tick.Stop()
	said := ""
	for {
		select {
		case <-c.quit:
			return
		case <-tick.C:
		}
		c.mu.Lock()
		err := c.restoreLocked()
		c.mu.Unlock()
		switch {
		case err == nil && said != "":
			said = ""
			c.log.Info("the server can be found again", "name", c.name)
		case err != nil && said != err.Error():
			said = err.Error()
			c.log.Warn("the server cannot be found by its name", "name", c.name, "error", err)
		}
	}
}

// restoreLocked takes the name again, describes the program again and makes its socket again, if
// the files of these were removed. It makes the folder again under the conditions of [Open]. If
// another process has taken the name meanwhile, the error is of kind [fault.Exists].
func (c *Claim) restoreLocked() error {
	r := c.registry
	if !c.holdsLocked() {
		if _, err := openFolder(r.dir); err != nil {
			return err
		}
		again, err := r.claim(c.name, "", claimTime)
		if err != nil {
			return err
		}
		old := c.lock
		c.lock = again.lock
		if err := old.Close(); err != nil {
			return fault.Wrap(fault.Internal, err, "claim the name %q", c.name)
		}
	}
	var err error
	if c.content != nil && !(c.written && r.folder.Has(c.name)) {
		err = c.writeLocked()
	}
	if err == nil && c.listener != nil {
		err = c.listener.Restore()
	}
	return err
}

// holdsLocked reports whether the files of the claim are in a folder of this user's own.
func (c *Claim) holdsLocked() bool {
	inPlace, _ := c.lock.InPlace()
	return inPlace && trust(c.registry.dir) == nil
}

// Release gives up the name and the port files, and removes the description. What another
// process has put in their place stays. It may be called again.
func (c *Claim) Release() error {
	c.mu.Lock()
	leave := c.leave
	c.mu.Unlock()
	if leave != nil {
		leave()
	}
	c.mu.Lock()
	released := c.released
	c.released = true
	c.mu.Unlock()
	if released || c.name == "" {
		return nil
	}
	close(c.quit)
	c.keeping.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, err := os.Lstat(c.registry.dir); err == nil && c.content != nil {
		_ = c.restoreLocked() // sessions may have written scripts since the folder was removed
	}
	if !c.holdsLocked() { // else they may be another server's
		return c.lock.Close()
	}
	return errors.Join(os.RemoveAll(c.Scripts()), c.registry.folder.Delete(c.name), c.lock.Unlock())
}

// Others returns the other servers that run, the oldest first.
func (c *Claim) Others() []Server {
	return slices.DeleteFunc(c.registry.List(), c.isSelf)
}

// OthersIn returns the other servers that run an app of a base directory, the oldest first.
func (c *Claim) OthersIn(dir string) []Server {
	return slices.DeleteFunc(c.registry.ListIn(dir), c.isSelf)
}

func (c *Claim) isSelf(s Server) bool { return s.Name == c.name }

// IsOldestIn reports whether no older server runs an app of a base directory.
func (c *Claim) IsOldestIn(dir string) bool {
	others := c.OthersIn(dir)
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(others) == 0 || !others[0].Started.Before(c.self.Started)
}

// resolve returns an absolute path with links followed as far as it exists.
func resolve(dir string) string {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return dir
	}
	real, err := filepath.EvalSymlinks(abs)
	if parent := filepath.Dir(abs); err != nil && parent != abs {
		return filepath.Join(resolve(parent), filepath.Base(abs))
	}
	return cmp.Or(real, abs)
}
