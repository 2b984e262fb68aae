package typed

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// typedTo returns the lines that are completed, wherever.
func typedTo(l *Line, s string) []Completed {
	lines := l.Type([]byte(s))
	for i := range lines {
		lines[i].From, lines[i].To = 0, 0
	}
	return lines
}

func TestType(t *testing.T) {
	unclear := func(text string) Completed { return Completed{Text: text, Unclear: true} }
	clear := func(text string) Completed { return Completed{Text: text} }
	for name, tt := range map[string]struct {
		typed []string // in pieces
		want  []Completed
	}{
		"a line":                     {[]string{"ls -l\r"}, []Completed{clear("ls -l")}},
		"no line":                    {[]string{"ls -l"}, nil},
		"empty lines":                {[]string{"\r\n\r"}, nil},
		"two lines":                  {[]string{"a\nb\r\n"}, []Completed{clear("a"), clear("b")}},
		"in pieces":                  {[]string{"r", "m", " x", "\r"}, []Completed{clear("rm x")}},
		"a character in pieces":      {[]string{"\xc3", "\xa4\r"}, []Completed{clear("ä")}},
		"invalid characters":         {[]string{"\xff\r"}, []Completed{unclear("")}},
		"backspaces":                 {[]string{"rn\x7fm\b\bls\x7f\x7f\x7f\x7fpwd\r"}, []Completed{clear("pwd")}},
		"moving":                     {[]string{"m x\x1b[Hr\r"}, []Completed{unclear("m xr")}},
		"killing":                    {[]string{"one two\x17\x17three\x15four äö \x17\x0b\x04\r"}, []Completed{clear("four ")}},
		"dropped":                    {[]string{"rm x\x03ls\r"}, []Completed{clear("ls")}},
		"a paste":                    {[]string{"\x1b[200~a\nb\x1b[201~", "\r"}, []Completed{clear("a"), clear("b")}},
		"a sequence in pieces":       {[]string{"a\x1b", "[", "Db\r"}, []Completed{unclear("ab")}},
		"continued":                  {[]string{"rm \\\r-rf \\\rx\ry\r"}, []Completed{clear("rm \\"), clear("rm -rf \\"), clear("rm -rf x"), clear("y")}},
		"a backslash":                {[]string{"a\\\\\rb\r"}, []Completed{clear("a\\\\"), clear("b")}},
		"recalled":                   {[]string{"\x1b[A\r", "ls\r"}, []Completed{unclear(""), clear("ls")}},
		"completed":                  {[]string{"rm f\t\r"}, []Completed{unclear("rm f")}},
		"searched, and dropped":      {[]string{"\x12rm\x03ls\r"}, []Completed{clear("ls")}},
		"entered, and the next":      {[]string{"a\x0f", "\r"}, []Completed{clear("a"), unclear("")}},
		"other forms of Enter":       {[]string{"a\x1bOM", "b\x1b[13u", "c\x1b[13;5u", "d\x1b\r", "e\x1b\n", "f\x1b[109;5u"}, []Completed{clear("a"), clear("b"), clear("c"), clear("d"), clear("e"), clear("f")}},
		"Escape":                     {[]string{"\x1b", ":q\r"}, []Completed{unclear("q")}},
		"Escape, twice":              {[]string{"\x1b\x1b[A", "\r"}, []Completed{unclear("")}},
		"an unknown sequence":        {[]string{"a\x1b[15~\r"}, []Completed{unclear("a")}},
		"a sequence without an end":  {[]string{"\x1b[" + strings.Repeat("1;", 100), "a\r"}, nil},
		"a sequence that is cut off": {[]string{"\x1b[1;\rls\r"}, []Completed{unclear(""), clear("ls")}},
		"killing an empty line":      {[]string{"\x7f\x15\x17a\r"}, []Completed{clear("a")}},
		"keys that change no line":   {[]string{"a\x0c\x1b[I\x1b[O\x1ab\r"}, []Completed{clear("ab")}},
		"an editor":                  {[]string{"rm x\x18\x05", "y\r"}, []Completed{clear("rm x"), unclear("y")}},
		"a word after blanks":        {[]string{"a  bc  \x17\r"}, []Completed{clear("a  ")}},
		"keys of the kitty protocol": {[]string{"ab\x1b[127u\x1b[120u\x1b[13;2u", "rm\x1b[99;5u", "ls\x1b[13u\x1b[13;1:3u", "a\x1b[57414u", "\x1b[57399u\r"}, []Completed{clear("ax"), clear("ls"), clear("a"), unclear("")}},
		"reports of the mouse":       {[]string{"a\x1b[<0;3;4Mb\x1b[<0;3;4m\x1b[M !!c\r"}, []Completed{clear("abc")}},
		"tabs in a paste":            {[]string{"\x1b[200~a\tb\x1b[201~\r", "a\tb\r"}, []Completed{clear("a b"), unclear("ab")}},
	} {
		t.Run(name, func(t *testing.T) {
			var l Line
			var got []Completed
			for _, s := range tt.typed {
				got = append(got, typedTo(&l, s)...)
			}
			if name == "a sequence without an end" {
				if len(got) != 1 || !got[0].Unclear {
					t.Errorf("%+v", got)
				}
				return
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// What another program may have read is judged with what follows it, and without.
func TestDoubt(t *testing.T) {
	for _, tt := range []struct{ before, after, text, since string }{
		{"q", "rm x", "qrm x", "rm x"},
		{"rm", "", "rm", ""},
		{"abc", "\x7f\x7fx", "ax", "x"},
		{"abc", "\x7f\x7f\x7f\x7fx", "x", ""},
		{"abc", "\x15x", "x", ""},
		{"abc", "x\x03y", "y", ""},
	} {
		var l Line
		l.Type([]byte(tt.before))
		l.Doubt()
		l.Type([]byte(tt.after))
		if got := typedTo(&l, "\r"); len(got) != 1 || got[0] != (Completed{Text: tt.text, Since: tt.since}) {
			t.Errorf("%q behind %q: %+v", tt.after, tt.before, got)
		}
	}
}

func TestClone(t *testing.T) {
	var l Line
	l.Type([]byte("ab"))
	c := l.Clone()
	c.Type([]byte("\x01x\r"))
	if got := l.Type([]byte("\r")); len(got) != 1 || got[0].Text != "ab" {
		t.Errorf("%+v", got)
	}
}

func TestUnclear(t *testing.T) {
	for _, tt := range []struct{ before, input, want string }{
		{"", "ls\rrm x\r", ""},
		{"", "ls\r\x1b[A\rx", "\r"},
		{"\x1b[A", "\rls\r", "\r"},
		{"\x1b[A", "x", ""},
		{"\x1b[A", "\x03\r", ""},
		{"\x1b", "[A\x1b[13u", "\x1b[13u"},
		{"a\t", "\x18\x05", "\x18"},
		{"\x1b[A", "x\x1b[200~y\nz\x1b[201~", "\x1b[200~y\n"},
	} {
		var l Line
		l.Type([]byte(tt.before))
		from, to := l.Unclear([]byte(tt.input))
		if got := tt.input[from:to]; got != tt.want {
			t.Errorf("%q behind %q: %q, want %q", tt.input, tt.before, got, tt.want)
		}
	}
}

// A long line is followed, at its end, as far as its limit.
func TestLongLine(t *testing.T) {
	var l Line
	if got := l.Type([]byte(strings.Repeat("a", maxLine) + "b\r")); len(got) != 1 || !got[0].Unclear || len(got[0].Text) != maxLine {
		t.Errorf("%d lines", len(got))
	}
}

// What many lines take that continue each other grows with their number, not with its square.
func TestManyContinued(t *testing.T) {
	var l Line
	all, most := 0, 0
	for _, c := range l.Type([]byte(strings.Repeat("ab\\\r", 1<<14))) {
		all, most = all+len(c.Text), max(most, len(c.Text))
	}
	if all > 1<<20 || most < 2*maxJoined {
		t.Errorf("%d bytes of lines of at most %d", all, most)
	}
}

// How the input is cut into pieces changes nothing.
func FuzzType(f *testing.F) {
	f.Add("rm \\\r-rf x\x1b[D\x1b[200~y\n\x1b[201~\r", uint8(3))
	f.Add("\x1b\x1b[A\xc3\xa4\x0f\r", uint8(1))
	f.Fuzz(func(t *testing.T, input string, size uint8) {
		var whole, pieces Line
		want := typedTo(&whole, input)
		var got []Completed
		for b := []byte(input); len(b) > 0; {
			n := min(int(size)+1, len(b))
			got = append(got, typedTo(&pieces, string(b[:n]))...)
			b = b[n:]
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-whole +pieces:\n%s", diff)
		}
		if whole.sure > len(whole.text) || len(whole.text) > maxLine+utf8.UTFMax || len(whole.pending) > 32 {
			t.Errorf("%+v", whole)
		}
	})
}
