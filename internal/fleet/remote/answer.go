package remote

import (
	"cmp"
	"encoding/json"
	"reflect"

	"ui-mcp/internal/safetext"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/transport/socketwire"
)

const (
	// maxShort is the length limit of answers that are asked for without a person or an agent, or
	// for all hosts at once, in bytes. maxValues is how many objects, lists and values in lists
	// such an answer may have, maxAsked one with questions, and maxLong any other: small ones take
	// many times their length in memory.
	maxShort  = 4 << 20
	maxValues = 1 << 16
	maxAsked  = 1 << 12
	maxLong   = 1 << 18
	// maxFrame is the length limit of a message of a stream that is attached or delivers something,
	// and of what other hosts ask for, in bytes.
	maxFrame = socketwire.MaxSize + 1
)

// short are the operations whose answers are short, with how many values those may have.
var short = map[*terminals.Operation]int{
	&terminals.ListSessions.Operation: maxValues, &terminals.GetServer.Operation: maxValues, &terminals.AwaitAnyIdle.Operation: maxValues, terminals.Follow: maxValues,
	terminals.FollowQuestions: maxAsked,
}

// LimitOf returns the length limit of a message that answers an operation, in bytes.
func LimitOf(o *terminals.Operation) int {
	switch {
	case short[o] > 0:
		return maxShort
	case o.Kind == terminals.Stream:
		return maxFrame
	}
	return maxMessage
}

// crowded reports whether JSON has more than a number of objects, lists and values in lists.
func crowded(b []byte, most int) bool {
	var lists []bool // whether each of what is open here is a list
	text := false
	n := 0
	for i := 0; i < len(b) && n <= most; i++ {
		switch c := b[i]; {
		case text && c == '\\':
			i++
		case c == '"':
			text = !text
		case text:
		case c == '{' || c == '[':
			lists = append(lists, c == '[')
			n++
		case (c == '}' || c == ']') && len(lists) > 0:
			lists = lists[:len(lists)-1]
		case c == ',' && len(lists) > 0 && lists[len(lists)-1]:
			n++
		}
	}
	return n > most
}

// Decode reads what another host answers to an operation, whose length is within [LimitOf].
func Decode(o *terminals.Operation, b []byte, out any) error {
	if crowded(b, cmp.Or(short[o], maxLong)) {
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
	case *[]wire.Lifecycle:
		for i := range *out {
			e := &(*out)[i]
			command := e.Params.Command
			harmless(reflect.ValueOf(e))
			e.Params.Command = command
		}
	}
	return nil
}

// decodeChanges reads a part of what a lifecycle delivers.
func decodeChanges(b []byte) (c changes, err error) {
	var in struct {
		Events json.RawMessage
		Missed int
	}
	if err := json.Unmarshal(b, &in); err != nil {
		return c, err
	}
	c.Missed = in.Missed
	if in.Events != nil {
		err = Decode(terminals.Follow, in.Events, &c.Events)
	}
	return c, err
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
