package discovery

import (
	"context"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/environ"
	"ui-mcp/internal/fault"
)

// Two processes hold locks of one name when the file of the first was removed: only the lock of the
// file that is there now counts.
func TestLockOfARemovedFile(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files that are open cannot be removed here")
	}
	r := open(t, folder(t))
	first, err := r.tryLock("name")
	if err != nil {
		t.Fatal(err)
	}
	remove(t, r.lockFile("name"))
	for _, step := range []string{"no file", "another file"} {
		if inPlace, err := first.InPlace(); inPlace || err != nil {
			t.Errorf("%s: in place: %v, %v", step, inPlace, err)
		}
		if step == "no file" {
			second, err := r.tryLock("name")
			if err != nil || second == nil {
				t.Fatal(second, err)
			}
			defer r.unlock("name", second)
			if inPlace, err := second.InPlace(); !inPlace || err != nil {
				t.Errorf("the second lock: in place: %v, %v", inPlace, err)
			}
		}
	}
	if err := first.Close(); err != nil {
		t.Error(err)
	}
}

func TestNames(t *testing.T) {
	for _, name := range []string{"a", "azAZ09_-", strings.Repeat("n", 64)} {
		if err := CheckName(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, name := range []string{"", "-a", strings.Repeat("n", 65), "/", ":", "@", "[", "`", "{", "é"} {
		if err := CheckName(name); fault.KindOf(err) != fault.Invalid {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestRuntimeDir(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("other systems have other folders for caches")
	}
	for _, tt := range []struct {
		vars environ.Variables
		want string // "": Precondition
	}{
		{environ.Variables{"XDG_RUNTIME_DIR=/run/u", "HOME=/home/u"}, "/run/u/wsh"},
		{environ.Variables{"XDG_RUNTIME_DIR=run", "HOME=/home/u"}, "/home/u/.cache/wsh"},
		{environ.Variables{"HOME=/home/u"}, "/home/u/.cache/wsh"},
		{environ.Variables{"HOME=home"}, ""},
		{nil, ""},
	} {
		got, err := RuntimeDir(tt.vars)
		if got != tt.want || (tt.want == "") != (fault.KindOf(err) == fault.Precondition && err != nil) {
			t.Errorf("%v: %q, %v, want %q", tt.vars, got, err, tt.want)
		}
	}
	if got, err := Dir(environ.Variables{"XDG_CACHE_HOME=/cache"}); got != "/cache/ui-mcp/servers2" || err != nil {
		t.Errorf("Dir = %q, %v", got, err)
	}
	if got, err := Dir(nil); err == nil || fault.KindOf(err) != fault.Precondition {
		t.Errorf("Dir without a home = %q, %v", got, err)
	}
}

func TestHeld(t *testing.T) {
	dir := folder(t)
	r := open(t, dir)
	c, err := r.Claim("held")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"held": true, "free": false, "../held": false} {
		if got := r.Held(name); got != want {
			t.Errorf("Held(%q) = %v", name, got)
		}
	}
	if err := c.Release(); err != nil {
		t.Error(err)
	}
	if r.Held("held") {
		t.Error("held after its release")
	}
	if names := left(t, dir); names != nil {
		t.Errorf("left: %v", names)
	}
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	if r.Held("held") {
		t.Error("held without a folder")
	}
}

// Of several that start a server of one name, each waits for the one before it.
func TestLockStart(t *testing.T) {
	dir := folder(t)
	r := open(t, dir)
	if _, err := r.LockStart(t.Context(), "a/b"); fault.KindOf(err) != fault.Invalid {
		t.Errorf("of an invalid name: %v", err)
	}
	unlock, err := r.LockStart(t.Context(), "name")
	if err != nil {
		t.Fatal(err)
	}
	impatient, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := open(t, dir).LockStart(impatient, "name"); err == nil || fault.KindOf(err) != fault.Timeout {
		t.Errorf("while another starts it: %v", err)
	}
	second := make(chan error, 1)
	go func() {
		unlock, err := open(t, dir).LockStart(t.Context(), "name")
		if err == nil {
			err = unlock()
		}
		second <- err
	}()
	if err := unlock(); err != nil {
		t.Error(err)
	}
	if err := <-second; err != nil {
		t.Errorf("after the first: %v", err)
	}
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := r.LockStart(t.Context(), "name"); err == nil || fault.KindOf(err) != fault.Internal {
		t.Errorf("without a folder: %v", err)
	}
}

// A claim is restored whatever was removed of it, unless another process has the name by then.
func TestRestoreClaim(t *testing.T) {
	const name = "name"
	server := Server{PID: 1, Address: "127.0.0.1:1"}
	for what, tt := range map[string]struct {
		remove func(t *testing.T, dir string)
		kind   fault.Kind // Internal: none
	}{
		"nothing":         {func(*testing.T, string) {}, fault.Internal},
		"the description": {func(t *testing.T, dir string) { remove(t, filepath.Join(dir, name+".json")) }, fault.Internal},
		"the lock":        {func(t *testing.T, dir string) { remove(t, filepath.Join(dir, name+".lock")) }, fault.Internal},
		"the folder": {func(t *testing.T, dir string) {
			remove(t, filepath.Join(dir, name+".json"))
			remove(t, filepath.Join(dir, name+".lock"))
			remove(t, dir)
		}, fault.Internal},
		"the lock, which another has": {func(t *testing.T, dir string) {
			remove(t, filepath.Join(dir, name+".lock"))
			other, err := open(t, dir).Claim(name)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				if err := other.Release(); err != nil {
					t.Error(err)
				}
			})
		}, fault.Exists},
		"the privacy of the folder": {func(t *testing.T, dir string) {
			if runtime.GOOS == "windows" {
				t.Skip("folders have no modes here")
			}
			if err := os.Chmod(dir, 0o777); err != nil {
				t.Fatal(err)
			}
		}, fault.Precondition},
	} {
		t.Run(what, func(t *testing.T) {
			if runtime.GOOS == "windows" {
				t.Skip("files that are open cannot be removed here")
			}
			dir := folder(t)
			r := open(t, dir)
			c, err := r.Claim(name)
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Restore(); err != nil { // before it has a description
				t.Error(err)
			}
			if slices.Contains(left(t, dir), name+".json") {
				t.Error("there is a description before the server has published one")
			}
			if err := c.Publish(server); err != nil {
				t.Fatal(err)
			}
			tt.remove(t, dir)
			err = c.Restore()
			if tt.kind != fault.Internal {
				if err == nil || fault.KindOf(err) != tt.kind {
					t.Errorf("Restore = %v, want %v", err, tt.kind)
				}
				return
			}
			if err != nil {
				t.Errorf("Restore: %v", err)
			}
			if !c.Holds() || !open(t, dir).Held(name) {
				t.Error("the name is free")
			}
			if s, ok := open(t, dir).Find(name); !ok || s.PID != 1 {
				t.Errorf("Find = %+v, %v", s, ok)
			}
			if err := c.Release(); err != nil {
				t.Error(err)
			}
			if c.Holds() {
				t.Error("the claim holds after its release")
			}
		})
	}
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}

// A name that a reader holds for a moment is claimed all the same; one that is held for longer is
// not.
func TestClaimWaits(t *testing.T) {
	r := open(t, folder(t))
	synctest.Test(t, func(t *testing.T) {
		lock, err := r.tryLock("name")
		if err != nil || lock == nil {
			t.Fatal(lock, err)
		}
		time.AfterFunc(claimTime/10, func() { _ = r.unlock("name", lock) })
		c, err := r.Claim("name")
		if err != nil {
			t.Fatalf("the claim of a name that a reader looks at: %v", err)
		}
		if err := c.Release(); err != nil {
			t.Error(err)
		}
		start := time.Now()
		held, err := r.Claim("name")
		if err != nil {
			t.Fatal(err)
		}
		if took := time.Since(start); took > 0 {
			t.Errorf("the claim of a free name took %v", took)
		}
		if c, err := r.Claim("name"); fault.KindOf(err) != fault.Exists || time.Since(start) != claimTime {
			t.Errorf("the claim of a name that is held = %v, %v after %v", c, err, time.Since(start))
		}
		if err := held.Release(); err != nil {
			t.Error(err)
		}
	})
}

// A member is found while it listens or runs an app, and by others only.
func TestMember(t *testing.T) {
	dir := folder(t)
	r := open(t, dir)
	log := slog.New(slog.NewTextHandler(t.Output(), nil))
	old := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	members := []*Member{ // of one process, and with one token in two processes
		NewMember(r, Server{PID: 1, Token: "a", Started: old}, log),
		NewMember(r, Server{PID: 1, Token: "b", Started: old.Add(time.Second)}, log),
		NewMember(r, Server{PID: 2, Token: "b", Started: old.Add(2 * time.Second)}, log),
	}
	var leaves []func()
	for _, m := range members {
		leaves = append(leaves, m.Listen("127.0.0.1:1", []string{"/w"}))
	}
	for i, m := range members {
		var others, want []string
		for j, other := range members {
			if i != j {
				want = append(want, other.self.Started.String())
			}
		}
		for _, s := range m.Others() {
			others = append(others, s.Started.String())
		}
		if diff := cmp.Diff(want, others); diff != "" {
			t.Errorf("the others of %d: -want +got:\n%s", i, diff)
		}
	}
	leaves[1]()
	if got := len(members[0].Others()); got != 1 {
		t.Errorf("%d others after one has left", got)
	}
	members[2].Close()
	if names := left(t, dir); len(names) != 2 { // lock and description of the first
		t.Errorf("after one more was closed: %v", names)
	}
	members[1].Close() // which has left
	members[0].Close()
	if names := left(t, dir); names != nil {
		t.Errorf("after all: %v", names)
	}
	alone := NewMember(nil, Server{}, log)
	alone.Listen("127.0.0.1:1", nil)()
	if alone.Others() != nil {
		t.Error("a member without a registry finds others")
	}
}

// The oldest server of a folder knows that it is.
func TestOldest(t *testing.T) {
	r, dir := open(t, folder(t)), t.TempDir()
	log := slog.New(slog.NewTextHandler(t.Output(), nil))
	member := func(pid int, started time.Time) *Member {
		return NewMember(r, Server{PID: pid, Token: "t", Started: started}, log)
	}
	at := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	only := member(1, at)
	if !only.IsOldestIn(dir) {
		t.Error("the only one is not the oldest")
	}
	s, err := serve(only, dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.end()
	for after, want := range map[time.Duration]bool{-time.Second: true, 0: true, time.Second: false} {
		if got := member(2, at.Add(after)).IsOldestIn(dir); got != want {
			t.Errorf("started %v after another: %v", after, got)
		}
	}
}

// Port files that name a server which cannot be found, such as another user's, stay as long as it
// answers at both ports.
func TestForeignPorts(t *testing.T) {
	r, dir := open(t, folder(t)), t.TempDir()
	mine := newServed(t, r, dir)
	foreign, err := serve(NewMember(nil, Server{}, slog.Default()), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer foreign.end()
	m := NewMember(r, Server{PID: os.Getpid(), Token: born.String(), Started: born}, slog.Default())
	if err := foreign.ports.write(dir); err != nil {
		t.Fatal(err)
	}
	if err := m.takeOver(dir, mine.ports); err != nil {
		t.Fatal(err)
	}
	if got := readPorts(dir); got != foreign.ports {
		t.Errorf("the files name %v, want %v, which answers", got, foreign.ports)
	}
	if err := foreign.listeners[1].Close(); err != nil {
		t.Fatal(err)
	}
	if err := m.takeOver(dir, mine.ports); err != nil {
		t.Fatal(err)
	}
	if got := readPorts(dir); got != mine.ports {
		t.Errorf("the files name %v, want %v", got, mine.ports)
	}
	for _, p := range []ports{{0, mine.ports.agent}, {mine.ports.pages, 0}} {
		if p.answers() {
			t.Errorf("%v answers", p)
		}
	}
}

// Of several servers of a folder, none takes the port files over while they name a living one, and
// only the newest does when they do not.
func TestTakeOver(t *testing.T) {
	r, dir := open(t, folder(t)), t.TempDir()
	one, two := newServed(t, r, dir), newServed(t, r, dir)
	older := NewMember(r, Server{PID: os.Getpid(), Token: born.Add(-time.Second).String(), Started: born.Add(-time.Second)}, slog.Default())
	newest := NewMember(r, Server{PID: os.Getpid(), Token: born.String(), Started: born}, slog.Default())
	for _, tt := range []struct {
		name  string
		by    *Member
		mine  ports
		named ports
		want  ports
	}{
		{"the other lives", older, one.ports, two.ports, two.ports},
		{"the older one leaves it to the newest", older, one.ports, ports{1, 1}, ports{1, 1}},
		{"the newest does it", newest, two.ports, ports{1, 1}, two.ports},
		{"the older one lives, though it does not answer", newest, two.ports, one.ports, one.ports},
	} {
		if tt.named == one.ports {
			for _, l := range one.listeners {
				l.Close()
			}
		}
		if err := tt.named.write(dir); err != nil {
			t.Fatal(err)
		}
		if err := tt.by.takeOver(dir, tt.mine); err != nil {
			t.Error(err)
		}
		if got := readPorts(dir); got != tt.want {
			t.Errorf("%s: the files name %v, want %v", tt.name, got, tt.want)
		}
	}
}

// A server that cannot write its port files is not found in their folder.
func TestPortFilesCannotBeWritten(t *testing.T) {
	r := open(t, folder(t))
	dir := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := serve(NewMember(r, Server{PID: 1}, slog.Default()), dir)
	for _, l := range s.listeners {
		l.Close()
	}
	if err == nil || fault.KindOf(err) != fault.Precondition {
		t.Errorf("Serve = %v", err)
	}
	if all := r.ListIn(dir); len(all) > 0 {
		t.Errorf("found: %+v", all)
	}
	tcp, unix := &net.TCPAddr{Port: 1}, &net.UnixAddr{Name: "/a"}
	for _, addresses := range [][2]net.Addr{{tcp, unix}, {unix, tcp}} {
		if _, err := portsOf(addresses[0], addresses[1]); err == nil {
			t.Errorf("no error about %v", addresses)
		}
	}
}

// A process that was stopped while it held the lock of the port files does not stop the others.
func TestPortFilesAreLocked(t *testing.T) {
	r := open(t, folder(t))
	lock, err := r.tryLock(portsName)
	if err != nil || lock == nil {
		t.Fatal(lock, err)
	}
	NewMember(r, Server{}, slog.New(slog.DiscardHandler)).lockPorts()()
	if inPlace, err := lock.InPlace(); !inPlace || err != nil {
		t.Errorf("the lock of the other: in place: %v, %v", inPlace, err)
	}
	if err := r.unlock(portsName, lock); err != nil {
		t.Error(err)
	}
}
