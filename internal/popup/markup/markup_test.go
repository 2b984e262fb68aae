package markup

import (
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"ui-mcp/internal/popup/question"
)

func TestHTML(t *testing.T) {
	no := false
	for name, tt := range map[string]struct {
		message  string
		markdown *bool
		want     string
	}{
		"Markdown":         {"**Deploy** `v2`?", nil, "<p><strong>Deploy</strong> <code>v2</code>?</p>\n"},
		"a table":          {"| a |\n|:-:|\n| b |", nil, "<table>\n<thead>\n<tr>\n<th style=\"text-align:center\">a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td style=\"text-align:center\">b</td>\n</tr>\n</tbody>\n</table>\n"},
		"plain":            {"**a** <b>", &no, "<p>**a** &lt;b&gt;</p>"},
		"a script":         {"<script>alert(1)</script>", nil, "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n"},
		"a beacon":         {"![x](https://example.org/seen.png)", nil, "<p>x</p>\n"},
		"a link":           {"[x](https://example.org)", nil, `<p><a href="https://example.org" rel="noreferrer noopener" target="_blank">x</a></p>` + "\n"},
		"a dangerous link": {"[x](javascript:alert)", nil, "<p>x</p>\n"},
		"a link to us":     {"[x](/1/) [y](http:/1/)", nil, "<p>x y</p>\n"},
		"plain links":      {"<javascript:alert(1)> ftp://a.b/ <a@b.c>", nil, `<p>javascript:alert(1) ftp://a.b/ <a href="mailto:a@b.c" rel="noreferrer noopener" target="_blank">a@b.c</a></p>` + "\n"},
		"other letters":    {"[x](&#106;avascript:alert) [y](HTTPS://a.b \"t\")", nil, `<p>x <a href="HTTPS://a.b" rel="noreferrer noopener" target="_blank">y</a></p>` + "\n"},
		"a list":           {"3. [x] a", nil, "<ol start=\"3\">\n<li>a</li>\n</ol>\n"},
	} {
		t.Run(name, func(t *testing.T) {
			q, err := question.Spec{Request: question.Request{WorkspacePath: "/path/to/workspace", Title: "Confirm", Message: tt.message, Options: []question.Option{{Label: "Yes", Value: "yes"}}}, Markdown: tt.markdown}.Question()
			if err != nil {
				t.Fatal(err)
			}
			if got := HTML(q); got != tt.want {
				t.Errorf("HTML = %q, want %q", got, tt.want)
			}
		})
	}
}

// elements are those that a message may have, with the attributes of each and what these may be.
var elements = map[string]map[string]string{
	"p": {}, "br": {}, "hr": {}, "strong": {}, "em": {}, "del": {}, "pre": {}, "blockquote": {}, "ul": {}, "li": {},
	"h1": {}, "h2": {}, "h3": {}, "h4": {}, "h5": {}, "h6": {}, "table": {}, "thead": {}, "tbody": {}, "tr": {},
	"code": {"class": `^language-`}, "ol": {"start": `^[0-9]+$`}, "th": {"style": `^text-align:(left|center|right)$`}, "td": {"style": `^text-align:(left|center|right)$`},
	"a": {"href": `(?i)^(https?://[^/]|mailto:)`, "rel": `^noreferrer noopener$`, "target": `^_blank$`},
}

// No message brings another element or attribute into the page.
func FuzzHTML(f *testing.F) {
	f.Add("<img src=x onerror=y>", false)
	f.Add("**a** ![x](https://example.org/seen.png)", true)
	f.Add("[a](<javascript:x> \"t\") <data:text/html,x> www.a.b a@b.c [![x](y)](http://z) - [ ] x", false)
	f.Add("3) [x] a\n\n```go onclick=x\ny\n```\n\n|a|\n|:-:|\n|<b>|\n[x]: java&#115;cript:x\n[x]", false)
	f.Fuzz(func(t *testing.T, message string, plain bool) {
		got := HTML(question.Question{Message: message, Plain: plain})
		for z := html.NewTokenizer(strings.NewReader(got)); z.Next() != html.ErrorToken; {
			token := z.Token()
			if token.Type == html.TextToken {
				continue
			}
			may, ok := elements[token.Data]
			if !ok {
				t.Errorf("%q makes %s", message, token)
			}
			for _, a := range token.Attr {
				if may[a.Key] == "" || !regexp.MustCompile(may[a.Key]).MatchString(a.Val) {
					t.Errorf("%q makes %s", message, token)
				}
			}
		}
	})
}
