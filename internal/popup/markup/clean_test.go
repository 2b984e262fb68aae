package markup

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// Whatever the converter would let through, only listed elements and attributes are left, and all
// text.
func TestClean(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"<p class=x onclick=y>a</p>":                                        "<p>a</p>",
		"<script>alert('1')</script>":                                       "alert(&#39;1&#39;)",
		"<style>p { color: red }</style>":                                   "p { color: red }",
		"<img src=//x><iframe src=//x></iframe><svg onload=x></svg>":        "",
		"a<!-- b --><!DOCTYPE html>c":                                       "ac",
		"<ol start=3><li>x</li></ol>":                                       `<ol start="3"><li>x</li></ol>`,
		"<ol start=x onload=y><li>x</li></ol>":                              "<ol><li>x</li></ol>",
		`<td style="text-align:right">x</td>`:                               `<td style="text-align:right">x</td>`,
		`<td style="text-align:right;background:url(//x)">x</td>`:           "<td>x</td>",
		`<th style="background: url(//x)" align=left>x</th>`:                "<th>x</th>",
		`<a href="mailto:a@example.org" onclick=x>x</a>`:                    `<a href="mailto:a@example.org" rel="noreferrer noopener" target="_blank">x</a>`,
		`<a href="JavaScript:alert(1)">x</a>y</a>`:                          "xy",
		`<a href=" javascript:alert(1)">x</a>`:                              "x",
		`<a href="data:text/html,x">x</a>`:                                  "x",
		`<a href="//example.org">x</a><a>y</a><a name=z>z</a>`:              "xyz",
		`<a href="https://example.org/?a=1&amp;b=&quot;">x</a>`:             `<a href="https://example.org/?a=1&amp;b=&#34;" rel="noreferrer noopener" target="_blank">x</a>`,
		`<a href="http:/1/">x</a><a href="https:y">y</a>`:                   "xy",
		"&lt;script&gt; &amp; &quot;":                                       "&lt;script&gt; &amp; &#34;",
		"<p":                                                                "",
		`<input checked="" disabled="" type="checkbox"> <strong>x</strong>`: " <strong>x</strong>",
	} {
		if got := clean(source); got != want {
			t.Errorf("%s becomes %s, want %s", source, got, want)
		}
	}
}

// FuzzClean checks that no HTML at all gets an element or attribute through that is not listed, and
// that cleaning twice changes nothing.
func FuzzClean(f *testing.F) {
	f.Add("<p onclick=x>a</p><a href=javascript:x>b</a>")
	f.Add("<scr<script>ipt>x</script><math><mi//xlink:href=x>")
	f.Fuzz(func(t *testing.T, source string) {
		got := clean(source)
		if again := clean(got); again != got {
			t.Errorf("%q becomes %q, and then %q", source, got, again)
		}
		for z := html.NewTokenizer(strings.NewReader(got)); z.Next() != html.ErrorToken; {
			token := z.Token()
			if token.Type == html.TextToken {
				continue
			}
			if allowed[token.DataAtom] == nil {
				t.Errorf("%q becomes %q", source, got)
			}
			for _, a := range token.Attr {
				ok := a.Key == "rel" || a.Key == "target" || a.Key == "start" || a.Key == "style" && strings.HasPrefix(a.Val, "text-align:") && !strings.Contains(a.Val, "url") ||
					a.Key == "href" && (strings.HasPrefix(strings.ToLower(a.Val), "http") || strings.HasPrefix(strings.ToLower(a.Val), "mailto:"))
				if !ok {
					t.Errorf("%q keeps %s=%q", source, a.Key, a.Val)
				}
			}
		}
	})
}
