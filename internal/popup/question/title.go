package question

import (
	"regexp"
	"strings"
	"sync"
)

// marked is a part of a title with the marks of Markdown around it, as the first group that
// matched: code, a link, bold text, text that is struck out, and emphasis. As in Markdown, the
// marks touch the text within. Unlike there, a link and bold text begin no sooner than a word does:
// "f[i](x)" and "2**3**4" are code.
var marked = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("`([^`]*[^`\\s][^`]*)`" + `|\B\[([^][]*[^][\s][^][]*)\]\([^()\s]*\)` +
		`|\B\*\*([\pL\pN"“(` + "`" + `](?:[^*]*[^*\s])?)\*\*|~~([^~\s](?:[^~]*[^~\s])?)~~|\B\*(\pL(?:[^*]*[^*\s])?)\*\B`)
})

var heading = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^#{1,6}\s+`) })

// plainTitle returns a title without the marks of Markdown: titles are plain text wherever they are
// displayed, and models write them as they write messages. What may be something else stays, as in
// "2 * 3", "**/*.go" and "__init__", and so does what is in code.
func plainTitle(title string) string {
	title = heading().ReplaceAllString(title, "")
	var b strings.Builder
	end := 0
	for _, m := range marked().FindAllStringSubmatchIndex(title, -1) {
		b.WriteString(title[end:m[0]])
		if m[2] >= 0 {
			b.WriteString(title[m[2]:m[3]])
		}
		for g := 4; g < len(m); g += 2 {
			if m[g] >= 0 {
				b.WriteString(plainTitle(title[m[g]:m[g+1]]))
			}
		}
		end = m[1]
	}
	return b.String() + title[end:]
}
