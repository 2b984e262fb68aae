package term_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/pty"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/term/tty"
)

// A flood is a program that writes the same lines again and again.
type flood struct {
	*script
	rest int
}

var floodText = strings.Repeat("\x1b[32mthe quick brown fox\x1b[m jumps over the lazy dog, and the lazy dog sleeps on\r\n", 400)

func (f *flood) Read(b []byte) (int, error) {
	if f.rest == 0 {
		f.end(tty.Exit{})
		return 0, io.EOF
	}
	at := (len(floodText) - f.rest%len(floodText)) % len(floodText)
	n := copy(b[:min(len(b), f.rest)], floodText[at:])
	f.rest -= n
	return n, nil
}

// BenchmarkFlood is output at the speed of the session, with clients that are shown the picture all
// the time. Those who look on must not cost much.
func BenchmarkFlood(b *testing.B) {
	const size = 32 << 20
	for _, clients := range []int{0, 1, 10} {
		b.Run(fmt.Sprintf("clients=%d", clients), func(b *testing.B) {
			b.SetBytes(size)
			for b.Loop() {
				p := &flood{newScript(), size}
				r := scripted(b, func(c *registry.Config) {
					c.Start = func(pty.Options) (term.Process, error) { return p, nil }
				})
				s := create(b, r, registry.CreateOptions{Name: "s", Cols: 200, Rows: 50})
				var viewers []*viewer
				for range clients {
					if c, err := s.AttachViewer(term.ViewerOptions{}); err == nil { // or it is over already
						viewers = append(viewers, watchTerminal(c, window(b, 200, 50)))
					}
				}
				<-s.Ended()
				for _, v := range viewers {
					<-v.done
				}
				if err := r.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkFloodAwaited is a flood while somebody waits for text that does not come.
func BenchmarkFloodAwaited(b *testing.B) {
	const size = 32 << 20
	for _, expression := range []string{"", `error: [0-9]+`, `[0-9]+ tests? failed`, `\w+@\w+`} {
		b.Run("expression="+expression, func(b *testing.B) {
			b.SetBytes(size)
			for b.Loop() {
				p := &flood{newScript(), size}
				r := scripted(b, func(c *registry.Config) {
					c.Start = func(pty.Options) (term.Process, error) { return p, nil }
				})
				s := create(b, r, registry.CreateOptions{Name: "s", Cols: 200, Rows: 50})
				if expression != "" {
					if _, err := s.WaitFor(b.Context(), expression, 0); fault.KindOf(err) != fault.Gone {
						b.Fatal(err)
					}
				}
				<-s.Ended()
				if err := r.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
