package bundle_test

import (
	"testing"

	uimcp "ui-mcp"
)

// README.md's first app is correct.
func TestReadmeApp(t *testing.T) {
	t.Parallel()
	s := &story{world: newWorld(t), file: "README.md"}
	// The text around the blocks names their files.
	names := map[string][]string{
		"lua":  {"apps/shopping/app.lua"},
		"html": {"apps/shopping/viewdefs/Shopping.DEFAULT.html", "apps/shopping/viewdefs/Item.list-item.html"},
	}
	for _, b := range blocks(t, uimcp.Readme) {
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
			t.Fatalf("README.md has no %s block for %s", language, left)
		}
	}
	s.show()
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
