package variable

import (
	"encoding/json"
	"strconv"

	"ui-mcp/internal/ui/viewdef"
)

// Snapshot appends the mount of the whole display as last read; nil if nothing is displayed.
func (t *Tree) Snapshot() []byte {
	m := t.root.vars[0].more
	if m == nil || m.child == nil {
		return nil
	}
	return t.appendInstance(nil, m.child)
}

// appendInstance appends the mount of an instance from the values that were read last.
func (t *Tree) appendInstance(dst []byte, in *instance) []byte {
	dst = append(dst, '[')
	dst = strconv.AppendInt(dst, int64(in.plan.def), 10)
	dst = append(dst, ',')
	dst = strconv.AppendInt(dst, in.id, 10)
	dst = append(dst, ",["...)
	keep := len(dst) // what to cut it to, as pages assume null for values that are left out
	for i := range in.vars {
		dst = t.appendSlot(dst, in, i)
		if v := in.vars[i].value; v != nil && v != unknown {
			keep = len(dst)
		}
		dst = append(dst, ',')
	}
	dst = append(dst[:keep], ']')
	if in.object != 0 { // the identities of the objects that it displays and writes to
		dst = append(dst, ',')
		dst = strconv.AppendInt(dst, in.object, 10)
		if in.plan.tracksEdits {
			dst = appendOwners(dst, in)
		}
	}
	return append(dst, ']')
}

func (t *Tree) appendSlot(dst []byte, in *instance, i int) []byte {
	va := &in.vars[i]
	switch in.plan.slots[i].Kind {
	case viewdef.View:
		if child, _ := va.inside(); child != nil {
			return t.appendInstance(dst, child)
		}
		return append(dst, "null"...)
	case viewdef.List:
		if va.more != nil && va.window != nil {
			return t.appendWindowValue(dst, va.more)
		}
		_, rows := va.inside()
		return appendRows(dst, rows, t.appendInstance)
	}
	if va.more != nil && va.json != nil {
		return append(dst, va.json...) // as pages have it, without running the app's code
	}
	dst, _ = t.appendValue(dst, va.value) // a scalar, as pages have it
	return dst
}

// appendOwners appends, for edited bindings that write to an object other than the instance's,
// which one.
func appendOwners(dst []byte, in *instance) []byte {
	dst = append(dst, ",["...)
	sep := ""
	for i := range in.plan.slots {
		s, m := &in.plan.slots[i], in.vars[i].more
		if s.track == trackNone || !s.Opts.Edit {
			continue
		}
		owner := int64(0)
		if m != nil {
			owner = m.ownerID
		}
		dst = append(dst, sep...)
		dst = append(dst, '[')
		dst = strconv.AppendInt(dst, int64(i), 10)
		dst = append(dst, ',')
		dst = strconv.AppendInt(dst, owner, 10)
		dst = append(dst, ']')
		sep = ","
	}
	return append(dst, ']')
}

// appendLeaf appends the value of a variable that displays no objects, as JSON. With an error, it
// has appended some other JSON in its place.
func (t *Tree) appendLeaf(dst []byte, in *instance, i int, v Value) ([]byte, error) {
	from := len(dst)
	dst, err := t.appendValue(dst, v)
	if err = t.judge(in, i, err); err == nil {
		err = checkAddress(in.plan.slots[i].Address, dst[from:])
	}
	return dst, err
}

// A codeError says that a value would be run as code.
type codeError struct{ msg string }

func (e codeError) Error() string { return e.msg }

// checkAddress returns a codeError for a value that a browser would run as code, given as JSON.
// Pages join the elements of a list, so a list could become an address that none of them is.
func checkAddress(a viewdef.Address, value []byte) error {
	if a == viewdef.NoAddress || len(value) == 0 {
		return nil
	}
	switch value[0] {
	case '[':
		return codeError{"the value is a list, and an address is a text: the attribute is left out"}
	case '"':
		var text string
		if err := json.Unmarshal(value, &text); err != nil || a.RunsCode(text) {
			return codeError{"data cannot be code, and a browser would run " + clip(string(value), 60) + ": the attribute is left out"}
		}
	}
	return nil
}

// appendValue appends a value as JSON; after an error, some other JSON in its place.
func (t *Tree) appendValue(dst []byte, v Value) ([]byte, error) {
	if v = t.ofHost(v); v == nil || v == unknown {
		return append(dst, "null"...), nil
	}
	return t.host.AppendJSON(dst, v)
}
