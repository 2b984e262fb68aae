package mcpserver

import (
	"context"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// progressKey is the key of the call in the context of a tool, if its client wants progress.
type progressKey struct{}

func withProgress(ctx context.Context, call *mcp.CallToolRequest) context.Context {
	if call.Params.GetProgressToken() == nil || call.Session == nil {
		return ctx
	}
	return context.WithValue(ctx, progressKey{}, call)
}

// WhileWaiting runs wait, which blocks, and reports progress to a client that has asked for it each
// time that interval has passed. about says in a few words what the call waits for.
func WhileWaiting(ctx context.Context, interval time.Duration, about string, wait func()) {
	call, ok := ctx.Value(progressKey{}).(*mcp.CallToolRequest)
	if !ok {
		wait()
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	reported := make(chan struct{})
	go func() {
		defer close(reported)
		start := time.Now()
		ticker := time.NewTicker(interval)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
			waited := time.Since(start).Round(time.Second)
			// The context reports a client that has disconnected.
			_ = call.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
				ProgressToken: call.Params.GetProgressToken(), Progress: waited.Seconds(),
				Message: "waiting for " + about + " (" + waited.String() + ")",
			})
		}
	}()
	defer func() {
		cancel()
		<-reported
	}()
	wait()
}
