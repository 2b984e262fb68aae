package picture

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/term/render"
	"ui-mcp/internal/term/vt"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// frameOf returns the frame of a program's output.
func frameOf(t testing.TB, cols, rows int, out string) *render.Frame {
	t.Helper()
	x, err := vt.New(vt.Options{Cols: cols, Rows: rows})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := x.Write([]byte(out)); err != nil {
		t.Fatal(err)
	}
	return render.Compose(x.Snapshot(), &overlay.Snapshot{Layout: overlay.Layout{Cols: cols, Rows: rows}})
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("%s (-file +drawn):\n%s", file, d)
	}
}

// cellAt returns a cell of a picture as it is drawn, and the colour around all cells.
func cellAt(t *testing.T, f *render.Frame, o Options, col, row int) (cell, rgb) {
	t.Helper()
	s, err := newScene(f, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range s.line(row).cells {
		if c.col <= col && col < c.col+c.width {
			return c, s.page
		}
	}
	return cell{look: look{fg: s.page, bg: s.base}, text: " "}, s.page
}

// filled returns the colour that fills a cell, in which there is a full block or nothing.
func filled(c cell) rgb {
	if c.blank() {
		return c.bg
	}
	return c.fg
}

// Everything that can be drawn, once, as text and for review in a browser.
const everything = "\x1b]0;a <title>\x1b\\" +
	"\x1b[1mbold\x1b[m \x1b[3mitalic\x1b[m \x1b[1;3mboth\x1b[m \x1b[2mfaint\x1b[m \x1b[7minverse\x1b[m \x1b[8mhidden\x1b[m|\r\n" +
	"\x1b[4mone\x1b[m \x1b[4:2mtwo\x1b[m \x1b[4:3;58:2::255:80:80mwave\x1b[m \x1b[4:4mdots\x1b[m \x1b[4:5mdashes\x1b[m \x1b[9mstrike\x1b[m \x1b[53mover\x1b[m\r\n" +
	"\x1b[31mred\x1b[92mgreen\x1b[38;5;208morange\x1b[48;2;1;2;3mdirect\x1b[m <a&b> \"q\"\r\n" +
	"\x1b]8;;https://example.com/?a=1&b=\x1b\\a link\x1b]8;;\x1b\\ 漢字 é e\u0301 ✓ 🚀\r\n" +
	"╭─┬─╮ ╔═╗ ░█▀ ⣿ \ue0b0\r\n" +
	"\x1b#6wide ┌┐\r\n\x1b#3tall\r\n\x1b#4tall\r\n$ "

func TestSVG(t *testing.T) {
	b, err := SVG(frameOf(t, 44, 9, everything), Options{})
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "screen.svg", b)
}

// A page has the drawing, which by itself is the fragment.
func TestHTML(t *testing.T) {
	f := frameOf(t, 44, 9, everything)
	drawing, err := SVG(f, Options{Theme: Light})
	if err != nil {
		t.Fatal(err)
	}
	for fragment, want := range map[bool]string{
		true:  string(drawing),
		false: "<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n<title>a &lt;title&gt;</title>\n</head>\n<body style=\"margin:0\">\n" + string(drawing) + "</body>\n</html>\n",
	} {
		if b, err := HTML(f, Options{Theme: Light, Fragment: fragment}); string(b) != want || err != nil {
			t.Errorf("fragment %v: %.300s, %v", fragment, b, err)
		}
	}
}

// A page of HTML and a document of SVG that come from a program's output must not be able to do
// anything.
func TestNothingRuns(t *testing.T) {
	f := frameOf(t, 60, 5, "\x1b]0;</title><script>x</script>\x1b\\<script>alert(1)</script> \" ' <img src=x onerror=y>\r\n"+
		"\x1b]8;;https://a/\"onmouseover=\"x\x1b\\link\x1b]8;;\x1b\\\r\n\x1b]8;;javascript:x\x1b\\not one\x1b]8;;\x1b\\")
	page, err := HTML(f, Options{})
	if err != nil {
		t.Fatal(err)
	}
	z := html.NewTokenizer(bytes.NewReader(page))
	links := 0
	for z.Next() != html.ErrorToken {
		token := z.Token()
		switch token.Data {
		case "script", "img", "iframe", "object":
			if token.Type == html.StartTagToken {
				t.Errorf("there is an element %v", token)
			}
		}
		for _, a := range token.Attr {
			if strings.HasPrefix(a.Key, "on") {
				t.Errorf("there is a handler: %v", token)
			}
			if a.Key == "href" {
				links++
				if a.Val != `https://a/"onmouseover="x` {
					t.Errorf("there is a link to %q", a.Val)
				}
			}
		}
	}
	if links != 1 {
		t.Errorf("there are %d links, want 1", links)
	}
	drawing, err := SVG(f, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range elements(t, drawing) {
		for _, a := range e.Attr {
			if strings.HasPrefix(a.Name.Local, "on") {
				t.Errorf("there is a handler: %v", e)
			}
		}
		switch e.Name.Local {
		case "svg", "title", "rect", "g", "path", "a", "text":
		default:
			t.Errorf("there is an element %s", e.Name.Local)
		}
	}
}

// elements reads an XML document and returns the starts of its elements.
func elements(t testing.TB, document []byte) []xml.StartElement {
	t.Helper()
	var out []xml.StartElement
	d := xml.NewDecoder(bytes.NewReader(document))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatalf("the document is not XML: %v\n%s", err, document)
		}
		if e, ok := token.(xml.StartElement); ok {
			out = append(out, e.Copy())
		}
	}
}

func TestColors(t *testing.T) {
	dark, light := schemes[Dark], schemes[Light]
	for name, c := range map[string]struct {
		out  string
		o    Options
		want rgb // of the first cell, which is a full block
	}{
		"default":                  {"█", Options{}, dark.text},
		"of a light theme":         {"█", Options{Theme: Light}, light.text},
		"red":                      {"\x1b[31m█", Options{}, dark.ansi[1]},
		"bright red":               {"\x1b[91m█", Options{}, dark.ansi[9]},
		"of the cube":              {"\x1b[38;5;208m█", Options{}, 0xff8700},
		"direct":                   {"\x1b[38;2;1;2;3m█", Options{}, 0x010203},
		"inverse":                  {"\x1b[31;7m█", Options{}, dark.background},
		"inverse screen":           {"\x1b[?5h\x1b[31m█", Options{}, dark.background},
		"twice inverse":            {"\x1b[?5h\x1b[31;7m█", Options{}, dark.ansi[1]},
		"background":               {"\x1b[44m ", Options{}, dark.ansi[4]},
		"concealed":                {"\x1b[44;8m█", Options{}, dark.ansi[4]},
		"faint":                    {"\x1b[2;38;2;255;255;255;48;2;0;0;0m█", Options{}, 0x8f8f8f},
		"set by the program":       {"\x1b]4;1;#123456\x1b\\\x1b[31m█", Options{}, 0x123456},
		"default set by a program": {"\x1b]10;#123456\x1b\\█", Options{}, 0x123456},
		"ground set by a program":  {"\x1b]11;#123456\x1b\\ ", Options{}, 0x123456},
	} {
		t.Run(name, func(t *testing.T) {
			c.o.NoCursor = true
			cell, _ := cellAt(t, frameOf(t, 4, 2, c.out), c.o, 0, 0)
			if got := filled(cell); got != c.want {
				t.Errorf("the cell is %06x, want %06x", got, c.want)
			}
		})
	}
	if _, got := cellAt(t, frameOf(t, 4, 2, "\x1b]11;#123456\x1b\\"), Options{}, 0, 0); got != 0x123456 {
		t.Errorf("around the cells it is %v, want the background that the program has set", got)
	}
	if _, got := cellAt(t, frameOf(t, 4, 2, "\x1b[?5h"), Options{}, 0, 0); got != dark.text {
		t.Errorf("around the cells of an inverse screen it is %v, want the colour of text", got)
	}
}

func TestCursor(t *testing.T) {
	dark := schemes[Dark]
	for _, tt := range []struct {
		name, out string
		o         Options
		want      rgb // of the cell
		mark      mark
	}{
		{"a block", "a", Options{}, dark.text, noMark},
		{"none, since it is left out", "a", Options{NoCursor: true}, dark.background, noMark},
		{"a hidden one", "a\x1b[?25l", Options{}, dark.background, noMark},
		{"a block of the program's colour", "a\x1b]12;#123456\x1b\\", Options{}, 0x123456, noMark},
		{"a block on inverse text", "a\x1b[7m \x1b[1;2H", Options{}, dark.background, noMark},
		{"a block on a wide character", "\u3000\x1b[H", Options{}, dark.text, noMark},
		{"a bar", "a\x1b[6 q", Options{}, dark.background, barMark},
		{"an underline", "a\x1b[4 q", Options{}, dark.background, underlineMark},
	} {
		c, _ := cellAt(t, frameOf(t, 4, 2, tt.out), tt.o, 1, 0)
		if c.bg != tt.want || c.mark != tt.mark || tt.mark != noMark && c.markColor != dark.text {
			t.Errorf("%s: the cell is %06x with the mark %d of %06x, want %06x with %d", tt.name, c.bg, c.mark, c.markColor, tt.want, tt.mark)
		}
	}
}

func TestRows(t *testing.T) {
	f := frameOf(t, 4, 5, "a\r\nb\r\n\x1b[41m \x1b[m\r\nd")
	g := geometryOf(DefaultCell)
	for _, tt := range []struct{ first, rows, want int }{{2, 1, 1}, {3, 100, 2}} {
		w, h, err := Size(f, Options{FirstRow: tt.first, Rows: tt.rows})
		if err != nil || w != 4*g.w+2*g.pad || h != tt.want*g.h+2*g.pad {
			t.Errorf("%d rows from %d on: %d by %d pixels, %v", tt.rows, tt.first, w, h, err)
		}
	}
	if c, _ := cellAt(t, f, Options{FirstRow: 2, Rows: 1}, 0, 0); c.bg != schemes[Dark].ansi[1] {
		t.Errorf("the row that was asked for is %06x", c.bg)
	}
}

func TestOptions(t *testing.T) {
	f := frameOf(t, 4, 2, "")
	for name, o := range map[string]Options{
		"theme": {Theme: "blue"}, "small cell": {Cell: MinCell - 1}, "large cell": {Cell: MaxCell + 1}, "negative cell": {Cell: -1},
		"first row": {FirstRow: 2}, "negative first row": {FirstRow: -1}, "rows": {Rows: -1},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := Size(f, o)
			if fault.KindOf(err) != fault.Invalid {
				t.Errorf("Size: %v", err)
			}
			_, err = SVG(f, o)
			if fault.KindOf(err) != fault.Invalid {
				t.Errorf("SVG: %v", err)
			}
			_, err = HTML(f, o)
			if fault.KindOf(err) != fault.Invalid {
				t.Errorf("HTML: %v", err)
			}
		})
	}
}

func TestTooLarge(t *testing.T) {
	f := frameOf(t, 1000, 1000, "")
	for _, o := range []Options{{}, {Rows: 5, Cell: MaxCell}} {
		if _, _, err := Size(f, o); fault.KindOf(err) != fault.Invalid {
			t.Errorf("1000 by 1000 cells, %+v: %v", o, err)
		}
	}
	if _, _, err := Size(f, Options{Rows: 50, Cell: MinCell}); err != nil {
		t.Errorf("50 rows of it: %v", err)
	}
}

// The bound of documents is high enough for usual ones, and excludes only extreme ones.
func TestDocumentSize(t *testing.T) {
	var colors, wide strings.Builder
	for i := range 300 * 60 {
		fmt.Fprintf(&colors, "\x1b[0;1;3;4:3;9;53;38;2;%d;%d;1;48;2;%[2]d;%[1]d;2;58;2;%[1]d;%[2]d;3m\u00e9", i%256, i/256)
		wide.WriteString("漢")
	}
	for name, f := range map[string]*render.Frame{
		"text": frameOf(t, 300, 60, strings.Repeat("text ", 60*60)), "colours": frameOf(t, 300, 60, colors.String()), "wide": frameOf(t, 300, 60, wide.String()),
		"links":      frameOf(t, 300, 60, "\x1b]8;;http://example.com/\x1b\\"+strings.Repeat("\x1b[1ma\x1b[mb", 150*60)),
		"long links": frameOf(t, 300, 60, "\x1b]8;;http://example.com/"+strings.Repeat("&", 2000)+"\x1b\\"+strings.Repeat("漢", 150*60)),
	} {
		bound := 0
		for _, l := range f.Lines {
			bound += documentSize(l)
		}
		if b, err := SVG(f, Options{}); err != nil || len(b) > bound+4096 {
			t.Errorf("%s has %d bytes, and %d are the bound: %v", name, len(b), bound, err)
		}
	}
	if _, err := HTML(frameOf(t, 1000, 1000, strings.Repeat("text ", 200_000)), Options{}); err != nil {
		t.Errorf("1000 by 1000 letters: %v", err)
	}
	large := frameOf(t, 1000, 300, strings.Repeat("\x1b[31ma\x1b[32mb", 150_000))
	if _, err := HTML(large, Options{}); fault.KindOf(err) != fault.Invalid {
		t.Errorf("300,000 cells with colours of their own: %v", err)
	}
}

func FuzzPictures(f *testing.F) {
	f.Add(everything, uint8(30), uint8(8), uint8(10), false)
	f.Add("\x1b[?5h\x1b]11;#fff\x1b\\\x1b#6日本\x1b[4:3;9;53;58:5:9mx\u202e\ufffe", uint8(3), uint8(2), uint8(4), true)
	f.Fuzz(func(t *testing.T, out string, cols, rows, cell uint8, light bool) {
		frame := frameOf(t, 1+int(cols)%60, 1+int(rows)%20, out)
		o := Options{Cell: MinCell + int(cell)%(20-MinCell)}
		if light {
			o.Theme = Light
		}
		b, err := SVG(frame, o)
		if err != nil {
			t.Fatal(err)
		}
		elements(t, b)
	})
}
