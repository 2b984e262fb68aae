// Package flood generates output of programs for benchmarks of terminals: always the same, from a
// fixed seed.
package flood

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// Names are the kinds of output:
//
//   - plain: lines of words
//   - colour: words in colours of every form, indexed and direct
//   - unicode: words among wide characters, accents, joined emoji and flags
//   - scroll: lines of a few characters
//   - cursor: words at random positions of a screen of 180 columns and 50 rows
var Names = []string{"plain", "colour", "unicode", "scroll", "cursor"}

// Make returns as many whole lines of a kind as fit into size bytes, each followed by end.
func Make(name string, size int, end string) []byte {
	w := &writer{r: rand.New(rand.NewPCG(1, uint64(slices.Index(Names, name))))}
	line := map[string]func(){"plain": w.plain, "colour": w.colour, "unicode": w.unicode, "scroll": w.scroll, "cursor": w.cursor}[name]
	if name == "cursor" {
		end = ""
	}
	w.Grow(size + 4096) // a line is shorter
	for {
		whole := w.Len()
		line()
		w.WriteString(end)
		if w.Len() > size {
			return w.Bytes()[:whole]
		}
	}
}

type writer struct {
	bytes.Buffer
	r *rand.Rand
}

func (w *writer) word() {
	for range 2 + w.r.IntN(9) {
		w.letter()
	}
}

func (w *writer) letter() { w.WriteByte(byte('a' + w.r.IntN(26))) }

func (w *writer) plain() {
	for range 2 + w.r.IntN(18) {
		w.word()
		w.WriteByte(' ')
	}
}

func (w *writer) colour() {
	for range 4 + w.r.IntN(12) {
		switch w.r.IntN(4) {
		case 0:
			fmt.Fprintf(w, "\x1b[%dm", 31+w.r.IntN(7))
		case 1:
			fmt.Fprintf(w, "\x1b[1;%dm", 91+w.r.IntN(7))
		case 2:
			fmt.Fprintf(w, "\x1b[38;5;%dm", w.r.IntN(256))
		default:
			fmt.Fprintf(w, "\x1b[38;2;%d;%d;%dm", w.r.IntN(8)*32, w.r.IntN(8)*32, w.r.IntN(8)*32)
		}
		w.word()
		w.WriteString("\x1b[0m ")
	}
}

var clusters = strings.Fields("日 本 語 中 文 字 한 국 어 é ü ß ж д λ ω → ✓ █ │ 😀 🚀 🎉 👍🏽 👩‍💻 🇩🇪 e\u0301 ☂\ufe0f")

func (w *writer) unicode() {
	for range 4 + w.r.IntN(12) {
		for range 1 + w.r.IntN(6) {
			w.WriteString(clusters[w.r.IntN(len(clusters))])
		}
		w.WriteByte(' ')
		w.word()
		w.WriteByte(' ')
	}
}

func (w *writer) scroll() {
	for range 1 + w.r.IntN(3) {
		w.letter()
	}
}

func (w *writer) cursor() {
	fmt.Fprintf(w, "\x1b[%d;%dH", 1+w.r.IntN(50), 1+w.r.IntN(180))
	w.word()
	if w.r.IntN(4) == 0 {
		w.WriteString("\x1b[K")
	}
}
