package discovery

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"ui-mcp/internal/fault"
)

// TestMain is also the program of the processes that tests start and kill: DISCOVERY_TEST says what
// it does, before it waits to be killed.
func TestMain(m *testing.M) {
	if what := os.Getenv("DISCOVERY_TEST"); what != "" {
		if err := child(what, os.Args[1], os.Args[2]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Fprintln(os.Stderr, "ready")
		select {}
	}
	goleak.VerifyTestMain(m)
}

func child(what, registry, arg string) error {
	r, err := OpenIn(registry, slog.Default())
	if err != nil {
		return err
	}
	if what == "claim" {
		c, err := r.Claim(arg, "")
		if err != nil {
			return err
		}
		if _, err := c.Listen(); err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Join(c.Scripts(), "bash"), 0o700); err != nil {
			return err
		}
		return c.Publish(func(s *Server) { s.Address = "127.0.0.1:1" })
	}
	c, err := r.ClaimProgram()
	if err == nil {
		_, err = serve(c, arg)
	}
	return err
}

// start runs this program in a process of its own until it is ready, and returns what kills it.
func start(t *testing.T, what, registry, arg string) (kill func()) {
	t.Helper()
	cmd := exec.Command(os.Args[0], registry, arg)
	cmd.Env = append(os.Environ(), "DISCOVERY_TEST="+what)
	out, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill = sync.OnceFunc(func() {
		_ = cmd.Process.Kill() // it has not ended before: it waits
		_ = cmd.Wait()
	})
	t.Cleanup(kill)
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "ready\n" {
		t.Fatalf("the process says %q, %v", line, err)
	}
	return kill
}

func open(t *testing.T, dir string) *Registry {
	t.Helper()
	r, err := OpenIn(dir, slog.New(slog.NewTextHandler(t.Output(), nil)))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// claimed claims a name that is free.
func claimed(t *testing.T, r *Registry, name, socket string) *Claim {
	t.Helper()
	c, err := r.Claim(name, socket)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func release(t *testing.T, c *Claim) {
	t.Helper()
	if err := c.Release(); err != nil {
		t.Error(err)
	}
}

// folder is an empty registry folder.
func folder(t *testing.T) string { return filepath.Join(t.TempDir(), "servers") }

func left(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestClaims(t *testing.T) {
	dir := folder(t)
	r := open(t, dir)
	started := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	one := Server{Name: "one", PID: 1, Address: "127.0.0.1:8001", Token: "t1", Workspaces: []string{"/a"}, Started: started.Add(time.Second)}
	two := Server{Name: "two", PID: 2, Address: "127.0.0.1:8002", Dir: "/b", Pages: "127.0.0.1:8003", Started: started}
	first := claimed(t, r, "one", "")
	second := claimed(t, r, "two", "")
	if list := r.List(); list != nil {
		t.Errorf("before they publish anything: %+v", list)
	}
	for claim, s := range map[*Claim]Server{first: one, second: two} {
		if err := claim.Publish(func(to *Server) { *to = s }); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]Server{two, one}, open(t, dir).List()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if s, ok := r.Find("one"); !ok || s.Token != "t1" {
		t.Errorf("Find = %+v, %v", s, ok)
	}
	if _, err := open(t, dir).Claim("one", ""); fault.KindOf(err) != fault.Exists {
		t.Errorf("a name that is taken: %v", err)
	}
	release(t, first)
	if diff := cmp.Diff([]Server{two}, r.List()); diff != "" {
		t.Errorf("after one has left: -want +got:\n%s", diff)
	}
	again := claimed(t, r, "one", "")
	for _, c := range []*Claim{again, second} {
		release(t, c)
	}
	if names := left(t, dir); names != nil {
		t.Errorf("left: %v", names)
	}
	for _, name := range []string{"", "../up", "a/b", ".hidden", "a.b", "a:b"} {
		if _, err := r.Claim(name, ""); fault.KindOf(err) != fault.Invalid {
			t.Errorf("Claim(%q) = %v", name, err)
		}
	}
}

// A server of a newer version is not used, and keeps its name and its files.
func TestNewerDocument(t *testing.T) {
	dir := folder(t)
	r := open(t, dir)
	claim := claimed(t, r, "one", "")
	if err := claim.Publish(func(s *Server) { s.PID = 1 }); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "one.json")
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	newer := strings.Replace(string(content), `"format":1`, `"format":2`, 1)
	if err := os.WriteFile(file, []byte(newer), 0o600); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	other, err := OpenIn(dir, slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	if list := other.List(); list != nil || !strings.Contains(log.String(), "update this program") {
		t.Errorf("listed %+v, log %s", list, log.String())
	}
	if _, err := other.Claim("one", ""); fault.KindOf(err) != fault.Exists {
		t.Errorf("its name: %v", err)
	}
	if got, err := os.ReadFile(file); string(got) != newer {
		t.Errorf("its file: %s, %v", got, err)
	}
	release(t, claim)
}

// A killed server is not listed, its files are removed, and its name is free, even if another
// process has its process ID: the lock decides, not the number.
func TestKilled(t *testing.T) {
	dir := folder(t)
	kill := start(t, "claim", dir, "victim")
	r := open(t, dir)
	if s, ok := r.Find("victim"); !ok || s.Address != "127.0.0.1:1" {
		t.Fatalf("Find = %+v, %v", s, ok)
	}
	kill()
	content, err := json.Marshal(Server{PID: os.Getpid(), Address: "127.0.0.1:1"})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "reused.json"), content, 0o600); err != nil {
		t.Fatal(err)
	}
	if list := r.List(); list != nil {
		t.Errorf("List = %+v", list)
	}
	if names := left(t, dir); names != nil {
		t.Errorf("left: %v", names)
	}
	c := claimed(t, r, "victim", "")
	release(t, c)
}

// A killed server is not found in place of the one that has its name now, but has not published.
func TestClaimAfterKill(t *testing.T) {
	dir := folder(t)
	kill := start(t, "claim", dir, "victim")
	r := open(t, dir)
	if _, ok := r.Find("victim"); !ok {
		t.Fatal("it is not found while it runs")
	}
	kill()
	c := claimed(t, r, "victim", "")
	if s, ok := r.Find("victim"); ok {
		t.Errorf("the killed server is found: %+v", s)
	}
	if !r.Held("victim") {
		t.Error("the name is free")
	}
	if err := c.Publish(func(s *Server) { s.PID = 7 }); err != nil {
		t.Fatal(err)
	}
	if s, ok := r.Find("victim"); !ok || s.PID != 7 {
		t.Errorf("Find = %+v, %v", s, ok)
	}
	release(t, c)
	// A server of an earlier version publishes without a format.
	c = claimed(t, r, "victim", "")
	defer release(t, c)
	if err := r.folder.Put("victim", []byte(`{"pid":8}`)); err != nil {
		t.Fatal(err)
	}
	if s, ok := r.Find("victim"); !ok || s.PID != 8 {
		t.Errorf("of an earlier version: %+v, %v", s, ok)
	}
}

// Of many that claim and release one name at once, at most one has it at a time.
func TestOneHolder(t *testing.T) {
	dir := folder(t)
	var mu sync.Mutex
	holders, had := 0, 0
	count := func(change int) {
		mu.Lock()
		defer mu.Unlock()
		if holders += change; holders > 1 {
			t.Errorf("%d have the name", holders)
		}
		had += max(change, 0)
	}
	var all sync.WaitGroup
	for range 4 {
		r := open(t, dir)
		all.Go(func() {
			for range 50 {
				c, err := r.Claim("name", "")
				if fault.KindOf(err) == fault.Exists {
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				if err := c.Publish(func(s *Server) { s.PID = 1 }); err != nil {
					t.Error(err)
				}
				count(1)
				r.List()
				count(-1)
				release(t, c)
			}
		})
	}
	all.Wait()
	if had == 0 {
		t.Error("nobody ever had the name")
	}
}

func TestPrivateFolder(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("folders have no modes here")
	}
	base := t.TempDir()
	loose := filepath.Join(base, "loose")
	if err := os.Mkdir(loose, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(loose, 0o770); err != nil {
		t.Fatal(err)
	}
	real, link := filepath.Join(base, "real"), filepath.Join(base, "link")
	if err := os.Mkdir(real, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	dirs := []string{loose, link}
	if os.Geteuid() == 0 {
		foreign := filepath.Join(base, "foreign")
		if err := os.Mkdir(foreign, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chown(foreign, 12345, -1); err != nil {
			t.Fatal(err)
		}
		dirs = append(dirs, foreign)
	}
	for _, dir := range dirs {
		if _, err := OpenIn(dir, slog.New(slog.DiscardHandler)); fault.KindOf(err) != fault.Precondition {
			t.Errorf("OpenIn(%s) = %v", dir, err)
		}
	}
}

// serve has a program listen at two ports and run the app of a directory.
func serve(c *Claim, dir string) (*served, error) {
	s := &served{}
	for range 2 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		s.listeners = append(s.listeners, l)
	}
	pages, agent := s.listeners[0].Addr(), s.listeners[1].Addr()
	err := c.Publish(func(s *Server) { s.Address = agent.String() })
	if err != nil {
		return nil, err
	}
	if s.ports, err = (Server{Pages: pages.String(), Address: agent.String()}.ports()); err != nil {
		return nil, err
	}
	s.leave, err = c.Serve(dir, pages, agent)
	return s, err
}

type served struct {
	listeners []net.Listener
	ports     map[string]int
	leave     func()
}

// newServed is a program that runs the app of a directory, a second younger than the one before. If
// r is nil, nobody can find it.
func newServed(t *testing.T, r *Registry, dir string) *served {
	t.Helper()
	born = born.Add(time.Second)
	s, err := serve(claimOne(t, r, born), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.end)
	return s
}

var born = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// claimOne is a program that has started at a time.
func claimOne(t *testing.T, r *Registry, started time.Time) *Claim {
	t.Helper()
	if r == nil {
		return Alone(slog.New(slog.NewTextHandler(t.Output(), nil)))
	}
	c, err := r.ClaimProgram()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		release(t, c)
	})
	c.self.Started = started
	return c
}

// end ends it in order.
func (s *served) end() {
	s.leave()
	for _, l := range s.listeners {
		_ = l.Close() // perhaps again
	}
}

// portsIn returns what the port files of a directory hold.
func portsIn(dir string) map[string]int {
	ports := map[string]int{PagesPortFile: ReadPort(filepath.Join(dir, PagesPortFile)), AgentPortFile: ReadPort(filepath.Join(dir, AgentPortFile))}
	maps.DeleteFunc(ports, func(_ string, port int) bool { return port == 0 })
	return ports
}

// The port files name the newest server; one that ends hands them back, and removes only its own.
func TestPortFiles(t *testing.T) {
	for name, ends := range map[string][]int{
		"the newest first": {2, 1, 0},
		"the oldest first": {0, 1, 2},
		"the middle first": {1, 2, 0},
	} {
		t.Run(name, func(t *testing.T) {
			r, dir := open(t, folder(t)), t.TempDir()
			all := []*served{newServed(t, r, dir), newServed(t, r, dir), newServed(t, r, dir)}
			running := []bool{true, true, true}
			for _, ending := range ends {
				var newest *served
				for i, on := range running {
					if on {
						newest = all[i]
					}
				}
				if got := portsIn(dir); !maps.Equal(got, newest.ports) {
					t.Errorf("the files name %v, want %v", got, newest.ports)
				}
				all[ending].end()
				running[ending] = false
			}
			if got := portsIn(dir); len(got) > 0 {
				t.Errorf("nobody is left, and the files name %v", got)
			}
		})
	}
}

// Even without a registry, a server does not remove the files of a later one.
func TestPortFilesAlone(t *testing.T) {
	dir := t.TempDir()
	one := newServed(t, nil, dir)
	two := newServed(t, nil, dir)
	one.end()
	if got := portsIn(dir); !maps.Equal(got, two.ports) {
		t.Errorf("the files name %v, want %v", got, two.ports)
	}
	two.end()
	if got := portsIn(dir); len(got) > 0 {
		t.Errorf("the files name %v", got)
	}
}

// A directory is the same one by any path that leads to it.
func TestSameDirectory(t *testing.T) {
	r, dir := open(t, folder(t)), t.TempDir()
	newServed(t, r, dir)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Skip(err)
	}
	if all := r.ListIn(link); len(all) != 1 {
		t.Errorf("by a link: %+v", all)
	}
	if ProjectName(filepath.Join(link, "a", "b")) != ProjectName(filepath.Join(dir, "a", "b")) {
		t.Error("a folder that is not there yet is another one by a link")
	}
	if all := r.ListIn(t.TempDir()); len(all) != 0 {
		t.Errorf("elsewhere: %+v", all)
	}
}
