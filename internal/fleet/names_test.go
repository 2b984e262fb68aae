package fleet_test

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/testkit/opcases"
)

// notSessions are the members of answers whose description speaks of sessions, and which name none
// that an operation finds: of the server's own archive and tokens, or of clients.
var notSessions = map[string]string{
	"archive.list .recordings[].session": "names a session of the past, in the archive of this server",
	"archive.get .session":               "the same",
	"token.create .sessions[]":           "says itself on which host the sessions are",
	"token.list [].sessions[]":           "the same",
}

// sessionNames are the members of answers that name sessions, of each operation that has any.
var sessionNames = map[string]bool{"name": true, "id": true}

// TestNames has another host answer every operation with texts all of which differ. Every name of
// a session has the host's name here, and nothing else is changed.
func TestNames(t *testing.T) {
	tried := 0
	for _, o := range terminals.All() {
		if o.Kind == terminals.Streaming {
			continue
		}
		in, out := o.New()
		_, ok := terminals.SessionIn(in)
		if _, isList := out.(*[]wire.Session); !ok && !isList && o != &terminals.AwaitAnyIdle.Operation {
			continue // of this host: TestRouting
		}
		t.Run(o.Name, func(t *testing.T) {
			tried++
			host := &answering{texts: map[string]string{}}
			n := newNetwork()
			n.start(t, "b", host)
			f := newFleet(t, n, "b")
			r := f.Over(opcases.New(t, opcases.Case{Before: []opcases.Step{{Op: "session.remove", In: `{"session":"a"}`}, {Op: "session.remove", In: `{"session":"over"}`}}}))
			if ok {
				if err := json.Unmarshal([]byte(`{"session":"b/s","name":"b/s"}`), in); err != nil {
					t.Fatal(err)
				}
			}
			host.answers(o)
			if err := r.Do(t.Context(), terminals.Everything, o, in, out); err != nil {
				t.Fatal(err)
			}
			if name, ok := terminals.SessionIn(host.in); ok && name != "s" {
				t.Errorf("the host was asked about %q", name)
			}
			found := 0
			eachText(reflect.ValueOf(out).Elem(), "", reflect.StructField{}, func(at string, in reflect.StructField, text *string) {
				found++
				was := host.texts[at]
				want := was
				switch {
				case isSession(at, in) && notSessions[o.Name+" "+at] == "":
					want = "b/" + was
				case strings.HasSuffix(at, ".server"):
					want = "b"
				}
				if *text != want || was == "" {
					t.Errorf("%s is %q, and was %q", at, *text, was)
				}
			})
			if found != len(host.texts) {
				t.Errorf("%d texts of %d are there", found, len(host.texts))
			}
		})
	}
	if tried < 50 {
		t.Errorf("only %d operations were tried", tried)
	}
}

// isSession reports whether a text names a session: the members session, old_name and new_name do,
// and so do name and id in the description of a session.
func isSession(at string, in reflect.StructField) bool {
	name, _, _ := strings.Cut(in.Tag.Get("json"), ",")
	switch name {
	case "session", "sessions", "old_name", "new_name":
		return true
	}
	return in.PkgPath == "session" && sessionNames[name]
}

// An answering host answers an operation with texts all of which differ.
type answering struct {
	terminals.Terminals
	o     *terminals.Operation
	in    any
	texts map[string]string // in the answer, by where they are
}

func (a *answering) answers(o *terminals.Operation) { a.o = o }

// Do implements [terminals.Doer].
func (a *answering) Do(_ context.Context, _ terminals.Grant, o *terminals.Operation, in, out any) error {
	if o != a.o {
		return nil
	}
	a.in = in
	clear(a.texts)
	fill(reflect.ValueOf(out).Elem())
	eachText(reflect.ValueOf(out).Elem(), "", reflect.StructField{}, func(at string, _ reflect.StructField, text *string) {
		*text = fmt.Sprintf("text%d", len(a.texts))
		a.texts[at] = *text
	})
	return nil
}

// fill gives lists one item, and pointers a target.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() && v.Type() != reflect.TypeFor[overlay.Element]() {
				fill(v.Field(i))
			}
		}
	case reflect.Interface:
		if v.Type() == reflect.TypeFor[wire.Lines]() {
			v.Set(reflect.ValueOf(wire.Lines([]string{"line"})))
		}
	}
}

// eachText calls f with each text in a value, where it is, and the field that has it. In the
// description of a session, the field has the PkgPath "session".
func eachText(v reflect.Value, at string, field reflect.StructField, f func(at string, in reflect.StructField, text *string)) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			eachText(v.Elem(), at, field, f)
		}
	case reflect.Slice:
		for i := range v.Len() {
			eachText(v.Index(i), at+"[]", field, f)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			in := v.Type().Field(i)
			if !in.IsExported() {
				continue
			}
			name, _, _ := strings.Cut(in.Tag.Get("json"), ",")
			if v.Type() == reflect.TypeFor[wire.Session]() {
				in.PkgPath = "session"
			}
			below := at + "." + name
			if in.Anonymous {
				below = at
			} else if name == "-" || name == "" {
				below = at + "." + in.Name
			}
			eachText(v.Field(i), below, in, f)
		}
	case reflect.String:
		if v.CanSet() {
			text := v.String()
			f(at, field, &text)
			v.SetString(text)
		}
	}
}

// What concerns no session is of this host, whatever hosts there are.
func TestRouting(t *testing.T) {
	n := newNetwork()
	n.start(t, "b", opcases.New(t, opcases.Case{}))
	f := newFleet(t, n, "b")
	for _, c := range opcases.All {
		if ofSession(c.Op) && !strings.Contains(c.In, `"session"`) || c.By != nil || c.Err != nil || c.Op == "session.list" || c.Op == "wait.any_idle" {
			continue
		}
		t.Run(c.Op+" "+c.In, func(t *testing.T) { c.Check(t, f.Over(opcases.New(t, c))) })
	}
	r := f.Over(opcases.New(t, opcases.Case{}))
	for session, want := range map[string]string{
		"a": "a", "here/a": "a", "b/a": "b/a", "HERE/a": "a", "B/a": "b/a", "none/a": "server_not_found", "b/none": "", "b/b/a": "", "/a": "", "b/": "", "here/b/a": "",
	} {
		s, err := terminals.GetSession.Do(t.Context(), r, terminals.Everything, terminals.Target{Session: session})
		if got := s.Name + string(fault.DetailOf(err)); got != want || (err == nil) != (s.Name != "") {
			t.Errorf("%q is %q, want %q (%v)", session, got, want, err)
		}
	}
}

// Names of hosts differ in more than the case of letters, and all that leads to a host ignores it:
// filters, rights, and the name of a host that is added.
func TestNamesFold(t *testing.T) {
	n := newNetwork()
	n.start(t, "b", opcases.New(t, opcases.Case{}))
	other := n.start(t, "other", newEmpty(t))
	other.info.Hostname = "B"
	f := newFleet(t, n, "b")
	r := f.Over(newEmpty(t))
	if _, err := terminals.UpdateSession.Do(t.Context(), r, terminals.Everything, terminals.NewLabel{Target: terminals.Target{Session: "b/a"}, AddTags: []string{"x"}}); err != nil {
		t.Fatal(err)
	}
	create(t, r, terminals.NewSession{Name: "own", Tags: []string{"x"}})
	for tag, want := range map[string]string{"B/x": "b/a", "HERE/x": "own", "x": "own b/a", "c/x": ""} {
		if got := sessions(t, r, terminals.Everything, tag); got != want {
			t.Errorf("with the tag %s are %q", tag, got)
		}
	}
	if got := sessions(t, r, terminals.Grant{Rights: terminals.Read, Sessions: []string{"B/a"}}); got != "b/a" {
		t.Errorf("a caller with rights to B/a sees %q", got)
	}
	if s, err := f.Get(terminals.Everything, "B"); err != nil || s.Hostname != "b" {
		t.Errorf("the server B is %q, %v", s.Hostname, err)
	}
	for _, in := range []terminals.NewServer{{Address: "mem://other", Hostname: "B"}, {Address: "mem://other", Hostname: "HERE"}} {
		if _, err := f.Add(t.Context(), in); fault.DetailOf(err) != terminals.ServerRegistered {
			t.Errorf("added as %s: %v", in.Hostname, err)
		}
	}
	if _, err := f.Add(t.Context(), terminals.NewServer{Address: "mem://other"}); err != nil {
		t.Fatal(err)
	}
	if s := await(t, f, "mem://other", terminals.Rejected); !strings.Contains(s.Reason, "calls itself") {
		t.Errorf("one that calls itself B: %+v", s)
	}
}

// A nameless host answers with sessions that have no names.
type nameless struct{ terminals.Terminals }

func (n nameless) Do(ctx context.Context, by terminals.Grant, o *terminals.Operation, in, out any) error {
	err := n.Terminals.Do(ctx, by, o, in, out)
	if s, ok := out.(*wire.Session); ok {
		s.Name = ""
	}
	return err
}

// A session for which a host has sent no name does not look like one of this host.
func TestNameless(t *testing.T) {
	n := newNetwork()
	n.start(t, "b", nameless{newEmpty(t)})
	f := newFleet(t, n, "b")
	await(t, f, "b", terminals.Healthy)
	r := f.Over(newEmpty(t))
	for _, in := range []terminals.NewSession{{Name: "b/"}, {Name: "b/s"}, {On: []string{}}} {
		s, err := terminals.CreateSession.Do(t.Context(), r, terminals.Everything, in)
		if err != nil || s.Name != "b/" && s.Server == "b" {
			t.Errorf("create %+v: %q, %v", in, s.Name, err)
		}
	}
}
