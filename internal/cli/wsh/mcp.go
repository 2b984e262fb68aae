package wsh

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/url"
	"path/filepath"
	"regexp"
	"sync/atomic"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/instance"
	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/transport/mcpbridge"
)

type mcpCommand struct {
	Bind      string `placeholder:"ADDRESS:PORT" help:"Where a newly started server listens (default: 127.0.0.1:8080, or any port if that is in use)."`
	Token     string `xor:"token" placeholder:"TOKEN" help:"The token that a newly started server requires. It shows in the process list: prefer --token-file or WSH_TOKEN."`
	TokenFile string `type:"path" xor:"token" placeholder:"FILE" help:"A file with the token that a newly started server requires, which only this user can read."`
	Config    string `type:"path" env:"WSH_CONFIG" placeholder:"FILE" help:"The configuration file of a server that is started."`

	Confirm *regexp.Regexp `placeholder:"PATTERN" help:"Ask the person before the agent enters a line that matches this regular expression, such as '\\bsudo\\b|\\brm -r'. A server that is started asks about all programs. It prevents accidents, and is not a security boundary."`

	LogLevel caller.Level `default:"warn" placeholder:"LEVEL" help:"What to log to standard error: debug, info, warn or error (default: ${default})."`
}

// Run serves until the input ends or ctx is done.
func (c *mcpCommand) Run(ctx context.Context, e caller.Env) error {
	log := commandline.Logger(&commandline.Unread{To: e.Err}, c.LogLevel.Level)
	options, err := c.options(e.Where)
	if err != nil {
		return err
	}
	f := e.Where.Finder(e, "wsh mcp", caller.BridgePath, caller.BridgeProtocol, log)
	f.Options = options
	if c.Confirm != nil {
		f.Header.Set(caller.ConfirmHeader, url.QueryEscape(c.Confirm.String()))
	}
	var before atomic.Pointer[string] // what the last server has said of itself
	err = mcpbridge.Serve(ctx, mcpbridge.Options{
		In: e.In, Out: e.Out, Log: log,
		Connect: func(ctx context.Context) (io.ReadWriteCloser, error) {
			if said := before.Load(); said != nil {
				f.Header.Set(caller.PresentHeader, *said)
			}
			return f.Connect(ctx)
		},
		Own: func(method string, params json.RawMessage) {
			if method == caller.SessionsMethod {
				before.Store(new(url.QueryEscape(string(params))))
			}
		},
	})
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// Validate is called by kong.
func (c *mcpCommand) Validate() error {
	if c.Confirm != nil && c.Confirm.String() == "" {
		return errors.New("--confirm is empty: give a regular expression")
	}
	return nil
}

// options say how to start a server.
func (c *mcpCommand) options(w caller.Where) (instance.Options, error) {
	o := instance.Options{Name: w.ServerName, Socket: w.Socket, Bind: c.Bind, Token: c.Token, Args: []string{"--bridged"}}
	if c.Confirm != nil {
		o.Args = append(o.Args, "--confirm="+c.Confirm.String())
	}
	for flag, file := range map[string]string{"--token-file": c.TokenFile, "--config": c.Config} {
		if file == "" {
			continue
		}
		file, err := filepath.Abs(file)
		if err != nil {
			return o, fault.Wrap(fault.Precondition, err, "%s", flag)
		}
		o.Args = append(o.Args, flag, file)
	}
	return o, nil
}
