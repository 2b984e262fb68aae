package bundle_test

import (
	"os"
	"path/filepath"
	"testing"

	uimcp "ui-mcp"
)

// document returns a page of docs.
func document(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "docs", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// followFiles follows the blocks of a document that are files with these names, by language. The
// text around the blocks names the files.
func (s *story) followFiles(markdown string, names map[string][]string) {
	s.t.Helper()
	for _, b := range blocks(s.t, markdown) {
		if len(names[b.language]) == 0 {
			continue // settings of other programs
		}
		name := names[b.language][0]
		names[b.language] = names[b.language][1:]
		begin, end := "-- ", "\n"
		if b.language == "html" {
			begin, end = "<!-- ", " -->\n"
		}
		b.code = begin + name + end + b.code
		s.follow(b)
	}
	for language, left := range names {
		if len(left) > 0 {
			s.t.Fatalf("%s has no %s block for %s", s.file, language, left)
		}
	}
	s.show()
}

// README.md's app is correct.
func TestReadmeApp(t *testing.T) {
	t.Parallel()
	s := &story{world: newWorld(t), file: "README.md"}
	s.followFiles(uimcp.Readme, map[string][]string{
		"lua":  {"apps/counter/app.lua"},
		"html": {"apps/counter/viewdefs/Counter.DEFAULT.html"},
	})
	if got := s.text("1", `counter:add() counter:add() return tostring(counter.n)`); got != "2" {
		t.Errorf("after two presses the counter is at %s", got)
	}
	s.leave()
}

// The first app of docs/tutorial.md is correct.
func TestTutorialApp(t *testing.T) {
	t.Parallel()
	s := &story{world: newWorld(t), file: "docs/tutorial.md"}
	s.followFiles(document(t, "tutorial.md"), map[string][]string{
		"lua":  {"apps/shopping/app.lua"},
		"html": {"apps/shopping/viewdefs/Shopping.DEFAULT.html", "apps/shopping/viewdefs/Item.list-item.html"},
	})
	const use = `
		local s = shopping
		s:add()
		s.text = "Milk"; s:add()
		s.text = "Bread"; s:add()
		s.items[1].bought = true
		local before = s:summary()
		s.items[1]:remove()
		s:finish()
		return before .. ", " .. #s.items .. ", " .. s.items[1].text .. s.text
	`
	if got, want := s.text("1", use), "1 to buy, 1, Bread"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := s.events("1"), `[{"app":"shopping","event":"finished","summary":"1 to buy"}]`; got != want {
		t.Errorf("events %s, want %s", got, want)
	}
	s.leave()
}
