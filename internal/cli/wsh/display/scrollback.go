package display

import (
	"context"
	"encoding/json"
	"math"

	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
)

type Scrollback struct {
	Session caller.SessionName `arg:"" help:"The session."`
	Lines   *uint64            `short:"n" placeholder:"N" help:"Print only the last lines, this many."`
	Format  string             `short:"f" enum:",plain,color" default:"" placeholder:"FORMAT" help:"plain or color (default: color on a terminal, plain elsewhere)."`
	caller.JSONFlag
}

// PageLines is how many lines are read at a time.
const PageLines = 5000

// A Page is an answer of terminals.GetScrollback.
type Page struct {
	Lines  lines  `json:"lines"`
	Total  uint64 `json:"total_lines"`
	Offset uint64 `json:"offset,omitempty"`
	First  uint64 `json:"first"`
	Next   uint64 `json:"next"`
	Layout uint64 `json:"layout"`
}

// End returns the number that would follow the last line of all.
func (p *Page) End() uint64 { return p.First - p.Offset + p.Total }

func (c Scrollback) Run(ctx context.Context, e caller.Env) error {
	format := c.Format
	if format == "" {
		format = "plain"
		if e.IsColoured() && !c.JSON {
			format = "color"
		}
	}
	return e.WithServer(ctx, func(r *caller.Remote) error {
		in := terminals.ScrollbackQuery{Target: caller.Target(c.Session), Formatted: terminals.Formatted{Format: WireFormat(format)}, Trim: true}
		left := uint64(math.MaxUint64) // lines to print
		var all *Page
		if c.Lines != nil {
			end := in
			end.Before, end.Limit = new(uint64(math.MaxInt64)), new(uint64(0))
			p, err := ReadPage(ctx, r, end, nil)
			if err != nil {
				return err
			}
			left = min(*c.Lines, p.Offset)
			p.First, p.Offset = p.First-left, 0
			in.From, all = new(p.First), &p
		}
		for more := true; more; {
			in.Limit = new(min(left, PageLines))
			p, err := ReadPage(ctx, r, in, all)
			if err != nil {
				return err
			}
			n := uint64(p.Lines.len())
			left -= min(n, left)
			more = n == PageLines && left > 0
			if !c.JSON {
				if err := writeFile(e, "", p.Lines.Text()); err != nil {
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
			return e.PrintJSON(all)
		}
		return nil
	})
}

// ReadPage reads a page. before, unless nil, is an earlier page, whose layout numbers
// the lines.
func ReadPage(ctx context.Context, r *caller.Remote, in terminals.ScrollbackQuery, before *Page) (p Page, err error) {
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
