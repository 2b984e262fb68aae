package pattern_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/pattern"
)

var expressions = []string{
	`needle`, `(?i)nEEdle ſ`, `^\$ $`, `^日 \$ $`, `[0-9]+ tests? failed`, `\w+@\w+`, `\bend\b`, `\Bnd`, `\Astart`, `end\z`, `a.c`, `(?s)a.c`,
	`[^a-z]{3}`, `(?U)a+?b`, `x{3,5}y`, `\p{Han}+`, `\P{L}{2}\pL`, `(?i)[k-l]K`, `(a|b)*abb`, `^(foo|bar): .*$`, `\x{1F600}`, `a\nb`, `(?-m)^a$`, `(?-m:b$)`, `[01]*1[01]{12}`, `\x{FFFD}`, `^$^a`, `.`, `[\x{10FFFF}]`,
}

var texts = []string{
	"", "needle", "no NEEDLE s", "a needle in\nthe hay", "start\n$ \nend", "日 $ \n", "12 tests failed", "1 test failed", "x@y", "the end", "ends", "abc", "a\nc", "a\nb", "ABC 123",
	"xxxxy", "xxy", "漢字 kana", "1漢2", "KKlk", "ababb", "foo: 1\nbar", "😀", "\xff\xfe", "a", "b\n", "0101010101010101111", "\U0010FFFF", "word_char-x",
}

// The automaton agrees with package regexp.
func TestFind(t *testing.T) {
	for _, expression := range expressions {
		p, err := pattern.Compile(expression, false)
		if err != nil {
			t.Fatalf("Compile(%q) = %v", expression, err)
		}
		re := regexp.MustCompile("(?m)" + expression)
		for _, text := range texts {
			if diff := cmp.Diff(re.FindStringIndex(text), p.Find(text)); diff != "" {
				t.Errorf("%q in %q:\n%s", expression, text, diff)
			}
		}
	}
}

// All matches of some text are found, and those of none left out.
func TestFindAll(t *testing.T) {
	for _, expression := range expressions {
		p, err := pattern.Compile(expression, false)
		if err != nil {
			t.Fatalf("Compile(%q) = %v", expression, err)
		}
		re := regexp.MustCompile("(?m)" + expression)
		for _, text := range texts {
			var want [][]int
			for _, at := range re.FindAllStringIndex(text, -1) {
				if at[0] < at[1] {
					want = append(want, at)
				}
			}
			if diff := cmp.Diff(want, p.FindAll(text), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%q in %q:\n%s", expression, text, diff)
			}
		}
	}
}

// States that are dropped for want of memory are computed again.
func TestManyStates(t *testing.T) {
	p, err := pattern.Compile(`1[01]{200}2`, false)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for n := range 20_000 {
		b.WriteByte("01"[n*n/7%2])
	}
	if at := p.Find(b.String()); at != nil {
		t.Errorf("found at %v, without a 2", at)
	}
	b.WriteString("1" + strings.Repeat("0", 200) + "2")
	if p.Find(b.String()) == nil {
		t.Error("not found")
	}
}

func TestLimits(t *testing.T) {
	for _, tt := range []struct {
		name, expression string
		ok               bool
	}{
		{"as long as possible", strings.Repeat("x", pattern.MaxLength), true},
		{"too long", strings.Repeat("x", pattern.MaxLength+1), false},
		{"many repetitions", "x{1000}", true},
		{"too many", "x{1000}y{1000}", false},
		{"a parenthesis too many", "a)(b", false},
		{"nothing", "", false},
		{"maybe nothing", "x*", false},
		{"unbalanced", "(", false},
	} {
		_, err := pattern.Compile(tt.expression, false)
		if err == nil != tt.ok || err != nil && fault.KindOf(err) != fault.Invalid {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	if _, err := pattern.Literal(strings.Repeat(".", pattern.MaxLength), true); err != nil {
		t.Errorf("a text that is as long as possible: %v", err)
	}
	if _, err := pattern.Literal(strings.Repeat(".", pattern.MaxLength+1), true); fault.KindOf(err) != fault.Invalid {
		t.Errorf("a text that is too long: %v", err)
	}
}

func TestIgnoreCase(t *testing.T) {
	p, err := pattern.Compile(`^e[r]+or`, true)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int{3, 8}, p.Find("an\nERROR")); diff != "" {
		t.Error(diff)
	}
	if p, err = pattern.Literal("a.C", true); err != nil {
		t.Fatal(err)
	}
	if p.Find("abc") != nil || p.Find("xA.c") == nil {
		t.Error("the text a.C is not found literally")
	}
	if _, err := pattern.Literal("", false); fault.KindOf(err) != fault.Invalid {
		t.Errorf("no text: %v", err)
	}
}

func FuzzFind(f *testing.F) {
	for i, expression := range expressions {
		f.Add(expression, texts[i%len(texts)])
	}
	f.Fuzz(func(t *testing.T, expression, text string) {
		p, err := pattern.Compile(expression, false)
		if err != nil {
			return
		}
		re := regexp.MustCompile("(?m)" + expression)
		for range 2 { // with states computed now, and before
			if diff := cmp.Diff(re.FindStringIndex(text), p.Find(text)); diff != "" {
				t.Errorf("%q in %q:\n%s", expression, text, diff)
			}
		}
	})
}

func BenchmarkFind(b *testing.B) {
	text := strings.Repeat("the quick brown fox jumps over the lazy dog, and the lazy dog sleeps on while 12 others run\n", 100)
	for _, expression := range []string{`[0-9]+ tests? failed`, `\w+@\w+`} {
		b.Run("expression="+expression, func(b *testing.B) {
			p, err := pattern.Compile(expression, false)
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if p.Find(text) != nil {
					b.Fatal("found")
				}
			}
		})
		b.Run("regexp="+expression, func(b *testing.B) {
			re := regexp.MustCompile("(?m)" + expression)
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if re.MatchString(text) {
					b.Fatal("found")
				}
			}
		})
	}
}
