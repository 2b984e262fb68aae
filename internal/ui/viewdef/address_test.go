package viewdef_test

import (
	"strings"
	"testing"

	"ui-mcp/internal/ui/viewdef"
)

// address returns what the browser does with an attribute that an element binds.
func address(t *testing.T, element string) viewdef.Address {
	t.Helper()
	tm, err := viewdef.Parse("T.DEFAULT", "t.html", "<template>"+element+"</template>")
	if err != nil {
		t.Fatal(err)
	}
	if len(tm.Bindings) != 1 || len(tm.Mistakes) > 0 {
		t.Fatalf("%s has %d bindings and the mistakes %v", element, len(tm.Bindings), tm.Mistakes)
	}
	return tm.Bindings[0].Address
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	const script, page, picture = "javascript:alert(1)", "data:text/html,<script>alert(1)</script>", "data:image/svg+xml,<svg/>"
	for element, want := range map[string]struct{ script, page, picture bool }{ // which of them run
		`<a ui-attr-href="v"></a>`:                                     {true, true, true},
		`<area ui-attr-HREF="v">`:                                      {true, true, true},
		`<a download ui-attr-href="v"></a>`:                            {true, false, false},
		`<iframe ui-attr-src="v"></iframe>`:                            {true, true, true},
		`<embed ui-attr-src="v">`:                                      {true, true, true},
		`<object ui-attr-data="v"></object>`:                           {true, true, true},
		`<form ui-attr-action="v"></form>`:                             {true, true, true},
		`<button ui-attr-formaction="v"></button>`:                     {true, true, true},
		`<input type="image" ui-attr-formaction="v">`:                  {true, true, true},
		`<svg><a ui-attr-xlink:href="v"></a></svg>`:                    {true, true, true},
		`<svg><use ui-attr-href="v"></use></svg>`:                      {true, true, true},
		`<svg><a><set ui-attr-to="v"></set></a></svg>`:                 {true, true, true},
		`<svg><animate ui-attr-values="v"></animate></svg>`:            {true, true, true},
		`<base ui-attr-href="v">`:                                      {true, true, true},
		`<sl-button ui-attr-href="v"></sl-button>`:                     {true, true, true},
		`<sl-icon ui-attr-src="v"></sl-icon>`:                          {true, true, true},
		`<my-link ui-attr-page-url="v"></my-link>`:                     {true, true, true},
		`<img ui-attr-src="v">`:                                        {true, false, false},
		`<input type="image" ui-attr-src="v">`:                         {true, false, false},
		`<video ui-attr-poster="v"></video>`:                           {true, false, false},
		`<link ui-attr-href="v">`:                                      {true, false, false},
		`<iframe sandbox="allow-scripts" ui-attr-srcdoc="v"></iframe>`: {},
		`<p ui-attr-title="v"></p>`:                                    {},
		`<p ui-attr-data-href="v"></p>`:                                {},
		`<input ui-attr-placeholder="v">`:                              {},
		`<p ui-attr-to="v"></p>`:                                       {},
		`<object ui-attr-type="v"></object>`:                           {},
	} {
		a := address(t, element)
		for text, runs := range map[string]bool{
			script: want.script, " \x01JavaScript:x": want.script, "java\nscri\tpt\r:x": want.script, "vbscript:x": want.script,
			page: want.page, "\x00da\tta: TEXT/HTML;charset=utf-8;base64,eA==": want.page, "data:application/xhtml+xml,x": want.page,
			picture: want.picture, "data:text/xml,x": want.picture,
			"data:image/png;base64,eA==": false, "data:text/csv,html": false, "data:,javascript:x": false,
			"": false, "x": false, "/x?javascript:x": false, "#javascript:x": false, "./javascript:x": false, "https://x/javascript:x": false,
			"mailto:javascript@x": false, "vscode://file/x": false, "javascripts:x": false, "java script:x": false, "javascript": false,
			"\u00a0javascript:x": false,
		} {
			if got := a.RunsCode(text); got != runs {
				t.Errorf("%s with %q: runs = %t, want %t", element, text, got, runs)
			}
		}
	}
	if a := address(t, `<svg><animate ui-attr-values="v"></animate></svg>`); !a.RunsCode("#a; javascript:x; #b") {
		t.Error("one of several values may be code")
	}
}

// Attributes that are code, and texts that are programs, cannot be bound to data.
func TestDataIsNoCode(t *testing.T) {
	t.Parallel()
	for element, want := range map[string]string{
		`<p ui-attr-onclick="v"></p>`:                                                    "use ui-event-click",
		`<p ui-attr-ONMOUSEOVER="v"></p>`:                                                "use ui-event-mouseover",
		`<svg ui-attr-onload="v"></svg>`:                                                 "use ui-event-load",
		`<iframe ui-attr-srcdoc="v"></iframe>`:                                           "use ui-html",
		`<iframe sandbox="allow-scripts Allow-Same-Origin" ui-attr-srcdoc="v"></iframe>`: "use ui-html",
		`<iframe sandbox="" ui-attr-sandbox="v" ui-attr-srcdoc="v"></iframe>`:            "use ui-html",
		`<script ui-value="v"></script>`:                                                 "cannot be code",
		`<script ui-html="v"></script>`:                                                  "cannot be code",
		`<script ui-attr-src="v"></script>`:                                              "cannot be code",
		`<script type="module" ui-value="v"></script>`:                                   "cannot be code",
		`<script type="Text/JavaScript;charset=utf-8" ui-value="v"></script>`:            "cannot be code",
		`<script type="importmap" ui-value="v"></script>`:                                "cannot be code",
		`<script type="application/json" ui-attr-type="v" ui-value="v"></script>`:        "cannot be code",
		`<svg><script ui-attr-href="v"></script></svg>`:                                  "cannot be code",
		`<script type="application/json" ui-value="v"></script>`:                         "",
		`<p ui-code="v"></p>`:                                                            "",
		`<iframe sandbox="allow-scripts" ui-attr-srcdoc="v"></iframe>`:                   "",
		`<style ui-value="v"></style>`:                                                   "",
	} {
		tm, err := viewdef.Parse("T.DEFAULT", "t.html", "<template>\n"+element+"</template>")
		if err != nil {
			t.Fatal(err)
		}
		if want == "" {
			if len(tm.Mistakes) > 0 || len(tm.Bindings) == 0 {
				t.Errorf("%s: %v", element, tm.Mistakes)
			}
			continue
		}
		if len(tm.Mistakes) == 0 || tm.Mistakes[0].Line != 2 || !strings.Contains(tm.Mistakes[len(tm.Mistakes)-1].Msg, want) {
			t.Errorf("%s: %v, want %s", element, tm.Mistakes, want)
		}
		for _, b := range tm.Bindings {
			if b.Kind == viewdef.Value || b.Name != "sandbox" {
				t.Errorf("%s has the binding %s", element, b.Source)
			}
		}
	}
}

// Nothing that browsers leave out of an address changes what is said of it.
func FuzzAddress(f *testing.F) {
	for _, s := range []string{"javascript:x", "data:text/html,x", "https://x", "#x;javascript:y", ""} {
		f.Add(s, 3)
	}
	f.Fuzz(func(t *testing.T, text string, at int) {
		if len(text) > 1000 {
			return
		}
		at = max(0, min(at, len(text)))
		upper := strings.Map(func(r rune) rune {
			if 'a' <= r && r <= 'z' {
				return r - 'a' + 'A'
			}
			return r
		}, text)
		for _, a := range []viewdef.Address{viewdef.NoAddress, viewdef.Media, viewdef.Document} {
			runs := a.RunsCode(text)
			if runs && a == viewdef.NoAddress {
				t.Errorf("%q runs without being an address", text)
			}
			for _, same := range []string{"\x00\x1f \t" + text, text[:at] + "\n\t\r" + text[at:], upper} {
				if a.RunsCode(same) != runs {
					t.Errorf("%q runs = %t, and %q does not say the same", text, runs, same)
				}
			}
			if runs && a == viewdef.Media && !viewdef.Document.RunsCode(text) {
				t.Errorf("%q runs as media, and not as a document", text)
			}
		}
	})
}
