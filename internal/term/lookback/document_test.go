package lookback

import (
	"strings"
	"testing"

	"ui-mcp/internal/term/vt"
)

// Each character of a paragraph is found in its row and column, in any order. Those of one row are
// found without reading the row again, so that a row of many matches does not cost the square of
// them.
func TestParagraphCells(t *testing.T) {
	term, err := vt.New(vt.Options{Cols: 7, Rows: 4, Scrollback: 100})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := term.Write([]byte(strings.Repeat("aé日e\u0301本b-", 9) + "\r\nnext")); err != nil {
		t.Fatal(err)
	}
	_, _, end := term.Extent()
	first, lines := term.Lines(0, int(end))
	list := split(first, lines, maxRows, true)
	if len(list) < 2 || len(list[0].rows) < 10 {
		t.Fatalf("%d paragraphs, the first of %d rows", len(list), len(list[0].rows))
	}
	p := &list[0]
	type cellAt struct {
		at    vt.Position
		width int
	}
	var want []cellAt // of each byte
	for y, row := range p.rows {
		for c := range row.Cells() {
			for range len(c.Text) {
				want = append(want, cellAt{vt.Position{Line: first + uint64(y), Col: c.Col}, c.Width})
			}
		}
	}
	for i := range p.text {
		for _, offset := range []int{i, len(p.text) - 1 - i} {
			if at, width := p.cell(offset); (cellAt{at, width}) != want[offset] {
				t.Errorf("the cell at %d is %v, %d wide, want %v", offset, at, width, want[offset])
			}
		}
	}
	from, to := p.within(first+2, first+4)
	if want[from].at.Line != first+2 || want[from-1].at.Line != first+1 || want[to].at.Line != first+4 || want[to-1].at.Line != first+3 {
		t.Errorf("rows 2 and 3 are the bytes %d to %d", from, to)
	}
	if from, to := p.within(0, end+9); from != 0 || to != len(p.text) {
		t.Errorf("all rows are the bytes %d to %d of %d", from, to, len(p.text))
	}
	for y := range p.rows {
		start := 0
		if y > 0 {
			start = p.ends[y-1]
		}
		p.cell(start)
		p.rows[y] = vt.Line{}
		for offset := start; offset < p.ends[y]; offset++ {
			if at, width := p.cell(offset); (cellAt{at, width}) != want[offset] {
				t.Fatalf("row %d was read again: the cell at %d is %v, %d wide, want %v", y, offset, at, width, want[offset])
			}
		}
	}
}
