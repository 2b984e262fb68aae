package keys_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/nats-io/nkeys"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet/keys"
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
