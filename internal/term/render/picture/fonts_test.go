package picture

import (
	"bytes"
	"image"
	"math"
	"sync"
	"testing"

	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/goregular"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/testkit/load"
)

func embedded(t testing.TB, name string) []byte {
	t.Helper()
	data, err := files().ReadFile("fonts/" + name + ".ttf")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestEmbeddedFonts(t *testing.T) {
	list, err := files().ReadDir("fonts")
	if err != nil {
		t.Fatal(err)
	}
	used := map[*face]bool{}
	f := fontsOf(t)
	for st := range f.faces {
		for _, x := range f.order(fontStyle(st)) {
			used[x] = true
		}
	}
	if len(used) != len(list) {
		t.Errorf("%d fonts are used, and %d are embedded", len(used), len(list))
	}
	for st, all := range f.faces {
		x := all[0]
		near := func(a, b float64) bool { return math.Abs(a-b) < 0.001 }
		if !x.fixed || !near(x.width, emWidth) || !near(x.ascent, emAscent) || !near(x.descent, emDescent) {
			t.Errorf("font %d has a width of %v, an ascent of %v and a descent of %v, unlike the geometry", st, x.width, x.ascent, x.descent)
		}
		for r := rune('!'); r <= '~'; r++ {
			if x.advance(&f.buffer, r) != x.width {
				t.Errorf("font %d has no %c, or in another width", st, r)
			}
		}
	}
}

// Characters that programs often use have a glyph or are drawn by code.
func TestCoverage(t *testing.T) {
	f := fontsOf(t)
	for _, r := range "äßñçøłšžőğαωΩЖщїґԱӘ€£¥§©®™°±×÷µ¶•…–—‘’“”„«»‹›←↑→↓↔⇒∀∂∃∅∇∈∑√∞∩∪∫≈≠≤≥⌘⌥⏎■□▪▲△▶▷▼▽◀◆◇○●◦★☆☐☑☒♠♣♥♦♪✓✔✗✘❯❮➜⚠ℹ⎿⏺✻✽✶∴⁰¹²₀₁ﬁ\ue0a0" +
		"✅❌❗⭐✨⚡🚀🔥🎉📦📁📝🔧🐛🔒🔑🔍💡💻📊🌐🧪🗑👍👀💥🤖🐳🐍🦀☕🎯🚧🚨🔴🟢🟡😀😅🙂🤔" {
		found := drawnByCode(r)
		for _, x := range f.order(0) {
			id, err := x.font.GlyphIndex(&f.buffer, r)
			found = found || err == nil && id != 0
		}
		if !found {
			t.Errorf("no font has %c (U+%04X)", r, r)
		}
	}
}

func TestOwnFonts(t *testing.T) {
	draw := func(f *Fonts, out string) image.Image {
		t.Helper()
		s, err := newScene(frameOf(t, 10, 1, out), Options{NoCursor: true})
		if err != nil {
			t.Fatal(err)
		}
		r := f.draw(s)
		img := image.NewGray(image.Rect(0, 0, r.w, r.h))
		for i, c := range r.pix {
			img.Pix[i] = byte(c >> 8)
		}
		return img
	}
	same := func(a, b image.Image) bool {
		return bytes.Equal(a.(*image.Gray).Pix, b.(*image.Gray).Pix)
	}
	plain := fontsOf(t)
	mono, proportional := fontsOf(t, gomono.TTF), fontsOf(t, goregular.TTF)
	if same(draw(plain, "text"), draw(mono, "text")) {
		t.Error("a monospaced font does not replace the embedded one")
	}
	if same(draw(plain, "\x1b[1mtext"), draw(mono, "\x1b[1mtext")) || same(draw(mono, "text"), draw(mono, "\x1b[1mtext")) || same(draw(mono, "text"), draw(mono, "\x1b[3mtext")) {
		t.Error("it has no bold or italic letters")
	}
	if !same(draw(plain, "text"), draw(proportional, "text")) {
		t.Error("a proportional font replaces the embedded one")
	}
	both := fontsOf(t, goregular.TTF, gomono.TTF)
	order := both.order(boldStyle)
	if len(order) != 6 || order[0] != both.own[1] || order[1].style != boldStyle || order[3] != both.own[0] {
		t.Errorf("the fonts are used in the order %+v", order)
	}
}

func TestMalformedFonts(t *testing.T) {
	good := embedded(t, "DejaVuSans")
	for name, data := range map[string][]byte{"empty": nil, "text": []byte("not a font"), "cut": good[:100]} {
		if _, err := NewFonts(data); fault.KindOf(err) != fault.Invalid {
			t.Errorf("%s: %v, want an error of kind Invalid", name, err)
		}
	}
}

// A font that is broken inside must not end the server.
func FuzzFont(f *testing.F) {
	good := embedded(f, "DejaVuSans")
	f.Add(uint16(0), byte(1), uint16(300), byte(255))
	f.Add(uint16(12), byte(255), uint16(5000), byte(0))
	f.Fuzz(func(t *testing.T, at uint16, value byte, also uint16, other byte) {
		data := bytes.Clone(good)
		data[int(at)%len(data)] = value
		data[int(also)%len(data)] = other
		fonts, err := NewFonts(data)
		if err != nil {
			return
		}
		if _, err := fonts.PNG(frameOf(t, 12, 2, "M\u2460 \u2b50\u2780 x\u0301"), Options{}); err != nil {
			t.Fatal(err)
		}
	})
}

// The masks that are kept are bounded.
func TestMasksAreBounded(t *testing.T) {
	load.Sequential(t)
	f := fontsOf(t)
	for cell := MinCell; cell <= MaxCell; cell++ {
		for _, letters := range []string{"\x1b[1m", "\x1b[3m", ""} {
			out := letters
			for r := rune(0x400); r < 0x500; r++ {
				out += string(r)
			}
			if _, err := f.PNG(frameOf(t, 64, 4, out), Options{Cell: cell}); err != nil {
				t.Fatal(err)
			}
			if f.pixels > maxMaskPixels+MaxCell*MaxCell*8 {
				t.Fatalf("%d pixels of %d masks are kept", f.pixels, len(f.masks))
			}
		}
	}
}

// Fonts may be used by several goroutines at a time, from the first use on.
func TestConcurrentUse(t *testing.T) {
	fonts := fontsOf(t)
	f := frameOf(t, 20, 2, "text 漢 ─┐\x1b[1mbold")
	want, err := fontsOf(t).PNG(f, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var drawing sync.WaitGroup
	for range 4 {
		drawing.Go(func() {
			if got, err := fonts.PNG(f, Options{}); err != nil || !bytes.Equal(got, want) {
				t.Errorf("a picture that was drawn at the same time as others differs, or %v", err)
			}
		})
	}
	drawing.Wait()
}
