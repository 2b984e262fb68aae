// Package hub has what the server of a hub and its clients must agree on: what a hub says of
// itself, its limits, where it keeps its files, and settings by which another server of NATS does
// the same. Package hubserver is the server, which only wsh-hub contains.
package hub

import (
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"net/netip"
	"path/filepath"
	"time"

	"ui-mcp/internal/discovery"
	"ui-mcp/internal/environ"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet/keys"
)

// File returns the file of the hosts that the user's hub has accepted.
func File(vars environ.Variables) (string, error) {
	dir, err := vars.ConfigDir()
	return filepath.Join(dir, "wsh", "hub.json"), fault.Wrap(fault.Precondition, err, "find the folder of the hub's hosts")
}

// KeyOf returns the key that a hub has proved to have by its certificate, as persons compare it. A
// certificate that is renewed with the same key has the same.
func KeyOf(c *x509.Certificate) string {
	sum := sha256.Sum256(c.RawSubjectPublicKeyInfo)
	return "SHA256:" + base64.RawStdEncoding.EncodeToString(sum[:])
}

// Socket returns the socket by which commands reach the user's hub.
func Socket(vars environ.Variables) (string, error) {
	dir, err := discovery.Dir(vars)
	return filepath.Join(dir, ".hub.sock"), err
}

// IsLoopback reports whether only programs of this machine reach a host name or address.
func IsLoopback(host string) bool {
	a, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && a.IsLoopback()
}

// A Status is what a hub says about itself.
type Status struct {
	Address string   `json:"address"`
	TLS     bool     `json:"tls"`
	Members []Member `json:"members"`
	Asking  []Asker  `json:"asking"`
}

// A Member is a host that is accepted.
type Member struct {
	keys.Entry
	Connected bool `json:"connected"`
	// Twice says that several programs have used the key within the last minutes, each of which has
	// cut off the other.
	Twice bool `json:"twice"`
}

// An Asker is a host that has proved that it has its key, which is not accepted.
type Asker struct {
	Key     string    `json:"key"`
	Name    string    `json:"name"` // which it claims
	Address string    `json:"address"`
	First   time.Time `json:"first"`
	Last    time.Time `json:"last"`
}
