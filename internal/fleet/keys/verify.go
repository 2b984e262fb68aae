//go:build hub

package keys

import "github.com/nats-io/nkeys"

// Verify reports whether the holder of a public key has signed a nonce.
func Verify(id string, nonce, signature []byte) bool {
	if !Valid(id) || len(nonce) == 0 {
		return false
	}
	public, err := nkeys.FromPublicKey(id)
	return err == nil && public.Verify(nonce, signature) == nil
}
