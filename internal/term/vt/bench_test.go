package vt

import (
	"bytes"
	"fmt"
	"sync"
	"testing"
	"time"

	"ui-mcp/internal/testkit/flood"
)

// payload is the size of each kind of output in bytes: more than any processor cache.
const payload = 8 << 20

// payloads are kinds of program output, made once.
var payloads = sync.OnceValue(func() map[string][]byte {
	list := map[string][]byte{}
	for _, name := range flood.Names {
		list[name] = flood.Make(name, payload, "\r\n")
	}
	return list
})

const chunk = 32 << 10

// BenchmarkWrite measures output to a terminal of 200x50 with a full history of 10,000 lines. In
// addition to megabytes per second, it reports the time as a multiple of that of a table-driven
// state machine without actions on the same bytes. It alternates between the two, because the
// machine may be busy.
func BenchmarkWrite(b *testing.B) {
	for _, name := range flood.Names {
		b.Run(name, func(b *testing.B) {
			data := payloads()[name]
			vt, err := New(Options{Cols: 200, Rows: 50, Scrollback: 10_000})
			if err != nil {
				b.Fatal(err)
			}
			feed(vt, data)
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			var bare time.Duration
			for b.Loop() {
				feed(vt, data)
				b.StopTimer()
				start := time.Now()
				sinkState = bareMachine(data)
				bare += time.Since(start)
				b.StartTimer()
			}
			b.ReportMetric(float64(b.Elapsed())/float64(bare), "x-bare-machine")
		})
	}
}

// BenchmarkBare measures the state machine without actions.
func BenchmarkBare(b *testing.B) {
	for _, name := range flood.Names {
		data := payloads()[name]
		b.Run("memcpy/"+name, func(b *testing.B) {
			dst := make([]byte, chunk)
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				for rest := data; len(rest) > 0; {
					rest = rest[copy(dst, rest):]
				}
			}
		})
		b.Run("machine/"+name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				sinkState = bareMachine(data)
			}
		})
	}
}

var sinkState uint8

func feed(vt *Terminal, data []byte) {
	for len(data) > 0 {
		n := min(chunk, len(data))
		write(vt, data[:n])
		data = data[n:]
	}
}

// bareTable has the transitions of a state machine for escape sequences: ground, after ESC, and in
// CSI.
var bareTable = func() (table [3][256]uint8) {
	for c := range 256 {
		if c == esc {
			table[0][c], table[1][c], table[2][c] = 1, 1, 1
			continue
		}
		if c == '[' {
			table[1][c] = 2
		}
		if c < '@' || c > '~' {
			table[2][c] = 2
		}
	}
	return table
}()

func bareMachine(data []byte) uint8 {
	state := uint8(0)
	for _, c := range data {
		state = bareTable[state][c]
	}
	return state
}

// BenchmarkSnapshot measures reading a screen of 200x50: without a change, after a change of one
// row, and after a change of all.
func BenchmarkSnapshot(b *testing.B) {
	for _, rows := range []int{0, 1, 50} {
		b.Run(fmt.Sprintf("changed=%d", rows), func(b *testing.B) {
			vt, err := New(Options{Cols: 200, Rows: 50, Scrollback: 10_000})
			if err != nil {
				b.Fatal(err)
			}
			feed(vt, payloads()["colour"][:1<<20])
			b.ReportAllocs()
			for b.Loop() {
				for y := range rows {
					vt.scr.rows[y].stamp = vt.stamp
					vt.dirty = true
				}
				vt.commit()
				if s := vt.Snapshot(); len(s.Lines) != 50 {
					b.Fatal(len(s.Lines))
				}
			}
		})
	}
}

// BenchmarkState measures writing the state of a full screen of 200x50 with 1,000 lines of history,
// and reading it again.
func BenchmarkState(b *testing.B) {
	vt, err := New(Options{Cols: 200, Rows: 50, Scrollback: 10_000})
	if err != nil {
		b.Fatal(err)
	}
	feed(vt, payloads()["colour"][:1<<20])
	var state []byte
	b.Run("write", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			state = vt.AppendState(state[:0], 1000)
		}
		b.ReportMetric(float64(len(state)), "state-bytes")
	})
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			to, err := New(Options{Cols: 200, Rows: 50, Scrollback: 10_000})
			if err != nil {
				b.Fatal(err)
			}
			feed(to, state)
		}
	})
}

// BenchmarkReflow measures a change of width with 10,000 lines of history.
func BenchmarkReflow(b *testing.B) {
	for _, name := range []string{"plain", "colour", "unicode"} {
		b.Run(name, func(b *testing.B) {
			vt, err := New(Options{Cols: 200, Rows: 50, Scrollback: 10_000})
			if err != nil {
				b.Fatal(err)
			}
			feed(vt, payloads()[name])
			for i := 0; b.Loop(); i++ {
				if err := vt.Resize(120+80*(i%2), 50); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkMemory(b *testing.B) {
	for _, c := range memoryCases {
		b.Run(c.name, func(b *testing.B) {
			n := 0
			for b.Loop() {
				n = heap(func() any { return c.terminal(b) })
			}
			b.ReportMetric(float64(n), "bytes-in-use")
		})
	}
}

// BenchmarkHostile measures sequences that cost much more than their bytes suggest.
func BenchmarkHostile(b *testing.B) {
	for name, sequence := range map[string]string{
		"REP":             "a\x1b[99999b",
		"DECALN":          "\x1b#8",
		"DECDWL":          "\x1b#6text\r\n",
		"ED":              "\x1b[41m\x1b[2J\x1b[m\x1b[2J",
		"ED 22":           "a\x1b[22J",
		"IL":              "\x1b[99L",
		"RI":              "\x1b[H\x1bM",
		"DECSLRM":         "\x1b[?69h\x1b[2;199s\x1b[25S",
		"1049":            "\x1b[?1049h\x1b[?1049l",
		"RIS":             "\x1bc",
		"2026":            "x\x1b[?2026h\x1b[?2026l",
		"tabs":            "\x1b[3g\r\x1b[999I",
		"reset colours":   "\x1b]104\x07",
		"set colours":     "\x1b]4;1;#123;2;#456\x07\x1b]4;1;#456;2;#123\x07",
		"combining":       "\u0301",
		"unterminated":    "\x1b]2;xxxxxxxxxxxxxxxx",
		"parameters":      "\x1b[1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16;17;18;19;20;21;22;23;24;25;26;27;28;29;30;31;32;33;34",
		"reverse wrap":    "\x1b[?45h\x1b[99;99H\x1b[99999D",
		"queries":         "\x1b[c\x1b[6n\x1b[?25$p",
		"insert":          "\x1b[H\x1b[4hx",
		"insert columns":  "\x1b[2;2H\x1b[3'}",
		"selective erase": "\x1b[?2J",
	} {
		b.Run(name, func(b *testing.B) {
			vt, err := New(Options{Cols: 200, Rows: 50, Scrollback: 10_000})
			if err != nil {
				b.Fatal(err)
			}
			data := bytes.Repeat([]byte(sequence), 1+chunk/len(sequence))
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				write(vt, data)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(data))*float64(len(sequence)), "ns/sequence")
		})
	}
}
