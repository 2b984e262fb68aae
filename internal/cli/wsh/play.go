package wsh

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"ui-mcp/internal/cli/attach"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/term/record"
)

type playCommand struct {
	File      fileName `arg:"" complete:"files" help:"The recording; - is standard input."`
	Speed     float64  `short:"s" default:"1" placeholder:"N" help:"Play N times as fast (default: ${default})."`
	IdleLimit duration `short:"i" placeholder:"DURATION" help:"Shorten longer pauses to this (default: none is shortened)."`
	Text      bool     `help:"Print the output at once, without escape sequences."`
}

// Help is the last part of what --help prints.
func (playCommand) Help() string {
	return `Plays asciicast files of version 2 and 3 in the terminal. Space pauses, the arrows go five seconds back and forward, + and - change the speed, and q or Ctrl-C ends it. Of what a recording contains, only what can be displayed reaches the terminal.

    wsh play build.cast --speed 2 --idle-limit 1s
    wsh play build.cast --text | less`
}

func (c playCommand) run(ctx context.Context, e env) error {
	if c.Speed <= 0 {
		return fault.New(fault.Invalid, "--speed must be more than 0")
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
	onTerminal := isTerminal(e.Out)
	out := newFilter(e.Out, onTerminal && !c.Text)
	err = c.play(ctx, e, reader, again, out)
	if err = errors.Join(err, out.end()); ctx.Err() != nil {
		return nil
	}
	return err
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

// A player is where a recording is being played, and how. Times are those of the recording, without
// what --idle-limit leaves out.
type player struct {
	speed  float64
	paused bool
	at     time.Duration // what is due has been played
}

// seekStep is how far the arrows go.
const seekStep = 5 * time.Second

// The speeds that keys can set.
const slowest, fastest = 1.0 / 16, 256

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
		n, key := s.Next(b, len(b) == 1)
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
	if inFile && outFile && again != nil && !c.Text && isTerminal(e.In) && isTerminal(e.Out) {
		stop, err := attach.ReadKeys(in, screen, func(b []byte) {
			select {
			case typed <- b:
			default: // keys that nobody needs
			}
		})
		if err != nil {
			return err
		}
		defer func() { _ = stop() }()
	}
	last := time.Now()
	for {
		data, due, err := list.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		for !c.Text {
			now := time.Now()
			p.pass(now.Sub(last))
			last = now
			rest, plays := p.wait(due)
			if rest <= 0 {
				break
			}
			var after <-chan time.Time
			if plays {
				after = time.After(rest)
			}
			select {
			case <-after:
				continue
			case <-ctx.Done():
				return nil
			case b := <-typed:
				rewind, quit := p.keys(b)
				if quit {
					return nil
				}
				if !rewind {
					continue
				}
			}
			if reader, err = again(); err != nil {
				return err
			}
			list = playlist{Reader: reader, limit: c.IdleLimit.Duration}
			if _, err := io.WriteString(e.Out, blankScreen); err != nil {
				return fault.Wrap(fault.Precondition, err, "write the output")
			}
			data = ""
			break
		}
		if err := out.write([]byte(data)); err != nil {
			return fault.Wrap(fault.Precondition, err, "write the output")
		}
	}
}
