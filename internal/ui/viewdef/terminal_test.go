package viewdef_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/ui/viewdef"
)

// A terminal's element with wrong attributes is reported with its line, and is used all the same.
func TestTerminalAttributes(t *testing.T) {
	for _, tt := range []struct {
		html string
		want []string
	}{
		{`<ui-terminal session="dev" rows="10" cols="80" fit class="x" aria-label="Dev" style="height: 3em"></ui-terminal>`, nil},
		{`<ui-terminal ui-attr-session="name" ui-attr-readonly="quiet" ui-class-on="x" overview></ui-terminal>`, nil},
		{`<ui-terminal></ui-terminal>`, []string{`a.html:2: <ui-terminal> displays nothing without a terminal: give it session="NAME", or ui-attr-session="PATH"`}},
		{`<ui-terminal ui-attr-sesion="name"></ui-terminal>`, []string{
			`a.html:2: <ui-terminal> has no attribute sesion, did you mean session? There are session, readonly, rows, cols, fit and overview`,
			`a.html:2: <ui-terminal> displays nothing without a terminal: give it session="NAME", or ui-attr-session="PATH"`,
		}},
		{`<ui-terminal session="" rows="x" cols="1001" wibble></ui-terminal>`, []string{
			`a.html:2: session of <ui-terminal> must be the name of a terminal`,
			`a.html:2: rows of <ui-terminal> must be a number from 1 to 1000, not "x"`,
			`a.html:2: cols of <ui-terminal> must be a number from 1 to 1000, not "1001"`,
			`a.html:2: <ui-terminal> has no attribute wibble. There are session, readonly, rows, cols, fit and overview`,
		}},
		{`<ui-terminal session="dev" fit readonly></ui-terminal>`, []string{`a.html:2: fit of <ui-terminal> does nothing here: a terminal in which nobody types keeps its size`}},
		{`<ui-terminal session="dev"/>`, []string{`a.html:2: <ui-terminal/> does not close the element in HTML: write <ui-terminal></ui-terminal>`}},
	} {
		tmpl, err := viewdef.Parse("A.DEFAULT", "a.html", "<template>\n"+tt.html+"</template>")
		if err != nil {
			t.Errorf("%s: %v", tt.html, err)
			continue
		}
		var got []string
		for _, w := range tmpl.Warnings {
			got = append(got, w.Error())
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.html, diff)
		}
	}
}
