package variable

import (
	"encoding/json"
	"strconv"

	"ui-mcp/internal/ui/viewdef"
)

// mount reads everything in a new instance, and appends what a page needs to display it.
func (t *Tree) mount(dst []byte, in *instance) []byte {
	in.mounted = t.pass
	if in.plan.high || in.plan.low {
		// Bindings of high priority come first. Those of low priority are last in the instance; the
		// page needs their values together with the others.
		t.mountPriority(in, viewdef.High)
		t.mountPriority(in, viewdef.Medium)
		t.mountPriority(in, viewdef.Low)
		return t.appendInstance(dst, in)
	}
	dst, keep := appendHead(dst, in)
	for i := range in.vars {
		dst = t.mountSlot(dst, in, i)
		if in.vars[i].shows() {
			keep = len(dst)
		}
		dst = append(dst, ',')
	}
	return appendTail(dst[:keep], in)
}

func (t *Tree) mountPriority(in *instance, prio viewdef.Priority) {
	for i := range in.plan.slots {
		if in.plan.slots[i].Priority == prio {
			t.scratch = t.scratch[:0]
			t.mountSlot(nil, in, i)
			if prio != viewdef.Medium {
				in.vars[i].ext().read = t.pass
			}
		}
	}
}

// mountSlot reads one binding of a new instance and appends its value.
func (t *Tree) mountSlot(dst []byte, in *instance, i int) []byte {
	s := &in.plan.slots[i]
	if !s.Access.Readable() {
		if s.track == trackPrefix {
			t.ownPrefix(in, i)
		}
		return append(dst, "null"...)
	}
	v, err := t.fetch(in, i)
	if err == nil {
		err = t.checkSuitable(in, i, v)
	}
	var displayed Value
	var fallback string
	if err == nil && s.Kind <= viewdef.View {
		displayed, fallback, err = t.wrap(in, i, v)
	}
	va := &in.vars[i]
	if err != nil {
		t.fail(in, i, err.Error(), err)
		va.value = unknown // so the next value is sent to pages, whatever it is
		return append(dst, "null"...)
	}
	va.value = v
	switch s.Kind {
	case viewdef.View:
		if displayed == nil {
			return append(dst, "null"...)
		}
		ns := or(s.Namespace, in.namespace)
		tmpl, problem := t.resolve(in, displayed, ns, fallback)
		child := t.newInstance(in, tmpl, displayed, t.sourceOf(in, i, v), ns, fallback)
		va.ext().child = child
		if problem != "" {
			t.failDisplay(child, in, i, problem)
		}
		return t.mount(dst, child)
	case viewdef.List:
		if windowed(s.Binding, displayed) {
			t.showWindow(in, i, displayed, false)
			return t.appendWindowValue(dst, va.window)
		}
		items := t.elements(t.takeItems(), displayed)
		n, tooMany := t.fitting(len(items), 0)
		items = items[:n]
		if tooMany != nil {
			t.fail(in, i, tooMany.Error(), tooMany)
		}
		m := va.ext()
		m.items = append(m.items[:0], items...)
		t.giveItems(items)
		m.rows = make([]*instance, len(m.items))
		dst = append(dst, '[')
		for k, item := range m.items {
			if k > 0 {
				dst = append(dst, ',')
			}
			m.rows[k] = t.newRow(in, i, item)
			dst = t.mount(dst, m.rows[k])
		}
		return append(dst, ']')
	}
	from := len(dst)
	dst, err = t.appendLeaf(dst, in, i, v)
	if err != nil {
		t.fail(in, i, err.Error(), err)
		va.value = unknown
		return append(dst[:from], "null"...)
	}
	if t.host.IsObject(v) {
		va.ext().json = append([]byte(nil), dst[from:]...)
	}
	return dst
}

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
	dst, keep := appendHead(dst, in)
	for i := range in.vars {
		dst = t.appendSlot(dst, in, i)
		if in.vars[i].shows() {
			keep = len(dst)
		}
		dst = append(dst, ',')
	}
	return appendTail(dst[:keep], in)
}

func (t *Tree) appendSlot(dst []byte, in *instance, i int) []byte {
	va := &in.vars[i]
	switch in.plan.slots[i].Kind {
	case viewdef.View:
		if va.more == nil || va.child == nil {
			return append(dst, "null"...)
		}
		return t.appendInstance(dst, va.child)
	case viewdef.List:
		if va.more != nil && va.window != nil {
			return t.appendWindowValue(dst, va.window)
		}
		dst = append(dst, '[')
		if va.more != nil {
			for k, r := range va.rows {
				if k > 0 {
					dst = append(dst, ',')
				}
				dst = t.appendInstance(dst, r)
			}
		}
		return append(dst, ']')
	}
	if va.more != nil && va.json != nil {
		return append(dst, va.json...) // as pages have it, without running the app's code
	}
	dst, _ = t.appendValue(dst, va.value) // a scalar, as pages have it
	return dst
}

// shows reports whether a mount must contain a variable's value. Pages assume null for values that
// are left out.
func (v *variable) shows() bool {
	return v.value != nil && v.value != unknown
}

// appendHead starts the mount of an instance, and returns the length to cut it to if no slot has a
// value.
func appendHead(dst []byte, in *instance) ([]byte, int) {
	dst = append(dst, '[')
	dst = strconv.AppendInt(dst, int64(in.plan.def), 10)
	dst = append(dst, ',')
	dst = strconv.AppendInt(dst, in.id, 10)
	dst = append(dst, ",["...)
	return dst, len(dst)
}

// appendTail ends the mount of an instance with the identities of the objects that it displays and
// writes to.
func appendTail(dst []byte, in *instance) []byte {
	dst = append(dst, ']')
	if in.object != 0 {
		dst = append(dst, ',')
		dst = strconv.AppendInt(dst, in.object, 10)
		if in.plan.tracksEdits {
			dst = appendOwners(dst, in)
		}
	}
	return append(dst, ']')
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
	if n, ok := v.(native); ok {
		v = n.host(t)
	}
	if v == nil || v == unknown {
		return append(dst, "null"...), nil
	}
	return t.host.AppendJSON(dst, v)
}
