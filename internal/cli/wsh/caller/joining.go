package caller

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"

	"ui-mcp/internal/cli/instance"
	"ui-mcp/internal/cli/join"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/mcpbridge"
	"ui-mcp/internal/transport/mcpterm"
)

const (
	// BridgePath is where a bridge connects to the server, on the socket. It is upgraded to a
	// connection of MCP, one message a line, which ends with the bridge, even if that is killed.
	BridgePath = "/server/bridge"
	// BridgeProtocol is what the connection is upgraded to.
	BridgeProtocol = "wsh-bridge"
	// FleetPath is where another server connects to this one, through "wsh servers pipe", and
	// fleetProtocol what the connection is upgraded to: see package remote.
	FleetPath, FleetProtocol = "/fleet", "wsh-fleet"
	// Headers of the answer to a bridge.
	VersionHeader  = "Wsh-Version"
	ProtocolHeader = "Wsh-Protocol" // see [terminals.Protocol]
	// ConfirmHeader has the pattern of the lines that need permission, escaped as in a query.
	ConfirmHeader = "Wsh-Confirm"
	// DirHeader has the directory of a bridge, escaped in the same way.
	DirHeader = "Wsh-Dir"
	// SessionsMethod tells a bridge which sessions there are, with what its next server gets in
	// PresentHeader, escaped as above.
	SessionsMethod = mcpbridge.OwnPrefix + "sessions"
	PresentHeader  = "Wsh-Sessions"
)

// TokenPath is where a server states its own token, on its socket alone.
const TokenPath = "/server/token"

// OwnToken is the answer; the token is "" if the server has none.
type OwnToken struct {
	Token string `json:"token"`
}

// Finder returns what finds the server for a command.
func (w Where) Finder(e Env, command, path, protocol string, log *slog.Logger) *join.Finder {
	f := &join.Finder{Vars: e.Vars, Log: log, Path: path, Protocol: protocol, Options: instance.Options{Name: w.ServerName, Socket: w.Socket}}
	f.Header = http.Header{DirHeader: {url.QueryEscape(mcpterm.WorkingDir())}}
	f.Entered = func(h http.Header) error {
		protocol, _ := strconv.Atoi(h.Get(ProtocolHeader)) // 0 is no protocol
		return checkProtocol(w.ServerName, terminals.ServerInfo{Version: h.Get(VersionHeader), Protocol: protocol}, e.Version)
	}
	f.Refused = func(ctx context.Context, status int) error {
		ctx, cancel := context.WithTimeout(ctx, join.EnterTime)
		defer cancel()
		e.Where = w
		return e.WithAnyServer(ctx, func(_ *Remote, about terminals.ServerInfo) error {
			if err := checkProtocol(w.ServerName, about, e.Version); err != nil {
				return err
			}
			return fault.New(fault.Precondition, "the server %q does not know %s (status %d): stop it, or name another one with -L", w.ServerName, command, status)
		})
	}
	return f
}
