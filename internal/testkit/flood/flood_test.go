package flood_test

import (
	"bytes"
	"testing"

	"ui-mcp/internal/testkit/flood"
)

// Benchmarks compare only what they were given alike: the same output each time, in
// whole lines, and nearly as much as was asked for.
func TestMake(t *testing.T) {
	const size = 100_000
	for _, name := range flood.Names {
		b := flood.Make(name, size, "\r\n")
		if !bytes.Equal(b, flood.Make(name, size, "\r\n")) {
			t.Errorf("%s differs from time to time", name)
		}
		if len(b) > size || len(b) < size-4096 {
			t.Errorf("%s has %d bytes", name, len(b))
		}
		if name != "cursor" && !bytes.HasSuffix(b, []byte("\r\n")) {
			t.Errorf("%s ends in a line", name)
		}
	}
}
