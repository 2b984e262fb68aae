package markup

import (
	"strings"
	"testing"

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
		"a beacon":         {"![x](https://example.org/seen.png)", nil, "<p></p>\n"},
		"a link":           {"[x](https://example.org)", nil, `<p><a href="https://example.org" rel="noreferrer noopener" target="_blank">x</a></p>` + "\n"},
		"a dangerous link": {"[x](javascript:alert)", nil, "<p>x</p>\n"},
		"a link to us":     {"[x](/1/)", nil, "<p>x</p>\n"},
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

// No message brings an element into the page that loads or runs anything.
func FuzzHTML(f *testing.F) {
	f.Add("<img src=x onerror=y>", false)
	f.Add("**a** ![x](https://example.org/seen.png)", true)
	f.Fuzz(func(t *testing.T, message string, plain bool) {
		got := strings.ToLower(HTML(question.Question{Message: message, Plain: plain}))
		for _, bad := range []string{"<script", "<img", "<iframe"} {
			if strings.Contains(got, bad) {
				t.Errorf("%q makes %s", message, got)
			}
		}
	})
}
