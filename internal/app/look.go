package app

import (
	"context"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/look"
	"ui-mcp/internal/ui"
)

// A Looker looks at pages without a person. [look.Looker] implements it.
type Looker interface {
	Look(ctx context.Context, req look.Request) ([]look.Seen, error)
}

// A Look says how to look at the page of a session.
type Look struct {
	Path  string // see [ui.Inspection]; "" is the whole page
	Width int    // of the page, in CSS pixels; 0 means DefaultLookWidth
	Dark  bool
}

// DefaultLookWidth is the width of the page on a small laptop.
const DefaultLookWidth = 1280

// Look looks at the page of a session in a browser of its own: nothing about the session or for its
// person changes. The findings name the files of templates relative to the base directory.
func (a *App) Look(ctx context.Context, session string, how Look) (look.Seen, error) {
	if a.opts.Looker == nil || a.opts.Admit == nil {
		return look.Seen{}, fault.New(fault.Precondition, "this server takes no pictures")
	}
	r, s, err := a.session(ctx, session)
	if err != nil {
		return look.Seen{}, err
	}
	if err := r.engine.CatchUp(ctx, false); err != nil {
		return look.Seen{}, err
	}
	if how.Width == 0 {
		how.Width = DefaultLookWidth
	}
	req := look.Request{Ways: []look.Way{{Width: how.Width, Dark: how.Dark}}}
	list, err := lookAt(ctx, a.opts.Looker, a.opts.Admit, s, pageURL(r.url, session), how.Path, req)
	if err != nil {
		return look.Seen{}, err
	}
	return list[0], nil
}

// lookAt looks at a part of a session, whose page is at an address, in the ways of a request.
func lookAt(ctx context.Context, looker Looker, admit func(string) (string, func()), s *ui.Session, page, path string, req look.Request) ([]look.Seen, error) {
	area, seq, err := s.Area(ctx, path)
	if err != nil {
		return nil, err
	}
	if req.Seq = seq; path != "" {
		req.Area = &area
	}
	host, leave := admit(s.ID())
	defer leave()
	if req.URL, err = look.At(page, host); err != nil {
		return nil, err
	}
	req.PlacesOf = s.Places
	return looker.Look(ctx, req)
}
