package flood_test

import (
	"bytes"
	"testing"

	"ui-mcp/internal/testkit/flood"
)

// Benchmarks can only be compared if their input is the same each time, consists of whole lines and
// nearly has the requested size.
func TestMake(t *testing.T) {
	const size = 100_000
	for _, name := range flood.Names {
		b := flood.Make(name, size, "\r\n")
		if !bytes.Equal(b, flood.Make(name, size, "\r\n")) {
			t.Errorf("%s differs between two calls", name)
		}
		if len(b) > size || len(b) < size-4096 {
			t.Errorf("%s has %d bytes", name, len(b))
		}
		if name != "cursor" && !bytes.HasSuffix(b, []byte("\r\n")) {
			t.Errorf("%s ends within a line", name)
		}
	}
}
