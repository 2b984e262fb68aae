package hubconn

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"math/rand/v2"
	"net/url"
	"time"

	"github.com/nats-io/nats.go"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet/hub"
	"ui-mcp/internal/fleet/keys"
	"ui-mcp/internal/regular"
)

// A Membership says how a host joins a hub.
type Membership struct {
	// Address is nats://HOST:PORT or tls://HOST:PORT. With nats, a server on another machine must
	// offer TLS, too. Without TLS, the server must be a program of this user, of root, or of User.
	Address string
	// User is another user of this machine, whose server need not have TLS; "": none.
	User string
	// CA is a file with the certificates of those who may vouch for the server; "": the system's.
	CA string
	// Trust returns an error unless a server with TLS has the right key, as [hub.KeyOf] returns it,
	// whatever else vouches for it; nil: any key is right. It must not wait.
	Trust func(key string) error
	Key   *keys.Own
	Name  string // which this host claims while it asks to be accepted
	// Up is called when a connection begins, and Down when there is none, with the reason: at a
	// loss and after each attempt. Both are called in order, one at a time, and must not wait.
	Up   func()
	Down func(reason error)
}

// ErrNotAccepted is in the chain of a reason why there is no connection.
var ErrNotAccepted = errors.New("the hub has not accepted this host")

// ErrOtherKey is in the chain of a reason why there is no connection.
var ErrOtherKey = errors.New("the hub has another key than before")

const (
	// A hub that is away, or has not accepted this host, is tried again after soon at most, and
	// after late once there were manySoon attempts: about a minute later.
	soon, manySoon, late = 2 * time.Second, 40, 30 * time.Second
	dialTime             = 5 * time.Second
	// pingInterval is how often the server must prove that it is there. After three pings without
	// an answer, the connection counts as lost.
	pingInterval = 5 * time.Second
)

// Join connects to a hub, for ever: a server that is away, or has not accepted the host yet, is
// tried again. It returns after the first attempt, or after a few seconds. The caller must Close
// it.
func Join(m Membership) (*Conn, error) {
	u, err := url.Parse(m.Address)
	if err != nil {
		return nil, fault.Wrap(fault.Invalid, err, "the address of the hub")
	}
	up := func(*nats.Conn) { m.Up() }
	down := func(_ *nats.Conn, err error) { m.Down(reason(err)) }
	options := []nats.Option{
		nats.Name(m.Name),
		nats.Nkey(m.Key.ID(), m.Key.Sign),
		nats.RetryOnFailedConnect(true),
		nats.IgnoreAuthErrorAbort(),
		nats.IgnoreDiscoveredServers(), // the person has said where to connect
		nats.Timeout(dialTime),
		nats.PingInterval(pingInterval),
		nats.MaxPingsOutstanding(2),
		nats.CustomReconnectDelay(delay),
		nats.ErrorHandler(func(c *nats.Conn, _ *nats.Subscription, err error) {
			if errors.Is(err, nats.ErrAuthorization) { // an attempt to come back was refused
				down(c, err)
			}
		}),
		nats.ConnectHandler(up),
		nats.ReconnectHandler(up),
		nats.DisconnectErrHandler(down),
		nats.ReconnectErrHandler(down),
	}
	if u.Scheme == "tls" || m.CA != "" || !hub.IsLoopback(u.Hostname()) {
		config, err := trust(m.CA)
		if err != nil {
			return nil, err
		}
		if m.Trust != nil {
			config.VerifyConnection = func(s tls.ConnectionState) error { return m.Trust(hub.KeyOf(s.PeerCertificates[0])) }
		}
		options = append(options, nats.Secure(config))
	} else {
		dialer, err := nearTo(m.User)
		if err != nil {
			return nil, err
		}
		options = append(options, nats.SetCustomDialer(dialer))
	}
	return Connect(m.Address, m.Key.ID(), options...)
}

// maxCA is the length of the longest file of certificates that is read, in bytes.
const maxCA = 1 << 20

func trust(ca string) (*tls.Config, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if ca == "" {
		return config, nil
	}
	content, err := regular.ReadFile(ca, maxCA)
	if err != nil {
		return nil, fault.Wrap(fault.Invalid, err, "read the certificates of those who vouch for the hub")
	}
	config.RootCAs = x509.NewCertPool()
	if !config.RootCAs.AppendCertsFromPEM(content) {
		return nil, fault.New(fault.Invalid, "%s has no certificate", ca)
	}
	return config, nil
}

// delay returns how long to wait before an attempt, so that many hosts do not come back at once.
func delay(attempts int) time.Duration {
	longest := soon
	if attempts > manySoon {
		longest = late
	}
	return longest/2 + rand.N(longest/2)
}

func reason(err error) error {
	if errors.Is(err, nats.ErrAuthorization) {
		return fault.Wrap(fault.Precondition, ErrNotAccepted, "")
	}
	if errors.Is(err, nats.ErrNoServers) {
		return fault.New(fault.Unreachable, "no hub answers at this address")
	}
	return err
}
