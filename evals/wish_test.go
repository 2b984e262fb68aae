//go:build unix

package evals

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// A wish is what a person asks of an agent, how they check it, and a solution of ours. Its file is
// an archive: the wish itself, then
//
//	given/PATH    files that are in the project at the start
//	with          steps of the person while the agent works
//	checks        steps of the person afterwards, each check below a line "# what holds"
//	faults        changes of the solution, "old" "new", each of which must fail a check
//	calls         the calls of the solution's agent, each a tool and its arguments, in which
//	              {project} is the project's directory
//	project/PATH  files of the solution, below the project
//	PATH          files of the solution, below the base directory
type wish struct {
	file, name string
	text       string
	given      []txtar.File
	checks     []check // the first may be the person's steps while the agent works
	with       bool    // it is
	faults     []fault
	calls      string
	solution   []txtar.File
}

// A check holds if all of its steps succeed.
type check struct {
	what  string
	steps []step
}

// A step is something that the person does or looks for: a verb and its arguments.
type step struct {
	source string
	words  []string
}

// A fault replaces a part of the solution.
type fault struct{ old, new string }

// readWishes returns the wishes whose names match a pattern, in the order of their names.
func readWishes(t testing.TB, pattern string) (list []wish) {
	t.Helper()
	names, err := filepath.Glob("wishes/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	match := regexp.MustCompile(pattern)
	for _, name := range names {
		if !match.MatchString(strings.TrimSuffix(filepath.Base(name), ".txt")) {
			continue
		}
		w, err := readWish(name)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		list = append(list, w)
	}
	if len(list) == 0 {
		t.Fatalf("no wish matches %q", pattern)
	}
	return list
}

func readWish(file string) (w wish, err error) {
	if w.file, err = filepath.Abs(file); err != nil {
		return w, err
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return w, err
	}
	archive := txtar.Parse(data)
	w.name = strings.TrimSuffix(filepath.Base(file), ".txt")
	w.text = strings.Join(strings.Fields(string(archive.Comment)), " ")
	for _, f := range archive.Files {
		text := string(f.Data)
		switch path, given := strings.CutPrefix(f.Name, "given/"); {
		case given:
			w.given = append(w.given, txtar.File{Name: path, Data: f.Data})
		case f.Name == "with":
			w.with = true
			w.checks, err = readChecks("# With the person\n" + text)
		case f.Name == "checks":
			var list []check
			list, err = readChecks(text)
			w.checks = append(w.checks, list...)
		case f.Name == "faults":
			w.faults, err = readFaults(text)
		case f.Name == "calls":
			w.calls = text
		default:
			w.solution = append(w.solution, f)
		}
		if err != nil {
			return w, err
		}
	}
	return w, nil
}

// word is a quoted string, or anything without blanks.
var word = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|\S+`)

func split(line string) (list []string, err error) {
	for _, w := range word.FindAllString(line, -1) {
		if w[0] == '"' {
			if w, err = strconv.Unquote(w); err != nil {
				return nil, fmt.Errorf("%s: %w", line, err)
			}
		}
		list = append(list, w)
	}
	return list, nil
}

func readChecks(text string) (list []check, err error) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if what, ok := strings.CutPrefix(line, "# "); ok {
			list = append(list, check{what: what})
			continue
		}
		words, err := split(line)
		if err != nil {
			return nil, err
		}
		if len(words) == 0 {
			continue
		}
		if v, known := verbs[words[0]]; !known || len(words)-1 < v.least || len(words)-1 > v.most || len(list) == 0 {
			return nil, fmt.Errorf("%q is no step of a check", line)
		}
		last := &list[len(list)-1]
		last.steps = append(last.steps, step{line, words})
	}
	return list, nil
}

func readFaults(text string) (list []fault, err error) {
	for line := range strings.Lines(text) {
		words, err := split(line)
		if err != nil {
			return nil, err
		}
		if len(words) != 2 {
			return nil, fmt.Errorf("%q is no fault", line)
		}
		list = append(list, fault{words[0], words[1]})
	}
	return list, nil
}

// faulty returns the wish with a fault in its solution.
func (w wish) faulty(f fault) (wish, error) {
	found := strings.Contains(w.calls, f.old)
	w.calls = strings.ReplaceAll(w.calls, f.old, f.new)
	files := append([]txtar.File(nil), w.solution...)
	for i, file := range files {
		text := string(file.Data)
		found = found || strings.Contains(text, f.old)
		files[i].Data = []byte(strings.ReplaceAll(text, f.old, f.new))
	}
	w.solution = files
	if !found {
		return w, fmt.Errorf("the solution of %s does not have %q", w.name, f.old)
	}
	return w, nil
}
