// Package keys says who this host is among others, and which others it accepts: a pair of keys,
// whose public one is the host's ID, and lists of public keys with what their holders may do. It
// does not know how hosts reach each other.
package keys

import (
	"encoding/json"

	"github.com/nats-io/nkeys"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/files"
	"ui-mcp/internal/secret"
)

// An Own is the pair of keys of this host. It never changes, and is safe for concurrent use.
type Own struct {
	id   string
	pair nkeys.KeyPair
}

// An ownDocument is the file of an [Own], in one line.
type ownDocument struct {
	Format int    `json:"format"`
	Seed   string `json:"seed"`
}

const ownFormat = 1

// Open reads this host's keys from a file, which it makes with new ones if there is none. Only its
// owner may be able to read the file. A malformed file, or one of a newer version, stays as it is:
// the error is of kind [fault.Precondition].
func Open(path string) (*Own, error) {
	text, err := secret.ReadOrMake(path, fresh)
	if err != nil {
		return nil, fault.Wrap(fault.Internal, err, "read the key of this host")
	}
	if err := files.CheckFormat([]byte(text), ownFormat); err != nil {
		return nil, fault.Wrap(fault.Precondition, err, "the key of this host, %s", path)
	}
	malformed := fault.New(fault.Precondition, "%s has no key of a host: remove it to get a new key, which other hosts must accept again", path)
	var d ownDocument
	if json.Unmarshal([]byte(text), &d) != nil {
		return nil, malformed
	}
	pair, err := nkeys.FromSeed([]byte(d.Seed))
	if err != nil {
		return nil, malformed
	}
	id, err := pair.PublicKey()
	if err != nil || !Valid(id) {
		return nil, malformed
	}
	return &Own{id, pair}, nil
}

// fresh returns the text of a file with new keys.
func fresh() string {
	pair := fault.Must(nkeys.CreateUser())                                        // the system's source of random numbers does not fail
	seed := fault.Must(pair.Seed())                                               // a new pair has one
	return string(fault.Must(json.Marshal(ownDocument{ownFormat, string(seed)}))) // a number and a text
}

// ID returns the public key, in 56 letters and digits.
func (o *Own) ID() string { return o.id }

// Sign proves to a server that this host has the key: nonce is what the server has sent.
func (o *Own) Sign(nonce []byte) ([]byte, error) { return o.pair.Sign(nonce) }

// Valid reports whether a text is the public key of a host.
func Valid(id string) bool { return nkeys.IsValidPublicUserKey(id) }

// Verify reports whether the holder of a public key has signed a nonce.
func Verify(id string, nonce, signature []byte) bool {
	if !Valid(id) || len(nonce) == 0 {
		return false
	}
	public, err := nkeys.FromPublicKey(id)
	return err == nil && public.Verify(nonce, signature) == nil
}
