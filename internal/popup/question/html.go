package question

import (
	"html"

	"github.com/microcosm-cc/bluemonday"

	"ui-mcp/internal/markdown"
)

// policy is what a message may be made of. It stands behind the Markdown converter, which lets no HTML of the message
// through: a message is text of a model, which may have it from anywhere, and is shown where an answer counts.
// Nothing in it may load from the network, or say that the person has read it.
var policy = newPolicy()

func newPolicy() *bluemonday.Policy {
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
}

// HTML is the message as HTML that a page can show as it is.
func (q Question) HTML() string {
	if q.Plain {
		return "<p>" + html.EscapeString(q.Message) + "</p>"
	}
	return policy.Sanitize(markdown.HTML(q.Message))
}
