package question

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/fault"
)

var yesNo = []Option{{Label: "Yes", Value: "yes"}, {Label: "No", Value: "no"}}

// deploy returns a simple question after a change.
func deploy(change func(*Spec)) Spec {
	s := Spec{Request: Request{WorkspacePath: "/path/to/workspace", Title: "Confirm Action", Message: "Deploy now?", Options: yesNo}}
	if change != nil {
		change(&s)
	}
	return s
}

const pixel = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="

func TestWrongSpecs(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(*Spec)
		want   string
	}{
		"no title":                  {func(s *Spec) { s.Title = "" }, `"title" is missing or empty`},
		"a blank title":             {func(s *Spec) { s.Title = " \n" }, `"title" is missing or empty`},
		"a long title":              {func(s *Spec) { s.Title = strings.Repeat("x", 301) }, `"title" has 301 bytes: the limit is 300`},
		"no message":                {func(s *Spec) { s.Message = "" }, `"message" is missing or empty`},
		"a message of 1 MB":         {func(s *Spec) { s.Message = strings.Repeat("x", 1_000_000) }, `"message" has 1000000 bytes: the limit is 65536`},
		"bytes that are no text":    {func(s *Spec) { s.Message = "\xff" }, `"message" is not valid UTF-8`},
		"no options and no text":    {func(s *Spec) { s.Options = nil }, `"options" is missing or empty: give at least one option, or set "allowText"`},
		"an option without a label": {func(s *Spec) { s.Options = []Option{{Value: "a"}} }, `options[0]: "label" is missing or empty`},
		"an option without a value": {func(s *Spec) { s.Options = []Option{{Label: "a"}} }, `options[0]: "value" is missing or empty`},
		"two options of one value": {func(s *Spec) { s.Options = []Option{{Label: "a", Value: "v"}, {Label: "b", Value: "v"}} },
			`options[1] has the value "v", as options[0] does: values must differ`},
		"too many options":            {func(s *Spec) { s.Options = make([]Option, 101) }, `"options" has 101 entries: the limit is 100`},
		"a severity of its own":       {func(s *Spec) { s.Severity = "fatal" }, `"severity" is "fatal": it must be "info", "warning" or "danger"`},
		"a default that is no option": {func(s *Spec) { s.DefaultValue = "maybe" }, `"defaultValue" is "maybe": no option has that value`},
		"a default beside a text":     {func(s *Spec) { s.AllowText, s.DefaultValue = true, "maybe" }, `"defaultValue" is "maybe": no option has that value`},
		"a default where nobody is":   {func(s *Spec) { s.IfPresent, s.DefaultValue = true, "yes" }, `"ifPresent" leaves it to the asker what happens where nobody is: leave out "defaultValue"`},
		"several of nothing":          {func(s *Spec) { s.Options, s.AllowText, s.Multiple = nil, true, true }, `"multiple" needs "options" to choose from`},
		"a secret to choose":          {func(s *Spec) { s.Secret = true }, `"secret" asks for a text that nobody else may see: leave out "options" and "defaultValue"`},
		"too many files":              {func(s *Spec) { s.Files = 9 }, `"files" is 9: it must be from 0 to 8`},
		"a secret file":               {func(s *Spec) { s.Options, s.Secret, s.Files = nil, true, 1 }, `"secret" asks for a text that nobody else may see: leave out "files"`},
		"nothing to reveal":           {func(s *Spec) { s.RevealSecret = true }, `"revealSecret" means something only with "secret"`},
		"a channel nobody has":        {func(s *Spec) { s.Channel = "fax" }, `"channel" is "fax": it must be one of page, elicitation, chat, terminal`},
		"an image from the web": {func(s *Spec) { s.Images = []Image{{Src: "https://example.org/a.png"}} },
			`images[0]: "src" must be a data URI of a PNG, JPEG, GIF or WebP picture in Base64, such as data:image/png;base64,…`},
		"a picture with scripts": {func(s *Spec) { s.Images = []Image{{Src: "data:image/svg+xml;base64,PHN2Zy8+"}} },
			`images[0]: "src" must be a data URI of a PNG, JPEG, GIF or WebP picture in Base64, such as data:image/png;base64,…`},
		"too many images": {func(s *Spec) { s.Images = make([]Image, 5) }, `"images" has 5 entries: the limit is 4`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := deploy(tt.change).Question()
			if err == nil || fault.KindOf(err) != fault.Invalid || err.Error() != tt.want {
				t.Errorf("err = %v, want %s", err, tt.want)
			}
		})
	}
}

func TestSpec(t *testing.T) {
	plain := false
	got, err := deploy(func(s *Spec) {
		s.Title, s.Message = " Confirm Action ", "Deploy now?\n"
		s.AllowText, s.Multiple, s.DefaultValue, s.Severity, s.Markdown = true, true, "no", Danger, &plain
		s.Images, s.TimeoutSeconds, s.Channel = []Image{{Src: pixel, Alt: "a pixel"}}, 60.5, "page"
	}).Question()
	if err != nil {
		t.Fatal(err)
	}
	want := Question{
		Workspace: "/path/to/workspace", Title: "Confirm Action", Message: "Deploy now?", Plain: true, Options: yesNo,
		AllowText: true, Multiple: true, Default: "no", Timeout: 60500 * time.Millisecond, Severity: Danger,
		Images: []Image{{Src: pixel, Alt: "a pixel"}}, Channel: "page",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestTimeouts(t *testing.T) {
	for name, tt := range map[string]struct {
		seconds float64
		def     string
		want    time.Duration
	}{
		"left out":                      {0, "", 24 * time.Hour},
		"left out, with a default":      {0, "no", 24 * time.Hour},
		"too short":                     {5, "", 0},
		"the shortest":                  {30, "", 30 * time.Second},
		"short, with a default":         {5, "no", 5 * time.Second},
		"too short even with a default": {0.5, "no", 0},
		"as given":                      {90.5, "", 90500 * time.Millisecond},
		"the longest":                   {86400, "", 24 * time.Hour},
		"too long":                      {86401, "", 0},
		"far too long":                  {1e300, "no", 0},
		"negative":                      {-1, "no", 0},
		"not a number":                  {math.NaN(), "no", 0},
	} {
		t.Run(name, func(t *testing.T) {
			q, err := deploy(func(s *Spec) { s.TimeoutSeconds, s.DefaultValue = tt.seconds, tt.def }).Question()
			if tt.want == 0 {
				if fault.KindOf(err) != fault.Invalid || !strings.Contains(err.Error(), `"timeoutSeconds" is `) {
					t.Errorf("err = %v", err)
				}
				return
			}
			if err != nil || q.Timeout != tt.want {
				t.Errorf("timeout = %v, %v; want %v", q.Timeout, err, tt.want)
			}
		})
	}
	// Another server sends what is left of a time that it has accepted.
	if q, err := deploy(func(s *Spec) { s.TimeoutSeconds, s.Relayed = 0.25, true }).Question(); err != nil || q.Timeout != 250*time.Millisecond {
		t.Errorf("relayed: timeout = %v, %v", q.Timeout, err)
	}
}

// A string stands for an option.
func TestOptionsAsLabels(t *testing.T) {
	var s Spec
	if err := json.Unmarshal([]byte(`{"title":"t","message":"m","options":["Red",{"label":"Green","value":"g"}]}`), &s); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Option{{Label: "Red", Value: "Red"}, {Label: "Green", Value: "g"}}, s.Options); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for _, wrong := range []string{`[1]`, `[null]`, `[["a"]]`, `[""]`, `[{"label":1}]`} {
		var s Spec
		err := json.Unmarshal([]byte(`{"title":"t","message":"m","options":`+wrong+`}`), &s)
		if err == nil {
			_, err = s.Question()
		}
		if err == nil {
			t.Errorf("%s was accepted", wrong)
		}
	}
}

func TestSecret(t *testing.T) {
	q, err := Request{Title: "Key", Message: "Your key?", Secret: true}.Question()
	if err != nil {
		t.Fatal(err)
	}
	a, err := q.Accept(Reply{Action: Submit, Text: "hush"})
	if err != nil || a.Value != "hush" {
		t.Fatalf("answer = %+v, %v", a, err)
	}
	if diff := cmp.Diff(Answer{Outcome: Answered, Source: FromText, Secret: true}, a.Redacted()); diff != "" {
		t.Errorf("redacted: -want +got:\n%s", diff)
	}
}

// Any spec is refused or becomes a question that can be answered.
func FuzzSpec(f *testing.F) {
	f.Add(`{"title":"t","message":"m","options":[{"label":"a","value":"b"}]}`)
	f.Add(`{"title":"t","message":"<img src=x onerror=y>","allowText":true,"timeoutSeconds":1e308}`)
	f.Add(`{"title":"t","message":"m","secret":true}`)
	f.Fuzz(func(t *testing.T, data string) {
		var s Spec
		if json.Unmarshal([]byte(data), &s) != nil {
			return
		}
		q, err := s.Question()
		if err != nil {
			if fault.KindOf(err) != fault.Invalid {
				t.Fatalf("kind %v: %v", fault.KindOf(err), err)
			}
			return
		}
		if q.Timeout < MinDefaultTimeout || q.Timeout > MaxTimeout {
			t.Errorf("timeout %v", q.Timeout)
		}
		r := Reply{Action: Submit, Text: "x"}
		if len(q.Options) > 0 {
			r = Reply{Action: Submit, Values: []string{q.Options[0].Value}}
		}
		if _, err := q.Accept(r); err != nil {
			t.Errorf("%+v cannot be answered: %v", q, err)
		}
	})
}
