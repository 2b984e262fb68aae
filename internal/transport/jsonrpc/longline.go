package jsonrpc

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
	"sync"
)

// A longLine is the error of a line that was skipped. It is [ErrLineTooLong].
type longLine struct{ head, tail []byte }

func (l *longLine) Error() string        { return ErrLineTooLong.Error() }
func (l *longLine) Is(target error) bool { return target == ErrLineTooLong }

// edge is how much of each end of a line that is too long is kept.
const edge = 4 << 10

func (l *longLine) add(part []byte) {
	if n := edge - len(l.head); n > 0 {
		l.head = append(l.head, part[:min(n, len(part))]...)
	}
	if len(part) >= edge {
		l.tail = append(l.tail[:0], part[len(part)-edge:]...)
		return
	}
	l.tail = append(l.tail, part...)
	l.tail = append(l.tail[:0], l.tail[max(len(l.tail)-edge, 0):]...)
}

// LongID returns the id of the request in a line that was skipped as too long, so that it can be
// answered. It is nil if err is another error, and if the ends of the line do not tell: responses
// and notifications get no answer, and clients write the members in different orders.
func LongID(err error) json.RawMessage {
	l, ok := errors.AsType[*longLine](err)
	if !ok {
		return nil
	}
	id, isRequest := l.members()
	switch {
	case !isRequest:
		return nil
	case id == nil:
		// The brace ends the message, so the id before it is the message's own.
		if m := lastID().FindSubmatch(bytes.TrimSpace(l.tail)); m != nil {
			id = m[1]
		}
	}
	return id
}

var lastID = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`,\s*"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?}$`)
})

// members reads the message's members from the start of the line, up to the first that is cut off.
func (l *longLine) members() (id json.RawMessage, isRequest bool) {
	in := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(l.head, []byte("\uFEFF"))))
	if t, err := in.Token(); err != nil || t != json.Delim('{') {
		return nil, false
	}
	for {
		name, err := in.Token()
		if err != nil {
			return id, isRequest
		}
		var value json.RawMessage
		if in.Decode(&value) != nil {
			return id, isRequest
		}
		switch name {
		case "id":
			id = value
		case "method":
			isRequest = true
		}
	}
}
