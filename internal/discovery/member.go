package discovery

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/files"
	"ui-mcp/internal/regular"
)

// The port files of a base directory, for scripts: each has one port, as decimal digits and a
// newline.
const (
	PagesPortFile = "ui-port"
	AgentPortFile = "mcp-port"
)

const (
	// checkEvery is how often a running server makes sure that the port files name a living one.
	checkEvery = 2 * time.Second
	// portsName is locked while port files are written.
	portsName = "port-files"
	// portsTime is how long to wait for that lock, which is held for some file operations only.
	portsTime = time.Second
	// dialTime is how long a server on this machine may take to accept a connection.
	dialTime = 500 * time.Millisecond
)

// A Member is one server, known to the others by a registry. It is safe for concurrent use.
type Member struct {
	registry *Registry // nil when the server is on its own
	log      *slog.Logger

	mu    sync.Mutex // guards the fields below; held while the registry is used, so that changes stay in order
	self  Server
	claim *Claim // nil while nothing is published
	leave func() // returned by the last call of Serve; may be called again
}

// NewMember returns a member that nobody can find yet: see [Member.Listen] and [Member.Serve].
// Without a registry it is never found and finds no other, but its port files are written all the
// same. self has what never changes.
func NewMember(r *Registry, self Server, log *slog.Logger) *Member {
	return &Member{registry: r, self: self, log: log}
}

// Others returns the other servers that run, the oldest first.
func (m *Member) Others() []Server {
	if m.registry == nil {
		return nil
	}
	return slices.DeleteFunc(m.registry.List(), func(s Server) bool {
		return s.PID == m.self.PID && s.Token == m.self.Token
	})
}

// OthersIn returns the other servers that run an app of a base directory, the oldest first.
func (m *Member) OthersIn(dir string) []Server { return in(m.Others(), dir) }

// IsOldestIn reports whether no older server runs an app of a base directory.
func (m *Member) IsOldestIn(dir string) bool {
	others := m.OthersIn(dir)
	return len(others) == 0 || !others[0].Started.Before(m.self.Started)
}

// ListIn returns the servers that run an app of a base directory, the oldest first.
func (r *Registry) ListIn(dir string) []Server { return in(r.List(), dir) }

func in(servers []Server, dir string) []Server {
	real := resolve(dir)
	return slices.DeleteFunc(servers, func(s Server) bool { return s.Dir == "" || s.Dir != real })
}

// resolve returns an absolute path with links followed as far as it exists.
func resolve(dir string) string {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return dir
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		return real
	}
	return abs
}

// Token is the secret by which other servers authenticate.
func (m *Member) Token() string { return m.self.Token }

// Listen lets others find the endpoint for programs, and the workspaces whose questions it takes,
// until leave is called.
func (m *Member) Listen(address string, workspaces []string) (leave func()) {
	m.change(func(s *Server) { s.Address, s.Workspaces = address, workspaces })
	return func() { m.change(func(s *Server) { s.Address = "" }) }
}

// Watch publishes whether a page is open in which this server can show questions. It is to be
// called after each change, and asks open for the newest state.
func (m *Member) Watch(open func() bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if now := open(); now != m.self.Watched {
		m.self.Watched = now
		m.publishLocked()
	}
}

// change changes the description and publishes it.
func (m *Member) change(f func(*Server)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	f(&m.self)
	m.publishLocked()
}

func (m *Member) publishLocked() {
	if m.registry == nil {
		return
	}
	if err := m.describeLocked(); err != nil {
		m.log.Warn("other servers cannot find this one", "error", err)
	}
}

// describeLocked publishes the description, or withdraws it when there is nothing left to find.
func (m *Member) describeLocked() (err error) {
	if m.self.Address == "" && m.self.Dir == "" {
		if m.claim != nil {
			err = m.claim.Release()
			m.claim = nil
		}
		return err
	}
	if m.claim == nil {
		if m.claim, err = m.registry.Claim(rand.Text()); err != nil {
			return err
		}
	}
	return m.claim.Publish(m.self)
}

// Serve says that this server runs the app of a base directory: others find it there, and the port
// files name its ports until a later server of the directory writes its own. From then on it makes
// sure that they name a living server, even after that one is killed. leave hands the files back to
// the newest of the others if they name this server, or removes them; it may be called more than
// once.
func (m *Member) Serve(dir string, pages, agent net.Addr) (leave func(), err error) {
	mine, err := portsOf(pages, agent)
	if err != nil {
		return nil, err
	}
	unlock := m.lockPorts()
	m.change(func(s *Server) { s.Dir, s.Pages = resolve(dir), pages.String() })
	err = mine.write(dir)
	unlock()
	if err != nil {
		m.change(func(s *Server) { s.Dir, s.Pages = "", "" })
		return nil, err
	}
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		m.watch(dir, mine, quit)
	}()
	leave = sync.OnceFunc(func() {
		close(quit)
		<-done
		unlock := m.lockPorts()
		defer unlock()
		m.change(func(s *Server) { s.Dir, s.Pages = "", "" })
		if err := m.handBack(dir, mine); err != nil {
			m.log.Warn("the port files name a server that has ended", "dir", dir, "error", err)
		}
	})
	m.mu.Lock()
	m.leave = leave
	m.mu.Unlock()
	return leave, nil
}

// Close makes the server unknown to others: its port files are handed back and its entry is
// removed. Functions returned by Listen and Serve do nothing from then on.
func (m *Member) Close() {
	m.mu.Lock()
	leave := m.leave
	m.mu.Unlock()
	if leave != nil {
		leave()
	}
	m.change(func(s *Server) { s.Address, s.Dir, s.Pages = "", "", "" })
}

// lockPorts keeps other processes from writing port files until unlock is called. If it cannot get
// the lock in time, it goes on without: a process that was stopped while it held the lock must not
// stop all others.
func (m *Member) lockPorts() (unlock func()) {
	if m.registry == nil {
		return func() {}
	}
	lock, err := m.registry.lockWithin(portsName, portsTime)
	if err != nil || lock == nil {
		m.log.Warn("writing port files without a lock", "error", err)
		return func() {}
	}
	return func() {
		if err := m.registry.unlock(portsName, lock); err != nil {
			m.log.Warn("the lock of port files", "error", err)
		}
	}
}

// watch looks at the port files until quit is closed.
func (m *Member) watch(dir string, mine ports, quit <-chan struct{}) {
	tick := time.NewTicker(checkEvery)
	defer tick.Stop()
	for {
		select {
		case <-quit:
			return
		case <-tick.C:
		}
		if readPorts(dir) == mine {
			continue
		}
		if err := m.takeOver(dir, mine); err != nil {
			m.log.Warn("the port files name a server that has ended", "dir", dir, "error", err)
		}
	}
}

// takeOver writes our ports if the files name no living server and this one is the newest that is
// left.
func (m *Member) takeOver(dir string, mine ports) error {
	unlock := m.lockPorts()
	defer unlock()
	named := readPorts(dir)
	others := m.OthersIn(dir)
	for _, s := range others {
		if p, err := s.ports(); err == nil && p == named {
			return nil
		}
	}
	if n := len(others); n > 0 && others[n-1].Started.After(m.self.Started) {
		return nil // it does this
	}
	if named.answers() {
		return nil // a server that we cannot find, such as another user's
	}
	return mine.write(dir)
}

// handBack leaves the port files to the newest of the other servers, unless they name another
// already.
func (m *Member) handBack(dir string, mine ports) error {
	if readPorts(dir) != mine {
		return nil
	}
	for _, s := range slices.Backward(m.OthersIn(dir)) {
		if p, err := s.ports(); err == nil {
			return p.write(dir)
		}
	}
	var errs []error
	for _, name := range []string{PagesPortFile, AgentPortFile} {
		if err := os.Remove(filepath.Join(dir, name)); !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// ports are what the two port files of a directory hold; 0 stands for a file without a port.
type ports struct{ pages, agent int }

func portsOf(pages, agent net.Addr) (ports, error) {
	p, ok := pages.(*net.TCPAddr)
	a, ok2 := agent.(*net.TCPAddr)
	if !ok || !ok2 {
		return ports{}, fault.New(fault.Internal, "%v and %v are not both TCP addresses", pages, agent)
	}
	return ports{p.Port, a.Port}, nil
}

// ports returns the ports of a server that runs an app.
func (s Server) ports() (ports, error) {
	var p ports
	for address, port := range map[string]*int{s.Pages: &p.pages, s.Address: &p.agent} {
		_, text, err := net.SplitHostPort(address)
		if err != nil {
			return ports{}, err
		}
		if *port, err = strconv.Atoi(text); err != nil {
			return ports{}, err
		}
	}
	return p, nil
}

func readPorts(dir string) ports {
	return ports{ReadPort(filepath.Join(dir, PagesPortFile)), ReadPort(filepath.Join(dir, AgentPortFile))}
}

// maxPort bounds a port file, in bytes.
const maxPort = 100

// ReadPort returns the port in a port file, or 0 when the file does not exist or holds no port.
func ReadPort(file string) int {
	text, err := regular.ReadFile(file, maxPort)
	if err != nil {
		return 0
	}
	port, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 16)
	if err != nil {
		return 0
	}
	return int(port)
}

func (p ports) write(dir string) error {
	for name, port := range map[string]int{PagesPortFile: p.pages, AgentPortFile: p.agent} {
		if err := files.Write(filepath.Join(dir, name), []byte(strconv.Itoa(port)+"\n"), 0o644); err != nil {
			return fault.Wrap(fault.Precondition, err, "the port cannot be written to %s", filepath.Join(dir, name))
		}
	}
	return nil
}

// answers reports whether a program listens at both ports.
func (p ports) answers() bool {
	for _, port := range []int{p.pages, p.agent} {
		if port == 0 {
			return false
		}
		conn, err := net.DialTimeout("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), dialTime)
		if err != nil {
			return false
		}
		_ = conn.Close() // nothing was sent
	}
	return true
}
