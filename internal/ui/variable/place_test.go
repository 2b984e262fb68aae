package variable_test

import (
	"encoding/base64"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/finding"
	"ui-mcp/internal/ui/variable"
)

// Numbers that a page sends lead to what is there, and to nothing where they are out of range: the
// page may be older than the tree, or its scripts may lie.
func TestNumbersFromPages(t *testing.T) {
	t.Parallel()
	w := newWorld(t, &obj{typ: "App", fields: fields{"name": "x", "count": 1.0}}, map[string]string{
		"App.DEFAULT": "<section>\n<b ui-value=\"name\"></b>\n<i ui-value=\"count\"></i></section>",
	})
	const root, slots, elements = 1, 2, 3
	for _, instance := range []int64{math.MinInt64, -1, 0, root + 1, math.MaxInt64} {
		if p, ok := w.tree.PlaceOf(finding.Element{Instance: instance, Number: 0, Tag: "section"}); ok || p != (finding.Place{}) {
			t.Errorf("instance %d has the place %+v", instance, p)
		}
		if p, ok := w.tree.Location(instance, 0); ok {
			t.Errorf("instance %d has the binding %+v", instance, p)
		}
	}
	for _, number := range []int{math.MinInt, -1, elements, math.MaxInt} {
		if p, ok := w.tree.PlaceOf(finding.Element{Instance: root, Number: number, Tag: "b"}); !ok || p.Line != 0 || p.File == "" {
			t.Errorf("element %d: %+v, %t, want the file without a line", number, p, ok)
		}
	}
	for number, tag := range []string{"section", "b", "i"} {
		if p, ok := w.tree.PlaceOf(finding.Element{Instance: root, Number: number, Tag: tag}); !ok || p.Line != number+1 {
			t.Errorf("element %d: %+v, %t", number, p, ok)
		}
		if p, ok := w.tree.PlaceOf(finding.Element{Instance: root, Number: number, Tag: "p"}); !ok || p.Line != 0 {
			t.Errorf("element %d with another tag: %+v, %t", number, p, ok)
		}
	}
	for slot, want := range map[int]string{math.MinInt: "", -1: "", 0: `ui-value="name"`, 1: `ui-value="count"`, slots: "", math.MaxInt: ""} {
		if p, ok := w.tree.Location(root, slot); ok != (want != "") || p.Source != want {
			t.Errorf("binding %d: %+v, %t", slot, p, ok)
		}
	}
}

// An address that is code is not displayed, neither at first nor later, neither to pages that are
// there nor to those that come, and it is a problem for as long as it is there.
func TestAddresses(t *testing.T) {
	o := contact("javascript:alert(1)")
	w := newWorld(t, o, map[string]string{"Contact.DEFAULT": "<p></p>\n<a ui-attr-href=\"name\" ui-attr-title=\"name\"></a>"})
	reports := func(want string) {
		t.Helper()
		list := w.tree.Problems()
		if want == "" && len(list) == 0 {
			return
		}
		if len(list) != 1 || list[0].Line != 2 || list[0].Source != `ui-attr-href="name"` || !strings.Contains(list[0].Message, want) || want == "" {
			t.Errorf("problems: %v, want %q", list, want)
		}
	}
	reports("javascript:alert(1)")
	if got := text(t, w.page.root); strings.Count(got, "javascript") != 1 {
		t.Errorf("the page has %s, want the title only", got)
	}
	w.want("nothing changes")
	reports("javascript:alert(1)")

	o.fields["name"] = "https://example.org"
	w.want("an address", "set 0=https://example.org", "set 1=https://example.org")
	reports("")
	o.fields["name"] = list("javascript:alert(1)")
	w.want("a list", "set 0=<nil>", "set 1=[javascript:alert(1)]")
	reports("is a list")
	w.want("nothing changes")
	o.fields["name"] = 7.0
	w.want("a number", "set 0=7", "set 1=7")
	reports("")
	o.fields["name"] = "JAVA\tSCRIPT:alert(1)"
	w.want("code again", "set 0=<nil>", "set 1=JAVA\tSCRIPT:alert(1)")
	reports(`JAVA\tSCRIPT`)
	o.fields["name"] = nil
	w.want("nothing", "set 0=<nil>", "set 1=<nil>")
	reports("")
}

// A page is not trusted with the form of a file, nor with its size.
func TestFileOf(t *testing.T) {
	most := strings.Repeat("x", variable.MaxFile)
	for _, tt := range []struct{ sent, want any }{
		{nil, nil},
		{[]any{"a.txt", "text/plain", 2.0, "hi"}, map[string]any{"name": "a.txt", "mime": "text/plain", "size": 2.0, "text": "hi"}},
		{[]any{"a", "", 1.0, false, "/w=="}, map[string]any{"name": "a", "mime": "", "size": 1.0, "base64": "/w=="}},
		{[]any{"a", "", 0.0, ""}, map[string]any{"name": "a", "mime": "", "size": 0.0, "text": ""}},
		{[]any{"a", "", 1.0, most}, map[string]any{"name": "a", "mime": "", "size": 1.0, "text": most}},
	} {
		got, err := variable.FileOf(tt.sent)
		if d := cmp.Diff(tt.want, got); d != "" || err != nil {
			t.Errorf("%.60v: %v, -want +got:\n%s", tt.sent, err, d)
		}
	}
	for _, sent := range []any{
		"a.txt", true, []any{}, []any{"a.txt", "text/plain", 2.0}, []any{1.0, "", 2.0, "hi"}, []any{"a", nil, 2.0, "hi"},
		[]any{"a", "", "2", "hi"}, []any{"a", "", -1.0, "hi"}, []any{"a", "", 2.0, 5.0}, []any{"a", "", 2.0, "hi", "aGk="},
		[]any{"a", "", 2.0, false, "no base64"}, []any{"a", "", 2.0, "x", "y", "z"},
		[]any{"a", "", 1.0, most + "x"}, []any{"a", "", 1.0, false, base64.StdEncoding.EncodeToString([]byte(most + "x"))},
	} {
		if got, err := variable.FileOf(sent); err == nil {
			t.Errorf("%.60v is taken as %.60v", sent, got)
		}
	}
}

func TestSubject(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"  [12] #83 @ab {name: Ann}": "  #83 @ab {name: Ann}",
		"[0] #1":                     "#1",
		"    … 95 more; path value.rows.5 is the": "     more; path ",
		"  [x] #83 {name: Ann}":                   "  [x] #83 {name: Ann}",
		"  [] #83":                                "  [] #83",
		"  p … more; path is long":                "  p … more; path is long",
		"  list rows #3: 100 rows":                "  list rows #3: 100 rows",
		"":                                        "",
	} {
		if got := variable.Subject(line); got != want {
			t.Errorf("Subject(%q) = %q, want %q", line, got, want)
		}
	}
}
