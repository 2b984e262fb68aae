package discovery

import (
	"context"
	"fmt"
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
	remove(t, r.File("name", ".lock"))
	for _, step := range []string{"no file", "another file"} {
		if inPlace, err := first.InPlace(); inPlace || err != nil {
			t.Errorf("%s: in place: %v, %v", step, inPlace, err)
		}
		if step == "no file" {
			second, err := r.tryLock("name")
			if err != nil || second == nil {
				t.Fatal(second, err)
			}
			defer second.Unlock()
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
	users := fmt.Sprintf("/run/user/%d/wsh", os.Getuid())
	for _, tt := range []struct {
		vars    environ.Variables
		want    string // "": Precondition
		further []string
	}{
		{environ.Variables{"XDG_RUNTIME_DIR=/run/u", "HOME=/home/u"}, "/run/u/wsh", []string{"/home/u/.cache/wsh", "/home/u/.cache/ui-mcp/servers2"}},
		{environ.Variables{"XDG_RUNTIME_DIR=/run/u", "HOME=home"}, "/run/u/wsh", nil},
		{environ.Variables{"XDG_RUNTIME_DIR=run", "HOME=/home/u"}, "/home/u/.cache/wsh", []string{users, "/home/u/.cache/ui-mcp/servers2"}},
		{environ.Variables{"HOME=/home/u"}, "/home/u/.cache/wsh", []string{users, "/home/u/.cache/ui-mcp/servers2"}},
		{environ.Variables{"HOME=home"}, "", []string{users}},
		{nil, "", []string{users}},
	} {
		got, err := Dir(tt.vars)
		if got != tt.want || (tt.want == "") != (fault.KindOf(err) == fault.Precondition && err != nil) {
			t.Errorf("%v: %q, %v, want %q", tt.vars, got, err, tt.want)
		}
		if all := further(tt.vars, got); !slices.Equal(all, tt.further) {
			t.Errorf("%v: further %q, want %q", tt.vars, all, tt.further)
		}
	}
}

// Programs of a process have names of their own. Those that have terminals are found by them.
func TestPrograms(t *testing.T) {
	r := open(t, folder(t))
	first, second := claimOne(t, r, born), claimOne(t, r, born)
	name := fmt.Sprint(ProgramPrefix, os.Getpid())
	if first.Name() != name || second.Name() != name+"-2" {
		t.Errorf("the names are %s and %s", first.Name(), second.Name())
	}
	server := claimed(t, r, "server", "")
	defer release(t, server)
	for c, socket := range map[*Claim]string{first: "/s", second: "", server: "/t"} {
		c.Announce(func(s *Server) { s.Socket = socket })
	}
	if names, programs := r.Names(), r.Programs(); !slices.Equal(names, []string{"server", name}) || !slices.Equal(programs, []string{name}) {
		t.Errorf("names %q, programs %q", names, programs)
	}
}

// Of two servers that begin at once with one path for their sockets, one gets it.
func TestListenAtOnePath(t *testing.T) {
	dir := folder(t)
	one, two := open(t, dir), open(t, dir)
	for range 10 {
		claims := []*Claim{claimed(t, one, "one", filepath.Join(dir, "path")), claimed(t, two, "two", filepath.Join(dir, "path"))}
		begin, results := make(chan struct{}), make(chan net.Listener, 2)
		for _, c := range claims {
			go func() {
				<-begin
				l, err := c.Listen()
				if err != nil && fault.KindOf(err) != fault.Exists {
					t.Error(err)
				}
				results <- l
			}()
		}
		close(begin)
		first, second := <-results, <-results
		if (first == nil) == (second == nil) {
			t.Fatalf("both or none have the path: %v, %v", first, second)
		}
		for i, l := range []net.Listener{first, second} {
			if l != nil {
				l.Close()
			}
			release(t, claims[i])
		}
	}
}

// A description that says nothing new is not written again.
func TestPublishTwice(t *testing.T) {
	r := open(t, folder(t))
	c := claimOne(t, r, born)
	file := func(watched bool) os.FileInfo {
		c.Announce(func(s *Server) { s.Watched = watched })
		info, err := os.Stat(r.File(c.Name(), ".json"))
		if err != nil {
			t.Fatal(err)
		}
		return info
	}
	first := file(true)
	if !os.SameFile(first, file(true)) {
		t.Error("the same description is written again")
	}
	if os.SameFile(first, file(false)) {
		t.Error("another description is not written")
	}
}

func TestHeld(t *testing.T) {
	dir := folder(t)
	r := open(t, dir)
	c := claimed(t, r, "held", "")
	for name, want := range map[string]bool{"held": true, "free": false, "../held": false} {
		if got := r.Held(name); got != want {
			t.Errorf("Held(%q) = %v", name, got)
		}
	}
	release(t, c)
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
		time.AfterFunc(claimTime/10, func() { _ = lock.Unlock() })
		c, err := r.Claim("name", "")
		if err != nil {
			t.Fatalf("the claim of a name that a reader looks at: %v", err)
		}
		release(t, c)
		start := time.Now()
		held := claimed(t, r, "name", "")
		if took := time.Since(start); took > 0 {
			t.Errorf("the claim of a free name took %v", took)
		}
		if c, err := r.Claim("name", ""); fault.KindOf(err) != fault.Exists || time.Since(start) != claimTime {
			t.Errorf("the claim of a name that is held = %v, %v after %v", c, err, time.Since(start))
		}
		release(t, held)
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
		release(t, second)
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
		release(t, other)
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
		if _, err := (Server{Pages: addresses[0].String(), Address: addresses[1].String()}.ports()); err == nil {
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
	if err := lock.Unlock(); err != nil {
		t.Error(err)
	}
}
