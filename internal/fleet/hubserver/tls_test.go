package hubserver_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet/hubconn"
	"ui-mcp/internal/fleet/hubserver"
	"ui-mcp/internal/fleet/keys"
	"ui-mcp/internal/testkit/wait"
)

// certificate returns a certificate for the loopback address, and a file with it.
func certificate(t *testing.T) (tls.Certificate, string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "hub"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, path
}

// A hub with a certificate lets in nobody without TLS, and members let no other certificate pass.
func TestTLS(t *testing.T) {
	t.Parallel()
	cert, ca := certificate(t)
	h := start(t, func(o *hubserver.Options) {
		o.Listen, o.TLS = "0.0.0.0:0", &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS13}
	})
	_, port, err := net.SplitHostPort(h.Address())
	if err != nil {
		t.Fatal(err)
	}
	k := accepted(t, h, "a", keys.Worker)
	_, other := certificate(t)
	attempt := func(scheme, ca string) error {
		t.Helper()
		outcome := make(chan error, 10)
		conn, err := hubconn.Join(hubconn.Membership{
			Address: scheme + "://127.0.0.1:" + port, CA: ca, Key: k,
			Up: func() { outcome <- nil }, Down: func(reason error) { outcome <- reason },
		})
		if err != nil {
			t.Fatal(err)
		}
		err = wait.For(t, "an attempt", outcome)
		conn.Close()
		return err
	}
	for _, scheme := range []string{"tls", "nats"} {
		if err := attempt(scheme, ca); err != nil {
			t.Errorf("%s: %v", scheme, err)
		}
		for name, wrong := range map[string]string{"another certificate": other, "that of the system": ""} {
			var unknown x509.UnknownAuthorityError
			if err := attempt(scheme, wrong); !errors.As(err, &unknown) {
				t.Errorf("%s, %s: %v", scheme, name, err)
			}
		}
	}
	plain := dial(t, h)
	plain.signIn(k)
	plain.write("PING\r\n")
	if lines, open := plain.answers(); open || strings.Contains(lines, "PONG") {
		t.Errorf("without TLS: %q", lines)
	}
	if !h.Status().TLS {
		t.Error("it does not know that it has TLS")
	}
}

// Where others could read along, a host does not talk to a server without TLS.
func TestMemberWantsTLS(t *testing.T) {
	t.Parallel()
	h := start(t, nil)
	k := accepted(t, h, "a", keys.Worker)
	outcome := make(chan error, 10)
	conn, err := hubconn.Join(hubconn.Membership{
		Address: "tls://" + h.Address(), Key: k,
		Up: func() { outcome <- nil }, Down: func(reason error) { outcome <- reason },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	if err := wait.For(t, "an attempt", outcome); err == nil {
		t.Error("it is connected without TLS")
	}
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"", "hub", "hub:4222", "http://hub", "nats://", "nats://user:password@hub", "nats://hub/path", "nats://hub?x=1", "ws://hub", "nats://hub:x"} {
		conn, err := hubconn.Join(hubconn.Membership{Address: address, Key: newKey(t)})
		if fault.KindOf(err) != fault.Invalid {
			t.Errorf("%q: %v", address, err)
			if err == nil {
				conn.Close()
			}
		}
	}
	for name, ca := range map[string]string{"no file": filepath.Join(t.TempDir(), "none"), "no certificate": func() string {
		path := filepath.Join(t.TempDir(), "ca.pem")
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}()} {
		if conn, err := hubconn.Join(hubconn.Membership{Address: "tls://hub", CA: ca, Key: newKey(t)}); fault.KindOf(err) != fault.Invalid {
			t.Errorf("%s: %v, %v", name, conn, err)
		}
	}
}
