// Package mcpui is the MCP face of the live app: the tools with which an agent starts, displays,
// changes and inspects it, and the resources. Each tool decodes its arguments, calls one operation
// and returns the result; nothing else is decided here.
//
// [Ops] are the operations, which app.App implements; [Views] say whether a call's client displays
// apps in the conversation. Each file has one tool: its input, whose tags are the documentation
// that the model reads, and what the result looks like. [Resources] are ui://state, the variables
// and the documents of the app; their subscribers learn of changes that a page or a script has
// made.
//
//	tools/call ── input (JSON schema) ── Ops ── text, structured content or picture
//
// Errors keep their kind: mcpserver makes protocol errors or results with isError of them.
package mcpui

import (
	"cmp"
	"context"
	"encoding/json"
	"time"

	"ui-mcp/internal/app"
	"ui-mcp/internal/finding"
	"ui-mcp/internal/install"
	"ui-mcp/internal/look"
	"ui-mcp/internal/ui"

	"ui-mcp/internal/transport/mcpserver"
)

// Instructions tell a model how the tools work together. Each tool has a description of its own.
const Instructions = `ui-mcp shows the person a live app in their browser, written in Lua and HTML view definitions. Before your first app, read ui://cheatsheet (resources/cheatsheet.md in base_dir).

ui_start once; write apps/NAME/app.lua and apps/NAME/viewdefs/TYPE.NAMESPACE.html under base_dir (ui_status tells it); ui_display NAME; ui_open_browser. ` +
	`Saved files are reloaded with the app's state kept, and every change appears at once: never restart or reload.
The app sends events with mcp.pushState: GET /wait?timeout=30 on the port in base_dir/mcp-port answers with a JSON array of them, or 204; ui_inspect with events does, too. {"event":"error"} is one of ours: something in the app has failed.`

// DefaultSession is the session of a call that names none.
const DefaultSession = "1"

// Ops are the operations behind the tools. [app.App] implements them. Their errors are of package
// fault, and the model sees their texts.
type Ops interface {
	Configure(ctx context.Context, dir string) (app.Configuration, error)
	Start(ctx context.Context) (url string, err error)
	Status(ctx context.Context) app.Status
	Run(ctx context.Context, session, code string) (app.Ran, error)
	Display(ctx context.Context, session, name string) (app.Displayed, error)
	CheckNews(ctx context.Context, session, name string) (app.News, error)
	Reported(ctx context.Context, session, name string, d app.Displayed, listed []finding.Finding)
	OpenBrowser(ctx context.Context, session, path string, conserve bool) (app.Opened, error)
	OpenTerminals(ctx context.Context) (app.Opened, error)
	Inspect(ctx context.Context, session string, what ui.Inspection) (string, error)
	Look(ctx context.Context, session string, how app.Look) (look.Seen, error)
	Wait(ctx context.Context, session string, timeout time.Duration, deliver func([]json.RawMessage) error) error
	Act(ctx context.Context, session, ref string, input ui.Input) (ui.Acted, error)
	Upload(ctx context.Context, typ, namespace, content string) (app.Uploaded, error)
	Install(force bool, claudeMD *bool) (install.Report, error)

	State(ctx context.Context, session string) (json.RawMessage, error)
	Variables(ctx context.Context, session, known string) (list json.RawMessage, version string, err error)
	Document(name string) ([]byte, error)
	Documents(prefix string, limit int) []string
	Changes() <-chan struct{}
}

var _ Ops = (*app.App)(nil)

// Views are the views in conversations with clients that have declared that they display views.
type Views interface {
	// Await prepares to wait until a new view displays a session. appears waits; waited is false if
	// it has not, since views did not appear before.
	Await(session string) (appears func(ctx context.Context) (appeared, waited bool))
}

// Register adds the tools to s. views may be nil.
func Register(s *mcpserver.Server, ops Ops, views Views) {
	addConfigure(s, ops)
	addStart(s, ops)
	addStatus(s, ops)
	addRun(s, ops)
	addDisplay(s, ops, views)
	addOpenBrowser(s, ops)
	addInspect(s, ops)
	addScreenshot(s, ops)
	addAct(s, ops)
	addUpload(s, ops)
	addInstall(s, ops)
}

// ofSession is the order of tools that work on one session.
var ofSession = mcpserver.InSession("sessionId", DefaultSession)

func sessionOr(id string) string { return cmp.Or(id, DefaultSession) }
