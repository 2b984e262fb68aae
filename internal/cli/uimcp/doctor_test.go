package uimcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/doctor"
)

// The doctor finds a running server, its app and its version.
func TestDoctorFindsServers(t *testing.T) {
	p, pages, agent := newRunning(t)
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	var out, errs bytes.Buffer
	Run(t.Context(), "0.1.0", []string{"doctor", "--json"}, commandline.Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
	var checks []doctor.Check
	if err := json.Unmarshal(out.Bytes(), &checks); err != nil || errs.Len() > 0 {
		t.Fatalf("%v: %s%s", err, out.String(), errs.String())
	}
	want := doctor.Check{Subject: "server", State: doctor.OK, Text: fmt.Sprintf("ui-mcp, process %d, shows %s at %s, and serves agents at %s, version %s", os.Getpid(), p.Dir(), pages, agent, p.Status(t.Context()).Version)}
	var found []doctor.Check
	for _, c := range checks {
		if c.Subject == "server" {
			found = append(found, c)
		}
	}
	if len(found) != 1 || found[0] != want {
		t.Errorf("servers:\n%q, want\n%q", found, want)
	}
}
