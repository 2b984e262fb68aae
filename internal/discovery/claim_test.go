package discovery

import (
	"context"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

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

func TestDir(t *testing.T) {
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
		got, err := Dir(tt.vars)
		if got != tt.want || (tt.want == "") != (fault.KindOf(err) == fault.Precondition && err != nil) {
			t.Errorf("%v: %q, %v, want %q", tt.vars, got, err, tt.want)
		}
	}
}

func TestHeld(t *testing.T) {
	dir := folder(t)
	r := open(t, dir)
	c, err := r.Claim("held", "")
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
		c, err := r.Claim("name", "")
		if err != nil {
			t.Fatalf("the claim of a name that a reader looks at: %v", err)
		}
		if err := c.Release(); err != nil {
			t.Error(err)
		}
		start := time.Now()
		held, err := r.Claim("name", "")
		if err != nil {
			t.Fatal(err)
		}
		if took := time.Since(start); took > 0 {
			t.Errorf("the claim of a free name took %v", took)
		}
		if c, err := r.Claim("name", ""); fault.KindOf(err) != fault.Exists || time.Since(start) != claimTime {
			t.Errorf("the claim of a name that is held = %v, %v after %v", c, err, time.Since(start))
		}
		if err := held.Release(); err != nil {
			t.Error(err)
		}
	})
}

// A program finds the others, as they describe themselves now.
func TestOthers(t *testing.T) {
	dir := folder(t)
	r := open(t, dir)
	first, second := claimOne(t, r, born), claimOne(t, open(t, dir), born.Add(time.Second))
	if others := first.Others(); len(others) != 0 {
		t.Errorf("before the other is published: %+v", others)
	}
	for _, watched := range []bool{true, false} {
		if err := second.Publish(func(s *Server) { s.Watched = watched }); err != nil {
			t.Fatal(err)
		}
		if others := first.Others(); len(others) != 1 || others[0].Name != second.Name() || others[0].Watched != watched {
			t.Errorf("watched: %v; the others: %+v", watched, others)
		}
	}
	if others := second.Others(); len(others) != 0 {
		t.Errorf("it finds itself: %+v", others)
	}
	for range 2 {
		if err := second.Release(); err != nil {
			t.Error(err)
		}
	}
	second.Announce(func(s *Server) { s.Watched = true }) // too late
	if others := first.Others(); len(others) != 0 {
		t.Errorf("it has gone: %+v", others)
	}
	alone := claimOne(t, nil, born)
	alone.Announce(func(s *Server) { s.Token = "secret" })
	if alone.Others() != nil || alone.Name() != "" || alone.Token() != "secret" {
		t.Error("a program without a registry finds others")
	}
}

// Programs that were started with another environment, or are of an earlier version, are found in
// their folders, though not by their names. What is wrong there is left alone.
func TestFurtherFolders(t *testing.T) {
	base := t.TempDir()
	old, open2, missing := filepath.Join(base, "old"), filepath.Join(base, "open"), filepath.Join(base, "missing")
	if err := os.Mkdir(open2, 0o700); err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" {
		if err := os.Chmod(open2, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	r, err := OpenIn(folder(t), slog.New(slog.NewTextHandler(t.Output(), nil)), open2, missing, old)
	if err != nil {
		t.Fatal(err)
	}
	older := claimOne(t, open(t, old), born)
	if err := older.Publish(func(s *Server) { s.Socket = "/s" }); err != nil {
		t.Fatal(err)
	}
	kill := start(t, "claim", old, "killed")
	if all := r.List(); len(all) != 2 || all[0].Name != older.Name() {
		t.Errorf("found: %+v", all)
	}
	kill()
	if all := r.List(); len(all) != 1 {
		t.Errorf("after one was killed: %+v", all)
	}
	if names := r.Names(); names != nil {
		t.Errorf("names: %v", names)
	}
	if _, err := os.Lstat(missing); err == nil {
		t.Error("looking has made a folder")
	}
	vars := environ.Variables{"XDG_RUNTIME_DIR=" + filepath.Join(base, "run"), "HOME=" + base, "LocalAppData=" + base}
	if all := Look(vars); all != nil {
		t.Errorf("found: %+v", all)
	}
	if _, err := os.Lstat(filepath.Join(base, "run")); err == nil {
		t.Error("looking has made the folder of an environment")
	}
	cache, err := vars.CacheDir()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"wsh", filepath.Join("ui-mcp", "servers2")} {
		other := claimOne(t, open(t, filepath.Join(cache, name)), born)
		other.Announce(func(s *Server) {})
		if all := Look(vars); len(all) != 1 || all[0].Name != other.Name() {
			t.Errorf("in %s: %+v", name, all)
		}
		if err := other.Release(); err != nil {
			t.Error(err)
		}
	}
}

// While the port files name a server that lives, the others do not read the registry.
func TestRegistryIsNotRead(t *testing.T) {
	for name, of := range map[string]bool{"another of the user's servers": true, "a server that cannot be found": false} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t)
			r := open(t, dir)
			synctest.Test(t, func(t *testing.T) {
				base, registry := t.TempDir(), r
				newServed(t, r, base)
				if !of {
					registry = nil
				}
				newServed(t, registry, base)
				time.Sleep(2 * checkEvery)
				// A reader of the registry removes what a killed server has left behind.
				left := r.File("killed", ".json")
				if err := os.WriteFile(left, []byte(`{"pid":1}`), 0o600); err != nil {
					t.Fatal(err)
				}
				time.Sleep(time.Minute)
				if _, err := os.Lstat(left); err != nil {
					t.Errorf("the registry has been read: %v", err)
				}
				r.List()
				if _, err := os.Lstat(left); err == nil {
					t.Error("reading it leaves the file there")
				}
			})
		})
	}
}

// The oldest server of a folder knows that it is.
func TestOldest(t *testing.T) {
	r, dir := open(t, folder(t)), t.TempDir()
	only := claimOne(t, r, born)
	if !only.IsOldestIn(dir) {
		t.Error("the only one is not the oldest")
	}
	s, err := serve(only, dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.end()
	for after, want := range map[time.Duration]bool{-time.Second: true, 0: true, time.Second: false} {
		if got := claimOne(t, r, born.Add(after)).IsOldestIn(dir); got != want {
			t.Errorf("started %v after another: %v", after, got)
		}
	}
}

// Port files that name a server which cannot be found, such as another user's, stay as long as it
// answers at both ports.
func TestForeignPorts(t *testing.T) {
	r, dir := open(t, folder(t)), t.TempDir()
	mine := newServed(t, r, dir)
	foreign, err := serve(claimOne(t, nil, born), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer foreign.end()
	m := claimOne(t, r, born)
	if err := foreign.ports.write(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := m.takeOver(dir, mine.ports); err != nil {
		t.Fatal(err)
	}
	if got := readPorts(dir); got != foreign.ports {
		t.Errorf("the files name %v, want %v, which answers", got, foreign.ports)
	}
	if err := foreign.listeners[1].Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := m.takeOver(dir, mine.ports); err != nil {
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
	older, newest := claimOne(t, r, born.Add(-time.Second)), claimOne(t, r, born)
	for _, tt := range []struct {
		name  string
		by    *Claim
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
		if _, err := tt.by.takeOver(dir, tt.mine); err != nil {
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
	s, err := serve(claimOne(t, r, born), dir)
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
	claimOne(t, r, born).lockPorts()()
	if inPlace, err := lock.InPlace(); !inPlace || err != nil {
		t.Errorf("the lock of the other: in place: %v, %v", inPlace, err)
	}
	if err := r.unlock(portsName, lock); err != nil {
		t.Error(err)
	}
}
