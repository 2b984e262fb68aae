package safetext_test

import (
	"testing"
	"unicode"
	"unicode/utf8"

	"ui-mcp/internal/safetext"
)

func TestClip(t *testing.T) {
	for _, tt := range []struct {
		text string
		most int
		want string
	}{
		{"", 3, ""}, {"abc", 3, "abc"}, {"abcd", 3, "…"}, {"abcdefgh", 7, "abcd…"}, {"日本語", 9, "日本語"}, {"日本語です", 9, "日本…"},
		{"aé日", 5, "a…"}, {"a\xffb", 5, "a?b"}, {"a\xff\xfeb", 4, "a?b"}, {"ab\xe6\x97cdef", 7, "ab…"},
	} {
		got := safetext.Clip(tt.text, tt.most)
		if got != tt.want || len(got) > tt.most || !utf8.ValidString(got) {
			t.Errorf("Clip(%q, %d) = %q, want %q", tt.text, tt.most, got, tt.want)
		}
	}
}

func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"echo 日本 é": "echo 日本 é", "a\nb\tc": `a\nb\tc`, "\x1b[31m": `\x1b[31m`, "a\u202eb": `a\u202eb`, "\x00\u00a0": `\x00\u00a0`, "it's": "it's", `printf 'a\n\x1b'`: `printf 'a\n\x1b'`, "\xff": "\ufffd",
	} {
		if got := safetext.Visible(text); got != want {
			t.Errorf("Visible(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestLines(t *testing.T) {
	if got := safetext.Lines("a\tb\r\n\x1b[31mc\n"); got != "a    b\\r\n\\x1b[31mc\n" {
		t.Errorf("Lines = %q", got)
	}
}

// What makes text harmless leaves nothing that acts on a terminal or turns it around, whatever the
// text is, and changes no other text.
func TestHarmless(t *testing.T) {
	for r := rune(0); r <= 0x2ffff; r++ {
		bad := r < ' ' || r >= 0x7f && r < 0xa0 || unicode.In(r, unicode.Bidi_Control, unicode.Zl, unicode.Zp) || r == 0xfffe || r == 0xffff
		if safetext.Disturbs(r) != bad {
			t.Errorf("%U disturbs: %t", r, !bad)
		}
		text := "a" + string(r) + "b"
		want := text
		if bad || r == utf8.RuneError || !utf8.ValidRune(r) {
			want = "ab"
		}
		if got := safetext.Plain(text); got != want {
			t.Errorf("%U: plain %q", r, got)
		}
		if safetext.HasControl(text) != unicode.IsControl(r) {
			t.Errorf("%U: has a control: %t", r, !unicode.IsControl(r))
		}
		if bad && safetext.Visible(text) == text {
			t.Errorf("%U: visible %q", r, safetext.Visible(text))
		}
	}
	if got := safetext.Plain("\xffa\xe6\x97"); got != "a" {
		t.Errorf("plain %q", got)
	}
}

func TestCut(t *testing.T) {
	for _, tt := range []struct {
		text string
		most int
		want string
	}{{"", 0, ""}, {"abc", 3, "abc"}, {"abc", 2, "ab"}, {"日本", 5, "日"}, {"日本", 6, "日本"}, {"a\xffb", 3, "ab"}} {
		if got := safetext.Cut(tt.text, tt.most); got != tt.want {
			t.Errorf("Cut(%q, %d) = %q, want %q", tt.text, tt.most, got, tt.want)
		}
	}
}

func TestLabel(t *testing.T) {
	for text, want := range map[string]string{"wsh 1": "wsh 1", "a\x1b[2Jb": "a_[2Jb", "\xff\xfex": "_x", "日本語": "日本", "long name": "long nam"} {
		if got := safetext.Label(text, 8); got != want {
			t.Errorf("Label(%q) = %q, want %q", text, got, want)
		}
	}
}
