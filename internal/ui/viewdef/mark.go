package viewdef

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// markAttr has the line of a start tag. The pass over the text, which knows lines, adds it for the
// pass over the tree, which knows nesting.
const markAttr = "data-ui-mark"

// mark checks that src is one <template> and nothing else, and gives each start tag in it its line.
func mark(file, src string) (marked string, warnings []Problem, err error) {
	fail := func(line int, format string, args ...any) (string, []Problem, error) {
		return "", nil, Problem{file, line, fmt.Sprintf(format, args...)}
	}
	if !utf8.ValidString(src) || strings.IndexByte(src, 0) >= 0 {
		return fail(1, "not HTML: the file is not UTF-8 text")
	}
	src = strings.TrimPrefix(src, "\ufeff")
	var out strings.Builder
	z := html.NewTokenizer(strings.NewReader(src))
	line, depth, opened := 1, 0, 0
	closed := false
	for {
		tt := z.Next()
		if tt == html.ErrorToken {
			if z.Err() != io.EOF {
				return fail(line, "not HTML: %v", z.Err())
			}
			break
		}
		raw := string(z.Raw())
		tagLine := line
		line += strings.Count(raw, "\n")
		outside := depth == 0
		switch tt {
		case html.TextToken:
			if outside && strings.TrimSpace(raw) != "" {
				text := strings.TrimLeft(raw, " \t\r\n")
				at := tagLine + strings.Count(raw[:len(raw)-len(text)], "\n")
				return fail(at, "text outside of the <template>: a view definition is exactly one <template> element")
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			name, _ := z.TagName()
			tag := string(name)
			if outside {
				if tag != "template" {
					return fail(tagLine, "<%s> outside of the <template>: a view definition is exactly one <template> element", tag)
				}
				if closed {
					return fail(tagLine, "a second <template>: a view definition is exactly one <template> element; several elements may stand inside it")
				}
				opened = tagLine
			}
			if tag == "template" { // HTML has no self-closing template
				depth++
			}
			if tt == html.SelfClosingTagToken && strings.Contains(tag, "-") {
				warnings = append(warnings, Problem{file, tagLine, fmt.Sprintf("<%s/> does not close the element in HTML: write <%s></%s>", tag, tag, tag)})
			}
			if !outside {
				raw = raw[:1+len(tag)] + " " + markAttr + `="` + strconv.Itoa(tagLine) + `"` + raw[1+len(tag):]
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			if outside {
				return fail(tagLine, "</%s> outside of the <template>", name)
			}
			if string(name) == "template" {
				depth--
				closed = depth == 0
			}
		}
		out.WriteString(raw)
	}
	switch {
	case depth > 0:
		return fail(opened, "the <template> is not closed")
	case !closed:
		return fail(1, "no <template>: a view definition is exactly one <template> element")
	}
	return out.String(), warnings, nil
}
