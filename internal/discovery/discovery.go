// Package discovery is the registry of one user's programs on one machine, servers of terminals and
// of apps: which run, where they listen, and the token that distinguishes a server from a later one
// at the same port.
//
// Each program claims a name in a folder that only its user can use. The claim is a lock that the
// operating system gives up when the process ends, however it ends, so a killed server is never
// taken for a living one. Beside the lock is a document, written whole or not at all, that
// describes the server, and its socket. Readers, and who takes the name next, remove what killed
// servers left behind.
//
// It is read when a caller asks only. The package asks no server anything.
package discovery

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"ui-mcp/internal/environ"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/files"
	"ui-mcp/internal/regular"
)

// A Server describes one running server.
type Server struct {
	// Name is the name that it has claimed.
	Name    string    `json:"-"`
	PID     int       `json:"pid"`
	Started time.Time `json:"started"`
	// Address is host:port of its HTTP endpoint for programs, or "" while that is closed.
	Address string `json:"address,omitempty"`
	// Socket is the absolute path of its Unix socket, at which its terminals are, or "" if it has
	// none.
	Socket string `json:"socket,omitempty"`
	// Token authenticates other servers of the user at Address, and the server to them. Servers of
	// terminals have none.
	Token string `json:"token,omitempty"`
	// Workspaces are the clean paths of the projects whose questions the server takes.
	Workspaces []string `json:"workspaces,omitempty"`
	// Dir is the base directory whose app the server runs, absolute and with links followed, and
	// Pages is host:port of the app's pages. Both are "" while no app runs.
	Dir   string `json:"dir,omitempty"`
	Pages string `json:"pages,omitempty"`
	// Working is the working directory of a program that has terminals beside other tasks.
	Working string `json:"working,omitempty"`
	// Watched says that a page is open, so that questions which are asked there reach the person.
	Watched bool `json:"watched,omitempty"`
}

// documentFormat is the newest format of documents that this program reads, and the one that it
// writes.
const documentFormat = 1

// A document is the description of a server as it is stored.
type document struct {
	Format int `json:"format"`
	Server
}

// ProgramPrefix begins the names of programs that do more than keep terminals: of ui-mcp. Commands
// look for sessions there, too.
const ProgramPrefix = "ui-mcp-"

// ProjectName is the name that the server of a base directory claims, beside its own, for the
// clients that share it.
func ProjectName(dir string) string {
	sum := sha256.Sum256([]byte(resolve(dir)))
	return "project-" + hex.EncodeToString(sum[:8])
}

// A Registry is the folder of claims. It is safe for concurrent use, by any number of processes.
type Registry struct {
	dir     string
	further []string // see further
	folder  *files.Folder
	log     *slog.Logger
}

// Dir is the folder for the claims and sockets of the programs of the user with an environment.
func Dir(vars environ.Variables) (string, error) {
	if dir := vars.Get("XDG_RUNTIME_DIR"); filepath.IsAbs(dir) { // others are invalid, and to be ignored
		return filepath.Join(dir, "wsh"), nil
	}
	cache, err := vars.CacheDir()
	if err != nil {
		return "", fault.Wrap(fault.Precondition, err, "find a folder for the server: set XDG_RUNTIME_DIR")
	}
	if !filepath.IsAbs(cache) { // it would be another folder for each working directory
		return "", fault.New(fault.Precondition, "the home directory %q is not an absolute path: set HOME, or XDG_RUNTIME_DIR", vars.Get("HOME"))
	}
	return filepath.Join(cache, "wsh"), nil
}

// further returns the other folders in which the user's programs may be registered. A program that
// was started without XDG_RUNTIME_DIR, which many clients of MCP do not pass on, uses another
// folder than one that was started with it; older versions of ui-mcp had a folder of their own.
func further(vars environ.Variables, dir string) (all []string) {
	if !filepath.IsAbs(vars.Get("XDG_RUNTIME_DIR")) && runtime.GOOS == "linux" {
		all = append(all, filepath.Join("/run/user", strconv.Itoa(os.Getuid()), "wsh"))
	}
	if cache, err := vars.CacheDir(); err == nil && filepath.IsAbs(cache) {
		all = append(all, filepath.Join(cache, "wsh"), filepath.Join(cache, "ui-mcp", "servers2"))
	}
	return slices.DeleteFunc(all, func(other string) bool { return other == dir })
}

// Open opens the registry of the user with an environment, and makes its folder when it does not
// exist. A folder that is a symbolic link, belongs to another user or lets others in is a
// [fault.Precondition].
func Open(vars environ.Variables, log *slog.Logger) (*Registry, error) {
	dir, err := Dir(vars)
	if err != nil {
		return nil, err
	}
	return OpenIn(dir, log, further(vars, dir)...)
}

// OpenIn is Open for any folder. Programs are found in further folders, too, except by their names.
func OpenIn(dir string, log *slog.Logger, further ...string) (*Registry, error) {
	folder, err := openFolder(dir)
	if err != nil {
		return nil, err
	}
	return &Registry{dir, further, folder, log}, nil
}

// View is Open for those who only list servers: it does not make the folder, and it does not say
// what is wrong with it.
func View(vars environ.Variables) *Registry {
	r := &Registry{log: slog.New(slog.DiscardHandler)}
	if dir, err := Dir(vars); err == nil {
		r.further = append(further(vars, dir), dir)
	}
	return r
}

// Look returns the servers of the user with an environment, the oldest first.
func Look(vars environ.Variables) []Server { return View(vars).List() }

func openFolder(dir string) (*files.Folder, error) {
	folder, err := files.Open(dir)
	if err != nil {
		return nil, fault.Wrap(fault.Precondition, err, "the folder of running servers")
	}
	if err := trust(dir); err != nil {
		return nil, err
	}
	return folder, nil
}

// trust returns an error unless only this user can use a folder.
func trust(dir string) error {
	info, err := os.Lstat(dir)
	if err == nil && !info.IsDir() {
		err = errors.New("it is not a directory")
	}
	if err == nil {
		err = regular.CheckPrivate(info)
	}
	if err != nil {
		return fault.Wrap(fault.Precondition, err, "%s cannot be trusted", dir)
	}
	return nil
}

// claimTime is how long Claim tries: a reader that looks for killed servers holds a name for a
// moment.
const claimTime = 250 * time.Millisecond

// CheckName returns an error of kind [fault.Invalid] unless a server may have the name.
func CheckName(name string) error {
	if !files.IsPlain(name) || len(name) > 64 || name[0] == '-' {
		return fault.New(fault.Invalid, "%q cannot be the name of a server: use 1 to 64 letters, digits, - and _", name)
	}
	return nil
}

// Held reports whether a process has a name: a server that runs, begins or ends.
func (r *Registry) Held(name string) bool {
	if CheckName(name) != nil {
		return false
	}
	lock, err := r.tryLock(name)
	if lock != nil {
		_ = lock.Unlock() // it ends with the process at the latest
	}
	return lock == nil && err == nil
}

// LockStart locks the start of a server of that name until unlock is called, so that of several
// processes that find no server only one starts it. It waits for the others until ctx is done.
func (r *Registry) LockStart(ctx context.Context, name string) (unlock func() error, err error) {
	if err := CheckName(name); err != nil {
		return nil, err
	}
	for ctx.Err() == nil {
		lock, err := r.lockWithin(name+".spawn", 20*time.Millisecond) // no name of a server
		if err != nil {
			return nil, fault.Wrap(fault.Internal, err, "lock the start of a server")
		}
		if lock != nil {
			return lock.Unlock, nil
		}
	}
	return nil, fault.Wrap(fault.Timeout, context.Cause(ctx), "another process is starting the server")
}

// Find returns the server that has a name.
func (r *Registry) Find(name string) (Server, bool) {
	s, ok := r.living()[name]
	return s, ok
}

// List returns the servers that run, in all folders, the oldest first.
func (r *Registry) List() []Server {
	all := slices.Collect(maps.Values(r.living()))
	for _, dir := range r.further {
		if _, err := os.Lstat(dir); err != nil {
			continue // and is not made
		}
		if folder, err := openFolder(dir); err == nil {
			other := Registry{dir: dir, folder: folder, log: r.log}
			all = slices.AppendSeq(all, maps.Values(other.living()))
		}
	}
	slices.SortFunc(all, func(a, b Server) int {
		return cmp.Or(a.Started.Compare(b.Started), cmp.Compare(a.PID, b.PID), cmp.Compare(a.Address, b.Address))
	})
	return all
}

// ListIn returns the servers that run an app of a base directory, the oldest first.
func (r *Registry) ListIn(dir string) []Server {
	real := resolve(dir)
	return slices.DeleteFunc(r.List(), func(s Server) bool { return s.Pages == "" || s.Dir != real })
}

// Names returns the names of the servers of terminals that run, sorted.
func (r *Registry) Names() []string {
	servers := r.living()
	maps.DeleteFunc(servers, func(_ string, s Server) bool { return s.Socket == "" })
	return slices.Sorted(maps.Keys(servers))
}

// Programs returns the names of programs that are more than a server of terminals.
func (r *Registry) Programs() []string {
	return slices.DeleteFunc(r.Names(), func(name string) bool { return !strings.HasPrefix(name, ProgramPrefix) })
}

// living returns the servers that run, by name, and removes what killed ones left behind.
func (r *Registry) living() map[string]Server {
	if r.folder == nil {
		return nil
	}
	all, err := r.folder.All()
	if err != nil {
		r.log.Warn("some entries in the folder of running servers cannot be read", "error", err)
	}
	servers := map[string]Server{}
	for name, content := range all {
		if r.removeStale(name) {
			continue
		}
		var d document
		if err := cmp.Or(files.CheckFormat(content, documentFormat), json.Unmarshal(content, &d)); err != nil {
			r.log.Warn("a server that runs is not used, since its entry cannot be read", "name", name, "error", err)
			continue
		}
		d.Name = name
		servers[name] = d.Server
	}
	return servers
}

// removeStale removes an entry that no process holds, with the program's socket and folder, and
// reports whether it did. An entry whose state cannot be determined is kept.
func (r *Registry) removeStale(name string) bool {
	lock, err := r.tryLock(name)
	if err != nil {
		r.log.Warn("cannot determine whether a server is still running", "name", name, "error", err)
	}
	if lock == nil {
		return false
	}
	err = errors.Join(r.folder.Delete(name), os.RemoveAll(r.File(name, ".sock")), os.RemoveAll(r.File(name, ".shell")), lock.Unlock())
	if err != nil {
		r.log.Warn("cannot remove the entry of a killed server", "name", name, "error", err)
	}
	return true
}

// File returns the path of a file that belongs to the server of a name.
func (r *Registry) File(name, suffix string) string { return filepath.Join(r.dir, name+suffix) }

// tryLock locks a name, or returns nil when another process has it.
func (r *Registry) tryLock(name string) (*files.Lock, error) {
	return files.TryLock(r.File(name, ".lock"), 0o600)
}

// lockWithin is tryLock, again and again until the time is over. It counts pauses, which a busy
// machine makes longer, as it does the moment for which another process has the name.
func (r *Registry) lockWithin(name string, within time.Duration) (*files.Lock, error) {
	const retry = 5 * time.Millisecond
	for left := within; ; left -= retry {
		lock, err := r.tryLock(name)
		if err != nil || lock != nil || left <= 0 {
			return lock, err
		}
		time.Sleep(retry)
	}
}
