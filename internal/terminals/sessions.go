package terminals

import (
	"context"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/agents"
	"ui-mcp/internal/term/clients"
	"ui-mcp/internal/term/label"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/term/vt"
	"ui-mcp/internal/terminals/wire"
)

// NewSession is the input of [CreateSession].
type NewSession struct {
	Name       string            `json:"name,omitempty" jsonschema:"1 to 64 bytes: letters, digits, - _ and .; left out: the first free number"`
	Command    string            `json:"command,omitempty" jsonschema:"command line for the system's shell; left out: an interactive shell, the one in SHELL of env or else the person's"`
	Rows       *int              `json:"rows,omitempty" jsonschema:"height of the terminal in cells" default:"24" min:"1" max:"1000"`
	Cols       *int              `json:"cols,omitempty" jsonschema:"width of the terminal in cells" default:"80" min:"1" max:"1000"`
	Dir        string            `json:"cwd,omitempty" jsonschema:"absolute path of the directory to start in; left out: the person's home"`
	Env        map[string]string `json:"env,omitempty" jsonschema:"variables added to the environment"`
	Tags       []string          `json:"tags,omitzero" jsonschema:"tags of the session, spelled like names" max:"64"`
	Scrollback *int              `json:"scrollback,omitempty" jsonschema:"lines kept above the screen" default:"10000" min:"0" max:"1000000"`
	Record     bool              `json:"record,omitempty" jsonschema:"whether to record the output from its first byte on, as recording.start does later" default:"false"`
	Follow     bool              `json:"follow,omitempty" jsonschema:"whether somebody is about to read all output, as session.output with from and whole: until then, the program waits and nothing is lost, for 20 seconds at most" default:"false"`
	On         []string          `json:"on,omitzero" jsonschema:"start it on a machine that has all these labels (see server.info): the one with the most to spare, of this machine and those of other servers that are connected; an empty list: any of them; left out: this machine; with a name that says which machine: only if that has the labels" max:"64"`
	AskToType  bool              `json:"ask_to_type,omitempty" jsonschema:"whether a person at an attached terminal must allow each program that types, before its first input; without anybody attached, input is refused" default:"false"`
}

// SessionFilter is the input of [ListSessions].
type SessionFilter struct {
	Tags []string `json:"tags,omitzero" jsonschema:"list only sessions with one of these tags"`
}

// NewLabel is the input of [UpdateSession].
type NewLabel struct {
	Target
	Name       *string  `json:"name,omitempty" jsonschema:"the new name"`
	AddTags    []string `json:"add_tags,omitzero" jsonschema:"tags to add"`
	RemoveTags []string `json:"remove_tags,omitzero" jsonschema:"tags to remove, also if they are in add_tags"`
}

// Size is the input of [ResizeSession].
type Size struct {
	Target
	Rows int `json:"rows" jsonschema:"height of the whole screen in cells" min:"1" max:"1000"`
	Cols int `json:"cols" jsonschema:"width of the whole screen in cells" min:"1" max:"1000"`
}

// Leaving is the input of [DetachClients].
type Leaving struct {
	Target
	Client string `json:"client,omitempty" jsonschema:"name of the one client that is asked to leave; left out: all terminals"`
}

// NewLeader is the input of [LeadSession].
type NewLeader struct {
	Target
	Client string `json:"client" jsonschema:"name of the client"`
}

var (
	badName = Failure{fault.Invalid, label.InvalidName, "the name is malformed"}
	badTag  = Failure{fault.Invalid, label.InvalidTag, "a tag is malformed"}
	taken   = Failure{Kind: fault.Exists, When: "the name is taken"}
)

// SignalName is the input of [SignalSession].
type SignalName struct {
	Target
	Signal string `json:"signal" jsonschema:"name of the signal, with or without SIG, such as INT, TERM or KILL; Windows has INT and KILL only"`
}

// AgentReport is the input of [ReportAgent].
type AgentReport struct {
	Target
	PID   int    `json:"pid" jsonschema:"process ID of the agent"`
	State string `json:"state" jsonschema:"working; asks: for a permission or an answer; idle: it waits for a prompt"`
}

// Operations on sessions.
var (
	CreateSession = onServer(Operation{
		Name: "session.create", Aliases: also("create_session"), Kind: Change, Right: Manage, Doc: "Starts a program in a new session.",
		Fails: []Failure{badName, badTag, invalid, taken, exhausted,
			{fault.Exhausted, registry.TooManySessions, "too many programs run"},
			{fault.NotFound, NoHost, "no machine has the labels"}, {fault.Exhausted, NoRoom, "those that have them start no more programs"},
			{fault.Internal, registry.CreateFailed, "the system could not start the program"},
			{fault.Gone, registry.Stopping, "the server is stopping"}, unasked, pending},
	}, func(ctx context.Context, l *Local, by Grant, in NewSession) (wire.Session, error) {
		if !by.covers(in.Name, in.Tags) {
			return wire.Session{}, fault.With(NotAllowed, fault.New(fault.Precondition, "the caller's rights do not cover a session %q with these tags", in.Name))
		}
		if !HasLabels(l.host.labels(), in.On) {
			return wire.Session{}, UnknownLabels(in.On)
		}
		o := registry.CreateOptions{
			Name: in.Name, Command: in.Command, Dir: in.Dir, Env: in.Env, Tags: in.Tags, Scrollback: in.Scrollback,
			Cols: size(in.Cols, registry.DefaultCols), Rows: size(in.Rows, registry.DefaultRows),
			Record: in.Record, Follow: in.Follow, AskToType: in.AskToType, ReplaceTags: by.replaceTags(in.Name), Dependent: by.Dependent, Owner: by.Client, OwnerLimit: by.MaxSessions, Creator: by.From,
		}
		s, err := l.sessions.Create(ctx, o)
		if err != nil {
			return wire.Session{}, err
		}
		return l.describe(s), nil
	})

	ListSessions = onServer(Operation{
		Name: "session.list", Aliases: []Alias{{Name: "list_sessions", Members: tagIsTags}}, Kind: Query, Right: Read, Doc: "Lists sessions by name, those whose program has ended included.",
	}, func(_ context.Context, l *Local, by Grant, in SessionFilter) ([]wire.Session, error) {
		list := []wire.Session{}
		for _, i := range l.sessions.List(in.Tags...) {
			if by.covers(i.Name, i.Tags) {
				list = append(list, wire.NewSession(i, l.host.Name))
			}
		}
		return list, nil
	})

	GetSession = onSessionOf(Operation{
		Name: "session.get", Aliases: []Alias{{Name: "get_session", Members: nameIsSession}}, Kind: Query, Right: Read, Doc: "Describes a session.",
	}, func(_ context.Context, l *Local, _ Grant, s *term.Session, _ Target) (wire.Session, error) {
		return l.describe(s), nil
	})

	RemoveSession = onSessionOf(Operation{
		Name: "session.remove", Aliases: []Alias{{Name: "kill_session", Members: nameIsSession}}, Kind: Change, Right: Manage, Doc: "Kills everything that runs in a session, and removes it.",
	}, func(_ context.Context, l *Local, _ Grant, s *term.Session, _ Target) (None, error) {
		return none(l.sessions.Remove(s))
	})

	UpdateSession = onSessionOf(Operation{
		Name: "session.update", Aliases: []Alias{
			{Name: "update_session"}, {Name: "rename_session", Members: map[string]string{"name": "session", "new_name": "name"}, Needs: []string{"name"}},
			{Name: "update_tags", Members: addAndRemove}, {Name: "session.tag", Members: addAndRemove},
			{Name: "session.rename", Members: map[string]string{"to": "name"}, Needs: []string{"name"}},
		}, Kind: Change, Right: Manage, Doc: "Changes a session's name and tags, all or nothing. An ended session of the new name is removed.",
		Fails: []Failure{badName, badTag, taken, exhausted},
	}, func(_ context.Context, l *Local, by Grant, s *term.Session, in NewLabel) (wire.Session, error) {
		c := registry.Relabel{Name: in.Name, Add: in.AddTags, Remove: in.RemoveTags, Within: by.scope()}
		if c.Name != nil {
			c.ReplaceTags = by.replaceTags(*c.Name)
		}
		if err := l.sessions.Relabel(s, c); err != nil {
			return wire.Session{}, err
		}
		return l.describe(s), nil
	})

	GetJob = onSessionOf(Operation{
		Name: "session.job", Aliases: also("get_job"), Kind: Query, Right: Read, Doc: "Tells what a session is busy with: the job in the foreground, its directory, the title, and whether the shell prompts.",
	}, func(ctx context.Context, l *Local, _ Grant, s *term.Session, _ Target) (wire.Job, error) {
		j, err := s.Job(ctx)
		if err != nil {
			return wire.Job{}, err
		}
		return wire.NewJob(j, s.Info().Exit == nil, l.host.Name), nil
	})

	ResizeSession = onSession(Operation{
		Name: "session.resize", Aliases: also("resize"), Kind: Change, Right: Type, Doc: "Changes the size of the whole screen. Panels take their rows from it; the program gets the rest. A size that is not possible counts as the nearest one.",
		Fails: []Failure{invalid, gone},
	}, func(ctx context.Context, s *term.Session, in Size) (None, error) {
		return none(s.Resize(ctx, size(&in.Cols, 0), size(&in.Rows, 0)))
	})

	SignalSession = onSession(Operation{
		Name: "session.signal", Aliases: also("signal_session"), Kind: Change, Right: Type, Doc: "Sends a signal to the job in the foreground of the terminal.",
		Fails: []Failure{invalid, gone, {Kind: fault.Precondition, When: "the job belongs to another user, as under sudo, and the signal is not INT, QUIT or TSTP"}, unasked},
	}, func(ctx context.Context, s *term.Session, in SignalName) (None, error) {
		return none(s.Signal(ctx, in.Signal))
	})

	ReportAgent = onSession(Operation{
		Name: "agent.report", Kind: Change, Right: Type, Doc: "Takes what the hooks of the agent in the foreground say that it does. That counts until the screen shows something newer, or the agent ends.",
		Fails: []Failure{invalid, gone, {Kind: fault.Precondition, When: "that process is no agent in the foreground of the session"}},
	}, func(ctx context.Context, s *term.Session, in AgentReport) (None, error) {
		return none(s.ReportAgent(ctx, in.PID, agents.State(in.State)))
	})

	DetachClients = onSession(Operation{
		Name: "session.detach", Aliases: []Alias{{Name: "detach_session", Members: nameIsSession}}, Kind: Change, Right: Manage, Doc: "Asks attached terminals to leave: all, or one. The program keeps running.",
		Fails: []Failure{noClient, {Kind: fault.Precondition, When: "the client is no terminal"}},
	}, func(_ context.Context, s *term.Session, in Leaving) (None, error) {
		return none(s.Detach(in.Client))
	})

	LeadSession = onSession(Operation{
		Name: "session.lead", Aliases: []Alias{{Name: "lead_session", Members: nameIsSession}}, Kind: Change, Right: Manage, Doc: "Makes a client the leader, as if it had typed: by the usual rule, its terminal decides the size.",
		Fails: []Failure{noClient, gone, {Kind: fault.Precondition, When: "the client only looks, or has no terminal"}},
	}, func(ctx context.Context, s *term.Session, in NewLeader) (None, error) {
		return none(s.Lead(ctx, in.Client))
	})
)

var noClient = Failure{fault.NotFound, clients.Unknown, "there is no such client"}

var unknown = Failure{Kind: fault.NotFound, When: "there is no such session"}

// UnlessUnknown returns an error about the parameters of an operation, or, if they name a session
// that does not exist, the error about that: clients learn it first.
func UnlessUnknown(ctx context.Context, t Doer, by Grant, session string, err error) error {
	if session != "" {
		if _, unknown := GetSession.Do(ctx, t, by, Target{session}); fault.KindOf(unknown) == fault.NotFound {
			return unknown
		}
	}
	return err
}

// size returns a size that the caller may have left out. What is too small or too large counts as
// the nearest possible one; negative ones are errors.
func size(n *int, otherwise int) int {
	switch {
	case n == nil:
		return otherwise
	case *n < 0:
		return *n
	}
	return min(max(*n, 1), vt.MaxSize)
}

var sessionOps = ops(
	CreateSession, ListSessions, GetSession, RemoveSession, GetJob, UpdateSession, ResizeSession,
	SignalSession, ReportAgent, DetachClients, LeadSession,
)
