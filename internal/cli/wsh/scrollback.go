package wsh

import (
	"context"
	"encoding/json"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
)

type scrollbackCommand struct {
	Session sessionName `arg:"" help:"The session."`
	Lines   *uint64     `short:"n" placeholder:"N" help:"Print only the last lines, this many."`
	Format  string      `short:"f" enum:",plain,color" default:"" placeholder:"FORMAT" help:"plain or color (default: color on a terminal, plain elsewhere)."`
	jsonFlag
}

// Help is the last part of what --help prints.
func (scrollbackCommand) Help() string {
	return `The lines that have left the screen, and then those on it. A program on the alternate screen, such as an editor, has no lines there.

    wsh scrollback build | less
    wsh scrollback build -n 50`
}

// pageLines is how many lines are read at a time.
const pageLines = 5000

// A page is an answer of terminals.GetScrollback.
type page struct {
	Lines  lines  `json:"lines"`
	Total  uint64 `json:"total_lines"`
	First  uint64 `json:"first"`
	Next   uint64 `json:"next"`
	Layout uint64 `json:"layout"`
}

func (c scrollbackCommand) run(ctx context.Context, e env) error {
	format := c.Format
	if format == "" {
		format = "plain"
		if e.isColoured() && !c.JSON {
			format = "color"
		}
	}
	return e.withServer(ctx, func(r *remote) error {
		all := page{}
		in := terminals.ScrollbackQuery{Target: target(c.Session), Formatted: terminals.Formatted{Format: wireFormat(format)}, Limit: new(uint64)}
		for begun := false; ; begun = true {
			*in.Limit = pageLines
			p, err := readPage(ctx, r, in)
			if err != nil {
				return err
			}
			if !begun {
				all.First, all.Layout = p.First, p.Layout
				if c.Lines != nil && *c.Lines < p.Total { // begin again where the last lines begin
					oldest := p.First
					in.From = new(oldest + p.Total - *c.Lines)
					if p, err = readPage(ctx, r, in); err != nil {
						return err
					}
					all.First = p.First
				}
			}
			if p.Layout != all.Layout {
				return fault.New(fault.Precondition, "the lines were wrapped again meanwhile: try again")
			}
			all.Total, all.Next = p.Total, p.Next
			n := p.Lines.len()
			if c.JSON {
				all.Lines.add(p.Lines)
			} else if err := e.writeFile("", lastPage(p.Lines.text(), n < pageLines)); err != nil {
				return err
			}
			if n < pageLines {
				break
			}
			in.From = new(p.Next)
		}
		if c.JSON {
			return e.printJSON(all)
		}
		return nil
	})
}

// lastPage removes empty lines from the end of the last page: the rest of the screen.
func lastPage(text []byte, last bool) []byte {
	if last {
		return trimBlank(text)
	}
	return text
}

func readPage(ctx context.Context, r *remote, in terminals.ScrollbackQuery) (p page, err error) {
	var raw json.RawMessage
	if err := r.Do(ctx, terminals.Everything, &terminals.GetScrollback.Operation, &in, &raw); err != nil {
		return p, err
	}
	return p, json.Unmarshal(raw, &p)
}

type searchCommand struct {
	Session    sessionName `arg:"" help:"The session."`
	Text       string      `arg:"" optional:"" help:"The text to find."`
	Pattern    string      `short:"e" placeholder:"REGEXP" help:"A regular expression to find instead."`
	IgnoreCase bool        `short:"i" help:"Upper and lower case are the same."`
	Limit      uint64      `short:"n" default:"1000" placeholder:"N" help:"Print at most so many of the newest matches (default: ${default})."`
	jsonFlag
}

// Help is the last part of what --help prints.
func (searchCommand) Help() string {
	return `Each line is a match: the number of the line, a colon, and the line, joined if it was wrapped. The history and the screen are searched. The status is 1 if nothing matches.

    wsh search build error
    wsh search build -i -e 'warn(ing)?:'`
}

func (c searchCommand) run(ctx context.Context, e env) error {
	return e.withServer(ctx, func(r *remote) error {
		found, raw, err := call(ctx, r, terminals.SearchScrollback, terminals.SearchQuery{
			Target: target(c.Session), Text: c.Text, Pattern: c.Pattern, IgnoreCase: c.IgnoreCase, Limit: &c.Limit, Newest: true,
		})
		if err != nil {
			return err
		}
		if c.JSON {
			err = e.printJSON(raw)
		}
		for _, m := range found.Matches {
			if err == nil && !c.JSON {
				err = e.printf("%d:%s\n", m.First, m.Line)
			}
		}
		if err == nil && len(found.Matches) == 0 {
			err = &statusError{status: exitFailure}
		}
		return err
	})
}
