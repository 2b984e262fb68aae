package app

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"strings"

	"ui-mcp/internal/finding"
	"ui-mcp/internal/install"
	"ui-mcp/internal/look"
	"ui-mcp/internal/ui"
	"ui-mcp/internal/ui/lua"
)

// Eyes are what a check needs to look at pages.
type Eyes struct {
	// Looker and Admit are as in [Options].
	Looker Looker
	Admit  func(session string) (host string, leave func())
	// Serve serves the pages of a session with the files of a base directory, to nobody but whom
	// Admit has admitted. It owns the listener, even if it fails; stop is as in [Serve].
	Serve func(dir string, s *ui.Session, l net.Listener) (stop func(context.Context) error, err error)
}

// ways are how a check looks at pages: as on a phone and on a small laptop.
var ways = []look.Way{{Width: 390}, {Width: 390, Dark: true}, {Width: DefaultLookWidth}, {Width: DefaultLookWidth, Dark: true}}

// A viewing looks at the pages of an app that is being checked.
type viewing struct {
	eyes     *Eyes
	dir, app string
	sights   []*sight
	untried  []finding.Untried
}

type sight struct {
	finding.Finding
	widths map[int]bool
	dark   map[bool]bool
	used   map[bool]bool
}

// look looks at a session in all ways, and tells once if that is not possible.
func (v *viewing) look(ctx context.Context, s *ui.Session, used bool) {
	if len(v.untried) > 0 {
		return
	}
	if why := v.lookAt(ctx, s, used); why != "" {
		what := "how the app looks"
		if used {
			what += " once its controls have been used"
		}
		v.untried = append(v.untried, finding.Untried{What: what, Why: why})
	}
}

// lookAt returns why a look was not possible, or "".
func (v *viewing) lookAt(ctx context.Context, s *ui.Session, used bool) (why string) {
	if install.NeedsInstall(v.dir) {
		return "the bundled files are not installed, which pages need: run ui-mcp install"
	}
	l, err := OpenPort(0, 0, "")
	if err != nil {
		return err.Error()
	}
	url := pageURL("http://"+l.Addr().String(), s.ID())
	stop, err := v.eyes.Serve(v.dir, s, l)
	if err != nil {
		return err.Error()
	}
	served := &endpoint{l.Addr(), stop}
	defer served.close(slog.New(slog.DiscardHandler))
	list, err := lookAt(ctx, v.eyes.Looker, v.eyes.Admit, s, url, "", look.Request{Ways: ways, NoPicture: true})
	for i, seen := range list {
		if len(seen.Notes) > 0 {
			return strings.Join(seen.Notes, ", ") // what is missing may look like a fault
		}
		for _, f := range seen.Findings {
			v.add(f, ways[i], used)
		}
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

// add adds a finding, unless it is in a file of another app.
func (v *viewing) add(f finding.Finding, way look.Way, used bool) {
	if of := lua.AppOf(f.File); of != "" && of != v.app {
		return
	}
	var at *sight
	for _, s := range v.sights {
		if s.Code == f.Code && s.File == f.File && s.Line == f.Line && (f.Line > 0 || s.What == f.What) {
			at = s
		}
	}
	if at == nil {
		at = &sight{Finding: f, widths: map[int]bool{}, dark: map[bool]bool{}, used: map[bool]bool{}}
		v.sights = append(v.sights, at)
	}
	at.widths[way.Width], at.dark[way.Dark], at.used[used] = true, true, true
}

// findings returns what was seen, each fault once, with when it was seen if that is not always.
func (v *viewing) findings() (list []finding.Finding) {
	for _, s := range v.sights {
		var when []string
		if len(s.widths) == 1 {
			for width := range s.widths {
				when = append(when, fmt.Sprintf("at a width of %d px", width))
			}
		}
		if len(s.dark) == 1 {
			when = append(when, map[bool]string{true: "in dark colours", false: "in light colours"}[s.dark[true]])
		}
		if !s.used[false] {
			when = append(when, "once controls have been used")
		}
		if len(when) > 0 {
			s.What += ", seen " + strings.Join(when, ", ")
		}
		list = append(list, s.Finding)
	}
	return list
}
