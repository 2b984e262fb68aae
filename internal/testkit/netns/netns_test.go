//go:build linux

package netns_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"ui-mcp/internal/testkit/netns"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// echo serves connections of a host that send back each line. It returns the port.
func echo(t *testing.T, h *netns.Host) int {
	t.Helper()
	l, err := h.Listen(0)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				_, _ = io.Copy(c, c) // until either end closes it
			}()
		}
	}()
	t.Cleanup(func() { _ = l.Close(); <-done })
	return l.Addr().(*net.TCPAddr).Port
}

// A client sends lines, and reads those that come back.
type client struct {
	*net.TCPConn
	lines *bufio.Reader
}

func dial(t *testing.T, h *netns.Host, port int) client {
	t.Helper()
	c, err := h.Dial(port)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return client{c, bufio.NewReader(c)}
}

func (c client) send(t *testing.T, line string) {
	t.Helper()
	if _, err := io.WriteString(c, line+"\n"); err != nil {
		t.Fatal(err)
	}
}

func (c client) expect(t *testing.T, line string) {
	t.Helper()
	if got, err := c.lines.ReadString('\n'); err != nil || got != line+"\n" {
		t.Fatalf("%q, %v, want %q", got, err, line)
	}
}

// Hosts have nothing in common but their route.
func TestApart(t *testing.T) {
	a, b := netns.New(t, "a"), netns.New(t, "b")
	if !a.Apart || !b.Apart {
		t.Skip("there are no namespaces here")
	}
	port := echo(t, b)
	if _, err := a.Dial(port); err == nil {
		t.Error("a reaches b without a route")
	}
	if c, err := net.Dial("tcp4", fmt.Sprint("127.0.0.1:", port)); err == nil {
		c.Close()
		t.Error("the test reaches b without a route")
	}
	c := dial(t, a, netns.Connect(t, a, b, port, 1).Port)
	c.send(t, "hello")
	c.expect(t, "hello")
}

// Commands run on their host.
func TestStart(t *testing.T) {
	a := netns.New(t, "a")
	if !a.Apart {
		t.Skip("there are no namespaces here")
	}
	cmd := exec.Command("readlink", "/proc/self/ns/net")
	var out strings.Builder
	cmd.Stdout = &out
	if err := a.Start(cmd); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	ours, err := os.Readlink("/proc/self/ns/net")
	if got := strings.TrimSpace(out.String()); err != nil || got == ours || !strings.HasPrefix(got, "net:") {
		t.Errorf("%s, %s, %v", got, ours, err)
	}
}

func TestLink(t *testing.T) {
	a, b := netns.New(t, "a"), netns.New(t, "b")
	l := netns.Connect(t, a, b, echo(t, b), 1)
	c := dial(t, a, l.Port)

	l.Set(40*time.Millisecond, 0)
	sent := time.Now()
	c.send(t, "late")
	c.expect(t, "late")
	if there, back := l.Crossed(); there != 5 || back != 5 {
		t.Errorf("%d bytes have crossed there, and %d back", there, back)
	}
	if took := time.Since(sent); took < 80*time.Millisecond {
		t.Errorf("a round trip took %v", took)
	}

	l.Set(0, 1)
	sent = time.Now()
	c.send(t, "lost")
	c.expect(t, "lost")
	if took := time.Since(sent); took < 400*time.Millisecond {
		t.Errorf("with every piece lost once, a round trip took %v", took)
	}

	l.Set(0, 0)
	l.Cut()
	c.send(t, "cut")
	if err := c.SetReadDeadline(time.Now().Add(50 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	if line, err := c.lines.ReadString('\n'); err == nil {
		t.Fatalf("%q has crossed", line)
	}
	if err := c.SetReadDeadline(time.Time{}); err != nil {
		t.Fatal(err)
	}
	l.Join()
	c.expect(t, "cut")

	again := dial(t, a, l.Port)
	again.send(t, "again")
	again.expect(t, "again")

	long := strings.Repeat("x", 3<<20)
	done := make(chan struct{})
	go func() { defer close(done); again.send(t, long) }()
	again.expect(t, long)
	<-done
}
