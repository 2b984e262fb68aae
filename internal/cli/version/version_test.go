package version

import (
	"runtime/debug"
	"testing"
)

func TestVersion(t *testing.T) {
	for _, tt := range []struct{ version, line, number string }{
		{"0.1.0", "ui-mcp v0.1.0", "0.1.0"},
		{"v0.1.0", "ui-mcp v0.1.0", "0.1.0"},
		{"v0.1.0-3-g6163d96-dirty", "ui-mcp v0.1.0-3-g6163d96-dirty", "0.1.0-3-g6163d96-dirty"},
		{"0.1.0-rc.1", "ui-mcp v0.1.0-rc.1", "0.1.0-rc.1"},
		{"dev", "ui-mcp dev", "dev"},
		{"6163d96", "ui-mcp 6163d96", "6163d96"},
		{"1234567", "ui-mcp 1234567", "1234567"},
	} {
		if got := Line("ui-mcp", tt.version); got != tt.line {
			t.Errorf("Line(%q) = %q, want %q", tt.version, got, tt.line)
		}
		if got := Number(tt.version); got != tt.number {
			t.Errorf("Number(%q) = %q, want %q", tt.version, got, tt.number)
		}
	}
}

func TestBuilt(t *testing.T) {
	recorded := func(version string) *debug.BuildInfo { return &debug.BuildInfo{Main: debug.Module{Version: version}} }
	for _, tt := range []struct {
		linked string
		info   *debug.BuildInfo
		want   string
	}{
		{"0.1.0", recorded("v9.9.9"), "0.1.0"},
		{None, recorded("v0.2.0"), "v0.2.0"},
		{None, recorded("(devel)"), None},
		{None, recorded(""), None},
		{None, nil, None},
	} {
		if got := built(tt.linked, tt.info); got != tt.want {
			t.Errorf("built(%q, %v) = %q, want %q", tt.linked, tt.info, got, tt.want)
		}
	}
}
