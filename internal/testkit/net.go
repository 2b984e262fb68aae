package testkit

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"sync"
	"testing"
	"time"
)

// A Listener accepts the connections that are sent to its channel. A server of pipes can run in a
// bubble of synctest. Use [NewListener].
type Listener struct {
	Conns chan net.Conn
	close sync.Once
}

// NewListener returns a listener that accepts these connections first.
func NewListener(conns ...net.Conn) *Listener {
	l := &Listener{Conns: make(chan net.Conn, len(conns))}
	for _, c := range conns {
		l.Conns <- c
	}
	return l
}

// Accept implements [net.Listener].
func (l *Listener) Accept() (net.Conn, error) {
	if c, ok := <-l.Conns; ok {
		return c, nil
	}
	return nil, net.ErrClosed
}

// Close implements [net.Listener]. What was sent before is still accepted.
func (l *Listener) Close() error {
	l.close.Do(func() { close(l.Conns) })
	return nil
}

// Addr implements [net.Listener].
func (l *Listener) Addr() net.Addr { return &net.TCPAddr{} }

// Certificate makes a certificate for the names of this machine, which vouches for itself, and
// returns it with the content of its two files. If key is nil, it has a new key.
func Certificate(t testing.TB, key *ecdsa.PrivateKey) (c tls.Certificate, certPEM, keyPEM []byte) {
	t.Helper()
	var err error
	if key == nil {
		key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
	}
	var cert, private []byte
	if err == nil {
		cert, err = x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	}
	if err == nil {
		private, err = x509.MarshalPKCS8PrivateKey(key)
	}
	certPEM = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert})
	keyPEM = pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})
	if err == nil {
		c, err = tls.X509KeyPair(certPEM, keyPEM)
	}
	if err != nil {
		t.Fatal(err)
	}
	return c, certPEM, keyPEM
}
