package mcpserver

import (
	"context"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// callKey is the key of the call in the context of a tool.
type callKey struct{}

// CallOf returns the call of a tool from the context of its handler, or nil if the tool was not
// called over MCP.
func CallOf(ctx context.Context) *mcp.CallToolRequest {
	call, _ := ctx.Value(callKey{}).(*mcp.CallToolRequest)
	return call
}

// ReportProgress reports progress of a call to a client that has asked for it, each time that
// interval has passed, until stop is called. about says in a few words what the call waits for, and
// limit for how long at most; 0 if that is not known.
func ReportProgress(ctx context.Context, interval, limit time.Duration, about string) (stop func()) {
	call := CallOf(ctx)
	if call == nil || call.Params.GetProgressToken() == nil || call.Session == nil {
		return func() {}
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
			NotifyProgress(ctx, waited, limit, "waiting for "+about+" ("+waited.String()+")")
		}
	}()
	return func() {
		cancel()
		<-reported
	}
}

// NotifyProgress tells a client that has asked for it that a call has been waiting, of at most
// limit, which is 0 if that is not known. Progress is in whole seconds.
func NotifyProgress(ctx context.Context, waited, limit time.Duration, message string) {
	call := CallOf(ctx)
	// The context reports a client that has disconnected.
	_ = call.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
		ProgressToken: call.Params.GetProgressToken(), Message: message,
		Progress: waited.Round(time.Second).Seconds(), Total: limit.Round(time.Second).Seconds(),
	})
}
