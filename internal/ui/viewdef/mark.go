package viewdef

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// markAttr numbers the start tags. The pass over the text, which knows lines, adds it for the pass
// over the tree, which knows nesting.
const markAttr = "data-ui-mark"

// marks is the result of the first pass over a source.
type marks struct {
	lines    []int // of each marked start tag
	warnings []Problem
}

// mark checks that src is one <template> and nothing else, and gives each start tag in it a number.
func mark(file, src string) (string, *marks, error) {
	fail := func(line int, format string, args ...any) (string, *marks, error) {
		return "", nil, Problem{file, line, fmt.Sprintf(format, args...)}
	}
	if !utf8.ValidString(src) || strings.IndexByte(src, 0) >= 0 {
		return fail(1, "not HTML: the file is not UTF-8 text")
	}
	src = strings.TrimPrefix(src, "\ufeff")
	m := &marks{}
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
			name, hasAttr := z.TagName()
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
				m.warnings = append(m.warnings, Problem{file, tagLine, fmt.Sprintf("<%s/> does not close the element in HTML: write <%s></%s>", tag, tag, tag)})
			}
			var attrs []html.Attribute
			if !outside && hasAttr {
				attrs = allAttributes(z)
			}
			if !outside && tag == terminalTag {
				for _, text := range checkTerminal(attrs) {
					m.warnings = append(m.warnings, Problem{file, tagLine, text})
				}
			}
			if !outside {
				raw = raw[:1+len(tag)] + " " + markAttr + `="` + strconv.Itoa(len(m.lines)) + `"` + raw[1+len(tag):]
				m.lines = append(m.lines, tagLine)
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
	return out.String(), m, nil
}

// allAttributes returns the attributes of a start tag that has some.
func allAttributes(z *html.Tokenizer) (attrs []html.Attribute) {
	for {
		key, value, more := z.TagAttr()
		attrs = append(attrs, html.Attribute{Key: string(key), Val: string(value)})
		if !more {
			return attrs
		}
	}
}
