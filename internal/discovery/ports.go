package discovery

import (
	"errors"
	"io/fs"
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
	// portsName is locked while port files are written and sockets are made.
	portsName = "port-files"
	// portsTime is how long to wait for that lock, which is held for some file operations only.
	portsTime = time.Second
)

// Serve says that this server runs the app of a base directory: others find it there, and the port
// files name its ports until a later server of the directory writes its own. leave hands the files
// back to the newest of the others if they name this server, or removes them; it may be called more
// than once.
func (c *Claim) Serve(dir string, pages, agent net.Addr) (leave func(), err error) {
	mine, err := Server{Pages: pages.String(), Address: agent.String()}.ports()
	if err != nil {
		return nil, err
	}
	unlock := c.lockPorts()
	defer unlock()
	c.Announce(func(s *Server) { s.Dir, s.Pages = resolve(dir), pages.String() })
	if err := writePorts(dir, mine); err != nil {
		c.Announce(func(s *Server) { s.Dir, s.Pages = "", "" })
		return nil, err
	}
	leave = sync.OnceFunc(func() {
		unlock := c.lockPorts()
		defer unlock()
		c.Announce(func(s *Server) { s.Dir, s.Pages = "", "" })
		if err := c.handBack(dir, mine); err != nil {
			c.log.Warn("the port files name a server that has ended", "dir", dir, "error", err)
		}
	})
	c.mu.Lock()
	c.leave = leave
	c.mu.Unlock()
	return leave, nil
}

// lockPorts keeps other processes from writing port files and making sockets until unlock is
// called. If it cannot get the lock in time, it goes on without: a process that was stopped while
// it held the lock must not stop all others.
func (c *Claim) lockPorts() (unlock func()) {
	if c.name == "" {
		return func() {}
	}
	lock, err := c.registry.lockWithin(portsName, portsTime)
	if err != nil || lock == nil {
		c.log.Warn("making port files and sockets without a lock", "error", err)
		return func() {}
	}
	return func() {
		if err := lock.Unlock(); err != nil {
			c.log.Warn("the lock of port files", "error", err)
		}
	}
}

// handBack leaves the port files to the newest of the other servers, unless they name another
// already.
func (c *Claim) handBack(dir string, mine map[string]int) error {
	for name, port := range mine {
		if ReadPort(filepath.Join(dir, name)) != port {
			return nil
		}
	}
	for _, s := range slices.Backward(c.OthersIn(dir)) {
		if p, err := s.ports(); err == nil {
			return writePorts(dir, p)
		}
	}
	var errs []error
	for name := range mine {
		if err := os.Remove(filepath.Join(dir, name)); !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// ports returns the ports of a server that runs an app, by the names of their files.
func (s Server) ports() (map[string]int, error) {
	ports := map[string]int{}
	for name, address := range map[string]string{PagesPortFile: s.Pages, AgentPortFile: s.Address} {
		_, text, err := net.SplitHostPort(address)
		if err == nil {
			ports[name], err = strconv.Atoi(text)
		}
		if err != nil {
			return nil, err
		}
	}
	return ports, nil
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

func writePorts(dir string, ports map[string]int) error {
	for name, port := range ports {
		if err := files.Write(filepath.Join(dir, name), []byte(strconv.Itoa(port)+"\n"), 0o644); err != nil {
			return fault.Wrap(fault.Precondition, err, "the port cannot be written to %s", filepath.Join(dir, name))
		}
	}
	return nil
}
