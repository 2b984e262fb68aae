package vt

import (
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
