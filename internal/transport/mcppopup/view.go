package mcppopup

import (
	"context"
	"errors"

	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/core"
	"ui-mcp/internal/transport/mcpserver"
	"ui-mcp/internal/transport/mcpview"
)

// A view is the view that the client displays for one call, as a channel. The question need not
// reach it by the call's arguments, which hosts may hold back: views ask the server.
type view struct {
	popup.Channel
	tools *tools
	who   client
}

// view returns the view of the calling client, or nil if it has not declared that it displays any.
func (t *tools) view(ctx context.Context) *view {
	if t.Chat == nil || !mcpview.Declared(ctx) {
		return nil
	}
	return &view{t.Chat, t, nameOf(mcpserver.CallOf(ctx))}
}

// Presence implements [popup.Channel].
func (v *view) Presence() core.Presence {
	if joined, ok := v.tools.viewless.Load(v.who); ok && joined == v.tools.Views() {
		return core.Absent
	}
	return v.Channel.Presence()
}

// Show implements [popup.Channel]. A client whose view shows nothing is not tried again until
// another view joins: declaring is not displaying, and a view may be late, as when the person must
// approve its calls.
func (v *view) Show(ctx context.Context, a popup.Asked) error {
	err := v.Channel.Show(ctx, a)
	if errors.Is(err, popup.ErrNotShown) {
		v.tools.viewless.Store(v.who, v.tools.Views())
	}
	return err
}
