package registry_test

import (
	"fmt"
	"slices"
	"testing"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/label"
	"ui-mcp/internal/term/registry"
)

// A change of name and tags that fails leaves everything as it was, an ended session of the new
// name included.
func TestRelabelIsAtomic(t *testing.T) {
	over := newScript()
	r := scripted(t, nil, over, newScript(), newScript())
	ended := create(t, r, registry.CreateOptions{Name: "over"})
	ends := r.Watch()
	defer ends.Close()
	over.end(over.exit)
	<-ended.Ended()
	// The registry reports an end after the session does. Its report is not what is tested here.
	if events, _, err := ends.Next(t.Context()); err != nil || len(events) != 1 || events[0].Change != registry.Ended {
		t.Fatalf("events %+v, %v", events, err)
	}
	s := create(t, r, registry.CreateOptions{Name: "s", Tags: []string{"x"}})
	create(t, r, registry.CreateOptions{Name: "taken"})
	to := func(name string) *string { return &name }
	for name, tt := range map[string]struct {
		c      registry.Relabel
		kind   fault.Kind
		detail fault.Detail
	}{
		"a bad tag":            {registry.Relabel{Name: to("over"), Add: []string{"a b"}}, fault.Invalid, label.InvalidTag},
		"a bad tag to remove":  {registry.Relabel{Name: to("over"), Remove: []string{""}}, fault.Invalid, label.InvalidTag},
		"a bad name":           {registry.Relabel{Name: to(""), Add: []string{"y"}}, fault.Invalid, label.InvalidName},
		"a name that is taken": {registry.Relabel{Name: to("taken"), Add: []string{"y"}}, fault.Exists, ""},
		"a protected name":     {registry.Relabel{Name: to("over"), ReplaceTags: []string{"x"}, Add: []string{"y"}}, fault.Exists, ""},
		"outside by name":      {registry.Relabel{Name: to("over"), Within: &label.Scope{Names: []string{"s"}}}, fault.Precondition, registry.NotAllowed},
		"outside by tag":       {registry.Relabel{Name: to("over"), Remove: []string{"x"}, Within: &label.Scope{Tags: []string{"x"}}}, fault.Precondition, registry.NotAllowed},
	} {
		t.Run(name, func(t *testing.T) {
			err := r.Relabel(s, tt.c)
			if err == nil || fault.KindOf(err) != tt.kind || fault.DetailOf(err) != tt.detail {
				t.Errorf("Relabel = %v (%q)", err, fault.DetailOf(err))
			}
			if i := s.Info(); i.Name != "s" || !slices.Equal(i.Tags, []string{"x"}) || names(r) != "over s taken" {
				t.Errorf("changed: %+v, sessions %s", i, names(r))
			}
		})
	}
	w := r.Watch()
	defer w.Close()
	must(t, r.Relabel(s, registry.Relabel{Name: to("over"), Add: []string{"y", "z"}, Remove: []string{"x", "z"}, Within: &label.Scope{Names: []string{"over"}}}))
	if i := s.Info(); i.Name != "over" || !slices.Equal(i.Tags, []string{"y"}) || names(r) != "over taken" {
		t.Errorf("%+v, sessions %s", i, names(r))
	}
	events, _, err := w.Next(t.Context())
	var got []string
	for _, e := range events {
		got = append(got, fmt.Sprintf("%s %s%v from %s%v", e.Change, e.Info.Name, e.Info.Tags, e.OldName, e.OldTags))
	}
	if want := []string{"removed over[] from over[]", "renamed over[x] from s[x]", "tagged over[y] from over[x]"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("events %q, %v, want %q", got, err, want)
	}
}
