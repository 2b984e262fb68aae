package relay

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
)

// Tokens admit views: each document has one, and must present it in its hello. A token admits one
// view at a time, so a host may keep a document and mount it again, but not twice at once. Tokens
// are valid in every process that has the same key.
type Tokens struct{ key []byte }

const nonceSize, tokenSize = 12, 28 // bytes

// NewTokens returns tokens made with a key, which must be secret.
func NewTokens(key []byte) *Tokens { return &Tokens{key} }

// New returns a token.
func (t *Tokens) New() string {
	nonce := make([]byte, nonceSize, tokenSize)
	rand.Read(nonce)
	return base64.RawURLEncoding.EncodeToString(append(nonce, t.sum(nonce)...))
}

func (t *Tokens) sum(nonce []byte) []byte {
	mac := hmac.New(sha256.New, t.key)
	mac.Write(nonce)
	return mac.Sum(nil)[:tokenSize-nonceSize]
}

// valid reports whether a token was made with the key. Without Tokens, all are valid.
func (t *Tokens) valid(token string) bool {
	if t == nil {
		return true
	}
	data, err := base64.RawURLEncoding.Strict().DecodeString(token)
	return err == nil && len(data) == tokenSize && hmac.Equal(data[nonceSize:], t.sum(data[:nonceSize]))
}
