package natslink

import (
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	"go.uber.org/goleak"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet/remote"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/wait"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/nats-io/nats-server/v2/server.init.1"))
}

// TestAway sends messages while the hub goes: none is kept to be sent later.
func TestAway(t *testing.T) {
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	defer func() { s.Shutdown(); s.WaitForShutdown() }()
	if !s.ReadyForConnections(wait.Patience) {
		t.Fatal("the hub is not ready")
	}
	c, err := Connect(s.ClientURL(), "here")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	got := make(chan remote.Message, 10)
	stop, err := c.Receive(func(m remote.Message) { got <- m })
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	send := func(to string, k remote.Kind) error {
		return c.Send(t.Context(), remote.Message{Peer: to, Kind: k, Stream: "ABCDEFGH1", Data: []byte("x")})
	}
	if err := send("here", remote.Up); err != nil {
		t.Fatal(err)
	}
	if m := wait.For(t, "the message", got); m.Peer != "here" || m.Kind != remote.Up || m.Stream != "ABCDEFGH1" || string(m.Data) != "x" {
		t.Errorf("%+v", m)
	}
	if err := send("nobody", remote.Open); err != nil {
		t.Fatal(err)
	}
	if m := wait.For(t, "the answer of the hub", got); m.Peer != "nobody" || m.Kind != remote.Absent || m.Stream != "ABCDEFGH1" {
		t.Errorf("%+v", m)
	}
	s.Shutdown()
	wait.Until(t, "the loss of the connection", func() bool { return !c.Connected() })
	if err := send("here", remote.Up); fault.KindOf(err) != fault.Unreachable || fault.DetailOf(err) != terminals.HubAway {
		t.Errorf("%v (%v, %q)", err, fault.KindOf(err), fault.DetailOf(err))
	}
	select {
	case <-c.Done():
		t.Error("the connection does not come back")
	default:
	}
	c.Close()
	<-c.Done()
	if err := c.Err(); fault.DetailOf(err) != terminals.HubAway {
		t.Error(err)
	}
}
