package wsh

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"os"
	"time"

	"ui-mcp/internal/cli/attach"
	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/term/record"
	"ui-mcp/internal/term/vt"
)

type playCommand struct {
	File      fileName `arg:"" complete:"files" help:"The recording; - is standard input."`
	Speed     float64  `short:"s" default:"1" placeholder:"N" help:"Play N times as fast, from 0.0625 to 1000 (default: ${default})."`
	IdleLimit duration `short:"i" placeholder:"DURATION" help:"Shorten longer pauses to this (default: none is shortened)."`
	Text      bool     `help:"Print at once what is displayed in the end, as text: the lines that have scrolled off the screen, and those on it."`
}

func (playCommand) Help() string {
	return `Plays asciicast files of version 2 and 3 in the terminal. Space pauses, the arrows go five seconds back and forward, + and - change the speed, and q or Ctrl-C ends it. Of what a recording contains, only what can be displayed reaches the terminal.

    wsh play build.cast --speed 2 --idle-limit 1s
    wsh play build.cast --text | less`
}

func (c playCommand) run(ctx context.Context, e env) error {
	if !(c.Speed >= slowest && c.Speed <= fastest) { // which is so of NaN, too
		return fault.New(fault.Invalid, "--speed must be from %v to %v", slowest, fastest)
	}
	if c.IdleLimit.Duration < 0 {
		return fault.New(fault.Invalid, "--idle-limit must not be negative")
	}
	var in io.Reader
	var file *os.File
	if info, err := os.Stat(string(c.File)); c.File != "-" && (err != nil || info.Mode().IsRegular()) {
		if file, err = os.Open(string(c.File)); err != nil {
			return fault.Wrap(fault.Precondition, err, "read the recording")
		}
		defer file.Close()
		in = file
	} else {
		stream := e.In
		if c.File != "-" {
			stream = &namedStream{path: string(c.File)}
		}
		standard := readUntil(ctx, stream)
		defer standard.Close()
		in = standard
	}
	open := func() (*record.Reader, error) {
		reader, err := record.NewReader(in)
		return reader, fault.Wrap(fault.Invalid, err, "%s", c.File)
	}
	reader, err := open()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		return err
	}
	var again func() (*record.Reader, error)
	if file != nil {
		again = func() (*record.Reader, error) {
			if _, err := file.Seek(0, io.SeekStart); err != nil {
				return nil, fault.Wrap(fault.Precondition, err, "read the recording again")
			}
			return open()
		}
	}
	if c.Text {
		err = e.printText(ctx, reader)
	} else {
		out := newFilter(e.Out, commandline.IsTerminal(e.Out))
		err = errors.Join(c.play(ctx, e, reader, again, out), out.end())
	}
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// printText prints what a recording displays in the end as text: the lines that have scrolled off
// its screen, and those on it; also those of the alternate screen if the recording ends there.
func (e env) printText(ctx context.Context, reader *record.Reader) error {
	cols, rows := min(max(reader.Header.Cols, 1), vt.MaxSize), min(max(reader.Header.Rows, 1), vt.MaxSize)
	screen, err := vt.New(vt.Options{Cols: cols, Rows: rows, Scrollback: vt.MaxScrollback})
	if err != nil {
		return fault.Wrap(fault.Internal, err, "display the recording")
	}
	failed := reader.Replay(stoppable{ctx, screen}, math.MaxInt64)
	if errors.Is(failed, io.EOF) {
		failed = nil
	}
	first, _, end := screen.Extent()
	if first > 0 {
		e.note("the recording has %d lines, of which the last %d are printed", end, end-first)
	}
	_, list := screen.Lines(first, int(end-first))
	text := textOf(list)
	if now := screen.Snapshot(); now.AltScreen() {
		text = append(text, textOf(now.Lines)...)
	}
	return errors.Join(failed, e.writeFile("", text)) // also what came before a mistake
}

// textOf returns lines as text, without blank ones at the end. Those that were wrapped are joined.
func textOf(lines []vt.Line) []byte {
	var b bytes.Buffer
	for _, l := range lines {
		if l.Wraps {
			b.WriteString(l.Text)
		} else {
			b.WriteString(l.Plain() + "\n")
		}
	}
	return trimBlank(b.Bytes())
}

// A stoppable screen takes no more output once its context has ended.
type stoppable struct {
	ctx context.Context
	*vt.Terminal
}

// Write implements [record.Screen].
func (s stoppable) Write(b []byte) (int, error) {
	if s.ctx.Err() != nil {
		return 0, context.Cause(s.ctx)
	}
	return s.Terminal.Write(b)
}

// A namedStream reads a file that is not a regular one, such as a named pipe. It opens the file
// when it is first read: that waits until something writes to a named pipe. The file stays open
// until the process ends.
type namedStream struct {
	path string
	file *os.File
}

// Read implements [io.Reader].
func (s *namedStream) Read(b []byte) (n int, err error) {
	if s.file == nil {
		if s.file, err = os.Open(s.path); err != nil {
			return 0, err
		}
	}
	return s.file.Read(b)
}

// A player is where a recording is being played, and how. Times are in the recording, without
// what --idle-limit leaves out.
type player struct {
	speed  float64
	paused bool
	at     time.Duration // what is due has been played
}

// seekStep is how far the arrows go.
const seekStep = 5 * time.Second

// The limits of the speed.
const slowest, fastest = 1.0 / 16, 1000.0

// pass lets real time pass.
func (p *player) pass(d time.Duration) {
	if !p.paused {
		p.at += time.Duration(float64(max(d, 0)) * p.speed)
	}
}

// wait returns the real time until a moment is due, and false while playing is paused.
func (p *player) wait(due time.Duration) (time.Duration, bool) {
	if due <= p.at {
		return 0, true
	}
	return time.Duration(float64(due-p.at) / p.speed), !p.paused
}

// key does what a key asks for. It returns whether to play from the beginning up to the present
// moment, which is an earlier one, and whether to stop.
func (p *player) key(k overlay.Key) (rewind, quit bool) {
	ctrl := len(k.Modifiers) == 1 && k.Modifiers[0] == "ctrl"
	switch k.Key {
	case "c":
		quit = ctrl
	case "q", "Escape":
		quit = true
	case " ":
		p.paused = !p.paused
	case "+", "=":
		p.speed = min(p.speed*2, fastest)
	case "-":
		p.speed = max(p.speed/2, slowest)
	case "ArrowRight", "l":
		p.at += seekStep
	case "ArrowLeft", "h":
		p.at = max(p.at-seekStep, 0)
		rewind = true
	case "Home", "0":
		p.at = 0
		rewind = true
	}
	return rewind, quit
}

// keys does what typed keys ask for: see key.
func (p *player) keys(b []byte) (rewind, quit bool) {
	var s overlay.Splitter
	for len(b) > 0 && !quit {
		n, key := s.Next(b)
		if b = b[n:]; key != nil {
			var back bool
			back, quit = p.key(*key)
			rewind = rewind || back
		}
	}
	return rewind, quit
}

// A playlist has the outputs of a recording, each with the moment at which it is due.
type playlist struct {
	*record.Reader
	limit     time.Duration // of pauses; 0: none
	due, last time.Duration
}

// next returns the next output.
func (l *playlist) next() (data string, due time.Duration, err error) {
	for {
		event, err := l.Next()
		if err != nil {
			return "", 0, err
		}
		if event.Kind != "o" {
			continue
		}
		pause := max(event.At-l.last, 0)
		if l.last = event.At; l.limit > 0 {
			pause = min(pause, l.limit)
		}
		l.due += pause
		return event.Data, l.due, nil
	}
}

// blankScreen makes the terminal ready to play from the beginning.
const blankScreen = "\x1b[m\x1b[H\x1b[2J"

// play writes the outputs of a recording, each when it is due. Keys on a terminal pause and seek if
// the recording is a regular file, which again opens again; for others, again is nil.
func (c playCommand) play(ctx context.Context, e env, reader *record.Reader, again func() (*record.Reader, error), out *filter) error {
	p := player{speed: c.Speed}
	list := playlist{Reader: reader, limit: c.IdleLimit.Duration}
	typed := make(chan []byte, 16)
	in, inFile := e.In.(*os.File)
	screen, outFile := e.Out.(*os.File)
	if inFile && outFile && again != nil && !c.Text && commandline.IsTerminal(e.In) && commandline.IsTerminal(e.Out) {
		stop, err := attach.ReadKeys(in, screen, func(b []byte) {
			select {
			case typed <- b:
			default: // more keys than the player needs
			}
		})
		if err != nil {
			return err
		}
		defer func() { _ = stop() }()
	}
	clock := time.Now()
	for {
		data, due, err := list.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		for rewind, begun := false, false; !rewind && (len(data) > 0 || !begun); begun = true {
			var quit bool
			if rewind, quit = p.await(ctx, due, &clock, typed); quit {
				return nil
			}
			if rewind {
				if reader, err = again(); err != nil {
					return err
				}
				list = playlist{Reader: reader, limit: c.IdleLimit.Duration}
				data = blankScreen
			}
			n := min(len(data), maxPiece)
			if err := out.write([]byte(data[:n])); err != nil {
				return fault.Wrap(fault.Precondition, err, "write the output")
			}
			data = data[n:]
		}
	}
}

// maxPiece is how much is written before keys act, in bytes: a terminal may be slow.
const maxPiece = 4 << 10

// await waits until a moment is due, from when clock shows on, which it updates. Keys that were
// typed act first, even if the moment is due. It returns whether to play from the beginning up to
// the present moment, and whether to stop: see key.
func (p *player) await(ctx context.Context, due time.Duration, clock *time.Time, typed <-chan []byte) (rewind, quit bool) {
	for {
		now := time.Now()
		p.pass(now.Sub(*clock))
		*clock = now
		rest, plays := p.wait(due)
		select {
		case b := <-typed:
			rewind, quit = p.keys(b)
		default:
			if rest <= 0 {
				return false, ctx.Err() != nil
			}
			var after <-chan time.Time
			if plays {
				after = time.After(rest)
			}
			select {
			case b := <-typed:
				rewind, quit = p.keys(b)
			case <-after:
			case <-ctx.Done():
			}
		}
		if quit = quit || ctx.Err() != nil; rewind || quit {
			return rewind, quit
		}
	}
}
