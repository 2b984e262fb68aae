package wshhub_test

import (
	"bytes"
	"strings"
	"testing"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/wshhub"
	"ui-mcp/internal/environ"
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
