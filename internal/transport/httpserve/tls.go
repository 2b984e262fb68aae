package httpserve

import (
	"cmp"
	"crypto/tls"
	"fmt"
	"log/slog"
	"sync"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/regular"
)

// maxCertificate is the length limit of a certificate's file, in bytes.
const maxCertificate = 1 << 20

// A Certificate is a certificate and its key, from files in PEM. New content is used for the next
// connection. It is safe for concurrent use.
type Certificate struct {
	certFile, keyFile string
	log               *slog.Logger

	mu      sync.Mutex // guards the fields below
	current *tls.Certificate
	seen    string // what the files had, or why they could not be read
}

// LoadCertificate reads a certificate with its chain and its key. The error is of kind
// [fault.Invalid].
func LoadCertificate(certFile, keyFile string, log *slog.Logger) (*Certificate, error) {
	c := &Certificate{certFile: certFile, keyFile: keyFile, log: log}
	_, err := c.load()
	return c, err
}

// Config returns the configuration of a listener that uses the certificate. It does not offer
// HTTP/2, over which browsers could open no WebSockets here.
func (c *Certificate) Config() *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS12,
		NextProtos: []string{"http/1.1"},
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
			return c.Latest(), nil
		},
	}
}

// Latest returns the certificate for a connection that begins now. While its files cannot be used,
// such as when only one of them has been replaced, that is the previous one.
func (c *Certificate) Latest() *tls.Certificate {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch changed, err := c.load(); {
	case err != nil:
		c.log.Warn("cannot use the changed certificate: the one before stays in use", "error", err)
	case changed:
		c.log.Info("the certificate has changed", "file", c.certFile)
	}
	return c.current
}

// load takes the certificate in the files, if they have changed.
func (c *Certificate) load() (changed bool, err error) {
	cert, err := regular.ReadFile(c.certFile, maxCertificate)
	key, keyErr := regular.ReadFile(c.keyFile, maxCertificate)
	err = cmp.Or(err, keyErr)
	seen := fmt.Sprintf("%s%s%v", cert, key, err)
	if seen == c.seen {
		return false, nil
	}
	c.seen = seen
	var pair tls.Certificate
	if err == nil {
		pair, err = tls.X509KeyPair(cert, key)
	}
	if err != nil {
		return false, fault.Wrap(fault.Invalid, err, "use the certificate %s with the key %s", c.certFile, c.keyFile)
	}
	c.current = &pair
	return true, nil
}
