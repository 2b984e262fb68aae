package popup

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/files"
	"ui-mcp/internal/popup/core"
	"ui-mcp/internal/popup/question"
)

// The files of an answer are where its asker finds them, also in the next run. Those of a reply
// that is refused or comes too late are not kept.
func TestFilesOfAnswers(t *testing.T) {
	base := filepath.Join(t.TempDir(), "base")
	dir := filepath.Join(base, "data", "answers")
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
	b := open(t, Options{Files: base, Store: store}, newFakeChannel("page", core.Page, core.Possible))
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
	if len(a.Files) != 1 || a.Source != question.FromFile || a.Files[0].Name != "../a.png" || filepath.Dir(a.Files[0].Path) != dir {
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
	next := open(t, Options{Files: base, Store: store})
	if again := wait(t, next, id); len(again.Files) != 1 || again.Files[0].Path != a.Files[0].Path {
		t.Errorf("the next run has %+v", again)
	}
	// Where no files are kept, their paths can be typed.
	b = open(t, Options{}, newFakeChannel("page", core.Page, core.Possible))
	id = ask(t, b, deploy(t, func(s *question.Spec) { s.Options, s.Files = nil, 1 }))
	if pending := b.Pending(); pending[0].Question.Files != 0 || !pending[0].Question.AllowText || !strings.HasSuffix(pending[0].Question.Message, "type their paths.") {
		t.Errorf("asked as %+v", pending[0].Question)
	}
	if err := submit(file("a.png")); fault.KindOf(err) != fault.Invalid {
		t.Errorf("a file where none are kept: %v", err)
	}
}

// A reply that has no files, as one that dismisses, brings none, however many there are.
func TestFilesOfNoAnswer(t *testing.T) {
	base := t.TempDir()
	b := open(t, Options{Files: base}, newFakeChannel("page", core.Page, core.Possible))
	for _, action := range []question.Action{question.Dismiss, question.Decline} {
		id := ask(t, b, deploy(t, nil))
		if _, err := b.Answer(id, question.Reply{Action: action, Files: make([]question.File, 1000)}, "page"); err != nil {
			t.Fatal(err)
		}
		if a := wait(t, b, id); len(a.Files) > 0 {
			t.Errorf("%s has %d files", action, len(a.Files))
		}
	}
	if entries, err := os.ReadDir(base); err != nil || len(entries) > 0 {
		t.Errorf("there are %v, %v", entries, err)
	}
}

// No link leads the files out of the base directory.
func TestFilesStayInTheBaseDirectory(t *testing.T) {
	for _, link := range []string{"data", "data/answers"} {
		base, elsewhere := t.TempDir(), t.TempDir()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(base, link)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(elsewhere, filepath.Join(base, link)); err != nil {
			t.Skip(err)
		}
		b := open(t, Options{Files: base}, newFakeChannel("page", core.Page, core.Possible))
		id := ask(t, b, deploy(t, func(s *question.Spec) { s.Options, s.Files = nil, 1 }))
		_, err := b.Answer(id, question.Reply{Action: question.Submit, Files: []question.File{{Name: "a"}}}, "page")
		if entries, _ := os.ReadDir(elsewhere); fault.KindOf(err) != fault.Exhausted || len(entries) > 0 {
			t.Errorf("with a link at %s: %v, %v", link, err, entries)
		}
	}
}

// New files of answers replace those that are old, and the oldest where there are too many; what
// others put there stays.
func TestOldFilesOfAnswers(t *testing.T) {
	base := t.TempDir()
	dir := filepath.Join(base, "data", "answers")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	answer := []question.File{{Name: "a", Data: []byte("ab")}, {Name: "b", Data: []byte("c")}}
	for name, f := range map[string]struct {
		size int64
		age  time.Duration
	}{
		"aaaaaaaa-fits": {maxFilesTotal - 3, time.Hour}, "bbbbbbbb-over": {1, 2 * time.Hour}, "cccccccc-old": {0, maxFilesAge + time.Hour},
		"dddddddd-folder": {-1, maxFilesAge + time.Hour}, "theirs": {1, maxFilesAge + time.Hour}, "x-theirs": {1, maxFilesAge + time.Hour},
	} {
		path, at := filepath.Join(dir, name), time.Now().Add(-f.age)
		var err error
		if f.size < 0 {
			err = os.Mkdir(path, 0o700)
		} else {
			err = errors.Join(os.WriteFile(path, nil, 0o600), os.Truncate(path, f.size))
		}
		if err := errors.Join(err, os.Chtimes(path, at, at)); err != nil {
			t.Fatal(err)
		}
	}
	b := open(t, Options{Files: base}, newFakeChannel("page", core.Page, core.Possible))
	id := ask(t, b, deploy(t, func(s *question.Spec) { s.Options, s.Files = nil, 2 }))
	if _, err := b.Answer(id, question.Reply{Action: question.Submit, Files: answer}, "page"); err != nil {
		t.Fatal(err)
	}
	want := []string{"aaaaaaaa-fits", "dddddddd-folder", "theirs", "x-theirs"}
	for _, f := range wait(t, b, id).Files {
		want = append(want, filepath.Base(f.Path))
	}
	entries, err := os.ReadDir(dir)
	var left []string
	for _, e := range entries {
		left = append(left, e.Name())
	}
	slices.Sort(want)
	if !slices.Equal(left, want) || len(want) != 6 || err != nil {
		t.Errorf("there are %q, want %q and the files of the answer: %v", left, want, err)
	}
}
