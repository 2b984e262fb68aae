package label_test

import (
	"slices"
	"strings"
	"testing"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/label"
)

// Names have letters and digits of any language, and marks that mean nothing to shells and paths.
func TestNames(t *testing.T) {
	for _, name := range []string{"a", "build-1", "größe_2.x", strings.Repeat("x", label.MaxName)} {
		if err := label.CheckName(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, name := range []string{"", ".", "..", "a b", "a/b", "@a", "\xff", strings.Repeat("ä", label.MaxName/2+1)} {
		if err := label.CheckName(name); fault.KindOf(err) != fault.Invalid || fault.DetailOf(err) != label.InvalidName {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// Tags are a sorted set; removing wins.
func TestTags(t *testing.T) {
	tags, err := label.ChangeTags([]string{"b", "c"}, []string{"d", "a", "b"}, []string{"c", "d"})
	if err != nil || !slices.Equal(tags, []string{"a", "b"}) {
		t.Errorf("%q, %v", tags, err)
	}
	if _, err := label.ChangeTags(nil, nil, []string{""}); fault.DetailOf(err) != label.InvalidTag {
		t.Errorf("a bad tag: %v", err)
	}
}

// A scope covers a session by its name or by one of its tags, and nil covers all.
func TestScope(t *testing.T) {
	s := &label.Scope{Names: []string{"a"}, Tags: []string{"x", "y"}}
	if !s.Covers("a", nil) || !s.Covers("b", []string{"q", "y"}) || s.Covers("b", []string{"q"}) || s.Covers("x", nil) || !(*label.Scope)(nil).Covers("b", nil) {
		t.Error("it covers others")
	}
}
