package wire

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup/question"
)

func encode(t *testing.T, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// What a server shows of its questions is the same on another host, but for the host and the ID.
func TestRelayed(t *testing.T) {
	at := time.UnixMilli(1_700_000_000_000)
	for name, q := range map[string]question.Question{
		"options": {Title: "Deploy?", Message: "To <b>production</b> & \"all\" &amp; </p>\nnow", Options: []question.Option{{Label: "Yes", Value: "yes", Description: "d"}, {Label: "No", Value: "no"}},
			Multiple: true, Default: "no", Severity: question.Danger, Images: []question.Image{{Src: "data:image/png;base64,AAAA", Alt: "a"}}},
		"a prompt":          {Title: "Name", Message: "m", AllowText: true, Prompt: true, Severity: question.Info, Quote: "$ <x>\n</code></pre>", Options: []question.Option{{Label: "Stop", Value: "stop"}}},
		"a prompt's secret": {Title: "sudo", Message: "m", AllowText: true, Prompt: true, Secret: true, Severity: question.Info, Options: []question.Option{{Label: "Stop", Value: "stop"}}},
		"a secret":          {Title: "Key", Message: "m", AllowText: true, Secret: true, Reveal: true, Severity: question.Warning},
	} {
		a := question.Asked{ID: "X", Workspace: "/there", Asker: question.ByAgent, Question: q, At: at, Deadline: at.Add(time.Minute)}
		want := One(&a)
		want.Order[0].ID, want.Questions[0].ID, want.Questions[0].Host, want.Questions[0].Workspace = "b/X", "b/X", "b", ""
		if d := cmp.Diff(any(want), Relayed("b", encode(t, One(&a)))); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
	if d := cmp.Diff(any(None()), Relayed("b", encode(t, None()))); d != "" {
		t.Error(d)
	}
	v := VerdictOn("X", fault.New(fault.Gone, "over"))
	v.ID, v.Error = "b/X", "b: over"
	if d := cmp.Diff(any(v), Relayed("b", encode(t, VerdictOn("X", fault.New(fault.Gone, "over"))))); d != "" {
		t.Error(d)
	}
}

// What a server here could not send does not reach a page.
func TestRelayedFromHostile(t *testing.T) {
	base := One(&question.Asked{ID: "X", Question: question.Question{Title: "t", Message: "m", AllowText: true}, Deadline: time.UnixMilli(1)}).Questions[0]
	for name, change := range map[string]func(*Described){
		"HTML":            func(d *Described) { d.HTML = `<form action="https://evil.example"><input name=p></form>` },
		"HTML in the end": func(d *Described) { d.HTML += "<script>x</script>" },
		"HTML within":     func(d *Described) { d.HTML = "<p>a<img src=x onerror=y></p>" },
		"two quotes":      func(d *Described) { d.HTML += "<pre><code>a</code></pre><pre><code>b</code></pre>" },
		"no ID":           func(d *Described) { d.ID = "" },
		"a long ID":       func(d *Described) { d.ID = strings.Repeat("x", 200) },
		"an image":        func(d *Described) { d.Images = []question.Image{{Src: "https://evil.example/pixel"}} },
		"a long title":    func(d *Described) { d.Title = strings.Repeat("x", 1000) },
		"a severity":      func(d *Described) { d.Severity = "none" },
		"equal options": func(d *Described) {
			d.Options = []question.Option{{Label: "Yes", Value: "x"}, {Label: "No", Value: "x"}}
		},
	} {
		d := base
		change(&d)
		if got := Relayed("b", encode(t, State{Type: "state", Questions: []Described{d}, Order: []Position{{d.ID, true}}})); cmp.Diff(any(None()), got) != "" {
			t.Errorf("%s: %+v", name, got)
		}
	}
	d := base
	d.Host, d.Asker, d.At, d.Deadline, d.Workspace = "", "root", -5, 1<<62, "/home/you"
	got, ok := Relayed("b", encode(t, State{Type: "state", Questions: []Described{d}, Order: []Position{{"another", true}}, Waiting: 99, History: []Past{{Title: "x"}}})).(State)
	if !ok || len(got.Questions) != 1 || len(got.Order) != 1 || got.Order[0].ID != "b/X" || got.Waiting != 1 || len(got.History) != 0 {
		t.Fatalf("%+v", got)
	}
	if q := got.Questions[0]; q.ID != "b/X" || q.Host != "b" || q.Asker != question.ByProgram || q.At != 0 || q.Deadline != question.MaxTimeout.Milliseconds() || q.Workspace != "" {
		t.Errorf("%+v", q)
	}
	for _, msg := range []string{`x`, `{}`, `{"type":"x"}`, `{"type":"verdict"}`, `[]`} {
		if got := Relayed("b", []byte(msg)); got != nil {
			t.Errorf("%s: %+v", msg, got)
		}
	}
	if d := cmp.Diff(any(Verdict{Type: "verdict", ID: "b/X", Error: `b: \x1b[mno`, Again: 60_000}), Relayed("b", []byte(`{"type":"verdict","id":"X","error":"\u001b[mno","again":9000000000}`))); d != "" {
		t.Error(d)
	}
}

// A host gets what is about its questions, and nothing else.
func TestRelayedReply(t *testing.T) {
	if got := Decode(RelayedReply("b", []byte(`{"type":"answer","id":"b/X","action":"answer","values":["yes"],"text":"t"}`))); cmp.Diff(Received{Type: "answer", ID: "X", Action: question.Submit, Values: []string{"yes"}, Text: "t"}, got) != "" {
		t.Errorf("%+v", got)
	}
	for _, msg := range []string{`{"type":"answer","id":"X","text":"secret"}`, `{"type":"shown","id":"b2/X"}`, `{"type":"focus"}`, `x`} {
		if got := RelayedReply("b", []byte(msg)); got != nil {
			t.Errorf("%s: %s", msg, got)
		}
	}
}
