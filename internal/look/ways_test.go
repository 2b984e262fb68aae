package look_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/look"
	"ui-mcp/internal/testkit/load"
)

var ways = []look.Way{{Width: 390}, {Width: 390, Dark: true}, {Width: 1280}, {Width: 1280, Dark: true}}

// faulty has a fault at one width, one in one scheme, and one where both come together.
const faulty = `<meta name=color-scheme content="light dark"><style>
	p { width: 100px } @media (width > 500px) { p { width: 1400px } }
	b { color: light-dark(#000, #444); background: light-dark(#fff, #111); transition: color 1s, background 1s }
	@media (width < 500px) and (prefers-color-scheme: dark) { i { color: #bbb; transition: color 1s } }
</style><p>wide</p><b>pale</b><i style="background: #fff">paler</i>`

// What is found in a page that is loaded once is what a load for each way finds. A page of which a
// script decides once what it looks like, and one with errors in one scheme, are loaded again.
func TestWays(t *testing.T) {
	t.Parallel()
	compareWays(t, faulty+`<script type="application/json">{}</script>`, 1)
	if !load.All() {
		return // TestUnlikePages counts the loads
	}
	compareWays(t, `<p id=p>text</p><script>if (innerWidth > 500 || matchMedia("(prefers-color-scheme: dark)").matches) p.style.color = "#ddd"</script>`, 4)
	compareWays(t, `<picture><source media="(prefers-color-scheme: dark)" srcset="/none.png"><img src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=" alt=""></picture>`, 4)
}

// compareWays looks at a page in all ways at once, which must take the given number of loads, and
// in one way after another.
func compareWays(t *testing.T, page string, want int64) {
	t.Helper()
	at, loads, _ := site(t, map[string]string{"/": page})
	r := request(at("/"))
	r.NoPicture, r.Ways = true, ways
	all, err := shared.Look(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	if got := loads.Load(); got != want {
		t.Errorf("%s: %d loads, want %d", page, got, want)
	}
	var each []look.Seen
	found := 0
	for _, way := range ways {
		r.Ways = []look.Way{way}
		seen, err := lookOnce(t, shared, r)
		if err != nil {
			t.Fatal(err)
		}
		each = append(each, seen)
		found += len(seen.Findings)
	}
	if diff := cmp.Diff(each, all); diff != "" || found == 0 {
		t.Errorf("%s: %d findings; -one at a time +all together:\n%s", page, found, diff)
	}
}

// A document is without its root until it is parsed, and a script can do the same.
func TestRootComesLater(t *testing.T) {
	t.Parallel()
	at, _, _ := site(t, map[string]string{"/": `<p>text</p><script>
		const html = document.documentElement;
		html.remove();
		setTimeout(() => document.append(html), 300);
	</script>`})
	r := request(at("/"))
	r.NoPicture = true
	seen, err := shared.Look(t.Context(), r)
	if err != nil || len(seen) != len(r.Ways) {
		t.Fatalf("seen %d, error %v", len(seen), err)
	}
	for i, s := range seen {
		if len(s.Notes) > 0 {
			t.Errorf("%+v: %q", r.Ways[i], s.Notes)
		}
	}
}

// What may have looked at the window once is loaded for each way, and so is a page of which a
// picture is taken, which may have changed it.
func TestUnlikePages(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"script":       `<script>document.title = innerWidth</script>`,
		"other script": `<script src="/other.js"></script>`,
		"left script":  `<script>document.documentElement.toggleAttribute("data-ui-ran"); document.currentScript.remove()</script>`,
		"handler":      `<svg onload="document.title = innerWidth"></svg>`,
		"component":    `<x-card>text</x-card>`,
		"document":     `<iframe srcdoc="text"></iframe>`,
		"not drawn":    `<p style="content-visibility: auto">text</p>`,
		"picture":      ``,
	} {
		if name != "left script" && !load.All() {
			continue
		}
		at, loads, _ := site(t, map[string]string{"/": `<p>text</p>` + body})
		r := request(at("/"))
		r.NoPicture, r.Ways = name != "picture", ways[:2]
		if seen, err := shared.Look(t.Context(), r); err != nil || len(seen) != 2 || loads.Load() != 2 {
			t.Errorf("%s: seen %d in %d loads, want 2 and 2; error %v", name, len(seen), loads.Load(), err)
		}
	}
}
