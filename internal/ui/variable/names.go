package variable

import (
	"cmp"
	"fmt"
	"slices"

	"ui-mcp/internal/ui/path"
	"ui-mcp/internal/ui/spell"
	"ui-mcp/internal/ui/viewdef"
)

// This file finds names in view definitions that their objects do not have. Reading such a path
// gives nil, which is not unusual, so nothing else would report it.
//
// The bindings of a template are checked together when it is first displayed, and again when code
// was loaded. All objects that a template shows have the same type, so one of them stands for all.
// Steps behind a value that is nil are checked once it is not. Nothing is run: a path is followed
// up to its first method.

// optional is the option of a path that may name what nothing declares.
const optional = "optional"

// names is what is known of the names in a template.
type names struct {
	sample  *instance // one that shows the template, or nil until it is needed
	unknown []int     // slots that are yet to be checked
	wrong   map[int]*Problem
}

// recheckNames has all names checked again: the code may be another one.
func (t *Tree) recheckNames() {
	for _, p := range t.plans {
		t.startNames(p)
	}
}

// startNames has the names of a template checked at the end of the next scan.
func (t *Tree) startNames(p *plan) {
	p.names.unknown = p.names.unknown[:0]
	for i := range p.slots {
		if !p.slots[i].optional {
			p.names.unknown = append(p.names.unknown, i)
		}
	}
	t.unnamed[p] = true
}

// checkNames checks what can be checked by now. It ends with what is displayed no more.
func (t *Tree) checkNames() {
	for p := range t.unnamed {
		n := &p.names
		if p.displayed == 0 {
			if len(n.wrong) > 0 {
				t.problemsVersion++
			}
			n.wrong = nil
			delete(t.unnamed, p)
			continue
		}
		if n.sample == nil { // it has gone
			for _, in := range t.instances {
				if in.plan == p {
					n.sample = in
					break
				}
			}
		}
		n.unknown = slices.DeleteFunc(n.unknown, func(i int) bool {
			msg, done := t.misnamed(n.sample, &p.slots[i])
			old := n.wrong[i]
			switch {
			case msg == "" && old != nil: // also while more is yet to be seen: it is not what was wrong
				delete(n.wrong, i)
				t.problemsVersion++
			case msg != "" && (old == nil || old.Message != msg):
				if n.wrong == nil {
					n.wrong = map[int]*Problem{}
				}
				n.wrong[i] = n.sample.problem(i, msg, nil)
				t.problemsVersion++
			}
			return done
		})
		if len(n.unknown) == 0 {
			delete(t.unnamed, p)
		}
	}
}

// mistakes appends what is wrong with names.
func (t *Tree) mistakes(dst []*Problem) []*Problem {
	for _, p := range t.plans {
		for _, m := range p.names.wrong {
			dst = append(dst, m)
		}
	}
	return dst
}

// misnamed returns what is wrong with the names in a binding, or "". done is false if that is yet
// to be seen.
func (t *Tree) misnamed(in *instance, s *slot) (msg string, done bool) {
	if isNative(in.obj) {
		return "", true
	}
	msg, done = t.misnamedPath(in, s, &s.Path, s.Access)
	if msg == "" {
		for i := range s.Path.Steps {
			if arg := s.Path.Steps[i].Arg; arg != nil && msg == "" {
				m, d := t.misnamedPath(in, s, arg, viewdef.Read)
				msg, done = m, done && d
			}
		}
	}
	if msg == "" && s.Progress != "" {
		field := path.Path{Steps: append(slices.Clone(s.prefix.Steps), path.Step{Kind: path.Field, Name: s.Progress})}
		m, d := t.misnamedPath(in, s, &field, viewdef.Write)
		msg, done = m, done && d
	}
	return msg, done
}

func (t *Tree) misnamedPath(in *instance, binding *slot, p *path.Path, access viewdef.Access) (msg string, done bool) {
	obj := in.obj
	around := in
	for i := range p.Steps {
		s := &p.Steps[i]
		last := i == len(p.Steps)-1
		if s.Kind == path.Parent {
			if around = outer(around); around == nil {
				return "", true
			}
			obj = around.obj
			continue
		}
		if isNative(obj) || !t.host.IsObject(obj) {
			return "", true
		}
		if s.Kind == path.Index {
			v, err := t.host.Element(obj, s.Index)
			if err != nil || last {
				return "", true
			}
			if v == nil {
				return "", false
			}
			obj = v
			continue
		}
		m := t.host.Member(obj, s.Name)
		typ := cmp.Or(t.host.Type(obj), "this object")
		hint := spell.Offer(m.Similar)
		if s.Kind != path.Field {
			switch {
			case !m.Known:
				if last && !access.Readable() { // one that is read fails then
					return fmt.Sprintf("%s has no method %s%s", typ, s.Name, hint), true
				}
			case m.Value != nil && !m.Method && last && !access.Readable():
				return fmt.Sprintf("%s is no method of %s, but a field: write %[1]s without parentheses", s.Name, typ), true
			}
			return "", true
		}
		switch {
		case !m.Known && last && binding.Kind == viewdef.Class && hint == "":
			return "", true // a flag that only some objects are given, and that nothing resembles
		case !m.Known:
			return fmt.Sprintf("%s declares no %s%s", typ, s.Name, hint), true
		case m.Method && (!last || !access.Readable()): // one that is read alone fails then
			return fmt.Sprintf("%s is a method: write %[1]s()", s.Name), true
		case last:
			return "", true
		case m.Value == nil:
			return "", false
		}
		obj = m.Value
	}
	return "", true
}

// MisnamedIn lists the names in a template that an object which it could display does not have. It
// displays nothing and runs no code.
func (t *Tree) MisnamedIn(tmpl *viewdef.Template, obj Value) (list []*Problem) {
	in := &instance{plan: t.plan(tmpl), obj: obj, parent: &t.root}
	for i := range in.plan.slots {
		s := &in.plan.slots[i]
		if s.optional {
			continue
		}
		msg, _ := t.misnamed(in, s)
		if first := s.Path.Steps[0]; msg == "" && (first.Kind == path.Call || first.Kind == path.CallArg || first.Kind == path.CallSub) {
			if m := t.host.Member(obj, first.Name); !m.Known {
				msg = fmt.Sprintf("%s has no method %s", cmp.Or(t.host.Type(obj), "this object"), first.Name)
			}
		}
		if msg != "" {
			list = append(list, in.problem(i, msg, nil))
		}
	}
	return list
}

// checkSuitable returns why a value cannot be shown by a binding, or nil.
func (t *Tree) checkSuitable(in *instance, i int, v Value) error {
	if v == nil {
		return nil
	}
	if _, ours := v.(native); ours {
		return nil
	}
	s := &in.plan.slots[i]
	if t.host.IsFunction(v) {
		name := s.Path.Bare
		if last := s.Path.Last(); last.Kind == path.Field {
			return fmt.Errorf("%s is a method: write %s()", last.Name, name)
		}
		return fmt.Errorf("%s returned a function, which shows nothing", name)
	}
	if (s.Kind == viewdef.List || s.Kind == viewdef.View && s.Wrapper == ViewListType) && !t.host.IsObject(v) && t.host.Truthy(v) {
		text, err := t.host.AppendJSON(nil, v)
		if err != nil {
			return err
		}
		return fmt.Errorf("a list shows the elements of a table, and %s is %s", s.Path.Bare, clip(string(text), 40))
	}
	return nil
}
