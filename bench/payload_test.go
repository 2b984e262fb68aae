//go:build linux

package bench

import (
	"os"
	"path/filepath"
	"sync"

	"ui-mcp/internal/testkit/flood"
)

// termFlood is the size of each flood in bytes, rounded down to whole lines.
const termFlood = 100_000_000

// A payload is program output in a file.
type payload struct {
	path  string
	bytes int
}

// termPayloads writes the payloads to files, once.
var termPayloads = sync.OnceValues(func() (map[string]payload, error) {
	list := map[string]payload{}
	for _, name := range []string{"plain", "colour", "unicode"} {
		output := flood.Make(name, termFlood, "\n")
		p := payload{filepath.Join(scratch, name+".flood"), len(output)}
		list[name] = p
		if err := os.WriteFile(p.path, output, 0o600); err != nil {
			return nil, err
		}
	}
	return list, nil
})
