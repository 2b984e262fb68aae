package secret_test

import (
	"regexp"
	"testing"

	"ui-mcp/internal/secret"
)

func TestNew(t *testing.T) {
	seen := map[string]bool{}
	for range 1000 {
		text := secret.New()
		if !regexp.MustCompile(`^[0-9A-Z]{32}$`).MatchString(text) || seen[text] {
			t.Fatalf("%q", text)
		}
		seen[text] = true
	}
}

func TestKnown(t *testing.T) {
	for _, tt := range []struct {
		known, text string
		want        bool
	}{{"a", "a", true}, {"a", "b", false}, {"a", "", false}, {"a", "aa", false}, {"", "", false}, {"", "a", false}} {
		k := secret.Know(tt.known)
		if got := k.Is(tt.text); got != tt.want || k.IsZero() != (tt.known == "") {
			t.Errorf("%q is %q: %t, zero %t", tt.known, tt.text, got, k.IsZero())
		}
	}
	if (secret.Known{}).Is("") {
		t.Error("the zero Known recognises nothing as a secret")
	}
}
