package variable

import (
	"bytes"
	"encoding/json"
	"maps"
	"strconv"
	"time"

	"ui-mcp/internal/ui/viewdef"
)

// A Variable describes a live binding, or a row of a list, for debugging tools.
type Variable struct {
	ID         int64             `json:"id"`
	ParentID   int64             `json:"parentId"` // 0 for the root
	Type       string            `json:"type"`     // of the object that it displays, or ""
	Path       string            `json:"path"`     // from the parent's object; for a row, its index
	Value      json.RawMessage   `json:"value"`    // a scalar, an array, or {"obj": id of the first variable with that object}
	Properties map[string]string `json:"properties"`
	ChildIDs   []int64           `json:"childIds"`
	Error      string            `json:"error,omitempty"`
	Access     string            `json:"access"` // r, rw, w or action; "" of rows
	Active     bool              `json:"active"` // always: what nothing displays is not listed
	// ComputeTime is how long the last reading took, such as "12µs", if the path calls methods.
	ComputeTime string `json:"computeTime,omitempty"`
	// MaxComputeTime is the longest that it took so far.
	MaxComputeTime string `json:"maxComputeTime,omitempty"`
	ChangeCount    uint32 `json:"changeCount"` // how often the value has changed since the first reading
	// ElementID is the id of the element in pages, or ""; see docs/protocol.md.
	ElementID string `json:"elementId,omitempty"`
	Depth     int    `json:"depth"` // 0 for the root
}

// rootID is the id of the variable that displays the root object. It is also the id of the first
// instance of all, which no other variable has.
const rootID = 1

// varID returns the id of a binding's variable. A row's variable has the id of its instance.
func (in *instance) varID(slot int) int64 {
	if in.id == 0 {
		return rootID
	}
	return in.id + int64(slot) + 1
}

// Variables lists every variable as it was last read, parents before their children. Windowed lists
// are listed with their displayed rows only.
func (t *Tree) Variables() []Variable {
	l := listing{t: t, first: map[Value]int64{}, properties: map[*viewdef.Binding]map[string]string{}}
	l.number(&t.root, 0)
	l.binding(&t.root, 0, 0, elementID{}, 0)
	return l.out
}

type listing struct {
	t          *Tree
	first      map[Value]int64 // the first variable with an object
	properties map[*viewdef.Binding]map[string]string
	out        []Variable
}

// number finds the first variable of each object, in the order of the listing.
func (l *listing) number(in *instance, i int) {
	va := &in.vars[i]
	l.claim(va.value, in.varID(i))
	child, rows := va.inside()
	if child != nil {
		for k := range child.vars {
			l.number(child, k)
		}
	}
	for _, r := range rows {
		l.claim(r.inst.obj, r.inst.id)
		for k := range r.inst.vars {
			l.number(r.inst, k)
		}
	}
}

func (l *listing) claim(v Value, id int64) {
	if l.isObject(v) && l.first[v] == 0 {
		l.first[v] = id
	}
}

func (l *listing) isObject(v Value) bool {
	switch v.(type) {
	case *ViewList, *ViewListItem:
		return true
	case native, nil:
		return false
	}
	return v != unknown && l.t.host.IsObject(v)
}

// inside returns what a view or list displays: an instance or rows.
func (v *variable) inside() (child *instance, rows []listRow) {
	if v.more == nil {
		return nil, nil
	}
	return v.child, v.rows
}

// binding lists the variable of a binding and all below it, and returns its id. root is the id of
// the first root element of in.
func (l *listing) binding(in *instance, i int, parent int64, root elementID, depth int) int64 {
	va, b := &in.vars[i], in.plan.slots[i].Binding
	child, rows := va.inside()
	v := Variable{ID: in.varID(i), ParentID: parent, Path: b.Path.Bare, Properties: l.of(b), Access: accessName(b.Access), Depth: depth}
	if in.changes != nil {
		v.ChangeCount = in.changes[i]
	}
	if p := l.t.problems[slotKey{in, i}]; p != nil {
		v.Error = p.cause()
	}
	if va.more != nil && va.took > 0 {
		v.ComputeTime = va.took.Round(100 * time.Nanosecond).String()
		v.MaxComputeTime = va.longest.Round(100 * time.Nanosecond).String()
	}
	if l.isObject(va.value) {
		v.Type = l.t.typeOf(va.value)
	}
	if b.Kind == viewdef.List {
		v.Value = appendRows(nil, rows, func(dst []byte, r *instance) []byte { return append(dst, l.value(r.obj)...) })
	} else {
		v.Value = l.value(va.value)
	}
	return l.add(v, child, rows, in.elementID(i, root))
}

// add lists a variable, which displays an instance or rows, and all below it, and returns its id.
func (l *listing) add(v Variable, child *instance, rows []listRow, element elementID) int64 {
	v.Active, v.ElementID = true, element.text
	if child != nil {
		element = child.rootID(element)
		v.ElementID = child.inDocument(element)
		l.describe(&v, child)
	}
	at, ids := len(l.out), []int64{}
	l.out = append(l.out, v)
	if child != nil {
		for i := range child.vars {
			ids = append(ids, l.binding(child, i, v.ID, element, v.Depth+1))
		}
	}
	for _, r := range rows {
		row := Variable{ID: r.inst.id, ParentID: v.ID, Path: strconv.Itoa(r.inst.row()), Value: l.value(r.inst.obj), Properties: map[string]string{}, Depth: v.Depth + 1}
		ids = append(ids, l.add(row, r.inst, nil, elementID{}))
	}
	l.out[at].ChildIDs = ids
	return v.ID
}

func (l *listing) describe(v *Variable, in *instance) {
	v.Type = l.t.typeOf(in.obj)
	v.Properties = maps.Clone(v.Properties)
	if v.Type != "" {
		v.Properties["type"] = v.Type
	}
	if in.plan.tmpl.Key != missingKey {
		v.Properties["viewdef"] = in.plan.tmpl.Key
	}
	if p := l.t.problems[slotKey{in, -1}]; p != nil && v.Error == "" {
		v.Error = p.cause()
	}
}

// of returns the properties common to all variables of a binding. They are shared.
func (l *listing) of(b *viewdef.Binding) map[string]string {
	if m := l.properties[b]; m != nil {
		return m
	}
	m := map[string]string{"binding": b.Kind.String(), "access": accessName(b.Access)}
	if b.Name != "" {
		m["binding"] += " " + b.Name
	}
	if b.Namespace != "" {
		m["namespace"] = b.Namespace
	}
	maps.Copy(m, b.Path.Options)
	l.properties[b] = m
	return m
}

func (l *listing) value(v Value) json.RawMessage {
	if !l.isObject(v) {
		text, _ := l.t.appendValue(nil, v) // after an error, some other JSON in its place
		return text
	}
	if _, ours := v.(native); !ours {
		if text, err := l.t.host.AppendJSON(nil, v); err == nil && bytes.HasPrefix(text, []byte{'['}) {
			return l.elements(v)
		}
	}
	return append(strconv.AppendInt([]byte(`{"obj":`), l.first[v], 10), '}')
}

func accessName(a viewdef.Access) string {
	return [...]string{viewdef.Read: "r", viewdef.ReadWrite: "rw", viewdef.Write: "w", viewdef.Invoke: "action"}[a]
}

// elements returns an array of the host's as JSON: references to objects that have a variable, and
// anything else as pages see it.
func (l *listing) elements(array Value) json.RawMessage {
	out := []byte{'['}
	for k, e := range l.t.elements(nil, array) {
		if k > 0 {
			out = append(out, ',')
		}
		if l.isObject(e) && l.first[e] == 0 {
			out, _ = l.t.appendValue(out, e)
		} else {
			out = append(out, l.value(e)...)
		}
	}
	return append(out, ']')
}
