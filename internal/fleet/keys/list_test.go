package keys_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet/keys"
)

func TestList(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hub.json")
	l, err := keys.OpenList(path)
	if err != nil || len(l.All()) != 0 {
		t.Fatalf("%v, %v", l.All(), err)
	}
	a, b := open(t).ID(), open(t).ID()
	since := time.Now().UTC().Truncate(time.Second)
	for _, e := range []keys.Entry{
		{Key: b, Name: "second", Role: keys.Desk, Since: since},
		{Key: a, Name: "first", Role: keys.Desk, Since: since},
		{Key: a, Role: keys.Worker, Since: since}, // keeps its name
		{Key: b, Name: "second", Role: keys.Desk, Mutual: true, Since: since},
	} {
		if err := l.Accept(e); err != nil {
			t.Fatal(err)
		}
	}
	want := []keys.Entry{{Key: a, Name: "first", Role: keys.Worker, Since: since}, {Key: b, Name: "second", Role: keys.Desk, Mutual: true, Since: since}}
	again, err := keys.OpenList(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range []*keys.List{l, again} {
		if d := cmp.Diff(want, l.All()); d != "" {
			t.Error(d)
		}
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if err := l.Accept(keys.Entry{Key: open(t).ID(), Name: "FIRST", Role: keys.Worker}); fault.KindOf(err) != fault.Exists || !strings.Contains(err.Error(), a) {
		t.Errorf("a name that another host has: %v", err)
	}
	if err := l.Withdraw(a); err != nil {
		t.Fatal(err)
	}
	if err := l.Withdraw(a); fault.KindOf(err) != fault.NotFound {
		t.Errorf("twice: %v", err)
	}
	if again, err = keys.OpenList(path); err != nil || cmp.Diff(want[1:], again.All()) != "" {
		t.Errorf("%v, %v", again.All(), err)
	}
	if e, ok := again.Get(a); ok {
		t.Errorf("%v is still accepted", e)
	}
}

func TestListRefuses(t *testing.T) {
	l, err := keys.OpenList(filepath.Join(t.TempDir(), "hub.json"))
	if err != nil {
		t.Fatal(err)
	}
	id := open(t).ID()
	for _, e := range []keys.Entry{
		{Key: id, Name: "a"}, {Key: id, Name: "a", Role: "owner"}, {Key: id, Name: "a", Role: keys.Worker, Mutual: true},
		{Key: id, Name: "a.b", Role: keys.Worker}, {Key: id, Name: "*", Role: keys.Worker}, {Key: id, Name: "a b", Role: keys.Worker}, {Key: id, Name: id, Role: keys.Worker},
		{Key: "U", Name: "a", Role: keys.Desk}, {Key: "*", Name: "a", Role: keys.Desk}, {Key: id + ".>", Name: "a", Role: keys.Desk},
	} {
		if err := l.Accept(e); fault.KindOf(err) != fault.Invalid {
			t.Errorf("%v: %v", e, err)
		}
	}
	if err := l.Accept(keys.Entry{Key: id, Role: keys.Worker}); fault.KindOf(err) != fault.Precondition {
		t.Errorf("without a name: %v", err)
	}
	if list := l.All(); len(list) != 0 {
		t.Errorf("%v", list)
	}
}

// Whatever a host claims, its name is one token of a subject, and harmless.
func TestName(t *testing.T) {
	id := open(t).ID()
	for claimed, want := range map[string]string{
		"build1": "build1", "build1.example.com": "build1-example-com", "": "host", "-rf": "host-rf", "..": "host--", "a/b": "a_b", "a\x1b[31mb": "a__31mb",
		"a*.>": "a_-_", id: "host" + id, strings.ToLower(id): "host" + strings.ToLower(id),
	} {
		if got := keys.Name(claimed); got != want || keys.Name(got) != got {
			t.Errorf("%q: %q, want %q", claimed, got, want)
		}
	}
	if got := keys.Name(strings.Repeat("a", 1000)); len(got) != keys.MaxName {
		t.Errorf("%d bytes", len(got))
	}
}

// A change that cannot be kept is not made, and one that withdraws is.
func TestListCannotBeWritten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	l, err := keys.OpenList(filepath.Join(dir, "hub.json"))
	if err != nil {
		t.Fatal(err)
	}
	a, b := open(t).ID(), open(t).ID()
	if err := l.Accept(keys.Entry{Key: a, Name: "a", Role: keys.Worker}); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	for _, e := range []keys.Entry{{Key: a, Role: keys.Desk}, {Key: b, Name: "b", Role: keys.Desk}} {
		if err := l.Accept(e); err == nil {
			t.Errorf("%v was kept", e)
		}
	}
	if list := l.All(); len(list) != 1 || list[0].Role != keys.Worker {
		t.Errorf("%v", list)
	}
	if err := l.Withdraw(a); err == nil || !strings.Contains(err.Error(), "until") {
		t.Errorf("%v", err)
	}
	if _, ok := l.Get(a); ok {
		t.Error("it is still accepted")
	}
}

// A list that is newer, or broken, is neither used nor changed.
func TestListStays(t *testing.T) {
	id := open(t).ID()
	for _, content := range []string{
		fmt.Sprintf(`{"format":3,"hosts":[{"key":%q,"name":"a","role":"worker"}]}`, id),
		fmt.Sprintf(`{"format":2,"hosts":[{"key":%q,"name":"a","role":"everything"}]}`, id),
		`{"format":2,"hosts":[{"key":"x","name":"a","role":"worker"}]}`,
		`{"format":1,"hosts"`, ``,
		fmt.Sprintf(`{"format":1,"hosts":[{"key":%q,"name":"a","allow":"answer"}]}`, id), // which knew no roles
	} {
		path := filepath.Join(t.TempDir(), "hub.json")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if l, err := keys.OpenList(path); fault.KindOf(err) != fault.Precondition {
			t.Errorf("%s: %v, %v", content, l, err)
		}
	}
}
