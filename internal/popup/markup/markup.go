// Package markup turns the message of a question into HTML for a page. It is not part of the model
// of questions because its libraries take time to start: commands without pages do without them.
package markup

import (
	"ui-mcp/internal/markdown"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/popup/wire"
)

// HTML returns the message of a question, and what it quotes, as HTML that is safe in a page.
func HTML(q question.Question) string {
	if q.Plain {
		return wire.HTML(q, "")
	}
	return wire.HTML(q, markdown.Message(q.Message))
}
