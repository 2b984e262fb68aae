package remote

import (
	"bytes"
	"encoding/json"
	"reflect"

	"ui-mcp/internal/safetext"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/transport/socketwire"
)

const (
	// maxShort is the length limit of answers that are asked for without a person or an agent, or
	// for all hosts at once, in bytes. maxObjects is how many objects such an answer may have:
	// small ones take many times their length in memory.
	maxShort   = 4 << 20
	maxObjects = 1 << 16
	// maxFrame is the length limit of a message of a stream that is attached or delivers something,
	// and of what other hosts ask for, in bytes.
	maxFrame = socketwire.MaxSize + 1
)

// short are the operations whose answers are short.
var short = map[*terminals.Operation]bool{
	&terminals.ListSessions.Operation: true, &terminals.GetServer.Operation: true, &terminals.AwaitAnyIdle.Operation: true, terminals.Follow: true,
}

// limitOf returns the length limit of a message that answers an operation, in bytes.
func limitOf(o *terminals.Operation) int {
	switch {
	case short[o]:
		return maxShort
	case o.Kind == terminals.Stream:
		return maxFrame
	}
	return maxMessage
}

// decode reads an answer of an operation.
func decode(o *terminals.Operation, b []byte, out any) error {
	if short[o] && bytes.Count(b, []byte("{")) > maxObjects {
		return errMalformed
	}
	if err := wire.Decode(b, out); err != nil {
		return err
	}
	switch out := out.(type) {
	case *wire.Session:
		tidy(out)
	case *[]wire.Session:
		for i := range *out {
			tidy(&(*out)[i])
		}
	}
	return nil
}

// decodeChanges reads a part of what a lifecycle delivers.
func decodeChanges(b []byte) (c changes, err error) {
	if bytes.Count(b, []byte("{")) > maxObjects {
		return c, errMalformed
	}
	if err := json.Unmarshal(b, &c); err != nil {
		return c, err
	}
	for i := range c.Events {
		e := &c.Events[i]
		command := e.Params.Command
		harmless(reflect.ValueOf(e))
		e.Params.Command = command
	}
	return c, nil
}

// tidy makes the texts of a description harmless to display. A server here checks names when they
// are given; what another host says they are, nobody has checked. A command may be any text here,
// too.
func tidy(s *wire.Session) {
	command := s.Command
	harmless(reflect.ValueOf(s))
	s.Command = command
}

// harmless removes what disturbs others from all texts in a value.
func harmless(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			harmless(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				harmless(v.Field(i))
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			harmless(v.Index(i))
		}
	case reflect.String:
		if v.CanSet() {
			v.SetString(safetext.Plain(v.String()))
		}
	}
}
