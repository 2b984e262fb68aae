package jsonrpc

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// ErrLineTooLong means that a line was skipped without being kept. [LongID] may know its id.
var ErrLineTooLong = errors.New("line too long")

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
