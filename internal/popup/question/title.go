package question

import (
	"regexp"
	"strings"
)

// marked is a part of a title with the marks of Markdown around it, as the first group that
// matched: code, a link, bold text, text that is struck out, and emphasis.
var marked = regexp.MustCompile("`([^`]+)`" + `|\[([^][]+)\]\([^()\s]*\)|\*\*([\pL\pN"“(` + "`" + `][^*]*)\*\*|~~([^~]+)~~|\B\*(\pL[^*]*)\*\B`)

var heading = regexp.MustCompile(`^#{1,6}\s+`)

// plainTitle returns a title without the marks of Markdown: titles are plain text wherever they are
// displayed, and models write them as they write messages. What may be something else stays, as in
// "2 * 3", "**/*.go" and "__init__", and so does what is in code.
func plainTitle(title string) string {
	title = heading.ReplaceAllString(title, "")
	var b strings.Builder
	for {
		m := marked.FindStringSubmatchIndex(title)
		if m == nil {
			return b.String() + title
		}
		b.WriteString(title[:m[0]])
		if m[2] >= 0 {
			b.WriteString(title[m[2]:m[3]])
		}
		for g := 4; g < len(m); g += 2 {
			if m[g] >= 0 {
				b.WriteString(plainTitle(title[m[g]:m[g+1]]))
			}
		}
		title = title[m[1]:]
	}
}
