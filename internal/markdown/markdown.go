// Package markdown turns Markdown that a model or an app has written into HTML that a page can
// take: whatever the text holds, no script, no foreign element and no dangerous link comes out. For
// terminals, it turns the text into lines.
package markdown

import (
	"bytes"
	"html"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// converter is CommonMark with GitHub's tables, strikethrough, task lists and plain links. It can
// be used by several goroutines. It is made when it is first needed: most commands need none.
var converter = sync.OnceValue(func() goldmark.Markdown {
	return goldmark.New(
		goldmark.WithExtensions(extension.GFM),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(rawAsText{}, 100))),
	)
})

// HTML returns the text as HTML. HTML in the text is shown as it is written; links with schemes
// such as javascript: lead nowhere. A text that is too long (256 KiB), nests too deeply or would
// take too much time or memory is shown as it is written. HTML is safe for concurrent use.
func HTML(text string) string { return convert(text, func(ast.Node, []byte) {}) }

// convert is HTML for a text that change may change once it is parsed.
func convert(source string, change func(root ast.Node, source []byte)) string {
	if !simple(source) {
		return "<pre>" + html.EscapeString(source) + "</pre>\n"
	}
	src := []byte(source)
	root := converter().Parser().Parse(text.NewReader(src))
	change(root, src)
	var out bytes.Buffer
	_ = converter().Renderer().Render(&out, src, root) // a bytes.Buffer takes everything
	return out.String()
}

// StylePolicy is the directive of a Content-Security-Policy that lets the cells of tables be
// aligned as [HTML] does it, and refuses every other style in an attribute.
const StylePolicy = "style-src-attr 'unsafe-hashes'" +
	" 'sha256-De7agAeYqm6ANIVvRRW6HFWi52AJW8inhFE0gSdgXnI='" + // text-align:left
	" 'sha256-kFAIUwypIt04FgLyVU63Lcmp2AQimPh/TdYjy04Flxs='" + // text-align:center
	" 'sha256-XzJlZKVo+ff9ozww9Sr2p/2TbJXITZuaWMZ9p53zN1U='" // text-align:right

// rawAsText shows HTML in a text as text. The library would leave it out.
type rawAsText struct{}

// RegisterFuncs implements [renderer.NodeRenderer].
func (rawAsText) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindRawHTML, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if raw, ok := n.(*ast.RawHTML); ok && entering {
			for i := range raw.Segments.Len() {
				segment := raw.Segments.At(i)
				_, _ = w.WriteString(html.EscapeString(string(segment.Value(source)))) // the writer keeps its error
			}
		}
		return ast.WalkSkipChildren, nil
	})
	r.Register(ast.KindHTMLBlock, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		block, ok := n.(*ast.HTMLBlock)
		if !ok || !entering {
			return ast.WalkContinue, nil
		}
		_, _ = w.WriteString("<p>")
		for i := range block.Lines().Len() {
			line := block.Lines().At(i)
			_, _ = w.WriteString(html.EscapeString(string(line.Value(source))))
		}
		if block.HasClosure() {
			_, _ = w.WriteString(html.EscapeString(string(block.ClosureLine.Value(source))))
		}
		_, _ = w.WriteString("</p>\n")
		return ast.WalkContinue, nil
	})
}
