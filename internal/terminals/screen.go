package terminals

import (
	"cmp"
	"context"
	"math"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/terminals/wire"
)

// Formatted is the part of inputs that says how lines are represented.
type Formatted struct {
	Format string `json:"format,omitempty" jsonschema:"styled: each line is a list of spans; plain: each line is a string" default:"\"styled\""`
}

func (f *Formatted) checkFormat() error {
	_, err := wire.ParseFormat(f.Format)
	return err
}

// format returns the format, which [Local] has checked.
func (f *Formatted) format() wire.Format { return cmp.Or(wire.Format(f.Format), wire.Styled) }

// ScreenQuery is the input of [GetScreen] and [GetPicture].
type ScreenQuery struct {
	Target
	Formatted
}

// Screen is the answer of [GetScreen].
type Screen struct {
	wire.Screen
	LastActivityMS int64 `json:"last_activity_ms" jsonschema:"milliseconds since the last output or input"`
}

// AppendJSON is [wire.Append] for interfaces that have values of any type.
func (s *Screen) AppendJSON(b []byte) []byte { return wire.Append(b, s) }

// ScreenAfter is the input of [AwaitScreen] and [GetChanges].
type ScreenAfter struct {
	ScreenQuery
	Epoch uint64 `json:"epoch" jsonschema:"epoch of the screen that the caller has"`
}

// ScrollbackQuery is the input of [GetScrollback].
type ScrollbackQuery struct {
	Target
	Formatted
	Offset uint64  `json:"offset,omitempty" jsonschema:"first line, counted from the oldest line kept" default:"0"`
	From   *uint64 `json:"from,omitempty" jsonschema:"number of the first line, as in first and next of the answer; overrides offset"`
	Before *uint64 `json:"before,omitempty" jsonschema:"number of the line after the last one, to read backwards; overrides offset and from"`
	Tail   *uint64 `json:"tail,omitempty" jsonschema:"only the last lines, this many; overrides all others" min:"0"`
	Trim   bool    `json:"trim,omitempty" jsonschema:"leave out the blank rows at the end of the screen"`
	Limit  *uint64 `json:"limit,omitempty" jsonschema:"lines at most; more than 10000 count as 10000" default:"100" min:"0"`
}

// SearchQuery is the input of [SearchScrollback].
type SearchQuery struct {
	Target
	Text       string  `json:"text,omitempty" jsonschema:"text to find, of at most 1,000 bytes"`
	Pattern    string  `json:"pattern,omitempty" jsonschema:"regular expression to find instead of a text, of at most 1,000 bytes; ^ and $ match at the ends of lines"`
	IgnoreCase bool    `json:"ignore_case,omitempty" jsonschema:"whether upper and lower case are the same" default:"false"`
	From       uint64  `json:"from,omitempty" jsonschema:"number of the first line to search" default:"0"`
	Limit      *uint64 `json:"limit,omitempty" jsonschema:"matches at most; more than 1000 count as 1000" default:"100" min:"1"`
	Newest     bool    `json:"newest,omitempty" jsonschema:"whether to return the last matches instead of the first" default:"false"`
}

// CommandQuery is the input of [GetCommandOutput].
type CommandQuery struct {
	Target
	Prompt *uint64 `json:"prompt,omitempty" jsonschema:"number of the line with the command's prompt, as in command.list; omitted: the last command with output"`
}

// CommandOutput is the answer of [GetCommandOutput].
type CommandOutput struct {
	Prompt     uint64 `json:"prompt" jsonschema:"number of the line with the command's prompt"`
	Text       string `json:"text" jsonschema:"the output, without blanks and empty lines at its end" foreign:"lines"`
	TooLong    bool   `json:"too_long,omitempty" jsonschema:"the output has more than 1 MiB and is left out: scrollback.get returns its lines"`
	FullScreen bool   `json:"full_screen,omitempty" jsonschema:"the command also had the alternate screen, which text does not have"`
}

// The limits of lines in one answer of [GetScrollback].
const (
	defaultPage = 100
	maxPage     = 10_000
)

// ScreenMode is the answer of [GetScreenMode].
type ScreenMode struct {
	Mode overlay.ScreenMode `json:"mode" jsonschema:"normal or alt"`
}

// Operations on screens.
var (
	GetScreen = onSession(Operation{
		Name: "screen.get", Aliases: also("get_screen"), Kind: Query, Right: Read, Doc: "Returns the program's screen, also after the program has ended.",
		Fails: []Failure{invalid},
	}, func(ctx context.Context, s *term.Session, in ScreenQuery) (Screen, error) {
		screen, err := s.Screen(ctx)
		if err != nil {
			return Screen{}, err
		}
		return Screen{wire.NewScreen(screen, in.format()), wire.Milliseconds(s.Info().Quiet)}, nil
	})

	AwaitScreen = onSession(Operation{
		Name: "screen.next", Aliases: also("await_screen"), Kind: Wait, Right: Read, Doc: "Waits until the screen differs from the one of an epoch, and returns the newest one. Callers that are slow skip screens.",
		Fails: []Failure{invalid, gone},
	}, func(ctx context.Context, s *term.Session, in ScreenAfter) (wire.Screen, error) {
		screen, err := s.Next(ctx, in.Epoch)
		if err != nil {
			return wire.Screen{}, err
		}
		return wire.NewScreen(screen, in.format()), nil
	})

	GetChanges = onSession(Operation{
		Name: "screen.diff", Aliases: also("get_changes"), Kind: Query, Right: Read, Doc: "Returns what has changed on the program's screen since the one of an epoch. Every row has changed if that is not one of the 256 newest screens that clients have read.",
		Fails: []Failure{invalid},
	}, func(ctx context.Context, s *term.Session, in ScreenAfter) (wire.Changes, error) {
		screen, diff, err := s.Changes(ctx, in.Epoch)
		if err != nil {
			return wire.Changes{}, err
		}
		return wire.NewChanges(screen, diff, in.format()), nil
	})

	GetPicture = onSession(Operation{
		Name: "picture.get", Aliases: also("get_picture"), Kind: Query, Right: Read, Doc: "Returns what a person sees: the program's screen with panels and overlays.",
		Fails: []Failure{invalid},
	}, func(ctx context.Context, s *term.Session, in ScreenQuery) (wire.Picture, error) {
		frame, err := s.Picture(ctx)
		if err != nil {
			return wire.Picture{}, err
		}
		return wire.NewPicture(frame, in.format()), nil
	})

	GetScrollback = onSession(Operation{
		Name: "scrollback.get", Aliases: also("get_scrollback"), Kind: Query, Right: Read, Doc: "Returns lines of the history, whose end is the screen. Pages that continue from next have no gap or repetition during output, unless layout changes.",
		Fails: []Failure{invalid},
	}, func(ctx context.Context, s *term.Session, in ScrollbackQuery) (wire.Scrollback, error) {
		o := term.PageOptions{From: in.From, Before: in.Before, Offset: in.Offset, Lines: defaultPage, Trim: in.Trim}
		if in.Limit != nil {
			o.Lines = int(min(*in.Limit, maxPage))
		}
		if in.Before != nil {
			o.From = nil
		}
		if in.Tail != nil {
			o.From, o.Before, o.Lines = nil, new(uint64(math.MaxUint64)), int(min(*in.Tail, maxPage))
		}
		p, err := s.Scrollback(ctx, o)
		if err != nil {
			return wire.Scrollback{}, err
		}
		return wire.NewScrollback(p, in.format()), nil
	})

	SearchScrollback = onSession(Operation{
		Name: "scrollback.search", Aliases: also("search_scrollback"), Kind: Query, Right: Read, Doc: "Finds a text or pattern in the history and the screen, one match in each line. Lines are searched as one however they were wrapped.",
		Fails: []Failure{invalid, {Kind: fault.Precondition, When: "lines were wrapped again during the search, which renumbers them"}},
	}, func(ctx context.Context, s *term.Session, in SearchQuery) (wire.Search, error) {
		if (in.Text == "") == (in.Pattern == "") {
			return wire.Search{}, fault.New(fault.Invalid, "give either text or pattern")
		}
		o := term.SearchOptions{Text: in.Text, Expression: in.Pattern, IgnoreCase: in.IgnoreCase, From: in.From, Newest: in.Newest}
		if in.Limit != nil {
			if *in.Limit == 0 {
				return wire.Search{}, fault.New(fault.Invalid, "limit cannot be 0")
			}
			o.Limit = int(min(*in.Limit, term.MaxFound))
		}
		found, err := s.Search(ctx, o)
		if err != nil {
			return wire.Search{}, err
		}
		return wire.NewSearch(found), nil
	})

	ListCommands = onSession(Operation{
		Name: "command.list", Aliases: also("list_commands"), Kind: Query, Right: Read, Doc: "Lists the commands in the history and on the screen, where the shell marks its prompts, with the numbers of their lines.",
	}, func(ctx context.Context, s *term.Session, _ Target) (wire.Commands, error) {
		c, err := s.Commands(ctx)
		return wire.NewCommands(c), err
	})

	GetCommandOutput = onSession(Operation{
		Name: "command.output", Aliases: also("get_command_output"), Kind: Query, Right: Read, Doc: "Returns the output of one command as text, with wrapped lines joined.",
		Fails: []Failure{
			{fault.NotFound, term.UnknownCommand, "no command with output is known at that line, or its output is not kept any more: the last megabytes are"},
		},
	}, func(ctx context.Context, s *term.Session, in CommandQuery) (CommandOutput, error) {
		o, err := s.CommandOutput(ctx, in.Prompt)
		return CommandOutput{o.Prompt, o.Text, o.TooLong, o.FullScreen}, err
	})

	GetScreenMode = onSession(Operation{
		Name: "screen_mode.get", Aliases: also("get_screen_mode"), Kind: Query, Right: Read, Doc: "Tells which screen is displayed: normal or alt.",
	}, func(ctx context.Context, s *term.Session, _ Target) (ScreenMode, error) {
		mode, err := term.ReadElements(ctx, s, func(m *overlay.Model) (overlay.ScreenMode, error) { return m.Mode(), nil })
		return ScreenMode{mode}, err
	})

	EnterAltScreen = onSession(Operation{
		Name: "screen_mode.enter_alt", Aliases: also("enter_alt_screen"), Kind: Change, Right: Draw, Doc: "Displays an empty screen for overlays and panels. The program keeps running below.",
		Fails: []Failure{gone, {fault.Precondition, overlay.AlternateActive, "the alternate screen is displayed already"}},
	}, func(ctx context.Context, s *term.Session, _ Target) (None, error) {
		return none(s.ChangeElements(ctx, (*overlay.Model).EnterAlternate))
	})

	ExitAltScreen = onSession(Operation{
		Name: "screen_mode.exit_alt", Aliases: also("exit_alt_screen"), Kind: Change, Right: Draw, Doc: "Undoes screen_mode.enter_alt, and removes the overlays and panels of the alternate screen.",
		Fails: []Failure{gone, {fault.Precondition, overlay.AlternateClosed, "the alternate screen is not displayed, or belongs to the program"}},
	}, func(ctx context.Context, s *term.Session, _ Target) (None, error) {
		return none(s.ChangeElements(ctx, (*overlay.Model).ExitAlternate))
	})
)

var screenOps = ops(
	GetScreen, AwaitScreen, GetChanges, GetPicture, DrawPicture, GetScrollback, SearchScrollback,
	ListCommands, GetCommandOutput,
)

var modeOps = ops(GetScreenMode, EnterAltScreen, ExitAltScreen)
