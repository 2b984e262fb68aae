package mcpui

import (
	"context"
	"fmt"

	"ui-mcp/internal/app"
	"ui-mcp/internal/transport/mcpserver"
	"ui-mcp/internal/transport/mcpview"
)

type displayInput struct {
	Name      string `json:"name" jsonschema:"the app, such as contacts or my-app"`
	SessionID string `json:"sessionId,omitempty" jsonschema:"default \"1\""`
}

func addDisplay(s *mcpserver.Server, ops Ops) {
	mcpserver.AddTool(s, mcpserver.Tool{
		Name:  "ui_display",
		Title: "Display an app",
		Description: "Shows an app in the person's page: the Lua global of that name (my-app shows myApp), " +
			"after loading lua/NAME.lua or apps/NAME/app.lua if there is none yet. Open pages show it at once.\n" +
			`Example: {"name": "contacts"}` + "\n" +
			"Returns the URL of the page, and what does not work in it. A failure says why, with file and line.",
		Hints: mcpserver.Hints{ReadOnly: mcpserver.No, Destructive: mcpserver.No, Idempotent: mcpserver.Yes, OpenWorld: mcpserver.No},
		Order: ofSession,
		Meta:  mcpview.Meta(mcpview.AppURI),
	}, func(ctx context.Context, in displayInput) (mcpserver.Result, error) {
		d, err := ops.Display(ctx, sessionOr(in.SessionID), in.Name)
		if err != nil {
			return mcpserver.Result{}, err
		}
		text := describeDisplayed(in.Name, d)
		if mcpview.Declared(ctx) {
			text += inChat
		}
		return mcpserver.Text(text), nil
	})
}

// inChat is for clients that have declared views, which does not mean that they display them.
const inChat = "\nIf your client displays views, the app appears in the conversation, too; views in ui_status counts those that are connected."

// describeDisplayed says that an app is displayed, and its problems.
func describeDisplayed(name string, d app.Displayed) string {
	text := "Displayed " + name + " at " + d.URL
	switch n := len(d.Problems); n {
	case 0:
		return text
	case 1:
		text += "\n1 problem in what is shown:"
	default:
		text += fmt.Sprintf("\n%d problems in what is shown:", n)
	}
	return text + lines(d.Problems)
}
