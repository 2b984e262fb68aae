package popup

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/files"
	"ui-mcp/internal/popup/question"
)

// The files of an answer are where its asker finds them, also in the next run. Those of a reply
// that is refused or comes too late are not kept.
func TestFilesOfAnswers(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "answers")
	kept := func() (names []string) {
		entries, err := os.ReadDir(dir)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		for _, e := range entries {
			_, name, _ := strings.Cut(e.Name(), "-")
			names = append(names, name)
		}
		return names
	}
	store, err := files.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b := open(t, Options{Files: dir, Store: store}, newFakeChannel("page", Page, Possible))
	id := ask(t, b, deploy(t, func(s *question.Spec) { s.Options, s.Files = nil, 1 }))
	file := func(name string) question.File {
		return question.File{Name: name, Mime: "image/png", Size: 3, Data: []byte("abc")}
	}
	submit := func(list ...question.File) error {
		_, err := b.Answer(id, question.Reply{Action: question.Submit, Files: list}, "page")
		return err
	}
	if err := submit(file("a.png"), file("b.png")); fault.KindOf(err) != fault.Invalid || len(kept()) > 0 {
		t.Errorf("two files: %v, %v", err, kept())
	}
	if err := submit(file("../a.png")); err != nil {
		t.Fatal(err)
	}
	a := wait(t, b, id)
	if len(a.Files) != 1 || a.Source != question.FromFile || a.Value != "../a.png" || filepath.Dir(a.Files[0].Path) != dir {
		t.Fatalf("the answer is %+v", a)
	}
	if content, err := os.ReadFile(a.Files[0].Path); string(content) != "abc" || err != nil {
		t.Errorf("the file has %q, %v", content, err)
	}
	if err := submit(file("late.png")); fault.KindOf(err) != fault.Exists {
		t.Errorf("a second answer: %v", err)
	}
	if got := kept(); len(got) != 1 || got[0] != "a.png" {
		t.Errorf("there are %v", got)
	}
	b.Close()
	next := open(t, Options{Files: dir, Store: store})
	if again := wait(t, next, id); len(again.Files) != 1 || again.Files[0].Path != a.Files[0].Path {
		t.Errorf("the next run has %+v", again)
	}
	// Where no files are kept, their paths can be typed.
	b = open(t, Options{}, newFakeChannel("page", Page, Possible))
	id = ask(t, b, deploy(t, func(s *question.Spec) { s.Options, s.Files = nil, 1 }))
	if pending := b.Pending(); pending[0].Question.Files != 0 || !pending[0].Question.AllowText {
		t.Errorf("asked as %+v", pending[0].Question)
	}
	if err := submit(file("a.png")); fault.KindOf(err) != fault.Invalid {
		t.Errorf("a file where none are kept: %v", err)
	}
}
