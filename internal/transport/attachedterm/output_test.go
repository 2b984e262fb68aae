package attachedterm

import (
	"bytes"
	"strings"
	"testing"

	"ui-mcp/internal/transport/socketwire"
)

// A sink is a connection that keeps what is written.
type sink struct {
	Conn
	frames [][]byte
}

func (s *sink) Write(_ socketwire.Kind, content []byte) error {
	s.frames = append(s.frames, bytes.Clone(content))
	return nil
}

// Output that is too long for a frame is sent in several, none of which cuts a sequence.
func TestLongOutput(t *testing.T) {
	link := "\x1b]8;;https://" + strings.Repeat("x", 2000) + "\x1b\\a"
	for name, output := range map[string]string{
		"nothing":       "",
		"a picture":     strings.Repeat(link, 3),
		"many links":    strings.Repeat(link, 10_000),
		"text":          strings.Repeat("x", 9<<20),
		"text at first": strings.Repeat("x", 5<<20) + strings.Repeat(link, 5000),
	} {
		var s sink
		c := client{Conn: &s}
		if err := c.output([]byte(output)); err != nil {
			t.Fatal(err)
		}
		if got := bytes.Join(s.frames, nil); string(got) != output || c.undrawn != len(s.frames) || c.undrawn > maxUndrawn {
			t.Errorf("%s: %d bytes in %d frames, want %d; %d are not drawn", name, len(got), len(s.frames), len(output), c.undrawn)
		}
		for i, f := range s.frames {
			if len(f) > socketwire.MaxSize || i > 0 && f[0] != 0x1b && bytes.LastIndexByte(s.frames[i-1], 0x1b) > 0 {
				t.Errorf("%s: frame %d has %d bytes and begins with %q", name, i, len(f), f[:1])
			}
		}
	}
}
