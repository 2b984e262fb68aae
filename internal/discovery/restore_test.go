package discovery

import (
	"errors"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"ui-mcp/internal/testkit"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/listen"
	"ui-mcp/internal/testkit/wait"
)

// count returns how often a text has been logged.
func count(log *testkit.Log, text string) int { return strings.Count(log.String(), text) }

// A running is a server in this process that answers with its word.
type running struct {
	*Claim
	net.Listener
	log *testkit.Log
}

// claim claims the name as another process would.
func claim(t *testing.T, f *Registry) (*Claim, *testkit.Log, error) {
	t.Helper()
	log := &testkit.Log{}
	own, err := OpenIn(f.dir, slog.New(slog.NewTextHandler(log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	c, err := own.Claim("x", "")
	return c, log, err
}

// short is a registry folder whose path is short enough for sockets.
func short(t *testing.T) string {
	t.Helper()
	return filepath.Join(testkit.ShortDir(t), "wsh")
}

func run(t *testing.T, f *Registry, word string) *running {
	t.Helper()
	c, log, err := claim(t, f)
	if err != nil {
		t.Fatal(err)
	}
	return serveWord(t, c, log, word)
}

// A server that others find by its socket alone keeps that, too.
func TestRestoreUnpublished(t *testing.T) {
	f, err := OpenIn(short(t), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	c, _, err := claim(t, f)
	if err != nil {
		t.Fatal(err)
	}
	l, err := c.Listen()
	if err != nil {
		t.Fatal(err)
	}
	remove(t, f.dir)
	wait.Until(t, "the socket is there again", func() bool {
		conn, err := net.Dial("unix", f.File("x", ".sock"))
		if err == nil {
			conn.Close()
		}
		return err == nil
	})
	if _, _, err := claim(t, f); fault.KindOf(err) != fault.Exists {
		t.Errorf("another server has the name: %v", err)
	}
	if err := errors.Join(l.Close(), c.Release()); err != nil {
		t.Error(err)
	}
}

// runInstead runs a server that has the name before the one that has it can take it again.
func runInstead(t *testing.T, f *Registry, word string) *running {
	t.Helper()
	for {
		remove(t, f.dir)
		c, log, err := claim(t, f)
		if err == nil {
			return serveWord(t, c, log, word)
		}
		if fault.KindOf(err) != fault.Exists {
			t.Fatal(err)
		}
	}
}

func serveWord(t *testing.T, c *Claim, log *testkit.Log, word string) *running {
	t.Helper()
	r := &running{Claim: c, log: log}
	var err error
	if r.Listener, err = r.Listen(); err != nil {
		t.Fatal(err)
	}
	if err := r.Publish(func(s *Server) { s.Address = "127.0.0.1:1" }); err != nil {
		t.Fatal(err)
	}
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			conn, err := r.Accept()
			if err != nil {
				return
			}
			_, _ = io.WriteString(conn, word)
			conn.Close()
		}
	})
	t.Cleanup(func() {
		r.end(t)
		serving.Wait()
	})
	return r
}

// end may be called again.
func (r *running) end(t *testing.T) {
	if r.Claim == nil {
		return
	}
	if err := errors.Join(r.Close(), r.Release()); err != nil {
		t.Error(err)
	}
	r.Claim = nil
}

// answers waits until the server that others find answers with a word.
func answers(t *testing.T, f *Registry, word string) {
	t.Helper()
	wait.Until(t, "the server answers with "+word, func() bool {
		if s, ok := f.Find("x"); !ok || s.Address != "127.0.0.1:1" {
			return false
		}
		conn, err := listen.Dial(f.File("x", ".sock"))
		if err != nil {
			return false
		}
		defer conn.Close()
		b, _ := io.ReadAll(conn)
		return string(b) == word
	})
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
}

// A server whose folder is removed, as when its person logs out, is found again, however often.
func TestRestore(t *testing.T) {
	t.Parallel()
	f := open(t, short(t))
	r := run(t, f, "one")
	answers(t, f, "one")
	for range 2 {
		remove(t, f.dir)
		answers(t, f, "one")
		if _, err := f.Claim("x", ""); fault.KindOf(err) != fault.Exists {
			t.Fatalf("a second server of the name: %v", err)
		}
	}
	for _, file := range []string{"x.sock", "x.json", "x.lock"} { // one by one
		remove(t, filepath.Join(f.dir, file))
		answers(t, f, "one")
	}
	if again, lost := count(r.log, "can be found again"), count(r.log, "cannot be found"); again > lost {
		t.Errorf("it says %d times that it is found again, after %d losses", again, lost)
	}
	r.end(t)
	if names := left(t, f.dir); names != nil {
		t.Errorf("left: %v", names)
	}
}

// Nothing is put into a folder that is not this user's own, nor through a link; the server waits
// until that is gone, and says it once.
func TestRestoreElsewhere(t *testing.T) {
	t.Parallel()
	other := t.TempDir()
	for name, replace := range map[string]func(dir string) error{
		"a link":          func(dir string) error { return os.Symlink(other, dir) },
		"open to others":  func(dir string) error { return errors.Join(os.Mkdir(dir, 0o755), os.Chmod(dir, 0o777)) },
		"of another user": func(dir string) error { return errors.Join(os.Mkdir(dir, 0o700), os.Chown(dir, 12345, 12345)) },
		"a file":          func(dir string) error { return os.WriteFile(dir, nil, 0o600) },
		"nor the one around": func(dir string) error {
			return errors.Join(os.Remove(filepath.Dir(dir)), os.WriteFile(filepath.Dir(dir), nil, 0o600))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name == "of another user" && os.Geteuid() != 0 {
				t.Skip("only root can give a folder to another user")
			}
			f := open(t, short(t))
			r := run(t, f, "one")
			remove(t, f.dir)
			if err := replace(f.dir); err != nil {
				t.Fatal(err)
			}
			wait.Until(t, "the server says it", func() bool { return count(r.log, "cannot be found") > 0 })
			if name == "a link" || name == "open to others" || name == "of another user" {
				if entries, err := os.ReadDir(f.dir); err != nil || len(entries) > 0 {
					t.Errorf("in the folder: %v, %v", entries, err)
				}
			}
			if name == "nor the one around" {
				remove(t, filepath.Dir(f.dir))
			}
			remove(t, f.dir)
			answers(t, f, "one")
			if n := count(r.log, "cannot be found"); n != 1 {
				t.Errorf("the server has said it %d times", n)
			}
			wait.Until(t, "the server says that it is found", func() bool { return count(r.log, "can be found again") == 1 })
			r.end(t)
		})
	}
}

// Of two servers that have taken a name, because its folder was gone, one has it. The other says
// so, takes nothing away when it ends, and gets the name when it is free.
func TestRestoreTaken(t *testing.T) {
	t.Parallel()
	f := open(t, short(t))
	first := run(t, f, "one")
	second := runInstead(t, f, "two")
	wait.Until(t, "the first server says it", func() bool { return count(first.log, "another server has the name") > 0 })
	answers(t, f, "two")
	if count(second.log, "level=WARN") != 0 {
		t.Error("the second server complains")
	}
	second.end(t)
	answers(t, f, "one")
	third := runInstead(t, f, "three")
	first.end(t)
	answers(t, f, "three")
	third.end(t)
	if names := left(t, f.dir); names != nil {
		t.Errorf("left: %v", names)
	}
}

// A server that ends while its folder is gone leaves nothing behind.
func TestRestoreWhileEnding(t *testing.T) {
	t.Parallel()
	for i := range 20 {
		f := open(t, short(t))
		r := run(t, f, "one")
		remove(t, f.dir)
		if i%2 == 1 { // a session begins
			if err := os.MkdirAll(r.Scripts(), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		r.end(t)
		if _, err := os.Lstat(f.dir); err == nil {
			if names := left(t, f.dir); names != nil {
				t.Fatalf("left: %v", names)
			}
		}
	}
}

// One look brings back all that a published claim has, without a word. A program that ends while
// its folder is gone does not make that again.
func TestRestoreByOneLook(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files that are open cannot be removed here")
	}
	dir, log := folder(t), &testkit.Log{}
	r, err := OpenIn(dir, slog.New(slog.NewTextHandler(log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		c := claimed(t, r, "x", "/s")
		c.Announce(func(*Server) {})
		before := left(t, dir)
		remove(t, dir)
		time.Sleep(checkEvery)
		synctest.Wait()
		if _, ok := r.Find("x"); !ok {
			t.Error("it is not found")
		}
		if after := left(t, dir); !slices.Equal(before, after) || count(log, "\n") > 0 {
			t.Errorf("there are %q, and before %q; it says %s", after, before, log)
		}
		remove(t, dir)
		release(t, c)
		if _, err := os.Lstat(dir); err == nil {
			t.Error("the folder is there again")
		}
	})
}
