package mcpui

import (
	"cmp"
	"context"

	"ui-mcp/internal/app"
	"ui-mcp/internal/transport/mcpserver"
)

type openBrowserInput struct {
	SessionID string `json:"sessionId,omitempty" jsonschema:"default \"1\""`
	Path      string `json:"path,omitempty" jsonschema:"path below the session; default \"/\""`
	Terminals bool   `json:"terminals,omitempty" jsonschema:"open the page of the terminals instead"`
	Conserve  *bool  `json:"conserve,omitempty" jsonschema:"keep to one tab; default true"`
}

func addOpenBrowser(s *mcpserver.Server, ops Ops) {
	mcpserver.AddTool(s, mcpserver.Tool{
		Name:  "ui_open_browser",
		Title: "Open the browser",
		Description: "Opens the app's page in the person's browser. Call it once, when there is something to see. " +
			"If no browser can be opened it returns the URL: give that to the person.",
		Hints: mcpserver.Hints{ReadOnly: mcpserver.No, Destructive: mcpserver.No, Idempotent: mcpserver.No, OpenWorld: mcpserver.No},
		Order: ofSession,
	}, func(ctx context.Context, in openBrowserInput) (mcpserver.Result, error) {
		var opened app.Opened
		var err error
		if in.Terminals {
			opened, err = ops.OpenTerminals(ctx)
		} else {
			opened, err = ops.OpenBrowser(ctx, sessionOr(in.SessionID), cmp.Or(in.Path, "/"), in.Conserve == nil || *in.Conserve)
		}
		switch {
		case err != nil:
			return mcpserver.Result{}, err
		case !opened.Opened:
			return mcpserver.Textf("No browser could be opened here (%s). Ask the person to open %s", opened.Reason, opened.URL), nil
		}
		return mcpserver.Textf("Opened %s", opened.URL), nil
	})
}
