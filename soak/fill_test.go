//go:build linux

package soak

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// A session keeps the newest of its output, of what was typed and of its shell's marks. Where all
// of it is full from the beginning, what grows afterwards is a leak.
const (
	historyLines    = 1000 // above the screen, as the soak's sessions are created
	historyTyped    = 1000 // entries of what was typed
	historyCommands = 1024 // of which each has four marks
)

// click is what the mouse sends for a click, in the form that the program asks for.
const click = "\x1b[<0;1;1M"

// filling is what a program does first: it takes clicks, of which each is an entry, and displays
// lines like those that will be typed.
var filling = fmt.Sprintf(`stty raw -echo; printf '\033[?1000h\033[?1006h'; head -c %d >/dev/null; printf '\033[?1000l\033[?1006l'; stty sane; seq -f 'got typist%%g:100' %d; `,
	historyTyped*len(click), historyLines+100)

// fill sends the clicks, as soon as the program asks for them, and waits until it has displayed the
// lines: from then on it reads lines.
func (x *shellServer) fill(ctx context.Context, session string) error {
	clicks := slices.Repeat([]any{map[string]any{"action": "press", "button": "left", "row": 0, "col": 0}}, historyTyped)
	for begin := time.Now(); ; {
		err := x.do(ctx, x.addr, "POST", "/sessions/"+session+"/input/keys", map[string]any{"keys": []string{}, "mouse": clicks}, nil)
		if err == nil {
			last := fmt.Sprintf("typist%d:100", historyLines+100)
			return x.do(ctx, x.addr, "GET", "/sessions/"+session+"/wait/text?max_wait_ms=60000&text="+last, nil, nil)
		}
		if !isError(err, "precondition_failed") || time.Since(begin) > x.s.patience || !sleep(ctx, 20*time.Millisecond) {
			return err
		}
	}
}

// beginShell creates a session of a shell, and fills its histories.
func (x *shellServer) beginShell(ctx context.Context, name string) error {
	at := "/sessions/" + name
	err := x.do(ctx, x.addr, "POST", "/sessions", map[string]any{"name": name, "cwd": x.s.dir, "tags": []string{"soak"}, "scrollback": historyLines}, nil)
	if err != nil {
		return err
	}
	for _, step := range []func() error{
		func() error {
			return x.do(ctx, x.addr, "POST", at+"/run", map[string]any{"line": filling, "background": true, "max_wait_ms": 60_000}, nil)
		},
		func() error { return x.fill(ctx, name) },
		func() error { return x.do(ctx, x.addr, "GET", at+"/wait/prompt?max_wait_ms=60000", nil, nil) },
		func() error {
			return x.do(ctx, x.addr, "POST", at+"/input", strings.Repeat(":\n", historyCommands), nil)
		},
		func() error { return x.do(ctx, x.addr, "GET", at+"/wait/prompt?max_wait_ms=60000", nil, nil) },
	} {
		if err := step(); err != nil {
			x.s.note("unknown", "the histories of %s: %v", name, err) // the runs in it are checked all the same
			return nil
		}
	}
	return nil
}
