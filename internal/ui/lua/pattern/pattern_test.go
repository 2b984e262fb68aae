package pattern

import (
	"strings"
	"testing"
)

func TestCompile(t *testing.T) {
	for src, want := range map[string]string{
		"%":                          "ends with %",
		"[a":                         "missing ]",
		"[a%":                        "ends with %",
		"[]":                         "missing ]",
		"(":                          "unfinished capture",
		"(()":                        "unfinished capture",
		")":                          "there is no ( for a )",
		"%1":                         "invalid capture index %1",
		"(%1)":                       "invalid capture index %1",
		"()%0":                       "invalid capture index %0",
		"%bx":                        "missing arguments to %b",
		"%fx":                        "missing [ after %f",
		strings.Repeat("()", 33):     "too many captures",
		strings.Repeat("a?", 10_001): "too complex",
	} {
		if _, err := Compile(src); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %q", src, err, want)
		}
	}
}

// Any text that compiles matches within bounds, and a text with its magic characters escaped finds
// itself.
func FuzzPattern(f *testing.F) {
	for _, p := range []string{"a-b", "^(%w+)=(%d*)$", "[^%s%]]", "%b()", "%f[%a]", "(a)(b)%2%1", "()", "%z[%-a-]", "*a+?"} {
		f.Add("a=1 (b) ab", p)
	}
	f.Fuzz(func(t *testing.T, src, pat string) {
		if len(src) > 100 || len(pat) > 50 {
			return
		}
		type tooLong struct{}
		defer func() {
			if r := recover(); r != nil && r != (tooLong{}) {
				panic(r)
			}
		}()
		steps := 0
		step := func() {
			if steps++; steps > 1000 {
				panic(tooLong{})
			}
		}
		if p, err := Compile(pat); err == nil {
			m := &Matcher{Pattern: p, Text: src, Step: step}
			if from, to, ok := m.Find(0); ok {
				if from < 0 || to < from || to > len(src) {
					t.Fatalf("%q in %q: [%d,%d)", pat, src, from, to)
				}
				for _, c := range m.Captures[:p.Captures] {
					if c.From < from || c.To > to || c.To >= 0 && c.To < c.From {
						t.Fatalf("%q in %q: capture %v of [%d,%d)", pat, src, c, from, to)
					}
				}
			}
		}
		var literal strings.Builder
		word := escaped('w')
		for i := range len(pat) {
			if c := pat[i]; c < 128 && !word.has(c) {
				literal.WriteByte('%')
			}
			literal.WriteByte(pat[i])
		}
		p, err := Compile(literal.String())
		if err != nil {
			t.Fatalf("%q: %v", literal.String(), err)
		}
		from, to, ok := (&Matcher{Pattern: p, Text: src + pat, Step: func() {}}).Find(0)
		if want := strings.Index(src+pat, pat); !ok || from != want || to != want+len(pat) {
			t.Fatalf("%q in %q: [%d,%d) %t, want at %d", literal.String(), src+pat, from, to, ok, want)
		}
	})
}
