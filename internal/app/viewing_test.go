package app_test

import (
	"context"
	"maps"
	"net"
	"slices"
	"strings"
	"testing"

	"ui-mcp/internal/app"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/finding"
	"ui-mcp/internal/look"
	"ui-mcp/internal/testkit"
	"ui-mcp/internal/ui"
)

// A scriptedLooker sees what a test says.
type scriptedLooker func(n int, way look.Way) (look.Seen, error)

type countingLooker struct {
	see scriptedLooker
	n   int
}

func (l *countingLooker) Look(_ context.Context, req look.Request) (list []look.Seen, err error) {
	for _, way := range req.Ways {
		l.n++
		seen, err := l.see(l.n, way)
		if err != nil {
			return list, err
		}
		if list = append(list, seen); len(seen.Notes) > 0 {
			break
		}
	}
	return list, nil
}

// What was not looked at, or may only not have been there yet, is told once, and is no finding.
func TestCheckSaysWhatItHasNotSeen(t *testing.T) {
	pale := finding.Finding{Code: "contrast", File: errandsPage, Line: 3, What: "pale"}
	other := finding.Finding{Code: "contrast", File: "apps/other/viewdefs/Other.DEFAULT.html", Line: 3, What: "pale"}
	shell := finding.Finding{Code: "console", What: "an error"}
	sound := func(int, look.Way) (look.Seen, error) { return look.Seen{}, nil }
	for _, tt := range []struct {
		name  string
		see   scriptedLooker
		bare  bool   // the bundle is not installed
		lua   string // added to the app
		looks int
		found []string
		why   string // what was not looked at, and why
	}{
		{name: "sound", see: sound, looks: 8},
		{name: "no browser", see: func(int, look.Way) (look.Seen, error) {
			return look.Seen{}, fault.New(fault.Precondition, "no browser was found: install one")
		}, looks: 1, why: "not tried: how the app looks, since no browser was found: install one"},
		{name: "a browser that ends later", see: func(n int, _ look.Way) (look.Seen, error) {
			if n == 6 {
				return look.Seen{}, fault.New(fault.Gone, "it has ended")
			}
			return look.Seen{}, nil
		}, looks: 6, why: "not tried: how the app looks once its controls have been used, since it has ended"},
		{name: "a page that is not ready", see: func(int, look.Way) (look.Seen, error) {
			return look.Seen{Notes: []string{"components are loading"}, Findings: []finding.Finding{pale}}, nil
		}, looks: 1, why: "not tried: how the app looks, since components are loading"},
		{name: "not installed", see: sound, bare: true, why: "run ui-mcp install"},
		{name: "tainted", see: sound, lua: "function Errands:isFilled() os.execute('true') return #self.items > 0 end", looks: 4, why: "once its controls have been used, since the app asked for"},
		{name: "always", see: func(int, look.Way) (look.Seen, error) {
			return look.Seen{Findings: []finding.Finding{pale, other, shell}}, nil
		}, looks: 8, found: []string{"console: an error", errandsPage + ":3: contrast: pale"}},
		{name: "at times", see: func(n int, way look.Way) (look.Seen, error) {
			if way.Width == 390 && way.Dark && n > 4 {
				return look.Seen{Findings: []finding.Finding{pale}}, nil
			}
			return look.Seen{}, nil
		}, looks: 8, found: []string{errandsPage + ":3: contrast: pale, seen at a width of 390 px, in dark colours, once controls have been used"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			files := maps.Clone(errands)
			if !tt.bare {
				files["README.md"] = "# ui-mcp\n"
			}
			files[errandsLua] = strings.Replace(files[errandsLua], "if not session.reloading", tt.lua+"\nif not session.reloading", 1)
			for name, content := range files {
				testkit.Write(t, dir, name, content)
			}
			looker := &countingLooker{see: tt.see}
			open := 0
			found, err := app.Check(t.Context(), dir, "1.0", "errands", &app.Eyes{
				Looker: looker,
				Admit:  func(session string) (string, func()) { open++; return "secret.localhost", func() { open-- } },
				Serve: func(_ string, s *ui.Session, l net.Listener) (func(context.Context) error, error) {
					if s.ID() != "1" {
						t.Errorf("session %s is served", s.ID())
					}
					return func(context.Context) error { return l.Close() }, nil
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range found.Findings {
				got = append(got, f.String())
			}
			if !slices.Equal(got, tt.found) || looker.n != tt.looks || open != 0 {
				t.Errorf("%d looks, want %d; %d names are left; found %q, want %q", looker.n, tt.looks, open, got, tt.found)
			}
			unseen := slices.DeleteFunc(found.NotTried, func(u finding.Untried) bool { return !strings.Contains(u.What, "looks") })
			if tt.why == "" && len(unseen) > 0 || tt.why != "" && (len(unseen) != 1 || !strings.Contains(unseen[0].String(), tt.why)) {
				t.Errorf("not tried: %v, want %q", unseen, tt.why)
			}
		})
	}
}
