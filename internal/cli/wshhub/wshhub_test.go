package wshhub_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/wshhub"
	"ui-mcp/internal/environ"
	"ui-mcp/internal/fleet/hub"
	"ui-mcp/internal/listen"
	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/wait"
)

// What a hub does is tested in fleet/hubserver, and with the commands about it in cli/wsh.
func TestMistakes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	vars := environ.Variables{"HOME=" + dir, "USERPROFILE=" + dir, "AppData=" + dir, "XDG_CONFIG_HOME=" + dir, "XDG_RUNTIME_DIR=" + dir}
	for _, tt := range []struct {
		args   string
		status int
		want   string
	}{
		{"--version", 0, "wsh-hub v0.1.0\n"},
		{"--help", 0, "--max-connections"},
		{"--listen 0.0.0.0:0", 2, "certificate"},
		{"--listen nonsense", 2, "port"},
		{"--tls-cert x", 2, "belong together"},
		{"--tls-cert x --tls-key y", 2, "--tls-cert and --tls-key"},
		{"list", 2, "unexpected argument"},
		{"--nonsense", 2, "unknown flag"},
	} {
		var out bytes.Buffer
		if status := wshhub.Run(t.Context(), "0.1.0", strings.Fields(tt.args), vars, commandline.Streams{Out: &out, Err: &out}); status != tt.status || !strings.Contains(out.String(), tt.want) {
			t.Errorf("wsh-hub %s: %d, %s", tt.args, status, out.String())
		}
	}
}

// Commands reach a hub again whose socket was removed, with its folder.
func TestSocketIsRemoved(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	vars := environ.Variables{"HOME=" + dir, "USERPROFILE=" + dir, "AppData=" + dir, "XDG_CONFIG_HOME=" + dir, "XDG_RUNTIME_DIR=" + dir}
	socket, err := hub.Socket(vars)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan int, 1)
	var out testkit.Log
	go func() {
		ended <- wshhub.Run(ctx, "0.1.0", []string{"--listen", "127.0.0.1:0"}, vars, commandline.Streams{Out: &out, Err: &out})
	}()
	answers := func() bool {
		conn, err := listen.Dial(socket)
		if err == nil {
			_ = conn.Close()
		}
		return err == nil
	}
	wait.Until(t, "the hub serves", func() bool { return strings.Contains(out.String(), "Hosts reach this hub") })
	if err := os.RemoveAll(filepath.Dir(socket)); err != nil {
		t.Fatal(err)
	}
	wait.Until(t, "the hub answers again", answers)
	stop()
	if status := wait.For(t, "the end", ended); status != 0 {
		t.Errorf("status %d: %s", status, out.String())
	}
}
