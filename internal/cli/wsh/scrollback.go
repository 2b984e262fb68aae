package wsh

import (
	"context"
	"encoding/json"
	"math"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
)

type scrollbackCommand struct {
	Session sessionName `arg:"" help:"The session."`
	Lines   *uint64     `short:"n" placeholder:"N" help:"Print only the last lines, this many."`
	Format  string      `short:"f" enum:",plain,color" default:"" placeholder:"FORMAT" help:"plain or color (default: color on a terminal, plain elsewhere)."`
	jsonFlag
}

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
	Offset uint64 `json:"offset,omitempty"`
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
		in := terminals.ScrollbackQuery{Target: target(c.Session), Formatted: terminals.Formatted{Format: wireFormat(format)}, Trim: true}
		left := uint64(math.MaxUint64) // lines to print
		var all *page
		if c.Lines != nil {
			end := in
			end.Before, end.Limit = new(uint64(math.MaxInt64)), new(uint64(0))
			p, err := readPage(ctx, r, end, nil)
			if err != nil {
				return err
			}
			left = min(*c.Lines, p.Offset)
			p.First, p.Offset = p.First-left, 0
			in.From, all = new(p.First), &p
		}
		for more := true; more; {
			in.Limit = new(min(left, pageLines))
			p, err := readPage(ctx, r, in, all)
			if err != nil {
				return err
			}
			n := uint64(p.Lines.len())
			left -= min(n, left)
			more = n == pageLines && left > 0
			if !c.JSON {
				if err := e.writeFile("", p.Lines.text()); err != nil {
					return err
				}
				p.Lines = lines{}
			}
			if in.From = new(p.Next); all == nil {
				all = &p
				continue
			}
			all.Total, all.Next = p.Total, p.Next
			all.Lines.add(p.Lines)
		}
		if c.JSON {
			return e.printJSON(all)
		}
		return nil
	})
}

// readPage reads a page. before, unless nil, is an earlier page, whose layout numbers
// the lines.
func readPage(ctx context.Context, r *remote, in terminals.ScrollbackQuery, before *page) (p page, err error) {
	var raw json.RawMessage
	if err := r.Do(ctx, terminals.Everything, &terminals.GetScrollback.Operation, &in, &raw); err != nil {
		return p, err
	}
	err = json.Unmarshal(raw, &p)
	if err == nil && before != nil && p.Layout != before.Layout {
		err = fault.New(fault.Precondition, "the lines were wrapped again meanwhile: try again")
	}
	return p, err
}
