package gate

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/wait"
	"ui-mcp/internal/transport/httpserve"
)

// writeCertificate writes a new certificate for this machine, and returns its serial number.
func writeCertificate(t *testing.T, certFile, keyFile string) *big.Int {
	t.Helper()
	c, cert, key := testkit.Certificate(t, nil)
	if err := errors.Join(os.WriteFile(certFile, cert, 0o600), os.WriteFile(keyFile, key, 0o600)); err != nil {
		t.Fatal(err)
	}
	return c.Leaf.SerialNumber
}

// newCertificate loads a new certificate, and returns it with who trusts it.
func newCertificate(t *testing.T) (*httpserve.Certificate, *x509.CertPool) {
	t.Helper()
	dir := t.TempDir()
	certFile, keyFile := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	writeCertificate(t, certFile, keyFile)
	c, err := httpserve.LoadCertificate(certFile, keyFile, silent())
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(c.Latest().Leaf)
	return c, pool
}

// Over real TLS and a real loopback connection, the same rules hold: the system says whose program
// asks, and the origin has the scheme https.
func TestTLS(t *testing.T) {
	certificate, pool := newCertificate(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	limited := Limit(listener, silent())
	inner := newWorld(t, Options{})
	handler, err := New(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) }), Options{
		Tokens: inner.local.Tokens(), Log: silent(), // with the system's answer to whose program asks
	})
	if err != nil {
		t.Fatal(err)
	}
	server := httpserve.Serve(tls.NewListener(limited, certificate.Config()), handler, httpserve.Options{Log: silent()})
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}}
	base := "https://" + listener.Addr().String()
	for _, tt := range []struct {
		name, header, value string
		status              int
	}{
		{"a program", "X", "", http.StatusTeapot},
		{"our page", "Origin", base, http.StatusTeapot},
		{"our page by another name", "Origin", strings.Replace(base, "127.0.0.1", "localhost", 1), http.StatusTeapot},
		{"a plain page", "Origin", strings.Replace(base, "https", "http", 1), http.StatusForbidden},
		{"a foreign page", "Origin", "https://evil.example", http.StatusForbidden},
	} {
		req, err := http.NewRequestWithContext(t.Context(), "GET", base+"/sessions", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set(tt.header, tt.value)
		res, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		io.Copy(io.Discard, res.Body)
		res.Body.Close()
		if res.StatusCode != tt.status || res.ProtoMajor != 1 {
			t.Errorf("%s: %s %s, want %d", tt.name, res.Proto, res.Status, tt.status)
		}
	}
	client.CloseIdleConnections()
	if err := server.Close(context.Background()); err != nil {
		t.Error(err)
	}
	wait.Until(t, "no connection counts any more", func() bool {
		limited.mu.Lock()
		defer limited.mu.Unlock()
		return limited.open == 0
	})
}

// Older versions of TLS are refused.
func TestOldestTLS(t *testing.T) {
	certificate, pool := newCertificate(t)
	for version, want := range map[uint16]bool{tls.VersionTLS10: false, tls.VersionTLS11: false, tls.VersionTLS12: true, tls.VersionTLS13: true} {
		ours, theirs := net.Pipe()
		server := make(chan error, 1)
		go func() { server <- tls.Server(ours, certificate.Config()).HandshakeContext(t.Context()) }()
		client := tls.Client(theirs, &tls.Config{RootCAs: pool, ServerName: "127.0.0.1", MinVersion: version, MaxVersion: version})
		err := client.HandshakeContext(t.Context())
		theirs.Close()
		if serverErr := <-server; (err == nil) != want || (serverErr == nil) != want {
			t.Errorf("%s: %v, %v; want success: %t", tls.VersionName(version), err, serverErr, want)
		}
		ours.Close()
	}
}

// A certificate that is replaced is used for the next connection, and not before it is complete.
func TestCertificateChanges(t *testing.T) {
	dir := t.TempDir()
	certFile, keyFile := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	writeCertificate(t, certFile, keyFile)
	var log bytes.Buffer
	c, err := httpserve.LoadCertificate(certFile, keyFile, slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	is := func(when string, want *big.Int) {
		t.Helper()
		if got := c.Latest().Leaf.SerialNumber; got.Cmp(want) != 0 {
			t.Errorf("%s: certificate %d, want %d", when, got, want)
		}
	}
	second := writeCertificate(t, certFile, keyFile)
	is("after a change", second)
	key, err := os.ReadFile(keyFile)
	if err != nil {
		t.Fatal(err)
	}
	writeCertificate(t, certFile, keyFile)
	if err := os.WriteFile(keyFile, key, 0o600); err != nil { // which belongs to the second
		t.Fatal(err)
	}
	is("with the wrong key", second)
	if !strings.Contains(log.String(), "stays in use") || strings.Contains(log.String(), "PRIVATE") {
		t.Errorf("log %s", &log)
	}
	if err := os.Remove(certFile); err != nil {
		t.Fatal(err)
	}
	is("without the file", second)
	is("when it is there again", writeCertificate(t, certFile, keyFile))
}

func TestBadCertificates(t *testing.T) {
	dir := t.TempDir()
	certFile, keyFile := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	writeCertificate(t, certFile, keyFile)
	for _, files := range [][2]string{{certFile, certFile}, {keyFile, keyFile}, {certFile, dir}, {filepath.Join(dir, "none"), keyFile}, {os.DevNull, keyFile}} {
		if _, err := httpserve.LoadCertificate(files[0], files[1], silent()); err == nil || fault.KindOf(err) != fault.Invalid {
			t.Errorf("%v: %v", files, err)
		}
	}
}

// from is a connection from an address, which notes that it was closed.
type from struct {
	net.Conn
	remote net.TCPAddr
	closed chan struct{}
	once   sync.Once
}

func (f *from) RemoteAddr() net.Addr { return &f.remote }
func (f *from) Close() error {
	f.once.Do(func() { close(f.closed) })
	return nil
}

// One address cannot take all connections, and all together no more than there may be.
func TestConnections(t *testing.T) {
	m := testkit.NewListener()
	l := Limit(m, silent())
	l.most, l.perPeer = 5, 2
	accepted := make(chan net.Conn, 10)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if errors.Is(err, net.ErrClosed) {
				return
			}
			accepted <- c
		}
	}()
	connect := func(ip string) (net.Conn, bool) {
		t.Helper()
		f := &from{remote: net.TCPAddr{IP: net.ParseIP(ip), Port: 1}, closed: make(chan struct{})}
		m.Conns <- f
		select {
		case c := <-accepted:
			return c, true
		case <-f.closed:
			return nil, false
		}
	}
	var open []net.Conn
	for _, tt := range []struct {
		ip string
		ok bool
	}{
		{"192.0.2.1", true}, {"192.0.2.1", true}, {"192.0.2.1", false},
		{"127.0.0.1", true}, {"127.0.0.1", true}, {"127.0.0.1", true}, {"127.0.0.1", false}, {"192.0.2.2", false},
	} {
		c, ok := connect(tt.ip)
		if ok != tt.ok {
			t.Fatalf("%s with %d open: accepted %t", tt.ip, len(open), ok)
		}
		if ok {
			open = append(open, c)
		}
	}
	for range 2 { // closing again gives nothing back
		if err := open[0].Close(); err != nil {
			t.Error(err)
		}
	}
	if _, ok := connect("192.0.2.1"); !ok {
		t.Error("a closed connection still counts")
	}
	if _, ok := connect("192.0.2.1"); ok {
		t.Error("a connection that was closed twice counts twice")
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	<-done
}

// A peer that reads nothing does not hold a writer for ever, and one that reads slowly gets all.
func TestUnreadAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := testkit.NewListener()
		l := Limit(m, silent())
		connect := func() (client, server net.Conn) {
			client, far := net.Pipe()
			go func() { m.Conns <- far }()
			server, err := l.Accept()
			if err != nil {
				t.Fatal(err)
			}
			return client, server
		}
		client, server := connect()
		start := time.Now()
		if n, err := server.Write([]byte("x")); n > 0 || !errors.Is(err, os.ErrDeadlineExceeded) || time.Since(start) != writeWithin {
			t.Errorf("%d bytes, %v after %v", n, err, time.Since(start))
		}
		if err := errors.Join(client.Close(), server.Close()); err != nil {
			t.Error(err)
		}

		client, server = connect()
		const size = 4 * writeSize
		read := make(chan int64)
		go func() {
			var n int64
			for n < size {
				time.Sleep(writeWithin * 3 / 4)
				m, err := io.CopyN(io.Discard, client, writeSize)
				if n += m; err != nil {
					t.Error(err)
					break
				}
			}
			read <- n
		}()
		if n, err := server.Write(make([]byte, size)); n != size || err != nil {
			t.Errorf("%d bytes, %v", n, err)
		}
		if n := <-read; n != size {
			t.Errorf("the slow peer has read %d bytes", n)
		}
		// A deadline from outside that comes first counts, and taking it away does not take ours.
		for _, tt := range []struct {
			set  time.Time
			want time.Duration
		}{{time.Now().Add(time.Second), time.Second}, {time.Now().Add(time.Hour), writeWithin}, {time.Time{}, writeWithin}} {
			if err := server.SetDeadline(tt.set); err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			if _, err := server.Write([]byte("x")); !errors.Is(err, os.ErrDeadlineExceeded) || time.Since(start) != tt.want {
				t.Errorf("with a deadline at %v: %v after %v, want %v", tt.set, err, time.Since(start), tt.want)
			}
		}
		if err := errors.Join(client.Close(), server.Close()); err != nil {
			t.Error(err)
		}
	})
}
