package e2e

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
)

// Whatever an app's data say, no binding but ui-code and ui-html runs them: not when a page loads,
// not when they change, and not when the person clicks. What was dropped is told with file and
// line. An address that is written in a view definition is the app's own code.
func TestDataAreNoCode(t *testing.T) {
	load.Long(t, "tests of internal/ui/viewdef and internal/ui/variable check the same addresses")
	t.Parallel()
	elements := []string{
		`<a ui-attr-href="at">a</a>`, `<a target="_self" ui-attr-href="at">a</a>`, `<map name="m"><area shape="default" ui-attr-href="at"></map>`,
		`<iframe ui-attr-src="at"></iframe>`, `<iframe ui-attr-srcdoc="html"></iframe>`, `<embed ui-attr-src="at">`, `<object ui-attr-data="at"></object>`,
		`<form ui-attr-action="at"><button>a</button></form>`, `<form><button ui-attr-formaction="at">a</button></form>`,
		`<form><input type="submit" ui-attr-formaction="at"></form>`, `<form><input type="image" alt="a" ui-attr-formaction="at"></form>`,
		`<svg><a ui-attr-href="at"><text y="20">a</text></a></svg>`, `<svg><a ui-attr-xlink:href="at"><text y="20">a</text></a></svg>`,
		`<svg><a href="#x"><set attributeName="href" ui-attr-to="at"></set><text y="20">a</text></a></svg>`,
		`<svg><a href="#x"><animate attributeName="href" ui-attr-values="at"></animate><text y="20">a</text></a></svg>`,
		`<img ui-attr-src="at">`, `<video ui-attr-poster="at" ui-attr-src="at"></video>`, `<sl-button ui-attr-href="at">a</sl-button>`,
		`<button ui-attr-onclick="code">a</button>`, `<img src="nothing.png" ui-attr-onerror="code">`, `<details ui-attr-ontoggle="code"><summary>a</summary>a</details>`,
		`<script ui-value="code"></script>`, `<script ui-html="code"></script>`, `<script ui-attr-src="script"></script>`,
		`<p ui-value="html"></p>`, `<p ui-attr-style="style" ui-attr-title="code" ui-style-background="style"></p>`, `<style ui-value="style"></style>`,
	}
	s := start(t, filepath.Join(t.TempDir(), ".claude", "ui"))
	url := s.ok("ui_start", nil)
	s.write("apps/all/app.lua", `
All = session:prototype("All", { at = "", html = "", code = "", script = "", style = "" })
function All:say(at)
	self.at, self.html = at, "<img src=nothing.png onerror='parent.ran = (parent.ran || 0) + 1'>"
	self.code = "parent.ran = (parent.ran || 0) + 1"
	self.script, self.style = "data:text/javascript," .. self.code, "url(javascript:parent.ran=1)"
end
if not session.reloading then all = All:new() all:say("javascript:void(parent.ran=1)") end
`)
	s.write("apps/all/viewdefs/All.DEFAULT.html", "<template><div id=\"all\">\n"+strings.Join(elements, "\n")+"\n<a id=\"written\" href=\"javascript:void(window.runs = (window.runs ?? 0) + 1)\">a</a></div></template>")
	s.ok("ui_display", map[string]any{"name": "all"})
	tab := browser.New(t).Tab()
	tab.Open(url)
	tab.Wait(`document.querySelectorAll("#all a").length > 5`)
	// The page goes nowhere, so that a click on what is harmless leaves it as it is.
	tab.Run(`addEventListener("submit", (e) => { if (!/^javascript:/i.test(e.submitter?.formAction ?? e.target.action)) e.preventDefault(); })`)
	// A navigation replaces the one before, so each click has time of its own, and a link that does
	// run shows that it was enough.
	tab.Run(`window.clickAll = async () => {
		const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
		const click = async (e) => {
			e.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, view: window }));
			await frame();
			await frame();
		};
		const all = [...document.querySelectorAll("#all :not(#written):is(a, area, button, input, sl-button, summary, [onclick])")];
		for (const e of all) await click(e);
		await click(document.querySelector("#written"));
		return all.length;
	}`)
	for i, at := range []string{
		"javascript:void(parent.ran=1)", " \x01JavaScript:void(parent.ran=1)", "java\n\tscript:void(parent.ran=1)", "JAVASCRIPT://%0avoid(parent.ran=1)",
		"data:text/html,<script>parent.ran=1</script>", "vbscript:parent.ran=1", "javascript:void(parent.ran=2)",
	} {
		s.run(fmt.Sprintf(`all:say(%s)`, quoted(at)))
		tab.Wait(`document.documentElement.dataset.uiPending === "0"`)
		if n := browser.Eval[int](tab, `window.clickAll()`); n < 13 {
			t.Errorf("%q: there were only %d elements to click", at, n)
		}
		tab.Wait(fmt.Sprintf(`window.runs === %d`, i+1))
		if ran := browser.Eval[any](tab, `window.ran ?? null`); ran != nil {
			t.Errorf("%q ran (%v)", at, ran)
		}
		if left := browser.Eval[string](tab, `[...document.querySelectorAll("#all :not(#written):is([href], [src], [action], [data], [to], [values], [formaction]):not(img, video)")].flatMap((e) => [...e.attributes]).map((a) => a.name + "=" + a.value).filter((v) => /=\W*j\s*a\s*v\s*a|=\W*vbs|=data:text/i.test(v)).join("; ")`); left != "" {
			t.Errorf("%q is in the page: %s", at, left)
		}
	}

	text := s.ok("ui_inspect", nil)
	for _, want := range []string{
		"25 problems:", // one for each attribute in the first 24 elements
		`All.DEFAULT.html:19: ui-attr-href="at": data cannot be code, and a browser would run "javascript:`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is not reported:\n%s", want, text)
		}
	}

	s.run(`all:say("https://example.org/") all.html, all.code = "", ""`)
	tab.Wait(`[...document.querySelectorAll("#all a")].some((a) => a.href === "https://example.org/")`)
}
