package variable_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"ui-mcp/internal/ui/variable"
	"ui-mcp/internal/ui/viewdef"
	"ui-mcp/internal/ui/wire"
)

// obj is an object of the tests' host language.
type obj struct {
	typ     string
	fields  map[string]variable.Value
	methods map[string]func(o *obj, args ...variable.Value) (variable.Value, error)
}

// arr is an array of it.
type arr struct{ items []variable.Value }

// host is a language whose scalars are Go's.
type host struct {
	calls []string
	work  int // steps of the tree's own work
	stop  int // after so many of them its time is up; 0: never
}

func (h *host) Field(o variable.Value, name string) (variable.Value, error) {
	if x, ok := o.(*obj); ok {
		return x.fields[name], nil
	}
	return nil, fmt.Errorf("cannot read %s of a %T", name, o)
}

func (h *host) Element(o variable.Value, i int) (variable.Value, error) {
	if a, ok := o.(*arr); ok && i < len(a.items) {
		return a.items[i], nil
	}
	return nil, nil
}

func (h *host) SetField(o variable.Value, name string, v variable.Value) error {
	o.(*obj).fields[name] = v
	return nil
}

func (h *host) SetElement(o variable.Value, i int, v variable.Value) error {
	o.(*arr).items[i] = v
	return nil
}

func (h *host) Call(o variable.Value, m string, args ...variable.Value) (variable.Value, error) {
	h.calls = append(h.calls, m)
	x, ok := o.(*obj)
	if !ok || x.methods[m] == nil {
		return nil, fmt.Errorf("no method %s", m)
	}
	return x.methods[m](x, args...)
}

func (h *host) Origin(string) string { return "" }

func (h *host) IsFunction(variable.Value) bool { return false }

func (h *host) Member(variable.Value, string) variable.Member { return variable.Member{Known: true} }

func (h *host) IsObject(v variable.Value) bool {
	switch v.(type) {
	case *obj, *arr:
		return true
	}
	return false
}

func (h *host) Len(v variable.Value) int {
	if a, ok := v.(*arr); ok {
		return len(a.items)
	}
	return 0
}

func (h *host) Type(v variable.Value) string {
	if o, ok := v.(*obj); ok {
		return o.typ
	}
	return ""
}

func (h *host) Truthy(v variable.Value) bool { return v != nil && v != false }

func (h *host) Stopped() error { return nil }

var errTime = errors.New("its time is up")

func (h *host) Work() error {
	if h.work++; h.stop > 0 && h.work > h.stop {
		return errTime
	}
	return nil
}

func (h *host) Resume() bool { return false }

func (h *host) AppendJSON(dst []byte, v variable.Value) ([]byte, error) {
	if a, ok := v.(*arr); ok {
		items := slices.Clone(a.items)
		for i, item := range items {
			if item != item {
				items[i] = "NaN"
			}
		}
		v = items
	} else if o, ok := v.(*obj); ok {
		v = o.typ
	} else if v != v {
		v = "NaN"
	}
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return append(dst, b...), nil
}

func (h *host) Import(v any) variable.Value { return v }

func (h *host) Wrap(typ string, v variable.Value) (variable.Value, error) {
	return &obj{typ: typ, fields: map[string]variable.Value{"value": v}}, nil
}

func (h *host) Rewrap(w, v variable.Value) error { w.(*obj).fields["value"] = v; return nil }

func (h *host) WrapItem(typ string, item variable.Value, i int) (wrapper, source variable.Value, err error) {
	o := &obj{typ: typ, fields: map[string]variable.Value{"item": item, "index": i}}
	return o, o, nil
}

func (h *host) MoveItem(source variable.Value, i int) { source.(*obj).fields["index"] = i }

// page applies batches as a browser does, on mounts as JSON values.
type page struct {
	root  any
	insts map[int64][]any // the mount of each displayed instance
	defs  map[int][]string
}

func (p *page) addDefs(t *testing.T, defs []wire.Def) {
	t.Helper()
	for _, d := range defs {
		var def struct {
			Key  string
			Bind [][]any
		}
		if err := json.Unmarshal([]byte("{"+string(d.Body)+"}"), &def); err != nil {
			t.Fatal(err)
		}
		kinds := []string{def.Key}
		for _, b := range def.Bind {
			kinds = append(kinds, b[1].(string))
		}
		p.defs[d.ID] = kinds
	}
}

// adopt records the instances of a mount and extends its slots to full length.
func (p *page) adopt(t *testing.T, m any) any {
	t.Helper()
	if m == nil {
		return nil
	}
	mount := m.([]any)
	kinds := p.defs[int(mount[0].(float64))]
	if kinds == nil {
		t.Fatalf("mount of template %v, which was never defined", mount[0])
	}
	slots := mount[2].([]any)
	for len(slots) < len(kinds)-1 {
		slots = append(slots, nil)
	}
	for i, kind := range kinds[1:] {
		switch kind {
		case "view":
			slots[i] = p.adopt(t, slots[i])
		case "list":
			if window, ok := slots[i].(map[string]any); ok {
				p.adoptSegments(t, window["segments"], nil)
				continue
			}
			rows, _ := slots[i].([]any)
			if rows == nil {
				rows = []any{}
			}
			for k := range rows {
				rows[k] = p.adopt(t, rows[k])
			}
			slots[i] = rows
		}
	}
	mount[2] = slots
	id := int64(mount[1].(float64))
	if p.insts[id] != nil {
		t.Fatalf("instance %d mounted twice", id)
	}
	p.insts[id] = mount
	return mount
}

// adoptSegments records the rows of a windowed list. Rows in known are given by id.
func (p *page) adoptSegments(t *testing.T, segments any, known map[float64]any) {
	t.Helper()
	for _, s := range segments.([]any) {
		rows := s.([]any)[1].([]any)
		for k, r := range rows {
			if id, ok := r.(float64); ok {
				if known[id] == nil {
					t.Fatalf("row %v is kept, but was not there", id)
				}
				rows[k] = known[id]
				delete(known, id)
				continue
			}
			rows[k] = p.adopt(t, r)
		}
	}
}

// windowRows returns the rows of a windowed list by id.
func windowRows(v any) map[float64]any {
	rows := map[float64]any{}
	if w, ok := v.(map[string]any); ok {
		for _, s := range w["segments"].([]any) {
			for _, r := range s.([]any)[1].([]any) {
				rows[r.([]any)[1].(float64)] = r
			}
		}
	}
	return rows
}

func (p *page) discard(m any) {
	mount, ok := m.([]any)
	if !ok {
		return
	}
	delete(p.insts, int64(mount[1].(float64)))
	kinds := p.defs[int(mount[0].(float64))]
	for i, s := range mount[2].([]any) {
		switch kinds[i+1] {
		case "view":
			p.discard(s)
		case "list":
			for _, r := range windowRows(s) {
				p.discard(r)
			}
			rows, _ := s.([]any)
			for _, r := range rows {
				p.discard(r)
			}
		}
	}
}

func (p *page) apply(t *testing.T, tree *variable.Tree, ops *wire.Ops) []string {
	t.Helper()
	p.addDefs(t, tree.NewDefs())
	var batch struct{ Ops [][]json.RawMessage }
	if err := json.Unmarshal(wire.AppendBatch(nil, 1, nil, ops), &batch); err != nil {
		t.Fatal(err)
	}
	var log []string
	for _, op := range batch.Ops {
		var name string
		var id int64
		var slot int
		for i, into := range []any{&name, &id, &slot} { // of "object", the third is the object
			if err := json.Unmarshal(op[i], into); err != nil {
				t.Fatal(err)
			}
		}
		var args []any
		for _, raw := range op[3:] {
			var v any
			if err := json.Unmarshal(raw, &v); err != nil {
				t.Fatal(err)
			}
			args = append(args, v)
		}
		if id == 0 { // the pseudo-instance around the root
			p.discard(p.root)
			p.root = p.adopt(t, args[0])
			log = append(log, "root")
			continue
		}
		if name == "object" {
			p.object(t, id, float64(slot))
			continue
		}
		mount := p.insts[id]
		if mount == nil {
			t.Fatalf("%s for instance %d, which is not shown", name, id)
		}
		slots := mount[2].([]any)
		switch name {
		case "owner":
			if len(mount) < 5 {
				break // pages need it for edited bindings only
			}
			for _, o := range mount[4].([]any) {
				if o := o.([]any); o[0] == float64(slot) {
					o[1] = args[0]
				}
			}
		case "set":
			slots[slot] = args[0]
			log = append(log, fmt.Sprintf("set %v=%v", slot, args[0]))
		case "mount":
			p.discard(slots[slot])
			slots[slot] = p.adopt(t, args[0])
			log = append(log, fmt.Sprintf("mount %v", slot))
		case "list":
			p.splice(t, slots, slot, int(args[0].(float64)), int(args[1].(float64)), args[2].([]any))
			log = append(log, fmt.Sprintf("list %v start %v remove %v add %d", slot, args[0], args[1], len(args[2].([]any))))
		case "window":
			known := windowRows(slots[slot])
			n := len(known)
			p.adoptSegments(t, args[1], known)
			for _, r := range known {
				p.discard(r)
			}
			slots[slot] = map[string]any{"total": args[0], "segments": args[1]}
			log = append(log, fmt.Sprintf("window %v of %v kept %d", slot, args[0], n-len(known)))
		default:
			t.Fatalf("unknown operation %q", name)
		}
	}
	return log
}

// object records that an instance displays another object.
func (p *page) object(t *testing.T, id int64, object float64) {
	t.Helper()
	if p.insts[id] == nil {
		t.Fatalf("object of instance %d, which is not shown", id)
	}
	p.insts[id][3] = object
}

func (p *page) splice(t *testing.T, slots []any, slot, start, remove int, add []any) {
	t.Helper()
	rows, _ := slots[slot].([]any)
	taken := map[float64]any{}
	for _, r := range rows[start : start+remove] {
		taken[r.([]any)[1].(float64)] = r
	}
	out := append([]any{}, rows[:start]...)
	for _, r := range add {
		if id, ok := r.(float64); ok {
			if taken[id] == nil {
				t.Fatalf("row %v is kept, but was not taken out", id)
			}
			out = append(out, taken[id])
			delete(taken, id)
			continue
		}
		out = append(out, p.adopt(t, r))
	}
	for _, r := range taken {
		p.discard(r)
	}
	slots[slot] = append(out, rows[start+remove:]...)
}

// latest is the templates of a store as they are now.
type latest struct{ *viewdef.Store }

func (l latest) Lookup(typ, app, namespace, fallback string) *viewdef.Template {
	return l.Snapshot().Lookup(typ, app, namespace, fallback)
}

func (l latest) Near(typ string) []string { return l.Snapshot().Near(typ) }
func (l latest) Generation() uint64       { return l.Snapshot().Generation() }

// templates parses view definitions given as key and content.
func templates(t *testing.T, defs map[string]string) *viewdef.Store {
	t.Helper()
	s := viewdef.NewStore()
	for key, src := range defs {
		put(t, s, key, src)
	}
	return s
}

func put(t *testing.T, s *viewdef.Store, key, src string) {
	t.Helper()
	tm, err := viewdef.Parse(key, key+".html", "<template>"+strings.TrimSpace(src)+"</template>")
	if err != nil {
		t.Fatal(err)
	}
	s.Put(0, "", tm)
}
