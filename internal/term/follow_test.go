package term_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/term/vt"
	"ui-mcp/internal/testkit/wait"
)

// pick returns one of the parts of a text between |.
func pick(r *rand.Rand, from string) string {
	parts := strings.Split(from, "|")
	return parts[r.IntN(len(parts))]
}

// randomOp makes an operation on elements, of which there may be some.
func randomOp(r *rand.Rand) string {
	kind, place := "overlay", fmt.Sprintf(`"x":%d,"y":%d,"width":%d`, r.IntN(30)-4, r.IntN(12)-2, r.IntN(12))
	if r.IntN(3) == 0 {
		kind, place = "panel", fmt.Sprintf(`"position":"%s"`, pick(r, "top|bottom"))
	}
	content := fmt.Sprintf(`%s,"height":%d,"background":%s,"spans":[{"text":"%s","fg":"%s"},{"text":"%s"}]`, place, 1+r.IntN(3),
		pick(r, `null|"red"|{"rgb":{"r":1,"g":2,"b":3}}`), pick(r, `a|title|日本語|two\nrows|`), pick(r, "green|bright_blue|default"), pick(r, `|more|😀`))
	switch r.IntN(8) {
	case 0, 1, 2:
		return fmt.Sprintf(`[{"op":"create","type":"%s",%s}]`, kind, content)
	case 3, 4:
		return fmt.Sprintf(`[{"op":"update","type":"%s","id":"%s-%d",%s}]`, kind, kind, 1+r.IntN(6), content)
	case 5, 6:
		return fmt.Sprintf(`[{"op":"remove","type":"%s","id":"%s-%d"}]`, kind, kind, 1+r.IntN(6))
	default:
		return fmt.Sprintf(`[{"op":"clear","type":"%s"},{"op":"create","type":"%s",%s}]`, kind, kind, content)
	}
}

// applyRandom carries out an operation, which may be about an element that is not there.
func applyRandom(ctx context.Context, s *term.Session, r *rand.Rand) (string, error) {
	text := randomOp(r)
	var ops []overlay.Op
	err := json.Unmarshal([]byte(text), &ops)
	if err == nil {
		_, err = s.ApplyElements(ctx, ops...)
	}
	if kind := fault.KindOf(err); err != nil && kind != fault.NotFound && kind != fault.Exhausted {
		return text, fmt.Errorf("%s: %w", text, err)
	}
	return text, nil
}

// The bytes sent to a client's terminal always make it show as much of the picture as fits,
// whatever programs, agents and persons do.
func TestClientShowsThePicture(t *testing.T) {
	t.Parallel()
	const output = "a|hello world|日本|e\u0301|👩\u200d💻|\r\n|\r\n\r\n\r\n|\x1b[H|\x1b[2J|\x1b[K|\x1b[2;2H|\x1b[m|\x1b[1;31m|\x1b[44m|\x1b[7m|\x1b[S|\x1b[T|\x1b[L|\x1b[2;4r|\x1b[r|" +
		"\x1b[?25l|\x1b[?25h|\x1b[?5h|\x1b[?5l|\x1b[?1049h|\x1b[?1049l|\x1b[?2026h|\x1b[?2026l|\x1b]2;title\x1b\\|\x1b]11;#000040\x1b\\|\x1bc"
	for seed := range uint64(40) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			bubble(t, func(t *testing.T, p *script, s *term.Session) {
				r := rand.New(rand.NewPCG(seed, 5))
				same, other, screens := window(t, 20, 4), window(t, 1+r.IntN(30), 1+r.IntN(8)), window(t, 1+r.IntN(30), 1+r.IntN(8))
				windows := map[*vt.Terminal]*term.Viewer{same: attach(t, s), other: attach(t, s), screens: attachWith(t, s, term.ViewerOptions{Screens: true})}
				fit := func(w *vt.Terminal) {
					cols, rows := w.Size()
					must(t, windows[w].Fit(t.Context(), cols, rows))
				}
				fit(other)
				fit(screens)
				for step := range 40 {
					what := ""
					var err error
					switch n := r.IntN(20); {
					case n < 10:
						for range 1 + r.IntN(8) {
							what += pick(r, output)
						}
						p.say(what)
					case n < 16:
						what, err = applyRandom(t.Context(), s, r)
					case n < 18:
						cols, rows := 1+r.IntN(30), 1+r.IntN(8)
						what = fmt.Sprintf("resize %dx%d", cols, rows)
						err = errors.Join(s.Resize(t.Context(), cols, rows), same.Resize(cols, rows))
						fit(same)
					case n < 19:
						what = "screen"
						if mode, _ := s.ScreenMode(t.Context()); mode == overlay.Primary {
							err = s.EnterAltScreen(t.Context())
						} else {
							_ = s.ExitAltScreen(t.Context()) // it may be the program's
						}
					default:
						what = "time"
						time.Sleep(time.Second)
					}
					if err != nil {
						t.Fatalf("step %d, %s: %v", step, what, err)
					}
					time.Sleep(20 * time.Millisecond)
					synctest.Wait()
					f, err := s.Picture(t.Context())
					must(t, err)
					for _, w := range []*vt.Terminal{same, other, screens} {
						c := windows[w]
						ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
						b, err := c.Next(ctx)
						cancel()
						if err != nil && !errors.Is(err, context.DeadlineExceeded) {
							t.Fatal(err)
						}
						if w != same && r.IntN(4) == 0 {
							// The window is resized while a part of the picture is on its way.
							cut := r.IntN(len(b) + 1)
							_, _ = w.Write(b[:cut])
							must(t, w.Resize(1+r.IntN(30), 1+r.IntN(8)))
							_, _ = w.Write(b[cut:])
							fit(w)
							time.Sleep(20 * time.Millisecond)
							b, err = c.Next(t.Context())
							must(t, err)
							if f, err = s.Picture(t.Context()); err != nil { // a switch of screens takes effect late
								t.Fatal(err)
							}
						}
						if _, err := w.Write(b); err != nil {
							t.Fatal(err)
						}
						cols, rows := w.Size()
						if d := sameAs(f.Fit(cols, rows).Outside(f), w); d != "" {
							t.Fatalf("step %d, %q: after %q (-want +got):\n%s", step, what, b, d)
						}
					}
				}
			})
		})
	}
}

// A viewer shows a client's pictures on a terminal until there are no more.
type viewer struct {
	w    *vt.Terminal // read after done
	done chan struct{}
	err  error // why there are no more; read after done
}

func view(t testing.TB, s *term.Session, cols, rows int) *viewer {
	t.Helper()
	c := attach(t, s)
	must(t, c.Fit(t.Context(), cols, rows))
	return watchTerminal(c, window(t, cols, rows))
}

// watchTerminal shows a client's pictures on a terminal of the right size.
func watchTerminal(c *term.Viewer, w *vt.Terminal) *viewer {
	v := &viewer{w: w, done: make(chan struct{})}
	go func() {
		defer close(v.done)
		for {
			b, err := c.Next(context.Background())
			if err != nil {
				v.err = err
				return
			}
			_, _ = v.w.Write(b) // a terminal cannot refuse
		}
	}()
	return v
}

// A hundred clients and agents at once, while the program floods: in the end, every client's
// terminal shows the last picture.
func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	p := newScript()
	r := scripted(t, nil, p)
	s := create(t, r, registry.CreateOptions{Name: "s", Cols: 40, Rows: 10})
	var viewers []*viewer
	for i := range 50 {
		viewers = append(viewers, view(t, s, 40-i%3, 10+i%2))
	}
	var agents sync.WaitGroup
	for seed := range uint64(50) {
		agents.Go(func() {
			r := rand.New(rand.NewPCG(seed, 6))
			for range 20 {
				var err error
				switch r.IntN(6) {
				case 0:
					err = s.CaptureInput(t.Context())
				case 1:
					err = s.ReleaseInput(t.Context())
				case 2:
					_, err = s.Picture(t.Context())
				case 3:
					_, err = s.Elements(t.Context(), overlay.Panel)
				default:
					_, err = applyRandom(t.Context(), s, r)
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	for i := range 300 {
		p.say(fmt.Sprintf("\x1b[3%dmline %d\r\n", i%8, i))
		if i%50 == 25 {
			p.say("\x1b[?1049h\x1b[2J\x1b[Hfull screen")
		}
		if i%50 == 49 {
			p.say("\x1b[?1049l")
		}
	}
	agents.Wait()
	p.end(tty.Exit{})
	for i, v := range viewers {
		wait.For(t, "the end of a viewer", v.done)
		f, err := s.Picture(t.Context())
		must(t, err)
		cols, rows := v.w.Size()
		if d := sameRows(f.Fit(cols, rows), v.w); d != "" || fault.KindOf(v.err) != fault.Gone {
			t.Fatalf("viewer %d: %v (-want +got):\n%s", i, v.err, d)
		}
	}
}
