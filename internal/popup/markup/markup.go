// Package markup turns the message of a question into HTML for a page. It is not part of the model
// of questions because its libraries take time to start: commands without pages do without them.
package markup

import (
	"sync"

	"github.com/microcosm-cc/bluemonday"

	"ui-mcp/internal/markdown"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/popup/wire"
)

// policy is the HTML that a message may contain. It is a second line of defence behind the Markdown
// converter, which lets no HTML of the message through: the message was written by a model, which
// may have it from anywhere, and is displayed where an answer counts. Nothing in it may load from
// the network, which would also reveal that the person has read it.
var policy = sync.OnceValue(func() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("p", "br", "hr", "strong", "em", "del", "code", "pre", "blockquote", "ul", "ol", "li",
		"h1", "h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td")
	p.AllowAttrs("start").Matching(bluemonday.Integer).OnElements("ol")
	p.AllowStyles("text-align").MatchingEnum("left", "right", "center").OnElements("th", "td")
	p.AllowAttrs("href").OnElements("a")
	p.AllowURLSchemes("http", "https", "mailto")
	p.RequireParseableURLs(true)
	p.RequireNoFollowOnLinks(false)
	p.RequireNoReferrerOnLinks(true)
	p.AddTargetBlankToFullyQualifiedLinks(true)
	return p
})

// HTML returns the message of a question, and what it quotes, as HTML that is safe in a page.
func HTML(q question.Question) string {
	if q.Plain {
		return wire.HTML(q, "")
	}
	return wire.HTML(q, policy().Sanitize(markdown.HTML(q.Message)))
}
