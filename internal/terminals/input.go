package terminals

import (
	"context"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/keys"
	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/terminals/wire"
)

// Secrecy is the part of inputs that says whether to keep what is typed.
type Secrecy struct {
	Secret bool `json:"secret,omitempty" jsonschema:"keep what is typed nowhere, not even in the ledger of the session; needed only at prompts that take keys one by one, since at others what they read is secret" default:"false"`
}

// TypedQuery is the input of [GetTyped].
type TypedQuery struct {
	Target
	After uint64 `json:"after,omitempty" jsonschema:"only entries after the one of this number" default:"0"`
	Last  int    `json:"last,omitempty" jsonschema:"how many of the newest entries at most" default:"100" min:"1"`
}

// TypedWait is the input of [AwaitTyped].
type TypedWait struct {
	Target
	Deadline
	After uint64 `json:"after,omitempty" jsonschema:"number of the last known entry" default:"0"`
}

// Input is the input of [SendInput].
type Input struct {
	Target
	Data []byte `json:"data" jsonschema:"bytes to type, unchanged; base64 in JSON" max:"1048576"`
	Secrecy
}

// KeyNames is the input of [PressKeys].
type KeyNames struct {
	Target
	Text  string            `json:"text,omitempty" jsonschema:"text to type before the keys, unchanged" max:"1048576"`
	Data  []byte            `json:"data,omitzero" jsonschema:"the text as bytes, in base64, instead of text"`
	Keys  []string          `json:"keys" jsonschema:"names of keys in order, such as Enter, C-c, M-x, S-Tab, C-M-Left or F5"`
	Mouse []keys.MouseEvent `json:"mouse,omitzero" jsonschema:"events of the mouse after the keys, as in input.mouse"`
	Secrecy
}

// PastedText is the input of [PasteText].
type PastedText struct {
	Target
	Text   string            `json:"text" jsonschema:"text to paste; control characters other than tabs and line ends are left out"`
	Submit bool              `json:"submit,omitempty" jsonschema:"leave out line ends at the end, and press Enter when the program has displayed the text; fails with a timeout if nothing on the screen changes then" default:"false"`
	Keys   []string          `json:"keys,omitzero" jsonschema:"names of keys to press afterwards"`
	Mouse  []keys.MouseEvent `json:"mouse,omitzero" jsonschema:"events of the mouse after the keys, as in input.mouse"`
	Secrecy
}

// MouseAction is the input of [MoveMouse].
type MouseAction struct {
	Target
	keys.MouseEvent
}

var noMouse = Failure{Kind: fault.Precondition, When: "the program does not ask for this event of the mouse"}

// InputMode is the answer of [GetInputMode].
type InputMode struct {
	Mode overlay.InputMode `json:"mode" jsonschema:"passthrough or capture"`
}

// Taker is the input of [TakeKeyboard].
type Taker struct {
	Target
	By string `json:"by,omitempty" jsonschema:"who takes it, for those whose input is refused; at most 64 bytes" default:"\"a person\""`
}

// FocusTarget is the input of [FocusElement].
type FocusTarget struct {
	Target
	ID string `json:"id" jsonschema:"id of an overlay or panel that is focusable"`
}

// Focused is the answer of [GetFocus].
type Focused struct {
	ID *string `json:"focused" jsonschema:"id of the overlay or panel that has the focus, or null"`
}

// Operations on input.
var (
	SendInput = onSession(Operation{
		Name: "input.send", Aliases: []Alias{{Name: "send_input", Adapt: decodeData, Doc: "`data` is text, or base64 if `encoding` is `base64`"}}, Kind: Change, Right: Type, Doc: "Types bytes as they are.", Fails: []Failure{invalid, gone, exhausted, unasked, pending},
	}, func(ctx context.Context, s *term.Session, in Input) (None, error) {
		return none(s.Type(ctx, term.Input{Text: in.Data, Secret: in.Secret}))
	})

	PressKeys = onSession(Operation{
		Name: "input.keys", Aliases: also("press_keys"), Kind: Change, Right: Type, Doc: "Types a text if there is one, presses keys by name, in the form that the program asked for, and sends events of the mouse. If one name is unknown, nothing is typed. Persons who decide who may type are asked once, about all of it.",
		Fails: []Failure{invalid, gone, exhausted, noMouse, unasked, pending},
	}, func(ctx context.Context, s *term.Session, in KeyNames) (None, error) {
		text := []byte(in.Text)
		if in.Data != nil {
			if text = in.Data; in.Text != "" {
				return None{}, fault.New(fault.Invalid, "give either text or data")
			}
		}
		return none(s.Type(ctx, term.Input{Text: text, Keys: in.Keys, Mouse: in.Mouse, Secret: in.Secret}))
	})

	PasteText = onSession(Operation{
		Name: "input.paste", Aliases: also("paste"), Kind: Change, Right: Type, Doc: "Pastes text, between brackets if the program asked for them, and then does what input.keys does. Persons who decide who may type are asked once, about all of it.",
		Fails: []Failure{invalid, gone, exhausted, noMouse, unasked, {Kind: fault.Timeout, When: "with submit, nothing on the screen has changed; or a person has not answered yet whether a line that is held back may be entered: the same call waits on"}},
	}, func(ctx context.Context, s *term.Session, in PastedText) (None, error) {
		return none(s.Type(ctx, term.Input{Text: []byte(in.Text), Paste: true, Submit: in.Submit, Keys: in.Keys, Mouse: in.Mouse, Secret: in.Secret}))
	})

	MoveMouse = onSession(Operation{
		Name: "input.mouse", Aliases: also("send_mouse"), Kind: Change, Right: Type, Doc: "Presses, releases or moves the mouse, in the form that the program asked for.",
		Fails: []Failure{invalid, gone, exhausted, noMouse, unasked},
	}, func(ctx context.Context, s *term.Session, in MouseAction) (None, error) {
		return none(s.Type(ctx, term.Input{Mouse: []keys.MouseEvent{in.MouseEvent}}))
	})

	GetTyped = onSession(Operation{
		Name: "session.typed", Aliases: also("get_typed"), Kind: Query, Right: Read, Doc: "Lists who has typed what into a session. Secrets, and what a person types on an attached terminal, are only counted. A session keeps the newest 1,000 entries, with at most 256 KiB of text.",
		Fails: []Failure{invalid},
	}, func(ctx context.Context, s *term.Session, in TypedQuery) ([]wire.Typed, error) {
		if in.Last < 0 {
			return nil, fault.New(fault.Invalid, "last cannot be negative")
		}
		if in.Last == 0 {
			in.Last = 100
		}
		list, err := s.Typed(ctx, in.After, in.Last)
		return wire.NewTyped(list), err
	})

	AwaitTyped = onSession(Operation{
		Name: "wait.typed", Aliases: also("await_typed"), Kind: Wait, Right: Read, Doc: "Waits until something was typed into a session, and lists it. Single keys are reported together, after a short pause.",
		Fails: []Failure{late, gone},
	}, func(ctx context.Context, s *term.Session, in TypedWait) ([]wire.Typed, error) {
		list, err := s.AwaitTyped(ctx, in.After, milliseconds(in.MaxWaitMS))
		return wire.NewTyped(list), err
	})

	GetInputMode = onSession(Operation{
		Name: "input.mode", Aliases: also("get_input_mode"), Kind: Query, Right: Read, Doc: "Tells who gets what persons type: the program, or only listeners.",
	}, func(ctx context.Context, s *term.Session, _ Target) (InputMode, error) {
		mode, err := term.ReadElements(ctx, s, func(m *overlay.Model) (overlay.InputMode, error) { return m.InputMode(), nil })
		return InputMode{mode}, err
	})

	CaptureInput = onSession(Operation{
		Name: "input.capture", Aliases: also("capture_input"), Kind: Change, Right: Draw, Doc: `Keeps what persons type from the program, until it is released or a person types Ctrl+\.`,
		Fails: []Failure{gone},
	}, func(ctx context.Context, s *term.Session, _ Target) (None, error) {
		return none(s.ChangeElements(ctx, func(m *overlay.Model) error { m.Capture(); return nil }))
	})

	ReleaseInput = onSession(Operation{
		Name: "input.release", Aliases: also("release_input"), Kind: Change, Right: Draw, Doc: "Sends what persons type to the program again, and takes the focus from overlays and panels.",
		Fails: []Failure{gone},
	}, func(ctx context.Context, s *term.Session, _ Target) (None, error) {
		return none(s.ChangeElements(ctx, func(m *overlay.Model) error { m.Release(); return nil }))
	})

	TakeKeyboard = onSession(Operation{
		Name: "keyboard.take", Aliases: also("take_keyboard"), Kind: Change, Right: Type, Doc: "Lets only persons at attached terminals type: what programs type is refused, also what waits to be typed, until the keyboard is given back or no person has been attached for 10 seconds.",
		Fails: []Failure{invalid, gone},
	}, func(ctx context.Context, s *term.Session, in Taker) (None, error) {
		return none(s.TakeKeyboard(ctx, in.By))
	})

	GiveKeyboard = onSession(Operation{
		Name: "keyboard.give", Aliases: also("give_keyboard"), Kind: Change, Right: Type, Doc: "Undoes keyboard.take: programs may type again.",
		Fails: []Failure{gone},
	}, func(ctx context.Context, s *term.Session, _ Target) (None, error) { return none(s.GiveKeyboard(ctx)) })

	GetFocus = onSession(Operation{
		Name: "focus.get", Aliases: also("get_focus"), Kind: Query, Right: Read, Doc: "Tells which overlay or panel has the focus.",
	}, func(ctx context.Context, s *term.Session, _ Target) (Focused, error) {
		id, err := term.ReadElements(ctx, s, func(m *overlay.Model) (string, error) { return m.Focused(), nil })
		if err != nil || id == "" {
			return Focused{}, err
		}
		return Focused{&id}, nil
	})

	FocusElement = onSession(Operation{
		Name: "focus.set", Aliases: also("focus"), Kind: Change, Right: Draw, Doc: "Gives the focus to an overlay or panel: events of what persons type name it.",
		Fails: []Failure{
			{Kind: fault.Invalid, When: "there is no such overlay or panel"}, gone,
			{fault.Precondition, overlay.NotFocusable, "it is not focusable, or belongs to the screen that is not displayed"},
		},
	}, func(ctx context.Context, s *term.Session, in FocusTarget) (None, error) {
		return none(s.ChangeElements(ctx, func(m *overlay.Model) error { return m.Focus(in.ID) }))
	})

	ClearFocus = onSession(Operation{
		Name: "focus.clear", Aliases: also("unfocus"), Kind: Change, Right: Draw, Doc: "Takes the focus from overlays and panels.", Fails: []Failure{gone},
	}, func(ctx context.Context, s *term.Session, _ Target) (None, error) {
		return none(s.ChangeElements(ctx, func(m *overlay.Model) error { m.Unfocus(); return nil }))
	})
)

var inputOps = ops(SendInput, PressKeys, PasteText, MoveMouse, GetTyped, AwaitTyped)

var keyboardOps = ops(
	GetInputMode, CaptureInput, ReleaseInput, TakeKeyboard, GiveKeyboard, GetFocus, FocusElement,
	ClearFocus,
)
