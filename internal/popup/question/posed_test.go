package question

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ui-mcp/internal/fault"
)

// questions are questions of all kinds.
func questions(t *testing.T) map[string]Question {
	t.Helper()
	all := map[string]Question{
		"a secret prompt": {Title: "sudo asks", Message: "Command: sudo", Plain: true, AllowText: true, Prompt: true, Secret: true, Severity: Info, Quote: "$ sudo\nPassword:", Options: yesNo},
		"a prompt":        {Title: "A program asks", Message: "x", Plain: true, AllowText: true, Prompt: true, Severity: Info, Options: yesNo},
		"a quote":         {Title: "Allow?", Message: "x", Plain: true, Severity: Danger, Quote: "rm -r *", Options: yesNo},
	}
	for name, change := range map[string]func(*Spec){
		"simple":   nil,
		"markdown": func(s *Spec) { s.Title, s.Message = "**Deploy** it", "*now*" },
		"a secret": func(s *Spec) { s.Options, s.Secret, s.RevealSecret = nil, true, true },
		"multiple": func(s *Spec) { s.Multiple, s.DefaultValue = true, "yes" },
		"pictures": func(s *Spec) { s.Images = []Image{{Src: pixel, Alt: "a"}} },
		"a text":   func(s *Spec) { s.AllowText, s.Channel = true, "terminal" },
	} {
		q, err := deploy(change).Question()
		if err != nil {
			t.Fatal(err)
		}
		all[name] = q
	}
	return all
}

// A question that crosses is the same on the other side, and has the same digest; no two questions
// have the same.
func TestPosed(t *testing.T) {
	digests := map[string]string{}
	for name, q := range questions(t) {
		sent := q.Posed(time.Minute)
		text, err := json.Marshal(sent)
		if err != nil {
			t.Fatal(err)
		}
		var came Posed
		if err := json.Unmarshal(text, &came); err != nil {
			t.Fatal(err)
		}
		got, err := came.Question()
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(q, got, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(Question{}, "Timeout")); diff != "" {
			t.Errorf("%s: -want +got:\n%s", name, diff)
		}
		if got.Timeout != time.Minute {
			t.Errorf("%s: timeout %v", name, got.Timeout)
		}
		digest := came.Digest()
		if digest != sent.Digest() || digest != got.Posed(time.Hour).Digest() {
			t.Errorf("%s: the digests differ", name)
		}
		if other, twice := digests[digest]; twice {
			t.Errorf("%s has the digest of %s", name, other)
		}
		digests[digest] = name
	}
}

// A question with texts that are not UTF-8 is the same when it has crossed.
func TestPosedBytes(t *testing.T) {
	q := Question{Title: "\xe9", Message: "caf\xe9", Quote: "\xe9\xe9$ sudo", Workspace: "/caf\xe9", Plain: true, Severity: Info, Options: yesNo}
	text, err := json.Marshal(q.Posed(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	var came Posed
	if err := json.Unmarshal(text, &came); err != nil {
		t.Fatal(err)
	}
	if _, err := came.Question(); err != nil || came.Digest() != q.Posed(time.Hour).Digest() {
		t.Errorf("%+v, %v", came, err)
	}
}

// What another server sends is checked.
func TestWrongPosed(t *testing.T) {
	for name, change := range map[string]func(*Posed){
		"nothing":               func(p *Posed) { *p = Posed{} },
		"a long quote":          func(p *Posed) { p.Quote = strings.Repeat("x", MaxQuote+1) },
		"bytes":                 func(p *Posed) { p.Quote = "\xff" },
		"a long title":          func(p *Posed) { p.Title = strings.Repeat("x", MaxTitle+1) },
		"a prompt without text": func(p *Posed) { p.Prompt = true },
		"a picture of elsewhere": func(p *Posed) {
			p.Images = []Image{{Src: "https://example.com/a.png"}}
		},
	} {
		p := Posed{Spec: deploy(nil)}
		change(&p)
		if _, err := p.Question(); fault.KindOf(err) != fault.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Another server cannot pass files on: its person types paths.
func TestPosedWithoutFiles(t *testing.T) {
	q, err := deploy(func(s *Spec) { s.Options, s.Files = nil, 2 }).Question()
	if err != nil {
		t.Fatal(err)
	}
	got, err := q.Posed(time.Hour).Question()
	if err != nil || got.Files != 0 || !got.AllowText || !strings.HasSuffix(got.Message, "type their paths, or answer on the page.") {
		t.Errorf("it crosses as %+v, %v", got, err)
	}
	q.Message = strings.Repeat("x", MaxMessage)
	got, err = q.Posed(time.Hour).Question()
	if err != nil || !strings.HasSuffix(got.Message, "type their paths, or answer on the page.") {
		t.Errorf("with a long message: %v", err)
	}
}

// Servers of other builds know a question by the same digest, else they refuse replies to it.
func TestDigestStays(t *testing.T) {
	for want, q := range map[string]Question{
		"62e9f9538eb58c6ee405f38cf99a8b9d": {
			Workspace: "/w", Title: "Deploy?", Message: "Now?", Options: []Option{{Value: "yes", Label: "Yes"}}, Multiple: true, Default: "yes",
			Severity: Warning, Channel: "page", IfPresent: true,
		},
		"da0bd1e931ba2d5887634d0e3121300a": {
			Title: "Key", Message: "Which?", AllowText: true, Secret: true, Plain: true, Reveal: true, Prompt: true, Quote: "key: ",
			Images: []Image{{Src: "data:image/png;base64,AA==", Alt: "a"}},
		},
	} {
		if got := q.Posed(time.Hour).Digest(); got != want {
			t.Errorf("%s: the digest is %s, was %s", q.Title, got, want)
		}
	}
}
