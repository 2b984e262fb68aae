package httpserve

import (
	"crypto/tls"
	"log/slog"
	"os"
	"sync"
	"time"

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
	stamp   [2]stamp // of the files when they were read
}

// A stamp changes when the content of a file does.
type stamp struct {
	modified time.Time
	size     int64
}

// LoadCertificate reads a certificate with its chain and its key. The error is of kind
// [fault.Invalid].
func LoadCertificate(certFile, keyFile string, log *slog.Logger) (*Certificate, error) {
	c := &Certificate{certFile: certFile, keyFile: keyFile, log: log}
	c.stamp = c.stamps()
	var err error
	if c.current, err = c.read(); err != nil {
		return nil, err
	}
	return c, nil
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
	stamp := c.stamps()
	if stamp == c.stamp {
		return c.current
	}
	c.stamp = stamp
	next, err := c.read()
	if err != nil {
		c.log.Warn("cannot use the changed certificate: the one before stays in use", "error", err)
		return c.current
	}
	c.current = next
	c.log.Info("the certificate has changed", "file", c.certFile)
	return next
}

func (c *Certificate) read() (*tls.Certificate, error) {
	cert, err := regular.ReadFile(c.certFile, maxCertificate)
	if err != nil {
		return nil, fault.Wrap(fault.Invalid, err, "read the certificate")
	}
	key, err := regular.ReadFile(c.keyFile, maxCertificate)
	if err != nil {
		return nil, fault.Wrap(fault.Invalid, err, "read the certificate's key")
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return nil, fault.Wrap(fault.Invalid, err, "use the certificate %s with the key %s", c.certFile, c.keyFile)
	}
	return &pair, nil
}

func (c *Certificate) stamps() (s [2]stamp) {
	for i, name := range []string{c.certFile, c.keyFile} {
		if info, err := os.Stat(name); err == nil {
			s[i] = stamp{info.ModTime(), info.Size()}
		}
	}
	return s
}
