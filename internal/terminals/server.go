package terminals

import (
	"context"
	"runtime"
	"slices"
	"strings"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/machine"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/label"
	"ui-mcp/internal/term/record"
)

// Protocol is the version of the operations. It is raised when a client of the previous version
// would misunderstand the answers of this one, or the other way round. A new operation, or an
// optional field that may be ignored, is no reason: clients look for those in
// [ServerInfo.Features].
const Protocol = 1

// Claims is the feature of servers that apply the limits which another server states for a caller.
const Claims = "claims"

// A Host is the process in which sessions run.
type Host struct {
	Name    string // of the machine; sessions report it as their server
	Version string // of the program
	ID      string // differs between any two processes
	// Labels say what the host is for, beside its system and architecture: see [ServerInfo].
	Labels []string
	// Life is nil for a process that clients cannot end, because it has other tasks.
	Life Life
	// Archive is where the process records what all programs write; nil: it does not.
	Archive *record.Folder
	// Servers are the other servers that the process knows; nil: it can know none.
	Servers Servers
	// Permission asks a person about what [Grant.Confirm] holds back; nil refuses it.
	Permission func(context.Context, term.Inquiry) error
	// Questions are what programs of this host ask its person; nil: none.
	Questions Questions
	// PNG draws an SVG document of a size in pixels, in a browser; nil: the host has no browser.
	PNG func(ctx context.Context, svg []byte, width, height int) ([]byte, error)
}

// Life decides when a server ends. Its methods may be called from anywhere, and do not wait.
type Life interface {
	// Persistent reports whether the server stays when no program runs any more.
	Persistent() bool
	SetPersistent(bool)
	// Stop ends the server soon: running requests may finish.
	Stop()
}

// ServerInfo is the answer of [GetServer].
type ServerInfo struct {
	Hostname string   `json:"hostname" jsonschema:"name of the machine, or the one given with --hostname"`
	Version  string   `json:"version" jsonschema:"version of the program"`
	ID       string   `json:"server_id" jsonschema:"differs each time that the server starts"`
	Protocol int      `json:"protocol" jsonschema:"version of the operations; clients of another version may misunderstand answers"`
	Features []string `json:"features" jsonschema:"names of the operations that this server has; claims: it applies the limits that another server states for a caller"`
	Rights   []string `json:"rights" jsonschema:"what the caller may do: read, type, draw, manage, administer, answer"`
	Limited  bool     `json:"limited,omitempty" jsonschema:"whether the caller's rights cover only some sessions"`
	Labels   []string `json:"labels" jsonschema:"what the machine is for: os=SYSTEM, arch=ARCHITECTURE, and those of --label"`
	Capacity
}

// Capacity is how much a server does, and how much it can do.
type Capacity struct {
	Running int      `json:"running" jsonschema:"programs that run in sessions, for all callers"`
	Most    int      `json:"max_running" jsonschema:"how many may run at once"`
	CPUs    int      `json:"cpus" jsonschema:"processors that the server may use"`
	Load    *float64 `json:"load,omitempty" jsonschema:"processes of the machine that ran or were ready to run, on the average of a minute; left out where the system has no such number"`
}

// CheckLabels returns an error if labels of [Host] are malformed.
func CheckLabels(labels []string) error {
	for _, pair := range labels {
		name, value, valued := strings.Cut(pair, "=")
		switch {
		case name == "os" || name == "arch":
			return fault.New(fault.Invalid, "the label %.40q cannot be set: every server has that of its machine", pair)
		case label.CheckWord("", name) != nil || valued && label.CheckWord("", value) != nil:
			return fault.New(fault.Invalid, "%.80q is no label: it is NAME or NAME=VALUE, each of 1 to %d bytes, which are letters, digits, \"-\", \"_\" and \".\"", pair, label.MaxName)
		}
	}
	if len(labels) > label.MaxTags {
		return fault.New(fault.Invalid, "a server has at most %d labels", label.MaxTags)
	}
	return nil
}

func (h Host) labels() []string {
	return append([]string{"os=" + runtime.GOOS, "arch=" + runtime.GOARCH}, h.Labels...)
}

// HasLabels reports whether a host has all labels. "NAME=VALUE" is a label as a whole.
func HasLabels(has, labels []string) bool {
	return !slices.ContainsFunc(labels, func(l string) bool { return !slices.Contains(has, l) })
}

// UnknownLabels is the error that no host has labels.
func UnknownLabels(labels []string) error {
	return fault.With(NoHost, fault.New(fault.NotFound, "no machine that can be reached has %s: \"wsh servers --json\" and server.info list labels", labelled(labels)))
}

// labelled describes what has labels.
func labelled(labels []string) string {
	const shown = 200 // bytes
	if len(labels) == 1 {
		return "the label " + safetext.Clip(labels[0], shown)
	}
	return "the labels " + safetext.Clip(strings.Join(labels, " and "), shown)
}

// FullHosts is the error that all hosts with labels run as many programs as they may.
func FullHosts(labels []string) error {
	return fault.With(NoRoom, fault.New(fault.Exhausted, "no machine with %s starts another program: each runs as many as it may", labelled(labels)))
}

// capacity returns how much the process does, now.
func (l *Local) capacity() Capacity {
	c := Capacity{Most: l.sessions.Most(), CPUs: machine.CPUs()}
	c.Running, _, _ = l.sessions.Programs()
	if load, ok := machine.Load(); ok {
		c.Load = &load
	}
	return c
}

// Persistence is the answer of [GetPersistence].
type Persistence struct {
	Persistent bool `json:"persistent" jsonschema:"whether the server stays when no program runs any more"`
}

// NewPersistence is the input of [SetPersistence].
type NewPersistence struct {
	Persistent *bool `json:"persistent" jsonschema:"true: the server stays until it is stopped; false: it ends when no program runs any more"`
}

// Operations on the server.
var (
	GetServer = onServer(Operation{
		Name: "server.info", Aliases: also("get_server_info"), Kind: Query, Right: Read, Doc: "Describes the server.",
	}, func(_ context.Context, l *Local, by Grant, _ None) (ServerInfo, error) {
		return ServerInfo{
			Hostname: l.host.Name, Version: l.host.Version, ID: l.host.ID, Protocol: Protocol, Features: l.features,
			Rights: by.Rights.names(), Limited: by.scope() != nil, Labels: l.host.labels(), Capacity: l.capacity(),
		}, nil
	})

	GetPersistence = onServer(Operation{
		Name: "server.persistence", Aliases: also("get_server_mode"), Kind: Query, Right: Read, Doc: "Reports whether the server stays when no program runs any more.",
	}, func(_ context.Context, l *Local, _ Grant, _ None) (Persistence, error) {
		return Persistence{l.host.Life == nil || l.host.Life.Persistent()}, nil
	})

	SetPersistence = onServer(Operation{
		Name: "server.persist", Aliases: []Alias{{Name: "set_server_mode", Absent: &GetPersistence.Operation, Doc: "without parameters like `server.persistence`"}}, Kind: Change, Right: Administer,
		Doc:   "Makes the server stay when no program runs any more, or end then. One that is to end while no program runs ends after half a minute without one.",
		Fails: []Failure{invalid, partOfAnother},
	}, func(_ context.Context, l *Local, _ Grant, in NewPersistence) (Persistence, error) {
		switch {
		case in.Persistent == nil:
			return Persistence{}, fault.New(fault.Invalid, "persistent is missing: true or false")
		case l.host.Life != nil:
			l.host.Life.SetPersistent(*in.Persistent)
		case !*in.Persistent:
			return Persistence{}, errPartOfAnother
		}
		return Persistence{*in.Persistent}, nil
	})

	StopServer = onServer(Operation{
		Name: "server.stop", Aliases: also("stop_server"), Kind: Change, Right: Administer,
		Doc:   "Ends the server, and every program in its sessions.",
		Fails: []Failure{partOfAnother},
	}, func(_ context.Context, l *Local, _ Grant, _ None) (None, error) {
		if l.host.Life == nil {
			return None{}, errPartOfAnother
		}
		l.host.Life.Stop()
		return None{}, nil
	})
)

var (
	partOfAnother    = Failure{Kind: fault.Precondition, When: "the sessions belong to a program with other tasks"}
	errPartOfAnother = fault.New(fault.Precondition, "these sessions belong to a program with other tasks: end that program instead")
)

var serverOps = ops(GetServer, GetPersistence, SetPersistence, StopServer)
