package e2e

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/term/render"
	"ui-mcp/internal/term/render/picture"
	"ui-mcp/internal/term/vt"
	"ui-mcp/internal/testkit/browser"
)

// screenOf returns the picture of a program's output.
func screenOf(t *testing.T, cols, rows int, out string) *render.Frame {
	t.Helper()
	x, err := vt.New(vt.Options{Cols: cols, Rows: rows})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := x.Write([]byte(out)); err != nil {
		t.Fatal(err)
	}
	return render.OfScreen(x.Snapshot())
}

// openPage opens a page with the given content.
func openPage(t *testing.T, content string) *browser.Tab {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, content)
	}))
	t.Cleanup(s.Close)
	tab := browser.New(t).Tab()
	tab.Open(s.URL)
	return tab
}

// In a picture as HTML, every character is in its column, whatever fonts there are, and copying
// gives the screen's text.
func TestPictureAsHTML(t *testing.T) {
	t.Parallel()
	rows := []string{"ascii |", "漢字かな交じり|한국어|", "🚀✅ ⚠️ 👩\u200d💻|", "─│┌╔█░⣿ \ue0b0|", "العربية|é e\u0301 Ж Ω →✓|"}
	f := screenOf(t, 40, len(rows), strings.Join(rows, "\r\n")+"\x1b[?25l")
	page, err := picture.HTML(f, picture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	tab := openPage(t, string(page))
	var want []string
	for y, row := range f.Lines {
		for w := row.Walk(); w.Next(); {
			if w.Text == "|" {
				want = append(want, fmt.Sprintf("row %d, column %d", y, w.Col))
			}
		}
	}
	got := browser.Eval[[]string](tab, `(() => {
		const text = document.querySelector("pre > span"), origin = text.getClientRects()[0], found = [];
		const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
		let row = 0;
		for (let node; node = walker.nextNode();) {
			for (let i = 0; i < node.data.length; i++) {
				if (node.data[i] === "\n") row++;
				if (node.data[i] !== "|") continue;
				const range = document.createRange();
				range.setStart(node, i);
				range.setEnd(node, i + 1);
				const at = range.getBoundingClientRect();
				if (Math.abs((at.top - origin.top) / 21 - row) > 0.2) found.push("row " + row + " is at " + at.top);
				found.push("row " + row + ", column " + Math.round((at.left - origin.left) * 10) / 100);
			}
		}
		return found;
	})()`)
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("where the bars are (-want +got):\n%s", d)
	}
	text := browser.Eval[string](tab, `(getSelection().selectAllChildren(document.querySelector("pre")), getSelection().toString())`)
	var copied []string
	for row := range strings.Lines(text) {
		copied = append(copied, strings.TrimRight(row, " \n"))
	}
	if d := cmp.Diff(f.Plain(), copied); d != "" {
		t.Errorf("the copied text (-want +got):\n%s", d)
	}
}
