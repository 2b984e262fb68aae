package version

import "testing"

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
