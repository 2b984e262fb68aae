// Package reach has the ways in which a server of terminals reaches others: over ssh, which opens
// no port anywhere, and over HTTP. It implements [fleet.Dialer].
package reach

import (
	"context"
	"crypto/x509"
	"log/slog"
	"net/url"
	"sync"

	"ui-mcp/internal/environ"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/transport/remote"
)

// A Dialer reaches other servers. Its methods may be called from anywhere.
type Dialer struct {
	Self    remote.Hello
	Environ environ.Variables // of programs that it starts
	Log     *slog.Logger

	roots  *x509.CertPool // by which servers are known; nil: the system's
	warned sync.Map       // addresses about which the log has a warning
}

var _ fleet.Dialer = (*Dialer)(nil)

// Clean implements [fleet.Dialer].
func (d *Dialer) Clean(address string) (string, error) {
	if len(address) > maxAddress || safetext.Visible(address) != address {
		return "", fault.New(fault.Invalid, "the address is malformed: it has at most %d visible characters", maxAddress)
	}
	u, err := url.Parse(address)
	if err != nil {
		return "", fault.New(fault.Invalid, "%q is no address: ssh://[USER@]HOST[:PORT], http://HOST:PORT or https://HOST:PORT", address)
	}
	switch u.Scheme {
	case "ssh":
		s, err := parseSSH(u)
		if err != nil {
			return "", err
		}
		return s.String(), nil
	case "http", "https":
		return cleanHTTP(u)
	}
	return "", fault.New(fault.Invalid, "%q has no scheme that is known: ssh://[USER@]HOST[:PORT], http://HOST:PORT, https://HOST:PORT, or of a hub nats://HOST:PORT or tls://HOST:PORT", address)
}

// maxAddress is the length of the longest address, in bytes.
const maxAddress = 500

// Dial implements [fleet.Dialer].
func (d *Dialer) Dial(ctx context.Context, address, token string, start bool) (fleet.Remote, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, fault.Wrap(fault.Invalid, err, "the address")
	}
	if u.Scheme == "ssh" {
		return d.dialSSH(ctx, u, start)
	}
	return d.dialHTTP(u, token), nil
}
