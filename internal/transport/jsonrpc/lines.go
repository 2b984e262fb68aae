package jsonrpc

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"slices"
	"sync"
)

// ErrLineTooLong means that a line was skipped without being kept. [LongID] may know its id.
var ErrLineTooLong = errors.New("line too long")

// A longLine is the error of a line that was skipped, and its ends. It is [ErrLineTooLong].
type longLine struct{ head, tail []byte }

func (l *longLine) Error() string        { return ErrLineTooLong.Error() }
func (l *longLine) Is(target error) bool { return target == ErrLineTooLong }

func (l *longLine) add(part []byte) {
	const edge = 4 << 10 // of each end
	l.head = append(l.head, part[:min(edge-len(l.head), len(part))]...)
	l.tail = append(l.tail, part[max(len(part)-edge, 0):]...)
	l.tail = slices.Delete(l.tail, 0, max(len(l.tail)-edge, 0))
}

// ends are how a long request begins, and how one ends that begins with its method: the brace ends
// the message, so the id before it is the message's own.
var ends = sync.OnceValue(func() [2]*regexp.Regexp {
	const id, texts = `"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)\s*`, `((?:"(?:jsonrpc|method)"\s*:\s*"[^"]*"\s*,\s*)*)`
	return [...]*regexp.Regexp{
		regexp.MustCompile(`^\s*{\s*` + texts + `(?:` + id + `,\s*` + texts + `)?`),
		regexp.MustCompile(`,\s*` + id + `(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?}\s*$`),
	}
})

// LongID returns the id of the request in a line that was skipped as too long, so that it can be
// answered. It is nil if err is another error, and if the ends of the line do not tell: responses
// and notifications get no answer, and clients write the members in different orders.
func LongID(err error) json.RawMessage {
	l, _ := errors.AsType[*longLine](err)
	if l == nil {
		return nil
	}
	m := ends()[0].FindSubmatch(l.head)
	if m == nil || !bytes.Contains(m[0], []byte(`"method"`)) {
		return nil
	}
	if last := ends()[1].FindSubmatch(l.tail); m[2] == nil && last != nil {
		return last[1]
	}
	return m[2]
}

// A LineReader splits a stream into lines, one message each, and keeps at most one of them, up to a
// limit, in memory. It is for one goroutine at a time.
type LineReader struct {
	r   *bufio.Reader
	max int // bytes in a line, without its end
}

// NewLineReader returns a reader of lines of at most max bytes each, without their ends.
func NewLineReader(r io.Reader, max int) *LineReader {
	return &LineReader{r: bufio.NewReaderSize(r, 64<<10), max: max}
}

// Next returns the next line that is not blank, without the white space and the byte order mark
// that may surround it. The last line needs no newline. After ErrLineTooLong the reader is at the
// start of the following line; any other error is the stream's and final.
func (l *LineReader) Next() ([]byte, error) {
	for {
		line, err := l.line()
		line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\uFEFF")))
		if err != nil || len(line) > 0 {
			return line, err
		}
	}
}

func (l *LineReader) line() ([]byte, error) {
	var line []byte
	var long *longLine // set when the line is too long
	for {
		part, err := l.r.ReadSlice('\n')
		switch {
		case long != nil:
			long.add(part)
		case len(line)+len(bytes.TrimRight(part, "\r\n")) > l.max:
			long = new(longLine)
			long.add(line)
			long.add(part)
			line = nil
		default:
			line = append(line, part...)
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case long != nil:
			// The stream's own error, if any, comes again with the next line.
			return nil, long
		case err != nil && len(line) == 0:
			return nil, err
		}
		return line, nil
	}
}
