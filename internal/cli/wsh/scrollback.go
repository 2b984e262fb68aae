package wsh

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"

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
		in := terminals.ScrollbackQuery{Target: target(c.Session), Formatted: terminals.Formatted{Format: wireFormat(format)}, Limit: new(uint64(pageLines))}
		all, err := readPage(ctx, r, in, nil)
		if err != nil {
			return err
		}
		left := uint64(math.MaxUint64) // lines to print
		if c.Lines != nil {
			var end uint64
			if end, err = c.end(ctx, r, all); err != nil {
				return err
			}
			left = min(*c.Lines, end-all.First)
			in.From, *in.Limit = new(end-left), min(left, pageLines)
			if all, err = readPage(ctx, r, in, &all); err != nil {
				return err
			}
		}
		for p := all; ; {
			n := uint64(p.Lines.len())
			left -= min(n, left)
			if !c.JSON {
				if err := e.writeFile("", lastPage(p.Lines.text(), n < pageLines)); err != nil {
					return err
				}
			}
			if n < pageLines || left == 0 {
				break
			}
			in.From, *in.Limit = new(p.Next), min(left, pageLines)
			if p, err = readPage(ctx, r, in, &all); err != nil {
				return err
			}
			all.Total, all.Next = p.Total, p.Next
			if c.JSON {
				all.Lines.add(p.Lines)
			}
		}
		if c.JSON {
			return e.printJSON(all)
		}
		return nil
	})
}

// end returns the number after the last line that is not blank. any is a page of the lines.
func (c scrollbackCommand) end(ctx context.Context, r *remote, any page) (uint64, error) {
	end := any.First + any.Total
	for end > any.First {
		n := min(end-any.First, pageLines)
		in := terminals.ScrollbackQuery{Target: target(c.Session), Formatted: terminals.Formatted{Format: "plain"}, From: new(end - n), Limit: &n}
		p, err := readPage(ctx, r, in, &any)
		if err != nil {
			return 0, err
		}
		for i, line := range slices.Backward(p.Lines.plain) {
			if strings.TrimSpace(line) != "" {
				return p.First + uint64(i) + 1, nil
			}
		}
		end -= n
	}
	return end, nil
}

// lastPage removes empty lines from the end of the last page: the rest of the screen.
func lastPage(text []byte, last bool) []byte {
	if last {
		return trimBlank(text)
	}
	return text
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
