package mcpui

import (
	"context"
	"strings"

	"ui-mcp/internal/app"
	"ui-mcp/internal/finding"
	"ui-mcp/internal/look"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/transport/mcpserver"
)

type screenshotInput struct {
	SessionID string `json:"sessionId,omitempty" jsonschema:"default \"1\""`
	Path      string `json:"path,omitempty" jsonschema:"path or @reference of ui_inspect; default the page"`
	Width     int    `json:"width,omitempty" jsonschema:"of the page in px; 390 is a phone; default 1280"`
	Dark      bool   `json:"dark,omitempty" jsonschema:"in dark colours"`
}

func addScreenshot(s *mcpserver.Server, ops Ops) {
	mcpserver.AddTool(s, mcpserver.Tool{
		Name:  "ui_screenshot",
		Title: "Take a picture of the page",
		Description: "Draws the page as PNG, in a hidden browser that does nothing in the app. findings, with the template's file and line: what sticks out, is cut off, has low contrast or is too small to hit, missing glyphs, console errors. " +
			"Look at width 390 and 1280 before you are done.",
		Hints: mcpserver.Hints{ReadOnly: mcpserver.Yes, Destructive: mcpserver.No, Idempotent: mcpserver.Yes, OpenWorld: mcpserver.No},
		Order: ofSession,
	}, func(ctx context.Context, in screenshotInput) (mcpserver.Result, error) {
		seen, err := ops.Look(ctx, sessionOr(in.SessionID), app.Look{Path: in.Path, Width: in.Width, Dark: in.Dark})
		if err != nil {
			return mcpserver.Result{}, err
		}
		if seen.Findings == nil {
			seen.Findings = []finding.Finding{}
		}
		res, err := mcpserver.JSON(seen)
		return withPicture(res, seen), err
	})
}

func withPicture(res mcpserver.Result, seen look.Seen) mcpserver.Result {
	if seen.PNG == nil {
		return res
	}
	return res.WithImage("image/png", seen.PNG)
}

// describeSeen says beside a picture what else there is to tell.
func describeSeen(seen look.Seen) string {
	var b strings.Builder
	for _, note := range seen.Notes {
		b.WriteString("\nAbout the picture: " + safetext.OneLine(note) + ".")
	}
	for _, f := range seen.Findings {
		b.WriteString("\n- " + f.String())
	}
	return b.String()
}
