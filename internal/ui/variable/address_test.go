package variable_test

import (
	"strings"
	"testing"
)

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
		if len(list) != 1 || list[0].Line != 2 || list[0].Source != `ui-attr-href="name"` || !strings.Contains(list[0].Msg, want) || want == "" {
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
