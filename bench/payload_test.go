//go:build linux

package bench

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// termFlood is the size of each flood in bytes, less what a last line would have had
// beyond it.
const termFlood = 100_000_000

// A payload is output of a program, in a file.
type payload struct {
	path  string
	bytes int
}

// termPayloads writes what programs write to files, once, from a fixed seed.
var termPayloads = sync.OnceValues(func() (map[string]payload, error) {
	r := rand.New(rand.NewPCG(1, 2))
	word := func(b *bytes.Buffer) {
		for range 2 + r.IntN(9) {
			b.WriteByte(byte('a' + r.IntN(26)))
		}
	}
	wide := strings.Fields("日 本 語 中 文 字 한 국 어 é ü ß ж д λ ω → ✓ █ │ 😀 🚀 🎉 👍🏽 👩‍💻 🇩🇪 e\u0301 ☂\ufe0f")
	lines := map[string]func(*bytes.Buffer){
		"plain": func(b *bytes.Buffer) {
			for range 2 + r.IntN(18) {
				word(b)
				b.WriteByte(' ')
			}
		},
		"colour": func(b *bytes.Buffer) {
			for range 4 + r.IntN(12) {
				switch r.IntN(4) {
				case 0:
					fmt.Fprintf(b, "\x1b[%dm", 31+r.IntN(7))
				case 1:
					fmt.Fprintf(b, "\x1b[1;%dm", 91+r.IntN(7))
				case 2:
					fmt.Fprintf(b, "\x1b[38;5;%dm", r.IntN(256))
				default:
					fmt.Fprintf(b, "\x1b[38;2;%d;%d;%dm", r.IntN(8)*32, r.IntN(8)*32, r.IntN(8)*32)
				}
				word(b)
				b.WriteString("\x1b[0m ")
			}
		},
		"unicode": func(b *bytes.Buffer) {
			for range 4 + r.IntN(12) {
				for range 1 + r.IntN(6) {
					b.WriteString(wide[r.IntN(len(wide))])
				}
				b.WriteByte(' ')
				word(b)
				b.WriteByte(' ')
			}
		},
	}
	list := map[string]payload{}
	for name, line := range lines {
		p := payload{path: filepath.Join(scratch, name+".flood")}
		var b bytes.Buffer
		for {
			line(&b)
			b.WriteByte('\n')
			if b.Len() > termFlood {
				break
			}
			p.bytes = b.Len()
		}
		list[name] = p
		if err := os.WriteFile(p.path, b.Bytes()[:p.bytes], 0o600); err != nil {
			return nil, err
		}
	}
	return list, nil
})
