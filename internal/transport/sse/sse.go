// Package sse writes and reads streams of server-sent events. It does not decide what is sent or
// kept for clients that reconnect.
package sse

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"net/http"
	"sync"

	"ui-mcp/internal/transport/httpio"
)

// ContentType is the media type of a stream of events.
const ContentType = "text/event-stream"

// An Event is one event. Neither Name nor ID may have line breaks.
type Event struct {
	Name string // "" means "message"
	ID   string // "" means none
	Data []byte
}

// Append appends the event in its form on the wire to b.
func (e Event) Append(b []byte) []byte {
	b = fmt.Appendf(b, "event: %s\n", cmp.Or(e.Name, "message"))
	if e.ID != "" {
		b = fmt.Appendf(b, "id: %s\n", e.ID)
	}
	for line := range bytes.SplitSeq(e.Data, []byte("\n")) {
		b = append(b, "data: "...)
		b = append(b, line...)
		b = append(b, '\n')
	}
	return append(b, '\n')
}

// Comment returns a line that clients ignore, in its form on the wire. It keeps a silent stream
// open. text must not have line breaks.
func Comment(text string) []byte { return []byte(": " + text + "\n\n") }

// SetHeaders declares a response to be a stream that proxies do not cache, change or buffer.
func SetHeaders(h http.Header) {
	h.Set("Content-Type", ContentType)
	h.Set("Cache-Control", "no-cache, no-transform")
	h.Set("X-Accel-Buffering", "no")
}

// A Writer is a response that is a stream of events. Its methods may be called from any goroutine
// until the handler returns. An error means that the client has disconnected or no longer reads.
type Writer struct {
	mu  sync.Mutex // held while something is written
	out *httpio.Writer
}

// Start sends the headers and a first comment, so that the client knows that the stream is open.
func Start(w http.ResponseWriter) *Writer {
	SetHeaders(w.Header())
	w.WriteHeader(http.StatusOK)
	s := &Writer{out: httpio.NewWriter(w)}
	_ = s.Comment("open") // the request's context reports a client that has disconnected
	return s
}

func (w *Writer) Send(e Event) error { return w.write(e.Append(nil)) }

// Comment sends text that clients ignore; it must not have line breaks.
func (w *Writer) Comment(text string) error { return w.write(Comment(text)) }

func (w *Writer) write(data []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, err := w.out.Write(data); err != nil {
		return err
	}
	return w.out.Flush()
}

// A Reader reads a stream of events.
type Reader struct{ lines *bufio.Scanner }

// NewReader returns a reader of a stream whose lines have at most limit bytes.
func NewReader(r io.Reader, limit int) *Reader {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, min(limit, 4<<10)), limit)
	return &Reader{lines}
}

// Next returns the next event that has data. At the end of the stream it returns [io.EOF]; an event
// that was not completed by then is dropped, as the standard has it.
func (r *Reader) Next() (Event, error) {
	e := Event{Name: "message"}
	hasData := false
	for r.lines.Scan() {
		line := r.lines.Bytes()
		if len(line) == 0 {
			if hasData {
				return e, nil
			}
			e.Name = "message"
			continue
		}
		field, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(field) {
		case "event":
			e.Name = string(value)
		case "id":
			e.ID = string(value)
		case "data":
			if hasData {
				e.Data = append(e.Data, '\n')
			}
			e.Data = append(e.Data, value...)
			hasData = true
		}
	}
	return Event{}, cmp.Or(r.lines.Err(), io.EOF)
}
