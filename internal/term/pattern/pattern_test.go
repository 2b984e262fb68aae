package pattern_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/pattern"
)

func TestFind(t *testing.T) {
	for _, tt := range []struct {
		expression, text string
		all              [][]int
	}{
		{"needle", "a needle, a needle", [][]int{{2, 8}, {12, 18}}},
		{"^b$", "a\nb\nc", [][]int{{2, 3}}},
		{`\b|end`, "the end", nil}, // the empty matches of \b come first
		{"[0-9]+ tests? failed", "no test failed", nil},
	} {
		p, err := pattern.Compile(tt.expression, false)
		if err != nil {
			t.Fatalf("Compile(%q) = %v", tt.expression, err)
		}
		if diff := cmp.Diff(tt.all, append([][]int(nil), p.FindAll(tt.text)...)); diff != "" {
			t.Errorf("%q in %q:\n%s", tt.expression, tt.text, diff)
		}
		if len(tt.all) > 0 && !cmp.Equal(tt.all[0], p.Find(tt.text)) {
			t.Errorf("%q is first found at %v in %q", tt.expression, p.Find(tt.text), tt.text)
		}
	}
}

func TestLimits(t *testing.T) {
	for _, tt := range []struct {
		name, expression string
		ok               bool
	}{
		{"as long as possible", strings.Repeat("x", pattern.MaxLength), true},
		{"too long", strings.Repeat("x", pattern.MaxLength+1), false},
		{"many repetitions", "x{1000}", true},
		{"too many", "x{1000}y{1000}", false},
		{"a parenthesis too many", "a)(b", false},
		{"nothing", "", false},
		{"maybe nothing", "x*", false},
		{"unbalanced", "(", false},
	} {
		_, err := pattern.Compile(tt.expression, false)
		if err == nil != tt.ok || err != nil && fault.KindOf(err) != fault.Invalid {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	if _, err := pattern.Literal(strings.Repeat(".", pattern.MaxLength), true); err != nil {
		t.Errorf("a text that is as long as possible: %v", err)
	}
	if _, err := pattern.Literal(strings.Repeat(".", pattern.MaxLength+1), true); fault.KindOf(err) != fault.Invalid {
		t.Errorf("a text that is too long: %v", err)
	}
}

func TestIgnoreCase(t *testing.T) {
	p, err := pattern.Compile(`^e[r]+or`, true)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int{3, 8}, p.Find("an\nERROR")); diff != "" {
		t.Error(diff)
	}
	if p, err = pattern.Literal("a.C", true); err != nil {
		t.Fatal(err)
	}
	if p.Find("abc") != nil || p.Find("xA.c") == nil {
		t.Error("the text a.C is not found literally")
	}
	if _, err := pattern.Literal("", false); fault.KindOf(err) != fault.Invalid {
		t.Errorf("no text: %v", err)
	}
}
