package hubserver_test

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet/hubconn"
	"ui-mcp/internal/fleet/hubserver"
	"ui-mcp/internal/fleet/keys"
	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/wait"
)

// certificate returns a certificate of this machine, and a file with it.
func certificate(t *testing.T) (tls.Certificate, string) {
	t.Helper()
	c, cert, _ := testkit.Certificate(t, nil)
	path := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(path, cert, 0o600); err != nil {
		t.Fatal(err)
	}
	return c, path
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
	attempt := func(address, ca string) error {
		t.Helper()
		outcome := make(chan error, 10)
		conn, err := hubconn.Join(hubconn.Membership{
			Address: address, CA: ca, Key: k,
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
		address := scheme + "://127.0.0.1:" + port
		if err := attempt(address, ca); err != nil {
			t.Errorf("%s: %v", scheme, err)
		}
		for name, wrong := range map[string]string{"another certificate": other, "that of the system": ""} {
			var unknown x509.UnknownAuthorityError
			if err := attempt(address, wrong); !errors.As(err, &unknown) {
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
	open := start(t, nil)
	if err := open.Accept(keys.Entry{Key: k.ID(), Name: "a", Role: keys.Worker}); err != nil {
		t.Fatal(err)
	}
	if err := attempt("tls://"+open.Address(), ""); err == nil {
		t.Error("where others could read along, it is connected without TLS")
	}
	if !h.Status().TLS {
		t.Error("it does not know that it has TLS")
	}
}

// A host joins no hub without the certificates that its owner has named.
func TestNamedCertificates(t *testing.T) {
	t.Parallel()
	empty := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(empty, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for address, ca := range map[string]string{"tls://none": filepath.Join(t.TempDir(), "none"), "tls://empty": empty, "nats://hub:x": ""} {
		if conn, err := hubconn.Join(hubconn.Membership{Address: address, CA: ca, Key: newKey(t)}); fault.KindOf(err) != fault.Invalid {
			t.Errorf("%s: %v, %v", address, conn, err)
		}
	}
}
