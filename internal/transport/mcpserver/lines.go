package mcpserver

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// errLineTooLong means that a line was skipped without being kept.
var errLineTooLong = errors.New("line too long")

// A lineReader splits a stream into lines and holds no more than one of them,
// up to a limit, in memory.
type lineReader struct {
	r   *bufio.Reader
	max int // bytes in a line, without its end
}

func newLineReader(r io.Reader, max int) *lineReader {
	return &lineReader{r: bufio.NewReaderSize(r, 64<<10), max: max}
}

// next returns the next line that is not blank, without the white space and
// the byte order mark that may surround it. The last line needs no newline.
// After errLineTooLong the reader is at the start of the following line; any
// other error is the stream's and final.
func (l *lineReader) next() ([]byte, error) {
	for {
		line, err := l.line()
		line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\uFEFF")))
		if err != nil || len(line) > 0 {
			return line, err
		}
	}
}

func (l *lineReader) line() ([]byte, error) {
	var line []byte
	tooLong := false
	for {
		part, err := l.r.ReadSlice('\n')
		switch {
		case tooLong:
		case len(line)+len(bytes.TrimRight(part, "\r\n")) > l.max:
			line, tooLong = nil, true
		default:
			line = append(line, part...)
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case tooLong:
			// The stream's own error, if any, comes again with the next line.
			return nil, errLineTooLong
		case err != nil && len(line) == 0:
			return nil, err
		}
		return line, nil
	}
}
