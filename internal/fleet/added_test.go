package fleet_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit"
)

// Adding the same server twice is an error, also at the same time, and removing ends what goes on.
func TestAddAndRemove(t *testing.T) {
	n := newNetwork()
	n.start(t, "b", newEmpty(t, "s"))
	f := newFleet(t, n)
	var added, known int
	var mu sync.Mutex
	var adding sync.WaitGroup
	for range 8 {
		adding.Go(func() {
			_, err := f.Add(t.Context(), terminals.NewServer{Address: "mem://b"})
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				added++
			} else if fault.DetailOf(err) == terminals.ServerRegistered && fault.KindOf(err) == fault.Exists {
				known++
			}
		})
	}
	adding.Wait()
	if added != 1 || known != 7 {
		t.Errorf("%d were added, %d were known", added, known)
	}
	for _, in := range []terminals.NewServer{{Address: "http://b"}, {Address: "mem://c", Hostname: "a/b"}} {
		if _, err := f.Add(t.Context(), in); fault.KindOf(err) != fault.Invalid {
			t.Errorf("%+v: %v", in, err)
		}
	}
	await(t, f, "b", terminals.Healthy)
	for _, name := range []string{"b", "here"} {
		if _, err := f.Add(t.Context(), terminals.NewServer{Address: "mem://c", Hostname: name}); fault.DetailOf(err) != terminals.ServerRegistered {
			t.Errorf("a second %s: %v", name, err)
		}
	}
	r := f.Over(newEmpty(t))
	if err := f.Remove(t.Context(), "b"); err != nil {
		t.Fatal(err)
	}
	if err := f.Remove(t.Context(), "b"); fault.DetailOf(err) != terminals.ServerNotFound {
		t.Errorf("removed twice: %v", err)
	}
	if _, err := terminals.GetSession.Do(t.Context(), r, terminals.Everything, terminals.Target{Session: "b/s"}); fault.DetailOf(err) != terminals.ServerNotFound {
		t.Errorf("a session of a removed host: %v", err)
	}
}

// A server that cannot be used may be added again, with the same or another token or name. What it
// was is forgotten.
func TestAddAgain(t *testing.T) {
	n := newNetwork()
	b := n.start(t, "b", newEmpty(t, "s"))
	b.token = "right"
	f := newFleet(t, n)
	for _, in := range []terminals.NewServer{{Address: "mem://b", Token: "wrong"}, {Address: "mem://b", Token: "wrong", Hostname: "x"}, {Address: "mem://b", Token: "wrong", Hostname: "x"}} {
		if _, err := f.Add(t.Context(), in); err != nil {
			t.Fatal(err)
		}
		await(t, f, "mem://b", terminals.Unavailable)
	}
	if _, err := f.Add(t.Context(), terminals.NewServer{Address: "mem://b", Token: "right", Hostname: "y"}); err != nil {
		t.Fatal(err)
	}
	await(t, f, "y", terminals.Healthy)
	if list := f.List(terminals.Everything); len(list) != 1 {
		t.Errorf("%+v", list)
	}
	if _, err := f.Add(t.Context(), terminals.NewServer{Address: "mem://b", Token: "right", Hostname: "z"}); fault.DetailOf(err) != terminals.ServerRegistered {
		t.Errorf("one that works is added again: %v", err)
	}
}

// Hosts that were added are there after a restart, with the names that they had, and their tokens
// are nowhere but in the file.
func TestKept(t *testing.T) {
	n := newNetwork()
	b := n.start(t, "b", newEmpty(t, "s"))
	b.token = "secret-token-of-b"
	file := filepath.Join(t.TempDir(), "wsh", "default.servers.json")
	var log testkit.Log
	open := func() *fleet.Fleet {
		f := fleet.New(fleet.Options{Name: "here", ID: "id-here", Dialer: n, File: file, Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
		t.Cleanup(f.Close)
		return f
	}
	f := open()
	var shown []terminals.KnownServer
	s, err := f.Add(t.Context(), terminals.NewServer{Address: "mem://b", Token: b.token})
	if err != nil {
		t.Fatal(err)
	}
	shown = append(shown, s, await(t, f, "b", terminals.Healthy))
	var adding sync.WaitGroup
	for i := range 8 {
		adding.Go(func() {
			if _, err := f.Add(t.Context(), terminals.NewServer{Address: fmt.Sprintf("mem://down%d", i), Hostname: fmt.Sprintf("d%d", i)}); err != nil {
				t.Error(err)
			}
		})
	}
	adding.Wait()
	if info, err := os.Stat(file); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the file: %v, %v", info, err)
	}
	_, err = f.Add(t.Context(), terminals.NewServer{Address: "mem://b", Token: b.token})
	shown = append(shown, f.List(terminals.Everything)...)
	f.Close()
	n.cut(b)
	f = open()
	if list := f.List(terminals.Everything); len(list) != 9 || !slices.ContainsFunc(list, func(s terminals.KnownServer) bool { return s.Hostname == "b" }) {
		t.Errorf("after a restart: %+v", list)
	}
	if err := f.Remove(t.Context(), "b"); err != nil {
		t.Fatal(err)
	}
	f.Close()
	if list := open().List(terminals.Everything); len(list) != 8 {
		t.Errorf("after removing one: %+v", list)
	}
	text, jsonErr := json.Marshal(shown)
	if jsonErr != nil {
		t.Fatal(jsonErr)
	}
	if all := string(text) + log.String() + err.Error(); strings.Contains(all, b.token) {
		t.Errorf("the token is shown: %s", all)
	}
}

// A file of a newer version, or one that cannot be read, stays as it is.
func TestKeepNewerFile(t *testing.T) {
	for _, content := range []string{`{"format":2,"servers":[{"address":"mem://b"}]}`, "no JSON"} {
		n := newNetwork()
		n.start(t, "b", newEmpty(t))
		file := filepath.Join(t.TempDir(), "servers.json")
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		var log testkit.Log
		f := fleet.New(fleet.Options{Name: "here", ID: "id-here", Dialer: n, File: file, Log: slog.New(slog.NewTextHandler(&log, nil)), Configured: []terminals.NewServer{{Address: "mem://b"}}})
		await(t, f, "b", terminals.Healthy)
		if _, err := f.Add(t.Context(), terminals.NewServer{Address: "mem://c"}); fault.KindOf(err) != fault.Precondition || !strings.Contains(log.String(), "servers.json") {
			t.Errorf("%s: %v; log: %s", content, err, log.String())
		}
		if err := f.Remove(t.Context(), "b"); err != nil { // which the file does not keep
			t.Error(err)
		}
		f.Close()
		if got, err := os.ReadFile(file); err != nil || string(got) != content {
			t.Errorf("the file is %s, %v", got, err)
		}
	}
}
