// Package mcpterm is the MCP face of terminals: the tools, resources and prompts with which an
// agent works in sessions. Each tool maps its arguments onto operations of package terminals,
// which check them, and shapes their answers for models; nothing about sessions is decided here.
//
// A [Face] has all of them for one server, made of [Options]: the terminals, how a session is
// reached from outside ([Reach]), and the [Views] in a conversation. Each file has the tools about
// one thing; the tags of an input are the documentation that the model reads.
//
//	tools/call ── input ── terminals.Operation.Do, with the caller's grant ── text or picture
//
// What a program or a person has written is data: answers mark it as such, and what was typed at a
// request for a secret is not in them. A notifier watches only the sessions whose resources have
// subscribers.
package mcpterm

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/skills"

	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/mcpserver"
	"ui-mcp/internal/transport/mcpview"
)

// Instructions tell a model how the tools work together. Each tool has a description of its own.
const Instructions = `wsh runs programs in terminal sessions that a person can watch and type in, too.

Start with wsh_create_session, then wsh_run_command for commands. ` +
	`For programs that ask or draw (prompts, editors, pagers): wsh_send_input, wsh_await_quiesce, wsh_get_screen, then decide. ` +
	`Sessions keep running between calls, until wsh_manage_session kills them: use one for each task, and kill those you made. ` +
	`They end with the last connection, unless a person is attached or a wsh server runs.
The person gets to a session by its url, or by the command in attach: tell them, and let them type passwords there.
The prompt wsh:core teaches more.`

// Options configure the face. Terminals is required.
type Options struct {
	Terminals terminals.Terminals
	// Grant returns what a caller may do, given the context of the call. Nil means that the context
	// has the grant: see [terminals.NewContext].
	Grant func(context.Context) terminals.Grant
	// Skills has the documents of the prompts.
	Skills []skills.Document
	// MaxSessions is how many of the sessions that one client has created may run at once; 0 means
	// DefaultMaxSessions.
	MaxSessions int
	// Dir returns the directory in which a session starts if its client gives none and has no
	// roots, given the context of the caller. Nil or "" means the person's home.
	Dir func(context.Context) string
	// Views display sessions in the conversation; it may be nil.
	Views Views
	// Reach says how a session of this server is reached; nil means that only Views know.
	Reach func(session string) Reach
}

// A Reach says how a session is reached from outside. What is "" is not possible.
type Reach struct {
	URL           string // of its page in the person's browser
	Attach        string // the command that attaches the person's terminal
	Recording     string // URL at which clients of the server get the recording that it keeps
	SaveRecording string // the command that writes that recording to a file
}

func (f *Face) reach(session string) (r Reach) {
	if f.Reach != nil {
		r = f.Reach(session)
	}
	r.URL = cmp.Or(f.Views.URL(session), r.URL)
	return r
}

// Views display sessions in the conversation. Methods may be called from any goroutine.
type Views interface {
	// Creating notes that a session is being created; created is called once, with its name, or ""
	// if there is none.
	Creating() (created func(session string))
	// Used notes that a tool uses a session.
	Used(session string)
	// URL returns the URL of a session's page in the browser, or "".
	URL(session string) string
}

// noViews stands for the Views of a server without any.
type noViews struct{}

func (noViews) Creating() func(string) { return func(string) {} }
func (noViews) Used(string)            {}
func (noViews) URL(string) string      { return "" }

// DefaultMaxSessions leaves sessions for others when one client keeps creating them.
const DefaultMaxSessions = 64

// A Face has the tools, resources and prompts of terminals. Use [New]. Call Tune and Register for
// the same server, and run Notify as long as it serves.
type Face struct {
	Options     // complete
	subscribers *mcpserver.Subscribers
	viewMeta    map[string]any               // of the tools whose calls have a view; nil without views
	needs       map[string][]terminals.Right // of tools; set by Register
}

// New returns the MCP face of terminals.
func New(o Options) *Face {
	if o.Terminals == nil {
		panic("mcpterm: Terminals is required")
	}
	f := &Face{Options: o, subscribers: mcpserver.NewSubscribers(), needs: map[string][]terminals.Right{}}
	f.MaxSessions = cmp.Or(o.MaxSessions, DefaultMaxSessions)
	if o.Grant == nil {
		f.Grant = func(ctx context.Context) terminals.Grant { return terminals.FromContext(mcpserver.Caller(ctx)) }
	}
	if o.Views == nil {
		f.Views = noViews{}
	} else {
		f.viewMeta = mcpview.Meta(mcpview.AppURI)
	}
	return f
}

// Register adds tools, resources and prompts to s. It must be called before the first client
// connects.
func (f *Face) Register(s *mcpserver.Server) {
	s.AddReceivingMiddleware(f.limit, olderName, f.choose, f.listSessions)
	f.addCreate(s)
	f.addList(s)
	f.addManage(s)
	f.addSend(s)
	f.addScreen(s)
	f.addScrollback(s)
	f.addAwait(s)
	f.addRun(s)
	addElement(s, f, overlayTools)
	addElement(s, f, panelTools)
	f.addInputMode(s)
	f.addScreenMode(s)
	f.addServers(s)
	f.addResources(s)
	addPrompts(s, f.Skills)
}

// add adds a tool about terminals. A caller cannot use it at all without one of the combinations of
// rights.
func add[In any](s *mcpserver.Server, f *Face, t mcpserver.Tool, h func(context.Context, In) (mcpserver.Result, error), rights ...terminals.Right) {
	f.needs[t.Name] = rights
	mcpserver.AddTool(s, t, h)
}

// limit lists only the tools that the caller may use, and what is about other servers only if there
// are any. The operations check every call.
func (f *Face) limit(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		res, err := next(ctx, method, req)
		list, ok := res.(*mcp.ListToolsResult)
		if !ok || err != nil {
			return res, err
		}
		by := f.Grant(ctx)
		rights, others := by.Rights, f.others(ctx, by)
		allowed := *list // the SDK may keep its list
		allowed.Tools = slices.DeleteFunc(slices.Clone(list.Tools), func(t *mcp.Tool) bool {
			of := f.needs[t.Name]
			return of != nil && !slices.ContainsFunc(of, func(r terminals.Right) bool { return rights&r == r }) || !others && slices.Contains(serverTools, t.Name)
		})
		if others {
			allowed.Tools = f.withServers(allowed.Tools)
		}
		return &allowed, nil
	}
}

// olderName accepts the older name of a tool, which is not listed.
func olderName(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if call, ok := req.(*mcp.CallToolRequest); ok && call.Params.Name == "wsh_await_idle" {
			call.Params.Name = awaitTool
		}
		return next(ctx, method, req)
	}
}

// do carries out an operation for the caller of a tool.
func do[In, Out any](ctx context.Context, f *Face, o *terminals.Op[In, Out], in In) (Out, error) {
	t, err := f.on(ctx)
	if err != nil {
		return *new(Out), err
	}
	by := f.Grant(ctx)
	by.From = sender(ctx)
	return o.Do(ctx, t, by, in)
}

// beat is how often waits report progress.
const beat = 5 * time.Second

// wait is do for operations that wait. about describes what they wait for.
func wait[In, Out any](ctx context.Context, f *Face, about string, o *terminals.Op[In, Out], in In) (Out, error) {
	limit := time.Duration(0)
	if waits, ok := any(in).(interface{ Longest() time.Duration }); ok {
		limit = waits.Longest()
	}
	defer mcpserver.ReportProgress(ctx, beat, limit, about)()
	return do(ctx, f, o, in)
}

// ofSession is the order of tools that change a session, which clients may call without waiting for
// answers. Tools that wait have no order, so that a key can end what they wait for.
var ofSession = mcpserver.InSession("session", "")

// done is the answer of tools that only change something.
type done struct {
	Success bool   `json:"success"`
	Status  string `json:"status"`
	Session string `json:"session,omitempty"`
}
