package wsh

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ui-mcp/internal/discovery"
	"ui-mcp/internal/environ"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet/hub"
	"ui-mcp/internal/fleet/keys"
	"ui-mcp/internal/listen"
	"ui-mcp/internal/transport/httpio"
)

type hubCommand struct {
	Start    startHubCommand    `cmd:"" default:"withargs" hidden:"" help:"Run a hub until stopped."`
	List     listHubCommand     `cmd:"" help:"List the hosts that the running hub has accepted, and those that ask."`
	Accept   acceptHubCommand   `cmd:"" help:"Let a host in, or change what it may do."`
	Withdraw withdrawHubCommand `cmd:"" help:"Shut a host out: its connection ends at once."`
	Config   configHubCommand   `cmd:"" help:"Print settings with which nats-server does what a hub does."`
}

func (hubCommand) Help() string {
	return `A hub lets hosts reach each other that cannot, or should not, connect to each other. It is a server of NATS, and only in programs that are built with "go build -tags hub ./cmd/wsh"; "wsh hub config" prints settings with which nats-server does the same.

A host that adds the hub asks to be accepted, and is served nothing until it is. A level says what a host may do: none (only see which hosts there are), look, type, manage or answer (questions to you). That is the most: each host decides itself how far it trusts the hub, and which hosts it accepts besides.

    wsh hub
    wsh hub --listen 192.0.2.1:4222 --tls-cert cert.pem --tls-key key.pem
    wsh hub list
    wsh hub accept UAKEY --allow type
    wsh hub withdraw UAKEY`
}

type startHubCommand struct {
	Listen  string `placeholder:"HOST:PORT" default:"127.0.0.1:4222" help:"Where to listen (default: ${default}). Other addresses than 127.0.0.1, localhost and [::1] need a certificate."`
	TLSCert string `name:"tls-cert" type:"path" placeholder:"FILE" help:"The certificate for TLS, with its chain, in PEM."`
	TLSKey  string `name:"tls-key" type:"path" placeholder:"FILE" help:"The key of the certificate, in PEM."`
	Max     int    `name:"max-connections" placeholder:"N" help:"Most connections, those of unknown hosts included (default: 10000)."`
}

// A hostKey is the public key of a host.
type hostKey string

// entry returns the entry of a host on a list.
func (k hostKey) entry(name, level string) (keys.Entry, error) {
	e := keys.Entry{Key: string(k), Name: name, Allow: keys.Level(level)}
	return e, e.Check()
}

type acceptHubCommand struct {
	Key   hostKey `arg:"" help:"The host's key, as in \"wsh hub list\" and on the host itself. Compare them: the name is only what the host claims."`
	Allow string  `enum:"none,look,type,manage,answer" default:"none" placeholder:"LEVEL" help:"none, look, type, manage or answer (default: ${default})."`
	Name  string  `placeholder:"NAME" help:"What to list it as (default: the name that it claims)."`
	jsonFlag
}

func (c acceptHubCommand) run(ctx context.Context, e env) error {
	in, err := c.Key.entry(c.Name, c.Allow)
	if err != nil {
		return err
	}
	if err := e.callHub(ctx, http.MethodPut, "/members/"+in.Key, in, nil); err != nil || !c.JSON {
		return err
	}
	return e.printJSON(map[string]string{"accepted": in.Key, "allow": c.Allow})
}

type withdrawHubCommand struct {
	Key hostKey `arg:"" help:"The host's key, as in \"wsh hub list\"."`
	jsonFlag
}

func (c withdrawHubCommand) run(ctx context.Context, e env) error {
	entry, err := c.Key.entry("", string(keys.None))
	if err != nil {
		return err
	}
	if err := e.callHub(ctx, http.MethodDelete, "/members/"+entry.Key, nil, nil); err != nil || !c.JSON {
		return err
	}
	return e.printJSON(map[string]string{"withdrawn": string(c.Key)})
}

type listHubCommand struct {
	jsonFlag
}

func (c listHubCommand) run(ctx context.Context, e env) error {
	var status hub.Status
	if err := e.callHub(ctx, http.MethodGet, "/status", nil, &status); err != nil {
		return err
	}
	if c.JSON {
		return e.printJSON(status)
	}
	var t table
	for _, m := range status.Members {
		state := "away"
		switch {
		case m.Twice:
			state = "two programs have this key: give each its own"
		case m.Connected:
			state = "connected"
		}
		t.add(m.Name, m.Key, string(m.Allow), state)
	}
	for _, a := range status.Asking {
		t.add(a.Name, a.Key, "asks", "from "+a.Address+", "+ago(time.Since(a.Last).Milliseconds())+" ago")
	}
	if err := t.print(e.Out); err != nil {
		return err
	}
	if status.Unlisted > 0 {
		e.note("%s more to be accepted: too many ask for all to be listed", plural(status.Unlisted, "attempt"))
	}
	return nil
}

type configHubCommand struct {
	Hosts []string `arg:"" optional:"" placeholder:"KEY=LEVEL" help:"A host's key, and none, look, type, manage or answer; besides those that the hub of this user has accepted."`
}

func (c configHubCommand) run(_ context.Context, e env) error {
	path, err := hubMembers(e.vars)
	if err != nil {
		return err
	}
	list, err := keys.OpenList(path)
	if err != nil {
		return err
	}
	hosts := list.All()
	for _, h := range c.Hosts {
		key, level, _ := strings.Cut(h, "=")
		entry, err := hostKey(key).entry("", level)
		if err != nil {
			return err
		}
		hosts = append(hosts, entry)
	}
	text, err := hub.Config(hosts)
	if err != nil {
		return err
	}
	return e.printf("%s", text)
}

// hubMembers returns the file of the hosts that the user's hub has accepted.
func hubMembers(vars environ.Variables) (string, error) {
	dir, err := vars.ConfigDir()
	return filepath.Join(dir, "wsh", "hub.json"), fault.Wrap(fault.Precondition, err, "find the folder of the hub's hosts")
}

// hubSocket returns the socket by which commands reach the user's hub. No server has this name.
func hubSocket(vars environ.Variables) (string, error) {
	dir, err := discovery.Dir(vars)
	return filepath.Join(dir, ".hub.sock"), err
}

// maxHubAnswer is the length of the longest answer of a hub, in bytes.
const maxHubAnswer = 64 << 20

// hubTime is how long the hub may take to answer.
const hubTime = 10 * time.Second

// callHub sends a request to the user's hub. in and out are JSON; nil stands for none.
func (e env) callHub(ctx context.Context, method, path string, in, out any) error {
	socket, err := hubSocket(e.vars)
	if err != nil {
		return err
	}
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, hubTime)
	defer cancel()
	target := url.URL{Scheme: "http", Host: "localhost", Path: path}
	r, err := http.NewRequestWithContext(ctx, method, target.String(), bytes.NewReader(body))
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
