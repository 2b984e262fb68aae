package uimcp_test

import (
	"fmt"
	"go/scanner"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// proseWidth is the greatest width of comments and of prose in Markdown, in columns. A tab has 4.
const proseWidth = 100

// avoided are phrases that slow readers down, in comments, documents and texts, and what to write
// instead.
var avoided = map[string]string{
	`whoever|whomever`:                "name the actor: callers, the person, the agent",
	`(is|are) none`:                   "there is no..., or not a...",
	`what is no|what is not an?`:      "anything that is not a..., or an invalid...",
	`(told|tells?|hears?|heard) of`:   "is notified of, learns of, reports",
	`for whom|in whose`:               "name the actor",
	`ha(s|ve) (its|their) turn`:       "runs",
	`lets? pages follow|pages follow`: "updates the pages",
	`as long as that is so`:           "while it lasts",
	`is over before`:                  "ends before",
	`the begin of`:                    "the start of",
	`goe?s? before it`:                "overrides it",
	`gives out`:                       "returns",
	`makes that so`:                   "say what it does",
	`anew`:                            "again, from scratch",
	`mend(s|ed|ing)?`:                 "fix, correct",
	`doors?`:                          "handler, listener, endpoint, port",
	`halls?|wings?`:                   "lifecycle, component",
	`(is|are|was|were|be|such as) (that|those) of`: "the noun again: the page's address, the size of the session",
	`(somebody|someone|anybody) else`:              "name the actor: the person, another client, another process",
}

// avoidedWords are words that no name contains, and what the field calls such things.
var avoidedWords = map[string]string{
	"door": "handler, listener, endpoint", "doors": "handlers, listeners, endpoints",
	"hall": "lifecycle", "wing": "component", "wings": "components",
	"dress": "apply, decorate", "dressed": "applied, decorated", "undress": "remove",
	"told": "reported", "whoever": "name the actor",
	"kit": "say what it holds", "stage": "say what it is",
}

// accepted are lines that a rule would reject without reason.
var accepted = regexp.MustCompile(`[Tt]here (is|are) none`)

var avoidedPhrase = func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:` + strings.Join(slices.Sorted(maps.Keys(avoided)), "|") + `)\b`)
}()

// advice returns what to write instead of a phrase that avoidedPhrase matches.
func advice(phrase string) string {
	for pattern, instead := range avoided {
		if regexp.MustCompile(`(?i)^(?:` + pattern + `)$`).MatchString(phrase) {
			return instead
		}
	}
	return "another phrase"
}

// Comments and documents keep to the width and to the words that docs/contributing.md asks for.
func TestProse(t *testing.T) {
	t.Parallel()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			switch d.Name() {
			case ".git", "scratch", "node_modules", "testdata", "dist", "release", "bin", ".demo":
				return fs.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() || d.Name() == "prose_test.go" {
			return nil
		}
		p := &prose{t: t, path: filepath.ToSlash(path)}
		switch filepath.Ext(path) {
		case ".go":
			p.goFile(readText(t, p.path))
		case ".ts":
			p.lines(readText(t, p.path), "//", true)
		case ".lua":
			p.lines(readText(t, p.path), "--", false)
		case ".sh", "":
			if text := readText(t, p.path); strings.HasPrefix(text, "#!") || d.Name() == "Makefile" {
				p.lines(text, "#", false)
			}
		case ".md":
			p.markdown(readText(t, p.path))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// prose checks one file.
type prose struct {
	t    *testing.T
	path string
}

func (p *prose) errorf(line int, format string, args ...any) {
	p.t.Helper()
	p.t.Errorf("%s:%d: %s", p.path, line, fmt.Sprintf(format, args...))
}

// text checks the words of a comment, a document's line or a string.
func (p *prose) text(line int, s string) {
	p.t.Helper()
	if accepted.MatchString(s) {
		return
	}
	if m := avoidedPhrase.FindString(s); m != "" {
		p.errorf(line, "%q: write %s", m, advice(strings.ToLower(m)))
	}
}

var nameParts = regexp.MustCompile(`[A-Z]?[a-z]+|[A-Z]+`)

// name checks an identifier.
func (p *prose) name(line int, name string) {
	p.t.Helper()
	for _, word := range nameParts.FindAllString(name, -1) {
		if instead, ok := avoidedWords[strings.ToLower(word)]; ok {
			p.errorf(line, "the name %s: use a word such as %s", name, instead)
		}
	}
}

// width checks the width of a line of prose. A single long word, such as a URL, cannot be wrapped.
func (p *prose) width(line int, s, comment string) {
	p.t.Helper()
	columns := 0
	for _, r := range s {
		if r == '\t' {
			columns += 4 - columns%4
		} else {
			columns++
		}
	}
	words := strings.Fields(comment)
	if columns > proseWidth && len(words) > 1 && !strings.Contains(s, "://") {
		p.errorf(line, "%d columns: wrap at %d", columns, proseWidth)
	}
}

// goFile checks comments, names and strings of Go.
func (p *prose) goFile(src string) {
	p.t.Helper()
	lines := strings.Split(src, "\n")
	fset := token.NewFileSet()
	file := fset.AddFile(p.path, -1, len(src))
	var s scanner.Scanner
	s.Init(file, []byte(src), nil, scanner.ScanComments)
	for {
		pos, tok, lit := s.Scan()
		line := fset.Position(pos).Line
		switch tok {
		case token.EOF:
			return
		case token.COMMENT:
			for i, comment := range strings.Split(lit, "\n") {
				p.text(line+i, comment)
				if strings.HasPrefix(strings.TrimSpace(lines[line+i-1]), "//") && !strings.HasPrefix(lit, "//go:") {
					p.width(line+i, lines[line+i-1], strings.TrimPrefix(comment, "//"))
				}
			}
		case token.STRING:
			for i, part := range strings.Split(lit, "\n") {
				p.text(line+i, part)
			}
		case token.IDENT:
			p.name(line, lit)
		}
	}
}

var word = regexp.MustCompile(`[A-Za-z]\w*`)

// lines checks comments of another language, and names outside of comments if named is set.
func (p *prose) lines(src, mark string, named bool) {
	p.t.Helper()
	for i, s := range strings.Split(src, "\n") {
		code, comment, found := cutComment(s, mark)
		if found {
			p.text(i+1, comment)
			if strings.TrimSpace(code) == "" {
				p.width(i+1, s, comment)
			}
		}
		if named {
			for _, name := range word.FindAllString(code, -1) {
				p.name(i+1, name)
			}
		}
	}
}

// cutComment splits a line before its comment: at the mark when it starts a word and is not part of
// a string or a URL.
func cutComment(s, mark string) (code, comment string, found bool) {
	for at := 0; ; {
		i := strings.Index(s[at:], mark)
		if i < 0 {
			return s, "", false
		}
		at += i
		before, _ := utf8.DecodeLastRuneInString(s[:at])
		quotes := strings.Count(s[:at], `"`) + strings.Count(s[:at], "`")
		if quotes%2 == 0 && (at == 0 || before == ' ' || before == '\t') {
			return s[:at], s[at+len(mark):], true
		}
		at += len(mark)
	}
}

// markdown checks a document: its prose, but neither code nor tables nor front matter.
func (p *prose) markdown(src string) {
	p.t.Helper()
	fenced, front := false, strings.HasPrefix(src, "---\n")
	for i, s := range strings.Split(src, "\n") {
		trimmed := strings.TrimSpace(s)
		switch {
		case front:
			front = i == 0 || trimmed != "---"
		case strings.HasPrefix(trimmed, "```"):
			fenced = !fenced
		case fenced || strings.HasPrefix(s, "    "):
		default:
			p.text(i+1, s)
			if !strings.HasPrefix(trimmed, "|") && !strings.Contains(s, "](") {
				p.width(i+1, s, s)
			}
		}
	}
}

// The rules find what they are meant to find, and nothing else.
func TestProseRules(t *testing.T) {
	t.Parallel()
	for text, bad := range map[string]bool{
		"Whoever asks":                        true,
		"The old one is none.":                true,
		"pages are told of it":                true,
		"run it anew":                         true,
		"at this door":                        true,
		"a mended file":                       true,
		"url is that of the page":             true,
		"if somebody else has it":             true,
		"compared with those of the last run": false,
		"nobody answered, somebody waits":     false,
		"None is left":                        false,
		"he told the agent":                   false,
		"recommended, indoor, commend, hallo": false,
	} {
		if got := avoidedPhrase.MatchString(text); got != bad {
			t.Errorf("%q is avoided: %v, want %v", text, got, bad)
		}
	}
	for name, bad := range map[string]bool{"newDoor": true, "DoorOptions": true, "toldAgent": true, "indoor": false, "address": false, "shallow": false, "unmarshal": false} {
		got := slices.ContainsFunc(nameParts.FindAllString(name, -1), func(w string) bool {
			_, ok := avoidedWords[strings.ToLower(w)]
			return ok
		})
		if got != bad {
			t.Errorf("the name %s is avoided: %v, want %v", name, got, bad)
		}
	}
	for line, want := range map[string]string{
		`x := 1 // why`: " why", `"http://x" // why`: " why", `x = "// no"`: "", `see http://x/y`: "",
	} {
		if _, got, _ := cutComment(line, "//"); got != want {
			t.Errorf("the comment of %s is %q, want %q", line, got, want)
		}
	}
}
