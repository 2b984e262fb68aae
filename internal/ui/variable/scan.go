package variable

import (
	"cmp"
	"fmt"
	"html"
	"maps"
	"slices"
	"strings"
	"time"

	"ui-mcp/internal/ui/viewdef"
	"ui-mcp/internal/ui/wire"
)

// SetRoot makes obj the root, which the whole tree displays.
func (t *Tree) SetRoot(obj Value) { t.root.obj = obj }

// Renew has the next scan resolve all views again, since objects may have got other types.
func (t *Tree) Renew() { t.retyped = true }

// Scan reads every variable once, those of high priority first, and returns the operations that
// bring pages up to date. The result is valid until the next call.
func (t *Tree) Scan() *wire.Ops {
	t.ops.Reset()
	t.pass++
	t.spent = false
	gen := t.templates.Generation()
	replaced := gen != t.gen
	renewed := replaced || t.retyped
	t.gen, t.retyped = gen, false
	if replaced {
		clear(t.missing)
	}
	t.prioritised(t.high, viewdef.High)
	t.view(&t.root, 0, t.root.obj, renewed)
	t.prioritised(t.low, viewdef.Low)
	t.checkNames()
	t.dropUnused()
	if replaced {
		t.dropPlans()
	}
	return &t.ops
}

// prioritised reads the bindings of one priority, apart from the main pass.
func (t *Tree) prioritised(set map[*instance]bool, prio viewdef.Priority) {
	if len(set) == 0 {
		return
	}
	older := func(a, b *instance) int { return cmp.Compare(a.id, b.id) }
	for _, in := range slices.SortedFunc(maps.Keys(set), older) {
		if !in.gone {
			t.readPriority(in, prio, false)
		}
	}
}

// readPriority reads the bindings of one priority that this pass has not read.
func (t *Tree) readPriority(in *instance, prio viewdef.Priority, renewed bool) {
	for i := range in.plan.slots {
		s := &in.plan.slots[i]
		if s.Priority != prio || !s.Access.Readable() {
			continue
		}
		if m := in.vars[i].ext(); m.read != t.pass {
			m.read = t.pass
			t.update(in, i, renewed)
		}
	}
}

// mount reads everything in a new instance.
func (t *Tree) mount(in *instance) {
	in.mounted = t.pass
	t.readAll(in, false)
}

// readAll reads the bindings of an instance in the order of their priorities.
func (t *Tree) readAll(in *instance, renewed bool) {
	if in.plan.high {
		t.readPriority(in, viewdef.High, renewed)
	}
	t.readMain(in, renewed)
	if in.plan.low {
		t.readPriority(in, viewdef.Low, renewed)
	}
}

// scan reads the variables of in and of everything inside it, unless this pass has just mounted it.
// renewed says that templates have changed, so views must be resolved again.
func (t *Tree) scan(in *instance, renewed bool) {
	if in.mounted != t.pass {
		t.readMain(in, renewed)
	}
}

// readMain reads the variables of in, except variables of other priorities, and of everything
// inside it.
func (t *Tree) readMain(in *instance, renewed bool) {
	slots := in.plan.slots
	native, _ := in.obj.(native)
	for i := range slots {
		s := &slots[i]
		if s.field != nil && len(t.stoppages) == 0 {
			// Nearly every variable of a large tree is one field of an object.
			var v Value
			var err error
			if native != nil {
				v, err = native.step(s.field)
			} else {
				v, err = t.host.Field(in.obj, s.field.Name)
			}
			va := &in.vars[i]
			switch {
			case err != nil || renewed:
			case va.more == nil && same(v, va.value):
				t.works(in, i)
				continue
			case t.displays(in, i, v):
				t.works(in, i)
				t.scan(va.child, false)
				continue
			}
			t.updateTo(in, i, v, t.judge(in, i, err), renewed)
			continue
		}
		if s.skip {
			if s.track == trackPrefix {
				t.ownPrefix(in, i)
			}
			if s.Kind <= viewdef.View && s.Access.Readable() {
				t.descend(in, i, renewed)
			}
			continue
		}
		t.update(in, i, renewed)
	}
}

// descend scans the content of a view or list whose own value has been read already.
func (t *Tree) descend(in *instance, i int, renewed bool) {
	m := in.vars[i].more
	if m == nil {
		return
	}
	if renewed {
		t.updateTo(in, i, in.vars[i].value, nil, true)
		return
	}
	if m.child != nil {
		t.scan(m.child, false)
	}
	for _, r := range m.rows {
		t.scan(r.inst, false)
	}
}

// update reads a variable and records what has changed.
func (t *Tree) update(in *instance, i int, renewed bool) {
	s := &in.plan.slots[i]
	if !s.calls {
		v, err := t.fetch(in, i)
		t.updateTo(in, i, v, err, renewed)
		return
	}
	start := time.Now()
	v, err := t.fetch(in, i)
	m := in.vars[i].ext()
	m.took = time.Since(start)
	m.longest = max(m.longest, m.took)
	t.updateTo(in, i, v, err, renewed)
}

// displays reports whether in.vars[i] is a view that displays v already, without a wrapper, as most
// rows of a list do: then only what is inside can have changed.
func (t *Tree) displays(in *instance, i int, v Value) bool {
	s, va := &in.plan.slots[i], &in.vars[i]
	return s.Wrapper == "" && va.more != nil && va.child != nil && same(va.value, v) && same(va.child.obj, v)
}

func (t *Tree) updateTo(in *instance, i int, v Value, err error, renewed bool) {
	if err == nil {
		err = t.checkSuitable(in, i, v)
	}
	if err != nil {
		t.descend(in, i, renewed) // the last good value stays, and with it the display
		t.fail(in, i, err.Error(), err)
		return
	}
	switch in.plan.slots[i].Kind {
	case viewdef.View:
		t.view(in, i, v, renewed)
	case viewdef.List:
		t.list(in, i, v, renewed)
	default:
		t.leaf(in, i, v)
	}
}

// leaf stores the value of a variable that displays no objects, and updates pages if its JSON has
// changed.
func (t *Tree) leaf(in *instance, i int, v Value) {
	va := &in.vars[i]
	if !t.host.IsObject(v) && same(va.value, v) {
		t.works(in, i)
		return
	}
	var err error
	t.scratch, err = t.appendLeaf(t.scratch[:0], in, i, v)
	if err != nil {
		t.fail(in, i, err.Error(), err)
		if _, isCode := err.(codeError); isCode && va.value != unknown {
			va.value = unknown
			if va.more != nil {
				va.json = nil
			}
			if t.changed(in, i) {
				t.ops.Set(in.id, i, null) // an earlier address would mislead
			}
		}
		return // otherwise, the last good value stays
	}
	t.works(in, i)
	if t.host.IsObject(v) {
		// An object's content may change while it stays the same object.
		m := va.ext()
		if va.value == v && string(m.json) == string(t.scratch) {
			return
		}
		m.json = append(m.json[:0], t.scratch...)
	} else if va.more != nil {
		va.json = nil
	}
	va.value = v
	if t.changed(in, i) {
		t.ops.Set(in.id, i, t.scratch)
	}
}

func (t *Tree) view(in *instance, i int, v Value, renewed bool) {
	displayed, fallback, err := t.wrap(in, i, v)
	if err != nil {
		t.descend(in, i, false)
		t.fail(in, i, err.Error(), err)
		return
	}
	t.works(in, i)
	va := &in.vars[i]
	var child *instance
	if va.more != nil {
		child = va.child
	}
	if same(va.value, v) && !renewed && child != nil && same(child.obj, displayed) {
		t.scan(child, false)
		return
	}
	if !same(va.value, v) {
		t.changed(in, i)
	}
	va.value = v
	if displayed == nil {
		if child != nil {
			t.free(child)
			va.child = nil
			t.ops.Mount(in.id, i, null)
		}
		return
	}
	source := t.sourceOf(in, i, v)
	ns := cmp.Or(in.plan.slots[i].Namespace, in.namespace)
	tmpl, problem := t.resolve(in, displayed, ns, fallback)
	if child != nil && tmpl == child.plan.tmpl {
		child.obj = displayed
		t.identify(child, source)
		t.scanRebound(child, renewed)
		return
	}
	t.free(child)
	child = t.newInstance(in, i, noRow, tmpl, displayed, source, ns, fallback)
	va.ext().child = child
	if problem = cmp.Or(problem, in.plan.slots[i].Misfit(tmpl)); problem != "" {
		t.failDisplay(child, in, i, problem)
	}
	t.mount(child)
	if in.mounted != t.pass {
		t.ops.Mount(in.id, i, t.appendInstance(nil, child))
	}
}

var null = []byte("null")

// scanRebound scans an instance whose object may have been replaced: bindings read ahead of the
// pass were read from the old object.
func (t *Tree) scanRebound(in *instance, renewed bool) {
	for i := range in.vars {
		if m := in.vars[i].more; m != nil {
			m.read = 0
		}
	}
	t.readAll(in, renewed)
}

// wrap returns what a view or list displays for v: v, or its wrapper.
func (t *Tree) wrap(in *instance, i int, v Value) (displayed Value, fallback string, err error) {
	b := in.plan.slots[i].Binding
	fallback = in.fallback
	if err := t.readable(in, i); err != nil {
		return nil, "", err
	}
	defer func() { err = t.judge(in, i, err) }()
	if b.Wrapper == "" || v == nil {
		if v != nil && !t.host.Truthy(v) {
			v = nil // a view of false is empty
		}
		return v, fallback, nil
	}
	va := &in.vars[i]
	m := va.ext()
	if b.Wrapper == ViewListType {
		list, _ := m.wrapper.(*ViewList)
		if list == nil {
			list = &ViewList{itemWrapper: b.ItemWrapper, windowed: b.Window}
			m.wrapper = list
		}
		list.source = v
		return list, "list-item", nil
	}
	if m.wrapper == nil {
		m.wrapper, err = t.host.Wrap(b.Wrapper, v)
	} else {
		err = t.host.Rewrap(m.wrapper, v)
	}
	return m.wrapper, fallback, err
}

// resolve finds the template for obj inside in. If there is none, it returns one that displays the
// problem, and the problem.
func (t *Tree) resolve(in *instance, obj Value, ns, fallback string) (tmpl *viewdef.Template, problem string) {
	typ := t.typeOf(obj)
	switch {
	case in.depth >= maxDepth:
		problem = fmt.Sprintf("views nest more than %d deep: a %s shows others without end", maxDepth, cmp.Or(typ, "value"))
	case len(t.instances) >= maxInstances:
		problem = fmt.Sprintf("more than %d views at once", maxInstances)
	case typ == "":
		problem = "this value has no type, so it has no view definition: make it with session:prototype and new"
	default:
		tmpl := t.templates.Lookup(typ, t.host.Origin(typ), ns, fallback)
		if tmpl != nil && !in.showsItself(obj, tmpl) {
			return tmpl, ""
		}
		if tmpl != nil {
			problem = fmt.Sprintf("a %s shows itself", typ)
			break
		}
		problem = fmt.Sprintf("no view definition %s.%s", typ, cmp.Or(ns, cmp.Or(fallback, "DEFAULT")))
		if near := t.templates.Near(typ); len(near) > 0 {
			problem += "; there is " + strings.Join(near[:min(len(near), maxNear)], ", ")
		}
	}
	if t.missing[problem] == nil {
		t.missing[problem] = missingTemplate(problem)
	}
	return t.missing[problem], problem
}

// maxNear bounds how many files a message offers.
const maxNear = 3

// missingKey is the key of templates that this package generates.
const missingKey = "ui.missing"

// missingTemplate displays a problem in place of a view.
func missingTemplate(problem string) *viewdef.Template {
	src := `<template><div class="ui-missing" role="note">` + html.EscapeString(problem) + `</div></template>`
	tmpl, err := viewdef.Parse(missingKey, missingKey+".html", src)
	if err != nil {
		panic(err) // the source is ours
	}
	return tmpl
}

func (t *Tree) typeOf(v Value) string {
	switch v.(type) {
	case *ViewList:
		return ViewListType
	case *ViewListItem:
		return viewListItemType
	}
	if !t.host.IsObject(v) {
		return ""
	}
	return t.host.Type(v)
}

// dropPlans forgets templates that the store has replaced and that are not in use any more. Pages
// keep the definitions until they connect again.
func (t *Tree) dropPlans() {
	for tmpl, p := range t.plans {
		if p.displayed == 0 {
			delete(t.plans, tmpl)
			delete(t.unnamed, p)
			t.defs[p.def-1].Body = nil
		}
	}
}
