package terminals_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"go.uber.org/goleak"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/label"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/opcases"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestCases(t *testing.T) {
	for _, c := range opcases.All {
		t.Run(c.Op+" "+c.In, func(t *testing.T) {
			c.Check(t, opcases.New(t, c))
			if c.Err != nil && !slices.ContainsFunc(operation(t, c.Op).Failures(), func(f terminals.Failure) bool { return f.Kind == c.Err.Kind && f.Detail == c.Err.Detail }) {
				t.Errorf("the table does not say that %s can fail with %v, %q", c.Op, c.Err.Kind, c.Err.Detail)
			}
		})
	}
}

// What crosses to another process is the JSON form of inputs and answers: each reads as what was
// written, the empty list as another thing than none, too.
func TestJSONForm(t *testing.T) {
	check := func(t *testing.T, what string, v, read any) {
		t.Helper()
		b, err := json.Marshal(v)
		must(t, err)
		if err := json.Unmarshal(b, read); err != nil {
			t.Fatalf("the %s %s: %v", what, b, err)
		}
		if again, err := json.Marshal(read); err != nil || !bytes.Equal(again, b) {
			t.Errorf("the %s %s becomes %s, %v", what, b, again, err)
		}
	}
	for _, c := range opcases.All {
		t.Run(c.Op+" "+c.In, func(t *testing.T) {
			o := operation(t, c.Op)
			in, out := o.New()
			must(t, json.Unmarshal([]byte(c.In), in))
			read, again := o.New()
			check(t, "input", in, read)
			if !reflect.DeepEqual(in, read) {
				t.Errorf("the input %+v becomes %+v", in, read)
			}
			if c.Err == nil && o.Kind == terminals.Query {
				must(t, opcases.New(t, c).Do(t.Context(), terminals.Everything, o, in, out))
				check(t, "answer", out, again)
			}
		})
	}
}

func operation(t *testing.T, name string) *terminals.Operation {
	t.Helper()
	for _, o := range terminals.All() {
		if o.Name == name {
			return o
		}
	}
	t.Fatalf("there is no operation %s", name)
	return nil
}

// Every operation is described, and has a case in which it succeeds.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, o := range terminals.All() {
		if seen[o.Name] {
			t.Errorf("%s is there twice", o.Name)
		}
		seen[o.Name] = true
		if o.Doc == "" || o.Kind == "" || o.Right == 0 {
			t.Errorf("%s is not described: %+v", o.Name, o)
		}
		if o.Kind != terminals.Streaming && !slices.ContainsFunc(opcases.All, func(c opcases.Case) bool { return c.Op == o.Name && c.Err == nil }) {
			t.Errorf("%s has no case in which it succeeds", o.Name)
		}
		for name, p := range o.In().Properties {
			if p.Description == "" && p.Ref == "" {
				t.Errorf("%s: the member %s of its input has no description", o.Name, name)
			}
		}
	}
}

// The schemas state the defaults and limits of the domain.
func TestSchemaDefaults(t *testing.T) {
	for _, tt := range []struct {
		op    string
		field string
		value any
		most  float64
	}{
		{"session.create", "rows", registry.DefaultRows, 1000}, {"session.create", "cols", registry.DefaultCols, 1000},
		{"session.create", "scrollback", registry.DefaultScrollback, 1_000_000},
		{"wait.idle", "timeout_ms", core.DefaultSilence.Milliseconds(), 0}, {"wait.idle", "max_wait_ms", term.DefaultWait.Milliseconds(), 0},
		{"command.run", "max_output", term.DefaultOutput, 0}, {"screen.get", "format", "styled", 0},
	} {
		p := operation(t, tt.op).In().Properties[tt.field]
		if p == nil {
			t.Errorf("%s has no %s", tt.op, tt.field)
			continue
		}
		want, err := json.Marshal(tt.value)
		must(t, err)
		if !bytes.Equal(p.Default, want) || tt.most > 0 && (p.Maximum == nil || *p.Maximum != tt.most) {
			t.Errorf("%s: %s has the default %s, want %s", tt.op, tt.field, p.Default, want)
		}
	}
}

// The quick encoding of a screen equals encoding/json's.
func TestScreenAppendJSON(t *testing.T) {
	s, err := terminals.GetScreen.Do(t.Context(), opcases.New(t, opcases.Case{}), terminals.Everything, terminals.ScreenQuery{Target: terminals.Target{Session: "a"}})
	must(t, err)
	s.LastActivityMS = 1234
	want, err := json.Marshal(s)
	must(t, err)
	if got := s.AppendJSON([]byte("x")); string(got) != "x"+string(want) {
		t.Errorf("%s\nencoding/json: %s", got, want)
	}
}

// An attached terminal needs the same rights as everything else.
func TestAttachRights(t *testing.T) {
	l := opcases.New(t, opcases.Case{})
	attach := func(by terminals.Grant) (*terminals.Viewer, error) {
		return l.Attach(t.Context(), by, "a", term.ViewerOptions{})
	}
	if _, err := attach(terminals.Grant{Rights: terminals.Manage}); fault.DetailOf(err) != terminals.NotAllowed {
		t.Errorf("without the right: %v", err)
	}
	if _, err := attach(terminals.Grant{Rights: terminals.AllRights, Sessions: []string{"b"}}); fault.KindOf(err) != fault.NotFound {
		t.Errorf("a session that is not covered: %v", err)
	}
	v, err := attach(terminals.Everything)
	must(t, err)
	defer v.Close()
	if b, err := v.Next(t.Context()); err != nil || !bytes.Contains(b, []byte("hello")) {
		t.Errorf("the first picture: %q, %v", b, err)
	}
}

// The ID of a session reaches it by whatever name it has, within the caller's rights, and nothing
// once it was removed.
func TestByID(t *testing.T) {
	l := opcases.New(t, opcases.Case{})
	ctx, onlyB := t.Context(), terminals.Grant{Rights: terminals.AllRights, Sessions: []string{"b"}}
	a, err := terminals.GetSession.Do(ctx, l, terminals.Everything, terminals.Target{Session: "a"})
	must(t, err)
	byID := terminals.Target{Session: a.ID}
	if _, err := terminals.GetSession.Do(ctx, l, onlyB, byID); fault.KindOf(err) != fault.NotFound {
		t.Errorf("without rights: %v", err)
	}
	if _, err := terminals.UpdateSession.Do(ctx, l, terminals.Everything, terminals.NewLabel{Target: byID, Name: new("b")}); err != nil {
		t.Fatal(err)
	}
	if _, err := terminals.CreateSession.Do(ctx, l, terminals.Everything, terminals.NewSession{Name: "a"}); err != nil {
		t.Fatal(err)
	}
	if s, err := terminals.GetSession.Do(ctx, l, onlyB, byID); err != nil || s.Name != "b" || s.ID != a.ID {
		t.Errorf("renamed: %+v, %v", s, err)
	}
	if _, err := terminals.RemoveSession.Do(ctx, l, terminals.Everything, byID); err != nil {
		t.Fatal(err)
	}
	if _, err := terminals.GetSession.Do(ctx, l, terminals.Everything, byID); fault.KindOf(err) != fault.NotFound {
		t.Errorf("removed: %v", err)
	}
}

func TestCheckLabels(t *testing.T) {
	for label, ok := range map[string]bool{
		"gpu": true, "disk=fast": true, "größe.1=x_y-2": true,
		"": false, "=": false, "a=": false, "=a": false, "a=b=c": false, "a b": false, "a/b": false, "os=linux": false, "os": false, "arch=x": false, "a\nb": false,
	} {
		if err := terminals.CheckLabels([]string{"fine", label}); (err == nil) != ok {
			t.Errorf("%q: %v", label, err)
		}
	}
	if err := terminals.CheckLabels(make([]string, label.MaxTags+1)); err == nil {
		t.Error("any number is accepted")
	}
}

// must ends a test in which something has failed that the rest needs.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
