//go:build !hub

package wsh

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/fleet/keys"
)

// A program without a hub says how to get one, and what else does the same.
func TestNoHub(t *testing.T) {
	t.Parallel()
	runtimeDir(t)
	setenv(t, "XDG_CONFIG_HOME", t.TempDir())
	for args, want := range map[string]string{"hub": "-tags hub", "hub list": "no hub of this user is running"} {
		var out, errs bytes.Buffer
		status := Run(t.Context(), "0.1.0", strings.Fields(args), vars(t), commandline.Streams{Out: &out, Err: &errs})
		if status != 1 || out.Len() > 0 || !strings.Contains(errs.String(), want) {
			t.Errorf("wsh %s: %d, %s%s", args, status, out.String(), errs.String())
		}
	}
	// The settings for nats-server need no hub.
	own, err := keys.Open(filepath.Join(t.TempDir(), "host.key"))
	if err != nil {
		t.Fatal(err)
	}
	key := own.ID()
	var out, errs bytes.Buffer
	if status := Run(t.Context(), "0.1.0", []string{"hub", "config", "build1=" + key + "=worker"}, vars(t), commandline.Streams{Out: &out, Err: &errs}); status != 0 || !strings.Contains(out.String(), "nkey: "+key) {
		t.Errorf("%d, %s%s", status, out.String(), errs.String())
	}
}
