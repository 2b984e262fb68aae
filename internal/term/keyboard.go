package term

import (
	"cmp"
	"context"
	"unicode/utf8"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/core"
)

// maxKeyboardName is how long the name of a person may be, in bytes.
const maxKeyboardName = 64

// TakeKeyboard refuses what programs want to type, signals and lines that wait for the prompt
// included, until GiveKeyboard is called or no person has been at an attached terminal for 10
// seconds: since it was taken, or since the last one has left. by says who takes it, for those who
// are refused. Taking it again changes that, and these seconds begin again.
func (s *Session) TakeKeyboard(ctx context.Context, by string) error {
	if len(by) > maxKeyboardName || !utf8.ValidString(by) {
		return fault.New(fault.Invalid, "who takes the keyboard is a name of at most %d bytes", maxKeyboardName)
	}
	return s.applyRunning(ctx, core.TakeKeyboard{By: cmp.Or(by, "a person")})
}

// GiveKeyboard lets programs type again.
func (s *Session) GiveKeyboard(ctx context.Context) error {
	return s.applyRunning(ctx, core.GiveKeyboard{})
}

// keyboardTaken returns the error of a program that types while a person has the keyboard, or nil.
// It may be called from anywhere. What is about to be typed asks on the executor, since a person
// may have taken the keyboard while it waited.
func (s *Session) keyboardTaken() error {
	return s.status.Load().Keyboard.Refuses(s.Name())
}
