package mcpterm

import (
	"context"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/transport/mcpserver"
)

// compact returns styled lines in which a line without any style is a string. Plain lines are
// returned as they are.
func compact(lines wire.Lines) wire.Lines {
	styled, ok := lines.([][]wire.Span)
	if !ok {
		return lines
	}
	short := make([]any, len(styled))
	for i, spans := range styled {
		switch {
		case len(spans) == 0:
			short[i] = ""
		case len(spans) == 1 && spans[0] == wire.Span{Text: spans[0].Text}:
			short[i] = spans[0].Text
		default:
			short[i] = spans
		}
	}
	return short
}

type screenInput struct {
	Session  string  `json:"session"`
	Format   string  `json:"format,omitempty" enum:"styled plain" jsonschema:"styled (default): colored lines are lists of spans; plain: strings"`
	Composed bool    `json:"composed,omitempty" jsonschema:"with overlays and panels"`
	Since    *uint64 `json:"since,omitempty" jsonschema:"epoch you have: returns what has changed"`
	Image    bool    `json:"image,omitempty" jsonschema:"as PNG"`
}

func (f *Face) addScreen(s *mcpserver.Server) {
	add(s, f, mcpserver.Tool{
		Name:        "wsh_get_screen",
		Title:       "Read the screen",
		Description: "Returns a session's screen: lines (one a row), cursor, rows, cols and mode (alt: a full-screen program). The program may still be drawing: wsh_await_quiesce first.",
		Hints:       mcpserver.Hints{ReadOnly: mcpserver.Yes, Destructive: mcpserver.No, Idempotent: mcpserver.Yes, OpenWorld: mcpserver.No},
	}, func(ctx context.Context, in screenInput) (mcpserver.Result, error) {
		query := terminals.ScreenQuery{Target: terminals.Target{Session: in.Session}, Formatted: terminals.Formatted{Format: in.Format}}
		switch {
		case in.Since != nil && (in.Composed || in.Image):
			return mcpserver.Result{}, fault.New(fault.Invalid, "since goes without composed and image")
		case in.Since != nil:
			c, err := do(ctx, f, terminals.GetChanges, terminals.ScreenAfter{ScreenQuery: query, Epoch: *in.Since})
			c.Lines = compact(c.Lines)
			return mcpserver.Answer(c, err)
		case in.Image:
			return f.image(ctx, query)
		case in.Composed:
			p, err := do(ctx, f, terminals.GetPicture, query)
			p.Lines = compact(p.Lines)
			return mcpserver.Answer(p, err)
		}
		now, err := do(ctx, f, terminals.GetScreen, query)
		now.Lines = compact(now.Lines)
		return mcpserver.Answer(now.Screen, err)
	}, terminals.Read)
}

// image returns a picture of what the person sees, with what models need to point at it.
func (f *Face) image(ctx context.Context, in terminals.ScreenQuery) (mcpserver.Result, error) {
	drawn, err := do(ctx, f, terminals.DrawPicture, terminals.Drawing{Target: in.Target, Format: "png"})
	if err != nil {
		return mcpserver.Result{}, err
	}
	p, err := do(ctx, f, terminals.GetPicture, in)
	if err != nil {
		return mcpserver.Result{}, err
	}
	p.Lines = []string{}
	res, err := mcpserver.JSON(p)
	return res.WithImage(drawn.ContentType, drawn.Data), err
}

type scrollbackInput struct {
	Session string  `json:"session"`
	Offset  uint64  `json:"offset,omitempty" jsonschema:"first line, from the oldest; default 0"`
	Limit   *uint64 `json:"limit,omitempty" jsonschema:"lines at most, up to 500; default 100"`
	Format  string  `json:"format,omitempty" enum:"styled plain" jsonschema:"default styled"`
	From    *uint64 `json:"from,omitempty" jsonschema:"number of the first line, as next, omitted and matches tell"`
	Tail    bool    `json:"tail,omitempty" jsonschema:"the newest lines instead"`
	Search  string  `json:"search,omitempty" jsonschema:"regular expression: returns matches"`
}

// A scrollback is a part of the history.
type scrollback struct {
	wire.Scrollback
	Total uint64 `json:"total"` // of lines, by the name that the tool has always had
}

func newScrollback(p wire.Scrollback) scrollback {
	p.Lines = compact(p.Lines)
	return scrollback{p, p.TotalLines}
}

func (f *Face) addScrollback(s *mcpserver.Server) {
	add(s, f, mcpserver.Tool{
		Name:        "wsh_get_scrollback",
		Title:       "Read the history",
		Description: "Returns lines of a session's history, whose end is the screen, oldest first, and their total. To go on, pass next as from.",
		Hints:       mcpserver.Hints{ReadOnly: mcpserver.Yes, Destructive: mcpserver.No, Idempotent: mcpserver.Yes, OpenWorld: mcpserver.No},
	}, func(ctx context.Context, in scrollbackInput) (mcpserver.Result, error) {
		of := terminals.Target{Session: in.Session}
		if in.Search != "" {
			q := terminals.SearchQuery{Target: of, Pattern: in.Search, Limit: in.Limit, Newest: in.Tail}
			if in.From != nil {
				q.From = *in.From
			}
			return mcpserver.Answer(do(ctx, f, terminals.SearchScrollback, q))
		}
		limit := uint64(defaultPage)
		if in.Limit != nil {
			limit = min(*in.Limit, maxPage)
		}
		q := terminals.ScrollbackQuery{
			Target: of, Formatted: terminals.Formatted{Format: in.Format}, Offset: in.Offset, Limit: &limit, From: in.From,
		}
		if in.Tail {
			q.Tail, q.Trim = &limit, true
		}
		page, err := do(ctx, f, terminals.GetScrollback, q)
		return mcpserver.Answer(newScrollback(page), err)
	}, terminals.Read)
}

// How many lines of the history are returned unless the caller says, and at most.
const defaultPage, maxPage = 100, 500

type screenModeInput struct {
	Session string `json:"session"`
	Action  string `json:"action,omitempty" enum:"enter_alt exit_alt" jsonschema:"omit to get the mode"`
}

func (f *Face) addScreenMode(s *mcpserver.Server) {
	add(s, f, mcpserver.Tool{
		Name:        "wsh_screen_mode",
		Title:       "Switch screens",
		Description: "Gets or sets the displayed screen. enter_alt: an empty one for overlays and panels, while the program runs on; exit_alt removes what was made there. Returns mode: normal or alt.",
		Hints:       mcpserver.Hints{ReadOnly: mcpserver.No, Destructive: mcpserver.Yes, Idempotent: mcpserver.No, OpenWorld: mcpserver.No},
		Order:       ofSession,
	}, func(ctx context.Context, in screenModeInput) (mcpserver.Result, error) {
		of := terminals.Target{Session: in.Session}
		var err error
		switch in.Action {
		case "enter_alt":
			_, err = do(ctx, f, terminals.EnterAltScreen, of)
		case "exit_alt":
			_, err = do(ctx, f, terminals.ExitAltScreen, of)
		}
		if err != nil {
			return mcpserver.Result{}, err
		}
		return mcpserver.Answer(do(ctx, f, terminals.GetScreenMode, of))
	}, terminals.Draw)
}
