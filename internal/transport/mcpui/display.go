package mcpui

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ui-mcp/internal/app"
	"ui-mcp/internal/finding"
	"ui-mcp/internal/transport/mcpserver"
	"ui-mcp/internal/transport/mcpview"
	"ui-mcp/internal/ui/problem"
)

type displayInput struct {
	Name       string `json:"name" jsonschema:"the app, such as contacts or my-app"`
	SessionID  string `json:"sessionId,omitempty" jsonschema:"default \"1\""`
	Screenshot bool   `json:"screenshot,omitempty" jsonschema:"adds what ui_screenshot tells"`
}

func addDisplay(s *mcpserver.Server, ops Ops, views Views) {
	mcpserver.AddTool(s, mcpserver.Tool{
		Name:  "ui_display",
		Title: "Display an app",
		Description: "Shows an app in the person's page: the Lua global of that name (my-app shows myApp), " +
			"after loading lua/NAME.lua or apps/NAME/app.lua if there is none yet.\n" +
			"Returns the page's URL, and what does not work in it, or did not when a hidden copy was tried out, with file and line.",
		Hints: mcpserver.Hints{ReadOnly: mcpserver.No, Destructive: mcpserver.No, Idempotent: mcpserver.Yes, OpenWorld: mcpserver.No},
		Order: ofSession,
		Meta:  mcpview.Meta(mcpview.AppURI),
	}, func(ctx context.Context, in displayInput) (mcpserver.Result, error) {
		session := sessionOr(in.SessionID)
		var appears func(context.Context) (appeared, waited bool)
		if views != nil && mcpview.Declared(ctx) {
			appears = views.Await(session) // hosts load a view when the call begins
		}
		d, err := ops.Display(ctx, session, in.Name)
		if err != nil {
			return mcpserver.Result{}, err
		}
		var listed []finding.Finding
		defer func() { ops.Reported(ctx, session, in.Name, d, listed) }()
		text := describeDisplayed(in.Name, d)
		if news, err := ops.CheckNews(ctx, session, in.Name); err == nil { // else the display itself has said more
			var found string
			found, listed = describeFound(in.Name, news, d.Problems)
			text += found + describeUntried(in.Name, news.NotTried)
		}
		if appears != nil {
			text += describeView(appears(ctx))
		}
		if !in.Screenshot {
			return mcpserver.Text(text), nil
		}
		seen, err := ops.Look(ctx, session, app.Look{})
		if err != nil {
			return mcpserver.Text(text + "\nThere is no picture: " + err.Error()), nil
		}
		return withPicture(mcpserver.Text(text+describeSeen(seen)), seen), nil
	})
}

// describeView says whether a view displays an app. Clients may declare views and display none.
func describeView(appeared, waited bool) string {
	switch {
	case appeared:
		return "\nThe app is displayed in the conversation."
	case waited:
		return "\nNo view of it has appeared in the conversation so far: unless the person sees it there, call ui_open_browser, or give them the URL."
	}
	return "\nIf your client displays views, the app appears in the conversation, too; views in ui_status counts those that are connected."
}

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

// maxFound bounds the findings in one answer: the model pays for each.
const maxFound = 10

// describeFound lists new findings of a check, except those that the problems of the session tell.
func describeFound(name string, news app.News, problems []problem.Problem) (text string, listed []finding.Finding) {
	found := slices.DeleteFunc(slices.Clone(news.Findings), func(f finding.Finding) bool {
		return slices.ContainsFunc(problems, func(p problem.Problem) bool {
			return p.File == f.File && p.Line == f.Line && (f.Code == "binding" || f.Code == "viewdef" || f.Code == "load")
		})
	})
	listed = found[:min(len(found), maxFound)]
	var b strings.Builder
	if len(listed) > 0 {
		b.WriteString("\nFound in a copy of the app, in which controls were tried:")
	}
	for _, f := range listed {
		b.WriteString("\n- " + f.String())
	}
	if more := len(found) - len(listed); more > 0 {
		fmt.Fprintf(&b, "\n… %d more: ui-mcp check %s", more, name)
	}
	if news.Reported > 0 {
		fmt.Fprintf(&b, "\nStill found, as told before: %d (ui-mcp check %s lists all)", news.Reported, name)
	}
	return b.String(), listed
}

// maxUntried bounds what an answer lists as not tried.
const maxUntried = 5

// describeUntried lists what a check has not tried, so that nobody takes it for sound.
func describeUntried(name string, parts []finding.Untried) string {
	var b strings.Builder
	for i, u := range parts {
		if i == maxUntried {
			fmt.Fprintf(&b, "\n… %d more not tried: ui-mcp check %s", len(parts)-i, name)
			break
		}
		b.WriteString("\n- " + u.String())
	}
	if b.Len() > 0 {
		return "\nNot tried in a copy of the app:" + b.String()
	}
	return ""
}
