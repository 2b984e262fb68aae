package mcppopup

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/popup"
	"ui-mcp/internal/transport/mcpview"
)

// A views is a client's views, which display nothing.
type views struct{ asked chan popup.Asked }

func (v *views) Name() string             { return "chat" }
func (v *views) Kind() popup.Kind         { return popup.Chat }
func (v *views) Presence() popup.Presence { return popup.Possible }

func (v *views) Show(ctx context.Context, a popup.Asked) error {
	v.asked <- a
	select {
	case <-time.After(8 * time.Second):
		return popup.ErrNotShown
	case <-ctx.Done():
		return nil
	}
}

// A question goes to the view of a client that has declared views. When that displays nothing, the
// question goes on, and views of the client are not tried again until another has joined.
func TestClientThatDisplaysNoViews(t *testing.T) {
	declared := &mcp.ClientCapabilities{}
	declared.AddExtension(mcpview.Extension, map[string]any{"mimeTypes": []string{mcpview.MIMEType}})
	for name, tt := range map[string]struct {
		caps *mcp.ClientCapabilities
		want int // questions that views were asked
	}{
		"declared":     {declared, 1},
		"not declared": {&mcp.ClientCapabilities{}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				v := &views{make(chan popup.Asked, 10)}
				var joined atomic.Int64 // views that have joined; a question that is shown reads it beside the test
				joined.Store(7)
				r := open(t, &mcp.ClientOptions{Capabilities: tt.caps}, func(o *Options) { o.Chat, o.Views = v, joined.Load })
				for range 2 { // views that are not tried again
					answer := r.ask(map[string]any{"title": "T", "message": "M", "options": []string{"A"}, "channel": "chat"})
					a := <-r.person.asked // by the page
					if err := r.broker.Withdraw(a.ID); err != nil {
						t.Error(err)
					}
					<-answer
				}
				if n := len(v.asked); n != tt.want {
					t.Errorf("views were asked %d questions, want %d", n, tt.want)
				}
				joined.Add(1) // late, as where the person must approve the calls of views
				answer := r.ask(map[string]any{"title": "T", "message": "M", "options": []string{"A"}, "channel": "chat"})
				a := <-r.person.asked
				if err := r.broker.Withdraw(a.ID); err != nil {
					t.Error(err)
				}
				<-answer
				if n := len(v.asked); n != 2*tt.want {
					t.Errorf("after a view has joined, views were asked %d questions, want %d", n, 2*tt.want)
				}
			})
		})
	}
}
