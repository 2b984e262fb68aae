// Package wire encodes and decodes the messages between a session and its pages. docs/protocol.md
// describes the protocol, and web/src/wire.ts is the other end. Operations are appended as JSON
// without reflection, since a list of ten thousand rows is one message.
package wire

import (
	"strconv"

	"github.com/segmentio/encoding/json"

	"ui-mcp/internal/fault"
)

// Proto is the version of the protocol. A page that was built for another version reloads itself.
const Proto = 8

// Ops collects the operations of one batch. The zero value is empty and ready.
type Ops struct {
	buf []byte
	n   int
}

// Len is the number of operations.
func (o *Ops) Len() int { return o.n }

// Reset empties o and keeps its memory.
func (o *Ops) Reset() {
	o.buf = o.buf[:0]
	o.n = 0
	if cap(o.buf) > 1<<20 {
		o.buf = nil // one large mount should not stay resident
	}
}

// Set records a binding's new value, given as JSON.
func (o *Ops) Set(inst int64, slot int, value []byte) { o.add("set", value, inst, int64(slot)) }

// Mount records that a view displays another instance, given as JSON.
func (o *Ops) Mount(inst int64, slot int, mount []byte) { o.add("mount", mount, inst, int64(slot)) }

// Object records that an instance displays another object.
func (o *Ops) Object(inst, object int64) { o.add("object", nil, inst, object) }

// Owner records that a binding writes to another object; 0 means none.
func (o *Ops) Owner(inst int64, slot int, object int64) {
	o.add("owner", nil, inst, int64(slot), object)
}

// List records that rows, a JSON array of mounts and of ids of kept rows, replace the given number
// of rows from start on.
func (o *Ops) List(inst int64, slot, start, remove int, rows []byte) {
	o.add("list", rows, inst, int64(slot), int64(start), int64(remove))
}

// Window records that a windowed list has total rows, and displays those in segments, a JSON array
// of [index of the first row, rows].
func (o *Ops) Window(inst int64, slot, total int, segments []byte) {
	o.add("window", segments, inst, int64(slot), int64(total))
}

// add appends an operation: numbers and, unless it is nil, a value as JSON.
func (o *Ops) add(op string, value []byte, numbers ...int64) {
	if o.n > 0 {
		o.buf = append(o.buf, ',')
	}
	o.n++
	o.buf = append(append(append(o.buf, `["`...), op...), '"')
	for _, n := range numbers {
		o.buf = strconv.AppendInt(append(o.buf, ','), n, 10)
	}
	if value != nil {
		o.buf = append(append(o.buf, ','), value...)
	}
	o.buf = append(o.buf, ']')
}

// A Def is a template as pages get it: its number in the session, and its body as encoded by
// [AppendDefBody].
type Def struct {
	ID   int
	Body []byte
}

// A Binding is one entry of a template's list of bindings.
type Binding struct {
	Element int
	Kind    string
	Name    string
	Opts    Opts
}

// Opts are the options of a binding that concern the page.
type Opts struct {
	Edit           bool `json:"edit,omitempty"`
	Arg            bool `json:"arg,omitempty"`
	Keypress       bool `json:"keypress,omitempty"`
	ScrollOnOutput bool `json:"scrollOnOutput,omitempty"`
	Replace        bool `json:"replace,omitempty"`
	Content        bool `json:"content,omitempty"`
	Upload         bool `json:"upload,omitempty"`
	Repeat         bool `json:"repeat,omitempty"`
}

// appendJSON appends a value that can be encoded. In strings, it escapes what JSON demands.
func appendJSON(dst []byte, v any) []byte { return fault.Must(json.Append(dst, v, 0)) }

// AppendDefBody appends all of a template's definition but its number.
func AppendDefBody(dst []byte, key, html string, bind []Binding) []byte {
	rows := make([][]any, len(bind))
	for i, b := range bind {
		rows[i] = []any{b.Element, b.Kind, b.Name}
		if b.Opts != (Opts{}) {
			rows[i] = append(rows[i], b.Opts)
		}
	}
	object := appendJSON(nil, struct {
		Key  string  `json:"key"`
		HTML string  `json:"html"`
		Bind [][]any `json:"bind"`
	}{key, html, rows})
	return append(dst, object[1:len(object)-1]...)
}

func appendDefs(dst []byte, defs []Def) []byte {
	dst = append(dst, '[')
	for i, d := range defs {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, `{"id":`...)
		dst = strconv.AppendInt(dst, int64(d.ID), 10)
		dst = append(dst, ',')
		dst = append(dst, d.Body...)
		dst = append(dst, '}')
	}
	return append(dst, ']')
}

// A Snapshot is everything that a session displays. Each connection starts with one.
type Snapshot struct {
	Session  string
	Epoch    string // identifies the run of the session
	Seq      int64
	Defs     []Def
	Root     []byte // a mount as JSON; nil for nothing
	Problems []Problem
}

// AppendSnapshot appends a snapshot message.
func AppendSnapshot(dst []byte, s Snapshot) []byte {
	dst = append(dst, `{"type":"snapshot","proto":`...)
	dst = strconv.AppendInt(dst, Proto, 10)
	dst = append(dst, `,"session":`...)
	dst = AppendString(dst, s.Session)
	dst = append(dst, `,"epoch":`...)
	dst = AppendString(dst, s.Epoch)
	dst = append(dst, `,"seq":`...)
	dst = strconv.AppendInt(dst, s.Seq, 10)
	dst = append(dst, `,"defs":`...)
	dst = appendDefs(dst, s.Defs)
	dst = append(dst, `,"root":`...)
	if s.Root == nil {
		dst = append(dst, `null`...)
	}
	dst = append(dst, s.Root...)
	if len(s.Problems) > 0 {
		dst = append(dst, `,"problems":`...)
		dst = appendJSON(dst, s.Problems)
	}
	return append(dst, '}')
}

// AppendBatch appends the message with the changes of one transaction.
func AppendBatch(dst []byte, seq int64, defs []Def, ops *Ops) []byte {
	dst = append(dst, `{"type":"batch","seq":`...)
	dst = strconv.AppendInt(dst, seq, 10)
	if len(defs) > 0 {
		dst = append(dst, `,"defs":`...)
		dst = appendDefs(dst, defs)
	}
	dst = append(dst, `,"ops":[`...)
	dst = append(dst, ops.buf...)
	return append(dst, `]}`...)
}

// An Ack answers an events message. Stale and Failed are indexes of its events.
type Ack struct {
	Ref    int64  `json:"ref"`
	Error  string `json:"error,omitempty"`  // the first error, or ""
	Stale  []int  `json:"stale,omitempty"`  // ignored: the person saw the bindings with other objects
	Failed []int  `json:"failed,omitempty"` // those that failed
}

// AppendAck appends the answer to an events message.
func AppendAck(dst []byte, a Ack) []byte {
	return appendJSON(dst, struct {
		Type string `json:"type"`
		Ack
	}{"ack", a})
}
