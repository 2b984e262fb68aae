package secret

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"time"
)

// A Key seals texts: every process with the same key recognises what was sealed, and keeps nothing
// for it. Anyone can read a sealed text, and nobody can make one without the key. It expires; to
// withdraw it before, let it name something that can be removed.
type Key string

const sumSize, timeSize = sha256.Size, 8 // bytes

// Seal returns a sealed text, in letters, digits, - and _. It opens with the same scope only, and
// not after life, which is at most MaxLife.
func (k Key) Seal(scope, text string, life time.Duration) string {
	until := time.Now().Add(min(life, MaxLife)).UnixMilli()
	data := append(binary.BigEndian.AppendUint64(nil, uint64(until)), text...)
	return base64.RawURLEncoding.EncodeToString(append(k.sum(scope, data), data...))
}

// Open returns a text that was sealed with the key for the scope, and is still good.
func (k Key) Open(scope, sealed string) (text string, ok bool) {
	data, err := base64.RawURLEncoding.Strict().DecodeString(sealed)
	if err != nil || len(data) < sumSize+timeSize || !hmac.Equal(data[:sumSize], k.sum(scope, data[sumSize:])) {
		return "", false
	}
	until := time.UnixMilli(int64(binary.BigEndian.Uint64(data[sumSize:])))
	return string(data[sumSize+timeSize:]), time.Now().Before(until)
}

func (k Key) sum(scope string, data []byte) []byte {
	mac := hmac.New(sha256.New, []byte(k))
	mac.Write(binary.BigEndian.AppendUint64(nil, uint64(len(scope))))
	mac.Write([]byte(scope))
	mac.Write(data)
	return mac.Sum(nil)
}
