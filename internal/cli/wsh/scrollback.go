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
