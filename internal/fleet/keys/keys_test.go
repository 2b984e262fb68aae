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
	"github.com/nats-io/nkeys"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet/keys"
	"ui-mcp/internal/terminals"
)

func open(t *testing.T) *keys.Own {
	t.Helper()
	o, err := keys.Open(filepath.Join(t.TempDir(), "key"))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "host.key")
	first, err := keys.Open(path)
	if err != nil || !keys.Valid(first.ID()) {
		t.Fatalf("%v, %v", first, err)
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if again, err := keys.Open(path); err != nil || again.ID() != first.ID() {
		t.Errorf("again: %v, %v", again, err)
	}
	if other := open(t); other.ID() == first.ID() {
		t.Error("another host has the same key")
	}
}

// A malformed file stays as it is, and is not replaced by one with another key.
func TestOpenRefuses(t *testing.T) {
	account, err := nkeys.CreateAccount()
	if err != nil {
		t.Fatal(err)
	}
	seed, err := account.Seed()
	if err != nil {
		t.Fatal(err)
	}
	for content, kind := range map[string]fault.Kind{
		`{"format":2,"seed":"SUAMK2FG4MI6UE3ACF3FK3OIQBCEIEZV7NSWFFEW63UXMRLFM2XLAXK4GY"}`: fault.Precondition,
		`{"format":1,"seed":"x"}`: fault.Precondition,
		`{"format":1}`:            fault.Precondition,
		`secret`:                  fault.Precondition,
		``:                        fault.Precondition,
		// The seed of an account, not of a user.
		fmt.Sprintf(`{"format":1,"seed":%q}`, seed): fault.Precondition,
	} {
		path := filepath.Join(t.TempDir(), "host.key")
		if err := os.WriteFile(path, []byte(content+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if o, err := keys.Open(path); err == nil || fault.KindOf(err) != kind || strings.Contains(err.Error(), "seed") {
			t.Errorf("%s: %v, %v", content, o, err)
		}
		if after, err := os.ReadFile(path); err != nil || string(after) != content+"\n" {
			t.Errorf("%s is %q now, %v", content, after, err)
		}
	}
}

// Nobody but its owner may be able to read the key.
func TestOpenReadable(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no modes")
	}
	path := filepath.Join(t.TempDir(), "host.key")
	if _, err := keys.Open(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if o, err := keys.Open(path); err == nil || !strings.Contains(err.Error(), "0600") {
		t.Errorf("%v, %v", o, err)
	}
}

func TestList(t *testing.T) {
	path := filepath.Join(t.TempDir(), "accepted.json")
	l, err := keys.OpenList(path)
	if err != nil || len(l.All()) != 0 {
		t.Fatalf("%v, %v", l.All(), err)
	}
	a, b := open(t).ID(), open(t).ID()
	since := time.Now().UTC().Truncate(time.Second)
	for _, e := range []keys.Entry{
		{Key: b, Name: "second\x1b[31m", Allow: keys.Manage, Since: since},
		{Key: a, Name: "first", Allow: keys.Type, Since: since},
		{Key: a, Allow: keys.Look, Since: since}, // keeps its name
	} {
		if err := l.Accept(e); err != nil {
			t.Fatal(err)
		}
	}
	want := []keys.Entry{{Key: a, Name: "first", Allow: keys.Look, Since: since}, {Key: b, Name: "second_[31m", Allow: keys.Manage, Since: since}}
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
	l, err := keys.OpenList(filepath.Join(t.TempDir(), "accepted.json"))
	if err != nil {
		t.Fatal(err)
	}
	id := open(t).ID()
	for _, e := range []keys.Entry{{Key: id}, {Key: id, Allow: "administer"}, {Key: "U", Allow: keys.Look}, {Key: "*", Allow: keys.Look}, {Key: id + ".>", Allow: keys.Look}} {
		if err := l.Accept(e); fault.KindOf(err) != fault.Invalid {
			t.Errorf("%v: %v", e, err)
		}
	}
	if all := l.All(); len(all) != 0 {
		t.Errorf("%v", all)
	}
}

// A change that cannot be kept is not made, and one that withdraws is.
func TestListCannotBeWritten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	l, err := keys.OpenList(filepath.Join(dir, "accepted.json"))
	if err != nil {
		t.Fatal(err)
	}
	a, b := open(t).ID(), open(t).ID()
	if err := l.Accept(keys.Entry{Key: a, Allow: keys.Look}); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	for _, e := range []keys.Entry{{Key: a, Allow: keys.Manage}, {Key: b, Allow: keys.Manage}} {
		if err := l.Accept(e); err == nil {
			t.Errorf("%v was kept", e)
		}
	}
	if all := l.All(); len(all) != 1 || all[0].Allow != keys.Look {
		t.Errorf("%v", all)
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
		fmt.Sprintf(`{"format":2,"hosts":[{"key":%q,"allow":"look"}]}`, id),
		fmt.Sprintf(`{"format":1,"hosts":[{"key":%q,"allow":"everything"}]}`, id),
		`{"format":1,"hosts":[{"key":"x","allow":"look"}]}`,
		`{"format":1,"hosts"`, ``,
	} {
		path := filepath.Join(t.TempDir(), "accepted.json")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if l, err := keys.OpenList(path); fault.KindOf(err) != fault.Precondition {
			t.Errorf("%s: %v, %v", content, l, err)
		}
	}
}

// The levels are ordered, and none allows to administer.
func TestLevels(t *testing.T) {
	before := terminals.Right(0)
	for _, l := range keys.Levels {
		r := l.Rights()
		if r&before != before || (r == before) != (l == keys.None) || r&terminals.Administer != 0 || (r&terminals.Read == 0) != (l == keys.None) {
			t.Errorf("%s allows to %s, the level below to %s", l, r, before)
		}
		if got := keys.LevelOf(r | terminals.Administer); got != l {
			t.Errorf("the rights of %s are the level %s", l, got)
		}
		before = r
	}
}
