// Package secret makes secrets and knows them again: tokens, tickets, cookies, sealed texts. Only
// hashes of them are kept, each ends at its time, opens what its scope says and nothing else, and
// can be withdrawn at once. It does not know what the scopes mean, nor how secrets are sent.
package secret

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"time"

	"ui-mcp/internal/fault"
)

// MaxLife is the longest life of a secret.
const MaxLife = 365 * 24 * time.Hour

// Withdrawn is the detail of [ErrWithdrawn].
const Withdrawn fault.Detail = "auth_invalid"

// ErrWithdrawn is why the context of a secret has ended.
var ErrWithdrawn = fault.With(Withdrawn, fault.New(fault.Gone, "the token has expired or was withdrawn"))

// New returns a text that nobody can guess: 32 letters and digits.
func New() string { return (rand.Text() + rand.Text())[:32] }

// NewLong is New for secrets that last, such as keys.
func NewLong() string { return New() + New() }

// A hash is what is kept of a secret. The time of comparing hashes depends on the hashes alone,
// from which no part of a secret follows.
type hash [sha256.Size]byte

func hashOf(text string) hash { return sha256.Sum256([]byte(text)) }

// A Known secret is one that was made elsewhere and is only recognised here. The zero Known
// recognises nothing.
type Known struct {
	hash  hash
	given bool
}

// Know returns the Known of a text, which is the zero Known for "".
func Know(text string) Known { return Known{hashOf(text), text != ""} }

// IsZero reports whether there is no secret.
func (k Known) IsZero() bool { return !k.given }

// Is reports whether a text is the secret.
func (k Known) Is(text string) bool {
	h := hashOf(text)
	return k.given && subtle.ConstantTimeCompare(h[:], k.hash[:]) == 1
}
