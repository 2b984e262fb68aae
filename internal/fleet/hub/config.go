package hub

import (
	"fmt"
	"slices"
	"strings"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet/keys"
)

// Config returns settings by which another server of NATS serves hosts as a hub does: their keys,
// what these may publish and subscribe to, and limits. There must be a host: a server of NATS with
// an empty list of users lets in everyone.
func Config(hosts []keys.Entry) (string, error) {
	if len(hosts) == 0 {
		return "", fault.New(fault.Invalid, "name the keys of hosts: with an empty list of users, a server of NATS lets in everyone")
	}
	var b strings.Builder
	fmt.Fprintf(&b, `# Settings by which nats-server lets hosts of wsh reach each other. Add
# "tls { cert_file: ..., key_file: ... }" unless it listens on 127.0.0.1 alone. "nats-server --signal
# reload" after a change lets hosts in and cuts off those that are gone; until then, nothing changes.
listen: "127.0.0.1:4222"
max_connections: %d
max_payload: %d
max_pending: %d
max_subscriptions: %d
write_deadline: "%v"
ping_interval: "%v"
ping_max: 2
no_fast_producer_stall: true
authorization {
  timeout: %v
  users: [
`, MaxConnections, MaxPayload, MaxPending, MaxSubscriptions, WriteDeadline, PingInterval, AuthTimeout.Seconds())
	names := map[string]bool{}
	for _, h := range hosts {
		if err := h.Check(); err != nil {
			return "", err
		}
		if folded := strings.ToLower(h.Name); names[folded] {
			return "", fault.New(fault.Exists, "two hosts are called %q", h.Name)
		} else {
			names[folded] = true
		}
		publish, subscribe := Permissions(h)
		fmt.Fprintf(&b, "    # %s: %s\n    { nkey: %s, permissions: { publish: { allow: %s }, subscribe: { allow: %s } } }\n",
			h.Name, h.As(), h.Key, quoted(publish), quoted(subscribe))
	}
	b.WriteString("  ]\n}\n")
	return b.String(), nil
}

func quoted(subjects []string) string {
	list := slices.Clone(subjects)
	for i, s := range list {
		list[i] = fmt.Sprintf("%q", s)
	}
	return "[" + strings.Join(list, ", ") + "]"
}
