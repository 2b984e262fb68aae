package terminals

import (
	"context"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/safetext"
)

// Servers are the other servers that a process knows. A session of one of them is HOST/SESSION in
// every operation of the process's terminals; no name of a session has a slash. Its methods may be
// called from anywhere. The operations below check the caller's right before they call them.
type Servers interface {
	// List returns the servers that the caller may know of, in the order of their names: all, or
	// those of which a limited grant names a session or tag: see [Grant.On].
	List(by Grant) []KnownServer
	// Get returns a server by its name, its address, or the address without the scheme. The error
	// has the detail [ServerNotFound].
	Get(by Grant, name string) (KnownServer, error)
	// Add adds a server, and returns while its connection is being opened. An error that the server
	// is known already has the detail [ServerRegistered].
	Add(ctx context.Context, in NewServer) (KnownServer, error)
	// Remove forgets a server, which is named as in Get. What goes on with its sessions here ends;
	// the sessions do not.
	Remove(ctx context.Context, name string) error
}

// Details of errors about other servers.
const (
	// ServerNotFound: no server has that name.
	ServerNotFound fault.Detail = "server_not_found"
	// ServerRegistered: the server is known already.
	ServerRegistered fault.Detail = "server_already_registered"
)

// UnknownServer is the error about a server that is not known.
func UnknownServer(name string) error {
	return fault.With(ServerNotFound, fault.New(fault.NotFound, "there is no server %q: \"wsh servers\" lists those that this one knows", safetext.Clip(name, maxServerName)))
}

// maxServerName is how much of a name an error repeats, in bytes.
const maxServerName = 128

// A Health says how things are with another server.
type Health string

const (
	Connecting  Health = "connecting"
	Healthy     Health = "healthy"
	Unavailable Health = "unavailable" // it is tried again
	Rejected    Health = "rejected"    // it is not one that this server can use, such as itself
	Waiting     Health = "waiting"     // a hub whose owner has not accepted this server yet
)

// KnownServer describes another server.
type KnownServer struct {
	Hostname   string   `json:"hostname,omitempty" jsonschema:"its name, as in HOSTNAME/SESSION; left out while it has not answered"`
	Address    string   `json:"address" jsonschema:"where it is"`
	Health     Health   `json:"health" jsonschema:"connecting; healthy; unavailable: it cannot be reached now, and is tried again; rejected: it cannot be used, and reason says why; waiting: a hub whose owner has to accept this server, and reason says how"`
	Reason     string   `json:"reason,omitempty" jsonschema:"why it is unavailable or rejected, and what to do"`
	ID         string   `json:"server_id,omitempty" jsonschema:"differs each time that the server starts"`
	Version    string   `json:"version,omitempty" jsonschema:"version of its program"`
	LatencyMS  *float64 `json:"latency_ms,omitempty" jsonschema:"milliseconds that it takes to answer"`
	LastSeenMS *int64   `json:"last_seen_ms,omitempty" jsonschema:"milliseconds since it last answered"`
	Key        string   `json:"key,omitempty" jsonschema:"public key of a host of a hub; of a hub, the one by which the hub knows this server"`
	Role       string   `json:"role,omitempty" jsonschema:"of a hub: what this server is there: worker, desk, or mutual, which is a desk that other mutual ones use"`

	Labels   []string  `json:"labels,omitempty" jsonschema:"what its machine is for, as server.info has them; left out while it has not answered"`
	Capacity *Capacity `json:"capacity,omitempty" jsonschema:"how much it did and can do, when it was last asked"`
}

// NewServer is the input of [AddServer].
type NewServer struct {
	Address  string `json:"address" jsonschema:"ssh://[USER@]HOST[:PORT]; http://HOST:PORT or https://HOST:PORT of its HTTP interface; or nats://HOST:PORT or tls://HOST:PORT of a hub, with ?ca=FILE if needed"`
	Token    string `json:"token,omitempty" jsonschema:"token that its HTTP interface asks for"`
	Hostname string `json:"hostname,omitempty" jsonschema:"what to call it here, spelled like names of sessions; left out: what it calls itself; for a hub, what this server calls itself there"`
}

// ServerName is the input of operations on another server.
type ServerName struct {
	Hostname string `json:"hostname" jsonschema:"name of the server, or its address, also without the scheme"`
}

var (
	noServer     = Failure{fault.NotFound, ServerNotFound, "no such server is known"}
	serverExists = Failure{fault.Exists, ServerRegistered, "a server with this address or name is known already"}
	noOthers     = Failure{Kind: fault.Precondition, When: "the sessions belong to a program with other tasks, which knows no other servers"}
)

// Operations on other servers.
var (
	ListServers = onServer(Operation{
		Name: "servers.list", Aliases: also("list_servers"), Kind: Query, Right: Read, Doc: "Lists the other servers that this one knows, by name.",
	}, func(_ context.Context, l *Local, by Grant, _ None) ([]KnownServer, error) {
		list := []KnownServer{}
		if others := l.others(by); others != nil {
			list = append(list, others.List(by)...)
		}
		return list, nil
	})

	GetKnownServer = onServer(Operation{
		Name: "servers.get", Aliases: also("get_server"), Kind: Query, Right: Read, Doc: "Describes another server that this one knows.",
		Fails: []Failure{noServer},
	}, func(_ context.Context, l *Local, by Grant, in ServerName) (KnownServer, error) {
		others := l.others(by)
		if others == nil {
			return KnownServer{}, UnknownServer(in.Hostname)
		}
		return others.Get(by, in.Hostname)
	})

	AddServer = onServer(Operation{
		Name: "servers.add", Aliases: also("add_server"), Kind: Change, Right: Administer,
		Doc:   "Adds another server, whose sessions are HOSTNAME/SESSION from then on, also after a restart. It answers while the connection is being opened: servers.get tells what has become of it.",
		Fails: []Failure{invalid, serverExists, exhausted, noOthers},
	}, func(ctx context.Context, l *Local, _ Grant, in NewServer) (KnownServer, error) {
		if l.host.Servers == nil {
			return KnownServer{}, errNoOthers
		}
		return l.host.Servers.Add(ctx, in)
	})

	RemoveServer = onServer(Operation{
		Name: "servers.remove", Aliases: also("remove_server"), Kind: Change, Right: Administer,
		Doc:   "Forgets another server. Waits and streams of its sessions end here; its sessions do not.",
		Fails: []Failure{noServer, {Kind: fault.Precondition, When: "it is a host of a hub, which is listed while it is there"}},
	}, func(ctx context.Context, l *Local, _ Grant, in ServerName) (None, error) {
		if l.host.Servers == nil {
			return None{}, UnknownServer(in.Hostname)
		}
		return none(l.host.Servers.Remove(ctx, in.Hostname))
	})
)

var errNoOthers = fault.New(fault.Precondition, "these sessions belong to a program with other tasks, which knows no other servers: use one that \"wsh server\" has started")

// others returns the servers that the process knows, or nil if it knows none, or if the caller is
// on another host of a hub: what this server knows of others is not for those.
func (l *Local) others(by Grant) Servers {
	if by.Guest {
		return nil
	}
	return l.host.Servers
}

// OnServer returns the terminals of one server alone, for interfaces whose clients name the server
// beside the session: names are plain there, in inputs and answers. The server that t itself runs
// on has its own host name, or "". The error has the detail [ServerNotFound].
func OnServer(t Terminals, name string) (Terminals, error) {
	if r, ok := t.(interface {
		OnServer(name string) (Terminals, error)
	}); ok {
		return r.OnServer(name)
	}
	return nil, UnknownServer(name)
}

// OnServer implements [OnServer].
func (l *Local) OnServer(name string) (Terminals, error) {
	if name != "" && name != l.host.Name {
		return nil, UnknownServer(name)
	}
	return l, nil
}

var knownServerOps = ops(ListServers, GetKnownServer, AddServer, RemoveServer)
