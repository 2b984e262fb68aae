package mcpterm

import (
	"context"
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/transport/mcpserver"
)

type createInput struct {
	Name    string            `json:"name,omitempty" jsonschema:"default: the first free number"`
	Command string            `json:"command,omitempty" jsonschema:"command line; default: the person's shell"`
	Rows    *int              `json:"rows,omitempty" jsonschema:"default 24"`
	Cols    *int              `json:"cols,omitempty" jsonschema:"default 80"`
	Cwd     string            `json:"cwd,omitempty" jsonschema:"absolute path; default: the project"`
	Env     map[string]string `json:"env,omitempty" jsonschema:"added to the environment"`
	Tags    []string          `json:"tags,omitempty" jsonschema:"by which lists can be narrowed"`
}

// absent is a member that an answer lacks: it takes the place of a member of an embedded struct.
type absent = *struct{}

// A newSession is the answer of wsh_create_session.
type newSession struct {
	Target string `json:"session"` // as the argument of the other tools
	listed
	Name absent `json:"name,omitempty"`
}

// A listed session is one of several. Lists are read often: they lack what is the same for all
// sessions, and what details tell.
type listed struct {
	detailed
	ID       absent   `json:"id,omitempty"`
	Server   string   `json:"server,omitempty"`   // if it is another one
	Attached absent   `json:"attached,omitempty"` // clients is their number
	Leader   absent   `json:"leader,omitempty"`
	SizeRule absent   `json:"size_rule,omitempty"`
	Tags     []string `json:"tags,omitempty"`
}

// A detailed session is what a caller can know without asking the system.
type detailed struct {
	wire.Session
	Recording *recording `json:"recording,omitempty"`
	URL       string     `json:"url,omitempty"`    // of its page in the person's browser
	Attach    string     `json:"attach,omitempty"` // the command that attaches the person's terminal
}

// A recording is what a session keeps, and how to get it.
type recording struct {
	wire.RecordingState
	URL  string `json:"url,omitempty"`  // of the file, for clients of the server
	Save string `json:"save,omitempty"` // the command that writes the file
}

// newRecording describes the recording of a session that is reached in this way.
func newRecording(s wire.RecordingState, at Reach) *recording {
	return &recording{s, at.Recording, at.SaveRecording}
}

// describe adds to a session how it is reached.
func (f *Face) describe(ctx context.Context, s wire.Session) detailed {
	at := f.reach(full(ctx, s.Name))
	d := detailed{Session: s, URL: at.URL, Attach: at.Attach}
	if s.Recording != nil {
		d.Recording = newRecording(*s.Recording, at)
	}
	return d
}

func (f *Face) shorten(ctx context.Context, s wire.Session) listed {
	return listed{detailed: f.describe(ctx, s), Server: wire.HostOf(full(ctx, s.Name)), Tags: s.Tags}
}

func (f *Face) addCreate(s *mcpserver.Server) {
	add(s, f, mcpserver.Tool{
		Name:        "wsh_create_session",
		Title:       "Create a session",
		Description: "Starts a shell, or a command, in a new terminal session. Returns session (the name that the other tools take), pid, rows and cols.",
		Hints:       mcpserver.Hints{ReadOnly: mcpserver.No, Destructive: mcpserver.Yes, Idempotent: mcpserver.No, OpenWorld: mcpserver.Yes},
		Order:       mcpserver.InSession("name", ""),
		Meta:        f.viewMeta,
	}, func(ctx context.Context, in createInput) (mcpserver.Result, error) {
		name, created := "", f.Views.Creating()
		defer func() { created(name) }()
		defer mcpserver.ReportProgress(ctx, beat, 0, "the person, who decides about the command")()
		on, err := f.on(ctx)
		if err != nil {
			return mcpserver.Result{}, err
		}
		server, _ := ctx.Value(chosenKey{}).(chosen)
		c, err := terminals.CreateSession.Do(ctx, on, f.countedGrant(ctx), terminals.NewSession{
			Name: in.Name, Command: in.Command, Rows: in.Rows, Cols: in.Cols, Dir: f.startDir(ctx, in), Env: in.Env, Tags: in.Tags, On: server.labels,
		})
		if err != nil {
			return mcpserver.Result{}, err
		}
		name = full(ctx, c.Name)
		return mcpserver.JSON(newSession{Target: c.Name, listed: f.shorten(ctx, c)})
	}, terminals.Manage)
}

type listInput struct {
	Session string   `json:"session,omitempty" jsonschema:"its name; default all"`
	Tags    []string `json:"tags,omitempty" jsonschema:"sessions with one of these"`
}

// A sessionDetail describes the session that the caller has named.
type sessionDetail struct {
	detailed
	Cwd string `json:"cwd,omitempty"`
	Job string `json:"job,omitempty"` // the program in the foreground
	// Shell is prompt, more or command, where the shell marks its prompts.
	Shell string `json:"shell,omitempty"`
}

func (f *Face) addList(s *mcpserver.Server) {
	add(s, f, mcpserver.Tool{
		Name:        "wsh_list_sessions",
		Title:       "List sessions",
		Description: "Lists terminal sessions, ended ones too, with state: prompt, running, line (waits for input), secret (for a password), fullscreen or ended. With session: that one, with cwd and job.",
		Hints:       mcpserver.Hints{ReadOnly: mcpserver.Yes, Destructive: mcpserver.No, Idempotent: mcpserver.Yes, OpenWorld: mcpserver.No},
		Order:       mcpserver.Shared,
	}, func(ctx context.Context, in listInput) (mcpserver.Result, error) {
		if in.Session == "" {
			return mcpserver.Answer(f.list(ctx, in.Tags))
		}
		of := terminals.Target{Session: in.Session}
		one, err := do(ctx, f, terminals.GetSession, of)
		if err != nil {
			return mcpserver.Result{}, err
		}
		job, err := do(ctx, f, terminals.GetJob, of)
		if err != nil {
			return mcpserver.Result{}, err
		}
		detail := sessionDetail{detailed: f.describe(ctx, one), Cwd: job.Dir, Shell: job.Shell}
		if job.Foreground != nil {
			detail.Job = job.Foreground.Name
		}
		return mcpserver.JSON(detail)
	}, terminals.Read)
}

// list returns the sessions that the caller can see.
func (f *Face) list(ctx context.Context, tags []string) ([]listed, error) {
	all, err := do(ctx, f, terminals.ListSessions, terminals.SessionFilter{Tags: tags})
	if err != nil {
		return nil, err
	}
	list := make([]listed, len(all))
	for i, s := range all {
		list[i] = f.shorten(ctx, s)
	}
	return list, nil
}

// An action is what wsh_manage_session does.
type action string

type manageInput struct {
	Session string   `json:"session"`
	Action  action   `json:"action"`
	NewName string   `json:"new_name,omitempty" jsonschema:"for rename"`
	Rows    int      `json:"rows,omitempty" jsonschema:"for resize"`
	Cols    int      `json:"cols,omitempty" jsonschema:"for resize"`
	Signal  string   `json:"signal,omitempty" jsonschema:"such as INT, to the foreground job"`
	Tags    []string `json:"tags,omitempty" jsonschema:"for add_tags and remove_tags"`
}

// actions are what wsh_manage_session does, with the status of its answer.
var actions = []struct {
	name   action
	status string
}{
	{"kill", "killed"},
	{"rename", "renamed"},
	{"detach", "detached"},
	{"resize", "resized"},
	{"signal", "signalled"},
	{"add_tags", "tags_added"},
	{"remove_tags", "tags_removed"},
	{"start_recording", "recording"},
	{"stop_recording", "recorded"},
}

// manage carries out an action. It returns the recording that was started or stopped, or nil.
func (f *Face) manage(ctx context.Context, in manageInput) (state *wire.RecordingState, err error) {
	of := terminals.Target{Session: in.Session}
	switch in.Action {
	case "kill":
		_, err = do(ctx, f, terminals.RemoveSession, of)
	case "rename":
		if in.NewName == "" {
			return nil, fault.New(fault.Invalid, `missing argument "new_name": rename needs it`)
		}
		_, err = do(ctx, f, terminals.UpdateSession, terminals.NewLabel{Target: of, Name: &in.NewName})
	case "detach":
		_, err = do(ctx, f, terminals.DetachClients, terminals.Leaving{Target: of})
	case "resize":
		if in.Rows == 0 || in.Cols == 0 {
			return nil, fault.New(fault.Invalid, "resize needs rows and cols")
		}
		_, err = do(ctx, f, terminals.ResizeSession, terminals.Size{Target: of, Rows: in.Rows, Cols: in.Cols})
	case "signal":
		if in.Signal == "" {
			return nil, fault.New(fault.Invalid, `missing argument "signal": such as INT or TERM`)
		}
		_, err = do(ctx, f, terminals.SignalSession, terminals.SignalName{Target: of, Signal: in.Signal})
	case "add_tags":
		_, err = do(ctx, f, terminals.UpdateSession, terminals.NewLabel{Target: of, AddTags: in.Tags})
	case "remove_tags":
		_, err = do(ctx, f, terminals.UpdateSession, terminals.NewLabel{Target: of, RemoveTags: in.Tags})
	case "start_recording":
		state = new(wire.RecordingState)
		*state, err = do(ctx, f, terminals.StartRecording, of)
	case "stop_recording":
		state = new(wire.RecordingState)
		*state, err = do(ctx, f, terminals.StopRecording, of)
	}
	return state, err
}

// managed is the answer of wsh_manage_session.
type managed struct {
	done
	Recording *recording `json:"recording,omitempty"` // that was started or stopped
}

func (f *Face) addManage(s *mcpserver.Server) {
	var names []any
	for _, a := range actions {
		names = append(names, string(a.name))
	}
	add(s, f, mcpserver.Tool{
		Name:        "wsh_manage_session",
		Title:       "Manage a session",
		Description: "Kills a session with all that runs in it, renames or resizes it, detaches its clients, signals its job, changes tags, or records output (asciicast).",
		Hints:       mcpserver.Hints{ReadOnly: mcpserver.No, Destructive: mcpserver.Yes, Idempotent: mcpserver.No, OpenWorld: mcpserver.No},
		Order:       ofSession,
		Schemas:     map[reflect.Type]*jsonschema.Schema{reflect.TypeFor[action](): {Type: "string", Enum: names}},
	}, func(ctx context.Context, in manageInput) (mcpserver.Result, error) {
		for _, a := range actions {
			if a.name != in.Action {
				continue
			}
			answer := managed{done: done{true, a.status, in.Session}}
			if a.name == "rename" {
				answer.Session = in.NewName
			}
			state, err := f.manage(ctx, in)
			if state != nil {
				answer.Recording = newRecording(*state, f.reach(full(ctx, in.Session)))
			}
			return mcpserver.Answer(answer, err)
		}
		return mcpserver.Result{}, fault.New(fault.Invalid, "there is no action %q", in.Action)
	}, terminals.Manage, terminals.Type)
}
