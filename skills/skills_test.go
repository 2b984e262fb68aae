package skills

import (
	"io/fs"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Every file is a skill, installed under the name that its file has.
func TestEveryFileIsASkill(t *testing.T) {
	t.Parallel()
	entries, err := fs.Glob(files, "wsh/*.md")
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for _, e := range entries {
		named["wsh-"+strings.TrimSuffix(path.Base(e), ".md")] = true
	}
	got := map[string]bool{}
	for _, d := range Wsh() {
		got[d.Name] = true
	}
	if diff := cmp.Diff(named, got); diff != "" {
		t.Errorf("(-files +skills)\n%s", diff)
	}
}

func TestPrompts(t *testing.T) {
	t.Parallel()
	want := []string{
		"wsh:core", "wsh:drive-process", "wsh:tui", "wsh:multi-session", "wsh:agent-orchestration", "wsh:monitor",
		"wsh:visual-feedback", "wsh:input-capture", "wsh:generative-ui", "",
	}
	var got []string
	for _, d := range Wsh() {
		got = append(got, d.Prompt)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// Agents pay for each word: descriptions are loaded always, a document when it is used.
func TestLength(t *testing.T) {
	t.Parallel()
	for _, d := range Wsh() {
		limit := 5 << 10
		if strings.HasPrefix(d.Name, "wsh-core") {
			limit = 8 << 10
		}
		if len(d.Text) > limit {
			t.Errorf("%s has %d bytes, want at most %d", d.Name, len(d.Text), limit)
		}
		if len(d.Description) > 300 {
			t.Errorf("the description of %s has %d bytes, want at most 300", d.Name, len(d.Description))
		}
	}
}

// Each document names only skills that exist.
func TestReferences(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	for _, d := range Wsh() {
		known[d.Prompt] = true
	}
	for _, d := range Wsh() {
		for _, name := range regexp.MustCompile(`wsh:[a-z-]+`).FindAllString(d.Body, -1) {
			if !known[name] {
				t.Errorf("%s names %s, which does not exist", d.Name, name)
			}
		}
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		text, fails string
		want        Document
	}{
		"whole":       {text: "---\nname: n\ndescription: d (e)\n---\n\n# B\n---\nmore\n", want: Document{Name: "n", Description: "d (e)", Body: "# B\n---\nmore\n"}},
		"no start":    {text: "# B\n", fails: "no front matter"},
		"no end":      {text: "---\nname: n\n", fails: "no front matter"},
		"unknown key": {text: "---\nnome: n\n---\nB", fails: `unknown line "nome: n"`},
		"not YAML":    {text: "---\nname: n\ndescription: d: e\n---\nB", fails: "YAML would not read"},
		"no name":     {text: "---\ndescription: d\n---\nB", fails: "needs a name"},
		"no body":     {text: "---\nname: n\ndescription: d\n---\n", fails: "needs a name"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, err := parse(tt.text)
			if tt.fails != "" {
				if err == nil || !strings.Contains(err.Error(), tt.fails) {
					t.Errorf("error %v, want one with %q", err, tt.fails)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			tt.want.Text = tt.text
			if diff := cmp.Diff(tt.want, d); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
