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

func TestName(t *testing.T) {
	for text, want := range map[string]string{"wsh 1": "wsh 1", "a\x1b[2Jb": "a_[2Jb", "\xff\xfex": "_x", "日本語": "日本", "long name": "long nam"} {
		if got := safetext.Name(text, 8, unicode.IsPrint); got != want {
			t.Errorf("Name(%q) = %q, want %q", text, got, want)
		}
	}
}
