package keys

import (
	"bytes"
	"sync/atomic"
	"time"
)

// queryTime is how long a terminal that displays the output may take to reply to a query.
const queryTime = 5 * time.Second

// queries ask a terminal for the cursor's position.
var queries = [][]byte{[]byte("\x1b[6n"), []byte("\x1b[?6n")}

// Queries takes the replies of a terminal that displays a program's output out of what the terminal
// sends. The zero value is ready. One goroutine may call Output, and one WithoutReplies.
type Queries struct {
	tail    []byte // owned by Output: the last bytes, which may be the start of a query
	replies Replies
	asked   atomic.Pointer[time.Time] // when a query for the position has last passed; nil: never
}

// Output notices the queries in the next piece of output.
func (q *Queries) Output(b []byte) {
	const longest = 5 // bytes of a query
	seam := append(q.tail, b[:min(len(b), longest-1)]...)
	for _, query := range queries {
		if bytes.Contains(b, query) || bytes.Contains(seam, query) {
			q.asked.Store(new(time.Now()))
		}
	}
	q.tail = bytes.Clone(b[max(0, len(b)-longest+1):])
}

// WithoutReplies returns the next piece of the terminal's input without its replies to the program.
func (q *Queries) WithoutReplies(b []byte) []byte {
	asked := q.asked.Load()
	return q.replies.Remove(b, asked != nil && time.Since(*asked) < queryTime)
}
