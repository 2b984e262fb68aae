package others

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ui-mcp/internal/cli/clients"
	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet/hub"
	"ui-mcp/internal/fleet/keys"
	"ui-mcp/internal/listen"
	"ui-mcp/internal/transport/httpio"
)

type Hub struct {
	Start    startHubCommand    `cmd:"" default:"withargs" hidden:"" help:"Run a hub until stopped."`
	List     listHubCommand     `cmd:"" help:"List the hosts that the running hub has accepted, and those that ask."`
	Accept   acceptHubCommand   `cmd:"" help:"Let a host in as a worker or a desk, or change which it is."`
	Withdraw withdrawHubCommand `cmd:"" help:"Shut a host out: its connection ends at once."`
	Config   configHubCommand   `cmd:"" help:"Print settings with which nats-server does what a hub does."`
}

type startHubCommand struct{ commandline.Hub }

// Run becomes wsh-hub: only that has the server of NATS, which would make this program larger by
// two fifths.
func (c startHubCommand) Run(_ context.Context, e caller.Env) error {
	path := e.Vars.Get("PATH")
	if own, err := os.Executable(); err == nil {
		path = filepath.Dir(own) + string(filepath.ListSeparator) + path
	}
	program := clients.Find(e.Vars.With("PATH", path), "wsh-hub")
	if program == "" {
		return fault.New(fault.Precondition, `there is no program wsh-hub beside wsh or in PATH: install it as you have installed wsh, whose packages and archives have the same name with "-hub" in each channel; or run nats-server with the settings that "wsh hub config" prints`)
	}
	return become(program, append([]string{program}, c.Args()...), e)
}

type hostKey string

// UnmarshalText implements [encoding.TextUnmarshaler].
func (k *hostKey) UnmarshalText(b []byte) error {
	if *k = hostKey(b); !keys.Valid(string(b)) {
		return fault.New(fault.Invalid, "%.60q is no key of a host: keys have 56 letters and digits and begin with U", b)
	}
	return nil
}

type acceptHubCommand struct {
	Key    hostKey `arg:"" help:"The host's key, as in \"wsh hub list\" and on the host itself. Compare them: the name is only what the host claims."`
	As     string  `required:"" enum:"worker,desk" placeholder:"ROLE" help:"worker or desk."`
	Mutual bool    `help:"Of a desk: it uses other mutual desks, and they use it."`
	caller.JSONFlag
}

func (c acceptHubCommand) Run(ctx context.Context, e caller.Env) error {
	in := keys.Entry{Key: string(c.Key), Role: keys.Role(c.As), Mutual: c.Mutual}
	if err := callHub(ctx, e, http.MethodPut, "/members/"+in.Key, in, nil); err != nil || !c.JSON {
		return err
	}
	return e.PrintJSON(map[string]any{"accepted": in.Key, "as": c.As, "mutual": c.Mutual})
}

type withdrawHubCommand struct {
	Key hostKey `arg:"" help:"The host's key, as in \"wsh hub list\"."`
	caller.JSONFlag
}

func (c withdrawHubCommand) Run(ctx context.Context, e caller.Env) error {
	if err := callHub(ctx, e, http.MethodDelete, "/members/"+string(c.Key), nil, nil); err != nil || !c.JSON {
		return err
	}
	return e.PrintJSON(map[string]string{"withdrawn": string(c.Key)})
}

type listHubCommand struct{ caller.JSONFlag }

func (c listHubCommand) Run(ctx context.Context, e caller.Env) error {
	var status hub.Status
	if err := callHub(ctx, e, http.MethodGet, "/status", nil, &status); err != nil {
		return err
	}
	if c.JSON {
		return e.PrintJSON(status)
	}
	var t caller.Table
	for _, m := range status.Members {
		state := "away"
		switch {
		case m.Twice:
			state = "two programs have this key: give each its own"
		case m.Connected:
			state = "connected"
		}
		t.Add(m.Name, m.Key, m.As(), state)
	}
	for _, a := range status.Asking {
		t.Add(a.Name, a.Key, "asks", "from "+a.Address+", "+caller.Ago(time.Since(a.Last).Milliseconds())+" ago")
	}
	if err := t.Print(e); err != nil {
		return err
	}
	if len(status.Asking) > 0 {
		e.Note("compare the keys with those on the hosts, and accept them: \"wsh hub accept KEY --as worker\", or desk")
	}
	return nil
}

type configHubCommand struct {
	Hosts []string `arg:"" optional:"" placeholder:"NAME=KEY=ROLE" help:"A host's name, key and role (worker, desk or mutual), besides those that this user's hub has accepted."`
}

func (c configHubCommand) Run(_ context.Context, e caller.Env) error {
	path, err := hub.File(e.Vars)
	if err != nil {
		return err
	}
	list, err := keys.OpenList(path)
	if err != nil {
		return err
	}
	hosts := list.All()
	for _, h := range c.Hosts {
		name, rest, _ := strings.Cut(h, "=")
		key, role, _ := strings.Cut(rest, "=")
		entry := keys.Entry{Name: name, Key: key, Role: keys.Role(role)}
		if role == string(hub.Mutual) {
			entry.Role, entry.Mutual = keys.Desk, true
		}
		hosts = append(hosts, entry)
	}
	text, err := hub.Config(hosts)
	if err != nil {
		return err
	}
	return e.Printf("%s", text)
}

// maxHubAnswer is the length of the longest answer of a hub, in bytes.
const maxHubAnswer = 64 << 20

// hubTime is how long the hub may take to answer.
const hubTime = 10 * time.Second

// callHub sends a request to the user's hub. in and out are JSON; nil stands for none.
func callHub(ctx context.Context, e caller.Env, method, path string, in, out any) error {
	socket, err := hub.Socket(e.Vars)
	if err != nil {
		return err
	}
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, hubTime)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, "http://localhost"+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	transport := &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) { return listen.Dial(socket) }, DisableKeepAlives: true}
	answer, err := (&http.Client{Transport: transport}).Do(r)
	switch {
	case os.IsTimeout(err):
		return fault.Wrap(fault.Timeout, err, "the hub does not answer")
	case err != nil:
		return fault.New(fault.NotFound, "no hub of this user is running on this machine: \"wsh hub\" runs one")
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, maxHubAnswer))
	if err != nil {
		return fault.Wrap(fault.Gone, err, "the hub's answer")
	}
	if answer.StatusCode >= http.StatusBadRequest {
		var failure struct {
			Error string `json:"error"`
		}
		_ = json.Unmarshal(text, &failure) // else the status says it
		kind, _ := httpio.Kind(answer.StatusCode)
		return fault.New(kind, "%s", failure.Error)
	}
	if out == nil {
		return nil
	}
	return fault.Wrap(fault.Internal, json.Unmarshal(text, out), "the hub's answer is not as expected: its version may differ")
}
