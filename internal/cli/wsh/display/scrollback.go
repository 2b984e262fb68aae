package display

import (
	"cmp"
	"context"
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

// A Page is an answer of terminals.GetScrollback, whose lines are a list of a type that fits.
type Page[Lines any] struct {
	Lines  Lines  `json:"lines"`
	Total  uint64 `json:"total_lines"`
	Offset uint64 `json:"offset,omitempty"`
	First  uint64 `json:"first"`
	Next   uint64 `json:"next"`
	Layout uint64 `json:"layout"`
}

// End returns the number that would follow the last line of all.
func (p *Page[Lines]) End() uint64 { return p.First - p.Offset + p.Total }

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
		var all *Page[lines]
		if c.Lines != nil {
			end := in
			end.Before, end.Limit = new(uint64(math.MaxInt64)), new(uint64(0))
			p, err := ReadPage[lines](ctx, r, end)
			if err != nil {
				return err
			}
			left = min(*c.Lines, p.Offset)
			p.First, p.Offset = p.First-left, 0
			in.From, all = new(p.First), &p
		}
		for more := true; more; {
			in.Limit = new(min(left, PageLines))
			p, err := ReadPage[lines](ctx, r, in)
			if err != nil {
				return err
			}
			n := uint64(len(p.Lines))
			left -= min(n, left)
			more = n == PageLines && left > 0
			if !c.JSON {
				text, err := p.Lines.text()
				if err := cmp.Or(err, writeFile(e, "", text)); err != nil {
					return err
				}
				p.Lines = nil
			}
			switch in.From = new(p.Next); {
			case all == nil:
				all = &p
			case p.Layout != all.Layout:
				return fault.New(fault.Precondition, "the lines were wrapped again meanwhile: try again")
			default:
				all.Total, all.Next, all.Lines = p.Total, p.Next, append(all.Lines, p.Lines...)
			}
		}
		if c.JSON {
			return e.PrintJSON(all)
		}
		return nil
	})
}

// ReadPage reads a page.
func ReadPage[Lines any](ctx context.Context, r *caller.Remote, in terminals.ScrollbackQuery) (p Page[Lines], err error) {
	err = r.Do(ctx, terminals.Everything, &terminals.GetScrollback.Operation, &in, &p)
	return p, err
}
