package secret_test

import (
	"encoding/base64"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/secret"
)

func TestSeal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const k secret.Key = "key"
		for _, text := range []string{"", "a text\x00", strings.Repeat("é", 1000)} {
			sealed := k.Seal("scope", text, time.Minute)
			if !regexp.MustCompile(`^[0-9A-Za-z_-]+$`).MatchString(sealed) {
				t.Errorf("sealed: %q", sealed)
			}
			open := func(k secret.Key, scope, sealed string, want bool) {
				t.Helper()
				if got, ok := k.Open(scope, sealed); ok != want || ok && got != text {
					t.Errorf("%.20q of %q: %.20q, %t", text, scope, got, ok)
				}
			}
			open(k, "scope", sealed, true)
			open(k, "scop", sealed, false)
			open(k, "", sealed, false)
			open("kez", "scope", sealed, false)
			open(k, "scope", sealed+"A", false)
			open(k, "scope", sealed[:len(sealed)-1], false)
			open(k, "scope", "*"+sealed[1:], false)
			time.Sleep(time.Minute - time.Millisecond)
			open(k, "scope", sealed, true)
			time.Sleep(time.Millisecond)
			open(k, "scope", sealed, false)
		}
	})
}

// Neither a part of a scope nor a byte can change to a sealed text's advantage.
func TestForgedSeal(t *testing.T) {
	const k secret.Key = "key"
	data, err := base64.RawURLEncoding.DecodeString(k.Seal("scope", "text", time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	for i := range data {
		forged := append([]byte{}, data...)
		forged[i] ^= 1
		if text, ok := k.Open("scope", base64.RawURLEncoding.EncodeToString(forged)); ok {
			t.Errorf("byte %d may change: %q", i, text)
		}
	}
	for n := range len(data) {
		if text, ok := k.Open("scope", base64.RawURLEncoding.EncodeToString(data[:n])); ok {
			t.Errorf("%d bytes are enough: %q", n, text)
		}
	}
}

// No seal is good for longer than secrets are.
func TestLongestSeal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const k secret.Key = "key"
		sealed := k.Seal("", "x", 2*secret.MaxLife)
		time.Sleep(secret.MaxLife)
		if _, ok := k.Open("", sealed); ok {
			t.Error("it is still good")
		}
	})
}

// Nothing opens but what was sealed. Seals differ by the process that makes them, so what is tried
// is a seal with one byte changed, and any text.
func FuzzOpen(f *testing.F) {
	const k secret.Key = "key"
	f.Add("s", "x", 0, byte(1))
	f.Add("", "", 40, byte(0x80))
	f.Add("x", strings.Repeat("A", 60), 59, byte(3))
	f.Fuzz(func(t *testing.T, scope, text string, at int, change byte) {
		sealed := []byte(k.Seal(scope, text, secret.MaxLife))
		if got, ok := k.Open(scope, string(sealed)); !ok || got != text {
			t.Errorf("%q opens as %q, %v", text, got, ok)
		}
		sealed[uint(at)%uint(len(sealed))] ^= change
		for _, forged := range []string{string(sealed), text} {
			if got, ok := k.Open(scope, forged); ok && (change != 0 || forged == text) {
				t.Errorf("%q of %q opens: %q", forged, scope, got)
			}
		}
	})
}
