package mcpui

import (
	"context"

	"ui-mcp/internal/transport/mcpserver"
)

type runInput struct {
	Code      string `json:"code" jsonschema:"Lua 5.1 chunk; use return to get a value back"`
	SessionID string `json:"sessionId,omitempty" jsonschema:"default \"1\""`
}

func addRun(s *mcpserver.Server, ops Ops) {
	mcpserver.AddTool(s, mcpserver.Tool{
		Name:  "ui_run",
		Title: "Run Lua in the app",
		Description: "Runs Lua in the live app, to read or change its state. The app's globals, session and mcp are at hand; mcp.value is what is displayed.\n" +
			`Example: contacts.items[1].name = "Ada"; return #contacts.items` + "\n" +
			`Returns the JSON of what the chunk returns, or {"non-json": "..."} for a function and the like; errors with file and line; ` +
			"as a second text what has stopped working in the page. print goes to log/lua.log. To change code, edit the app's files instead.",
		// Lua can do everything that the program can.
		Hints: mcpserver.Hints{ReadOnly: mcpserver.No, Destructive: mcpserver.Yes, Idempotent: mcpserver.No, OpenWorld: mcpserver.Yes},
		Order: ofSession,
	}, func(ctx context.Context, in runInput) (mcpserver.Result, error) {
		ran, err := ops.Run(ctx, sessionOr(in.SessionID), in.Code)
		if err != nil {
			return mcpserver.Result{}, err
		}
		res, err := mcpserver.JSON(ran.Result)
		if err == nil && len(ran.Problems) > 0 {
			res = res.With("New problems:" + lines(ran.Problems))
		}
		return res, err
	})
}
