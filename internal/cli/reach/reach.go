// Package reach has the ways in which a server of terminals reaches others: over ssh, which opens
// no port anywhere, and over HTTP. It implements [fleet.Dialer], and serves the other end of ssh.
package reach

import (
	"context"
	"crypto/x509"
	"io"
	"log/slog"
	"net/url"
	"strings"
	"sync"

	"ui-mcp/internal/environ"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet"
	"ui-mcp/internal/fleet/pipelink"
	"ui-mcp/internal/fleet/remote"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/terminals"
)

// Host describes this server to others.
type Host struct{ Name, ID, Version string }

func (h Host) hello() pipelink.Hello {
	return pipelink.Hello{ID: strings.ReplaceAll(h.ID, "-", ""), Name: h.Name, Version: h.Version}
}

// A Dialer reaches other servers. Its methods may be called from anywhere.
type Dialer struct {
	Self    Host
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
func (d *Dialer) Dial(ctx context.Context, address, token string, start bool) (fleet.Link, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, fault.Wrap(fault.Invalid, err, "the address")
	}
	if u.Scheme == "ssh" {
		return d.dialSSH(ctx, u, start)
	}
	return d.dialHTTP(u, token), nil
}

// A link is a connection to another server over a stream of bytes.
type link struct {
	*remote.Host
	conn   *pipelink.Conn
	remote *remote.Link
}

// newLink connects to the server at the other end of a stream, which belongs to the link from then
// on, even if there is an error.
func newLink(ctx context.Context, rw io.ReadWriteCloser, self Host) (*link, error) {
	conn, err := pipelink.New(ctx, rw, self.hello())
	if err != nil {
		return nil, err
	}
	l, err := remote.NewLink(remote.Options{Conn: conn})
	if err != nil {
		conn.Close()
		return nil, err
	}
	return &link{l.Host(conn.Peer().ID, conn.Peer().Name), conn, l}, nil
}

// Done implements [fleet.Link].
func (l *link) Done() <-chan struct{} { return l.conn.Done() }

// Err implements [fleet.Link].
func (l *link) Err() error { return l.conn.Err() }

// Close implements [fleet.Link].
func (l *link) Close() {
	l.conn.Close() // first: what is under way must not say that this server is stopping
	l.remote.Close()
}

// Serve lets the server at the other end of a stream use terminals with a grant, until it leaves or
// ctx ends.
func Serve(ctx context.Context, rw io.ReadWriteCloser, self Host, ts terminals.Terminals, by terminals.Grant) error {
	greeting, cancel := context.WithTimeout(ctx, greetTime)
	defer cancel()
	conn, err := pipelink.New(greeting, rw, self.hello())
	if err != nil {
		return err
	}
	defer conn.Close()
	l, err := remote.NewLink(remote.Options{Conn: conn, Terminals: ts, Allow: func(string) (terminals.Grant, bool) { return by, true }})
	if err != nil {
		return err
	}
	defer l.Close()
	select {
	case <-conn.Done():
		return conn.Err()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
