package wsh

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/wshhub"
	"ui-mcp/internal/fleet/hub"
	"ui-mcp/internal/fleet/hubconn"
	"ui-mcp/internal/fleet/keys"
	"ui-mcp/internal/testkit/wait"
)

// hubCall runs a command, and returns its status and what it has printed.
func hubCall(t *testing.T, args ...string) (status int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	status = Run(t.Context(), "0.1.0", append([]string{"hub"}, args...), vars(t), commandline.Streams{Out: &o, Err: &e})
	return status, o.String(), e.String()
}

// hubStatus returns what the running hub says.
func hubStatus(t *testing.T) (s hub.Status) {
	t.Helper()
	status, out, errs := hubCall(t, "list", "--json")
	if err := json.Unmarshal([]byte(out), &s); status != 0 || err != nil {
		t.Fatalf("status %d, %v: %s%s", status, err, out, errs)
	}
	return s
}

// A person runs a hub, sees who asks, and lets a host in and out.
func TestHub(t *testing.T) {
	t.Parallel()
	runtimeDir(t)
	setenv(t, "XDG_CONFIG_HOME", t.TempDir())
	setenv(t, "HOME", t.TempDir())
	line, stop := inBackground(t, wshhub.Run, "--listen", "127.0.0.1:0")
	address := line[strings.Index(line, "nats://"):]
	key, err := keys.Open(filepath.Join(t.TempDir(), "host.key"))
	if err != nil {
		t.Fatal(err)
	}
	up := make(chan struct{}, 10)
	var connected atomic.Bool
	link, err := hubconn.Join(hubconn.Membership{Address: address, Key: key, Name: "build1", Up: func() {
		connected.Store(true)
		up <- struct{}{}
	}, Down: func(error) { connected.Store(false) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(link.Close)
	wait.Until(t, "the host asks", func() bool {
		s := hubStatus(t)
		return len(s.Asking) == 1 && s.Asking[0].Key == key.ID() && s.Asking[0].Name == "build1"
	})
	if _, out, _ := hubCall(t, "list"); !strings.Contains(out, key.ID()) || !strings.Contains(out, "asks") {
		t.Errorf("list: %s", out)
	}
	if status, _, errs := hubCall(t, "accept", key.ID(), "--as", "desk", "--mutual"); status != 0 {
		t.Fatalf("accept: %s", errs)
	}
	wait.For(t, "the host to be let in", up)
	if s := hubStatus(t); len(s.Asking) != 0 || len(s.Members) != 1 || s.Members[0].As() != "mutual desk" || s.Members[0].Name != "build1" || !s.Members[0].Connected || s.Members[0].Since.IsZero() {
		t.Errorf("%+v", s)
	}
	if _, out, _ := hubCall(t, "config"); !strings.Contains(out, key.ID()) || !strings.Contains(out, "wsh2.card.mutual.build1."+key.ID()) {
		t.Errorf("config: %s", out)
	}
	var errs bytes.Buffer
	if status := wshhub.Run(t.Context(), "0.1.0", nil, vars(t), commandline.Streams{Out: &errs, Err: &errs}); status != 1 || !strings.Contains(errs.String(), "running already") {
		t.Errorf("a second hub: %d, %s", status, &errs)
	}
	if status, _, errs := hubCall(t, "withdraw", key.ID()); status != 0 {
		t.Fatalf("withdraw: %s", errs)
	}
	if status, _, errs := hubCall(t, "withdraw", key.ID()); status != 1 || !strings.Contains(errs, "accepted") {
		t.Errorf("twice: %d, %s", status, errs)
	}
	wait.Until(t, "the host is shut out", func() bool { return !connected.Load() })
	stop()
	if status, _, errs := hubCall(t, "list"); status != 1 || !strings.Contains(errs, "no hub") {
		t.Errorf("without a hub: %d, %s", status, errs)
	}
	if left, err := os.ReadDir(filepath.Join(vars(t).Get("XDG_CONFIG_HOME"), "wsh")); err != nil || len(left) != 1 || left[0].Name() != "hub.json" {
		t.Errorf("it leaves %v, %v", left, err)
	}
}
