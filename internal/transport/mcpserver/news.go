package mcpserver

import (
	"context"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// News are texts for the agent at a connection, who learns of them by the result of its next call,
// once. The zero News is empty. It is safe for concurrent use.
type News struct {
	mu    sync.Mutex // guards texts
	texts []string
}

// Tell adds a text, unless it is empty.
func (n *News) Tell(text string) {
	if text == "" {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.texts = append(n.texts, text)
}

type newsKey struct{}

// WithNews returns a context for [HTTP.ServeLines]: the results of its calls have the news, where
// [Options] say so.
func WithNews(ctx context.Context, n *News) context.Context {
	return context.WithValue(ctx, newsKey{}, n)
}

// tellNews adds news to the results of tools, but for calls whose client may not get the result.
func (s *Server) tellNews(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		res, err := next(ctx, method, req)
		n, _ := Caller(ctx).Value(newsKey{}).(*News)
		result, ok := res.(*mcp.CallToolResult)
		call, _ := req.(*mcp.CallToolRequest)
		if n == nil || err != nil || ctx.Err() != nil || !ok || call == nil || s.hasNews == nil || !s.hasNews(call.Params.Name) {
			return res, err
		}
		n.mu.Lock()
		defer n.mu.Unlock()
		for _, text := range n.texts {
			addText(result, text)
		}
		n.texts = nil
		return res, nil
	}
}
