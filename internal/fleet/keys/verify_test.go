package keys_test

import (
	"strings"
	"testing"

	"github.com/nats-io/nkeys"

	"ui-mcp/internal/fleet/keys"
)

func TestVerify(t *testing.T) {
	a, b := open(t), open(t)
	nonce := []byte("nonce")
	account, err := nkeys.CreateAccount()
	if err != nil {
		t.Fatal(err)
	}
	ofAccount, err := account.PublicKey()
	if err != nil {
		t.Fatal(err)
	}
	byAccount, err := account.Sign(nonce)
	if err != nil {
		t.Fatal(err)
	}
	sign := func(o *keys.Own, text string) []byte {
		t.Helper()
		sig, err := o.Sign([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return sig
	}
	good := sign(a, "nonce")
	changed := append([]byte{}, good...)
	changed[10] ^= 1
	for name, tt := range map[string]struct {
		id    string
		nonce []byte
		sig   []byte
		want  bool
	}{
		"its own":          {a.ID(), nonce, good, true},
		"another host's":   {b.ID(), nonce, good, false},
		"another nonce":    {a.ID(), []byte("nonc"), good, false},
		"no nonce":         {a.ID(), nil, sign(a, ""), false},
		"changed":          {a.ID(), nonce, changed, false},
		"cut":              {a.ID(), nonce, good[:63], false},
		"none":             {a.ID(), nonce, nil, false},
		"no key":           {"", nonce, good, false},
		"a malformed key":  {a.ID()[1:] + "U", nonce, good, false},
		"in another case":  {strings.ToLower(a.ID()), nonce, good, false},
		"an account's key": {ofAccount, nonce, byAccount, false},
	} {
		if got := keys.Verify(tt.id, tt.nonce, tt.sig); got != tt.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
