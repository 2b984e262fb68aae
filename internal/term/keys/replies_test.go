package keys_test

import (
	"bytes"
	"strings"
	"testing"

	"ui-mcp/internal/term/keys"
)

func TestReplies(t *testing.T) {
	for _, tt := range []struct {
		name, in, want string
	}{
		{"text", "ls\r", "ls\r"},
		{"keys", "\x1b\x1b[A\x1bOP\x1b[1;5D\x1b[3~\x1b[27;5;13~\x1b[97;5u\x1b[I\x1b[Z\x1b[R\x1b[P", "\x1b\x1b[A\x1bOP\x1b[1;5D\x1b[3~\x1b[27;5;13~\x1b[97;5u\x1b[I\x1b[Z\x1b[R\x1b[P"},
		{"keys with Alt", "\x1b]\x1b", "\x1b]\x1b"},
		{"the mouse", "\x1b[<0;3;4M\x1b[<0;3;4m", "\x1b[<0;3;4M\x1b[<0;3;4m"},
		{"device attributes", "a\x1b[?1;2cb\x1b[>0;276;0cc\x1bP!|00000000\x1b\\d", "abcd"},
		{"status", "\x1b[0n\x1b[?10nx", "x"},
		{"the position", "\x1b[24;80Rx\x1b[1;80R\x1b[?3;4;1R", "x"},
		{"F3 with modifiers", "\x1b[1;2R", "\x1b[1;2R"},
		{"modes", "\x1b[?2026;2$y\x1b[4;2$yx\x1b[?0u\x1b[>4;1m", "x"},
		{"the window", "\x1b[8;24;80t\x1b[4;600;800tx\x1b[2;1;1;112;112;1;0x", "x"},
		{"colours", "\x1b]10;rgb:ffff/ffff/ffff\x1b\\x\x1b]4;1;rgb:0/0/0\ay", "xy"},
		{"settings", "\x1bP1$r0m\x1b\\\x1bP>|term 1\x1b\\x\x1bP1+r524742=38\x1b\\", "x"},
		{"graphics", "\x1b_Gi=31;OK\x1b\\x", "x"},
		{"the clipboard", "\x1b]52;c;c2VjcmV0\ax", "x"},
		{"a paste", "\x1b[200~\x1b[0n\x1b[201~\x1b[0n", "\x1b[200~\x1b[0n\x1b[201~"},
		{"typed after an interrupted one", "\x1b]10;rgb\rls\r", "\x1b]10;rgb\rls\r"},
		{"what will never be one", "\x1b]1" + strings.Repeat("0", 5000) + "\a", ""},
	} {
		var r keys.Replies
		if got := string(r.Remove([]byte(tt.in), false)); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
		// Split where a sequence has begun.
		for i := range tt.in {
			if b := tt.in[:i]; strings.HasSuffix(b, "\x1b") || strings.HasSuffix(b, "\x1b[") || strings.HasSuffix(b, "\x1b]") || strings.HasSuffix(b, "\x1bP") || strings.HasSuffix(b, "\x1b_") || len(tt.in) > 4000 {
				continue
			}
			var r keys.Replies
			got := string(r.Remove([]byte(tt.in[:i]), false)) + string(r.Remove([]byte(tt.in[i:]), false))
			if got != tt.want {
				t.Errorf("%s, split at %d: %q, want %q", tt.name, i, got, tt.want)
			}
		}
	}
	var r keys.Replies
	if got := string(r.Remove([]byte("\x1b[1;2Rx"), true)); got != "x" {
		t.Errorf("the position in the first row: %q", got)
	}
	// A paste in pieces.
	got := string(r.Remove([]byte("\x1b[200~a\x1b[0n"), false)) + string(r.Remove([]byte("\x1b[0nb\x1b[201~\x1b[0n"), false))
	if want := "\x1b[200~a\x1b[0n\x1b[0nb\x1b[201~"; got != want {
		t.Errorf("a paste in pieces: %q, want %q", got, want)
	}
	// Input that is too long to be held back counts as typed.
	long := "\x1b]1" + strings.Repeat("0", 5000)
	if got := string(r.Remove([]byte(long), false)); got != long {
		t.Errorf("%d of %d bytes of an endless one", len(got), len(long))
	}
}

// Text without replies stays as it is, and nothing is added to what a terminal sends.
func FuzzReplies(f *testing.F) {
	f.Add([]byte("a\x1b[?1;2c"), []byte("b\x1b]10;rgb"), false)
	f.Add([]byte("\x1b[200~"), []byte("\x1b[0n\x1b[201~"), true)
	f.Fuzz(func(t *testing.T, one, two []byte, position bool) {
		var r keys.Replies
		all := append(bytes.Clone(one), two...)
		got := append(r.Remove(one, position), r.Remove(two, position)...)
		if !bytes.Contains(all, []byte{0x1b}) && !bytes.Equal(got, all) {
			t.Errorf("%q became %q", all, got)
		}
		for rest := all; len(got) > 0; got = got[1:] {
			i := bytes.IndexByte(rest, got[0])
			if i < 0 {
				t.Fatalf("%q was not typed, of %q", got, all)
			}
			rest = rest[i+1:]
		}
	})
}
