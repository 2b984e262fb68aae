package record

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/vt"
)

// maxLine is the maximum length of a recording's line in bytes.
const maxLine = 16 << 20

// An Event is one event of a recording.
type Event struct {
	At time.Duration // since the start
	// Kind is "o" for output, "r" for a new size, or another code of the format.
	Kind       string
	Data       string
	Cols, Rows int // of "r"
}

// A Reader reads a recording.
type Reader struct {
	Header  Header
	version int
	lines   *bufio.Scanner
	line    int
	cut     bool // the present line is the last one, and has no end
	at      time.Duration
}

// NewReader reads the header. If r is not a recording, the error is of kind Invalid.
func NewReader(r io.Reader) (*Reader, error) {
	d := &Reader{lines: bufio.NewScanner(r)}
	d.lines.Buffer(nil, maxLine)
	d.lines.Split(func(b []byte, atEOF bool) (int, []byte, error) {
		d.cut = atEOF && !bytes.ContainsRune(b, '\n')
		return bufio.ScanLines(b, atEOF)
	})
	line, err := d.next()
	if err != nil {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return nil, fault.Wrap(fault.Invalid, err, "this is not a recording")
	}
	var h struct {
		Version       int
		Width, Height int
		Timestamp     int64
		Title         string
		Command       string
		Env           map[string]string
		Term          struct{ Cols, Rows int }
	}
	if err := json.Unmarshal(line, &h); err != nil {
		return nil, fault.Wrap(fault.Invalid, err, "this is not a recording")
	}
	d.version = h.Version
	switch h.Version {
	case 2:
		d.Header.Cols, d.Header.Rows = h.Width, h.Height
	case 3:
		d.Header.Cols, d.Header.Rows = h.Term.Cols, h.Term.Rows
	default:
		return nil, fault.New(fault.Invalid, "recordings of version %d are not supported, only 2 and 3 are: a newer version of this program may play it", h.Version)
	}
	d.Header.Start = time.Unix(h.Timestamp, 0)
	d.Header.Title, d.Header.Command, d.Header.Env = h.Title, h.Command, h.Env
	return d, nil
}

// Next returns the next event, or io.EOF after the last. A last line that is incomplete, since the
// recording was cut there, is left out. Other errors are of kind Invalid.
func (d *Reader) Next() (Event, error) {
	line, err := d.next()
	if err != nil {
		return Event{}, err
	}
	if d.cut && !json.Valid(line) {
		return Event{}, io.EOF
	}
	var seconds float64
	var e Event
	fields := []any{&seconds, &e.Kind, &e.Data}
	if err := json.Unmarshal(line, &fields); err != nil || len(fields) != 3 {
		return Event{}, fault.New(fault.Invalid, "line %d of the recording is not an event", d.line)
	}
	if seconds < 0 || seconds > math.MaxInt64/float64(2*time.Second) {
		return Event{}, fault.New(fault.Invalid, "line %d of the recording has an impossible time", d.line)
	}
	e.At = time.Duration(seconds * float64(time.Second))
	if d.version == 3 { // times are relative to the previous event
		if e.At += d.at; e.At < d.at {
			return Event{}, fault.New(fault.Invalid, "line %d of the recording has an impossible time", d.line)
		}
	}
	d.at = e.At
	if e.Kind == "r" {
		cols, rows, _ := strings.Cut(e.Data, "x")
		var err1, err2 error
		e.Cols, err1 = strconv.Atoi(cols)
		e.Rows, err2 = strconv.Atoi(rows)
		if err1 != nil || err2 != nil {
			return Event{}, fault.New(fault.Invalid, "line %d of the recording has no size", d.line)
		}
	}
	return e, nil
}

// next returns the next line that is not empty and not a comment.
func (d *Reader) next() ([]byte, error) {
	for d.lines.Scan() {
		d.line++
		line := bytes.TrimSpace(d.lines.Bytes())
		if len(line) > 0 && !(d.version == 3 && line[0] == '#') {
			return line, nil
		}
	}
	if err := d.lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, fault.New(fault.Invalid, "line %d has more than %d MiB", d.line+1, maxLine>>20)
	} else if err != nil {
		return nil, fault.Wrap(fault.Invalid, err, "read the recording")
	}
	return nil, io.EOF
}

// Replay writes the rest of a recording to a terminal, until a context ends.
func (d *Reader) Replay(ctx context.Context, to *vt.Terminal) error {
	for ctx.Err() == nil {
		e, err := d.Next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = e.Replay(to)
		}
		if err != nil {
			return err
		}
	}
	return context.Cause(ctx)
}

// Replay does to a terminal what the event did.
func (e Event) Replay(to *vt.Terminal) (err error) {
	switch e.Kind {
	case "o":
		_, err = to.Write([]byte(e.Data))
	case "r":
		err = to.Resize(e.Cols, e.Rows)
	}
	return err
}
