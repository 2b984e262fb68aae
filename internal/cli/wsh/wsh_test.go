package wsh

import (
	"bytes"
	"strings"
	"testing"
)

func TestRun(t *testing.T) {
	for _, tt := range []struct {
		args   string
		status int
		out    string // a part of it
		errs   string
	}{
		{"--version", 0, "wsh v0.1.0\n", ""},
		{"version", 0, "wsh v0.1.0\n", ""},
		{"--help", 0, "terminal sessions", ""},
		{"", 1, "", "not in this version yet"},
		{"run ls", 1, "", "not in this version yet"},
		{"version 2", 1, "", "not in this version yet"},
	} {
		var out, errs bytes.Buffer
		status := Run("0.1.0", strings.Fields(tt.args), &out, &errs)
		if status != tt.status || !strings.Contains(out.String(), tt.out) || !strings.Contains(errs.String(), tt.errs) {
			t.Errorf("wsh %s: status %d, output %q, errors %q", tt.args, status, out.String(), errs.String())
		}
		if (out.Len() > 0) == (errs.Len() > 0) {
			t.Errorf("wsh %s writes to both streams or none: %q, %q", tt.args, out.String(), errs.String())
		}
	}
}
