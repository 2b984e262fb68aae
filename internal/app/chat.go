package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"ui-mcp/internal/ui"
	"ui-mcp/internal/ui/lua"
)

// ChatState is what the views of a session in a conversation (MCP Apps) know of their host. Of
// several views, the one in which something has happened last counts.
type ChatState struct {
	Views         int    // that display the session; with none, the rest is zero
	Theme         string // "light" or "dark"; here and below, "" is unknown
	Locale        string // such as "de-CH"
	DisplayMode   string // "inline", "fullscreen" or "pip"
	Width, Height int    // that the view may have, in CSS pixels; 0: as much as it wants
	// Message, Context and Fullscreen say what the host offers.
	Message, Context, Fullscreen bool
}

// Chat is the conversation, as the scripts of a session see it. Methods may be called from any
// goroutine.
type Chat interface {
	State(session string) ChatState
	// Message sends a message to the conversation in the person's name, Context replaces what the
	// model knows of the session, and Fullscreen makes the view as large as the window, or not.
	// They return when the host has answered. Hosts may ask the person first.
	Message(ctx context.Context, session, text string) error
	Context(ctx context.Context, session string, value json.RawMessage) error
	Fullscreen(ctx context.Context, session string, on bool) error
}

// chatState returns what is known of the hosts of a session: nothing without a conversation.
func (a *App) chatState(session string) ChatState {
	if a.opts.Chat != nil {
		if c := a.opts.Chat(); c != nil {
			return c.State(session)
		}
	}
	return ChatState{}
}

// Limits of what scripts send to a conversation, in bytes.
const maxMessage, maxContext = 32 << 10, 64 << 10

// ChatChanged updates mcp.chat in a session. It does not wait for that.
func (a *App) ChatChanged(session string) {
	r, err := a.runs()
	if err != nil {
		return
	}
	r.mu.Lock()
	b := r.bridges[session]
	r.mu.Unlock()
	if b != nil {
		b.Later(func() { a.setChat(b) })
	}
}

// setChat sets the members of mcp.chat, which stays the same table: objects and views may hold it.
func (a *App) setChat(b *ui.Bridge) {
	s := a.chatState(b.ID())
	b.DefineIn("mcp", "chat", map[string]any{
		"views": s.Views, "theme": known(s.Theme), "locale": known(s.Locale), "displayMode": known(s.DisplayMode),
		"width": known(s.Width), "height": known(s.Height),
		"canMessage": s.Message, "canContext": s.Context, "canFullscreen": s.Fullscreen,
	})
}

// known returns a value, or nil for a zero value.
func known[T comparable](v T) any {
	if v == *new(T) {
		return nil
	}
	return v
}

// chatFunctions are the functions of mcp that act on the conversation. Each returns true when it is
// on its way, or false and why it is not. A function as the last argument gets ok and an error when
// the host has answered.
func (a *App) chatFunctions(r *running, b *ui.Bridge) map[string]any {
	return map[string]any{
		"message": ui.Func(func(args []ui.Value) ([]any, error) {
			message := text(args)
			switch {
			case message == "":
				return nil, errors.New(messageUsage)
			case len(message) > maxMessage:
				return nil, fmt.Errorf("mcp:message: a message has at most %d bytes, not %d", maxMessage, len(message))
			}
			return a.converse(r, b, args, "takes messages", a.chatState(b.ID()).Message, func(ctx context.Context) error {
				return a.opts.Chat().Message(ctx, b.ID(), message)
			})
		}),
		"context": ui.Func(func(args []ui.Value) ([]any, error) {
			if len(args) == 0 || args[0] == nil {
				return nil, errors.New(contextUsage)
			}
			value := b.JSON(args[0])
			if len(value) > maxContext {
				return nil, fmt.Errorf("mcp:context: a value has at most %d bytes as JSON, not %d", maxContext, len(value))
			}
			return a.converse(r, b, args, "takes context for its model", a.chatState(b.ID()).Context, func(ctx context.Context) error {
				return a.opts.Chat().Context(ctx, b.ID(), value)
			})
		}),
		"fullscreen": ui.Func(func(args []ui.Value) ([]any, error) {
			on := len(args) == 0 || lua.Bool(args[0])
			return a.converse(r, b, args, "can display a view in another size", a.chatState(b.ID()).Fullscreen, func(ctx context.Context) error {
				return a.opts.Chat().Fullscreen(ctx, b.ID(), on)
			})
		}),
	}
}

// converse carries out what concerns the conversation, in the background. can says whether a host
// offers it, and offer what that is. args[1] may be the function to call with the outcome.
func (a *App) converse(r *running, b *ui.Bridge, args []ui.Value, offer string, can bool, do func(context.Context) error) ([]any, error) {
	if !can {
		return []any{false, "no chat that displays this app " + offer}, nil
	}
	answer := func(...any) {}
	if len(args) > 1 && args[1] != nil {
		answer = b.Callback(args[1])
	}
	began := r.begin(func() {
		if err := do(r.ctx); err != nil {
			answer(false, err.Error())
			return
		}
		answer(true)
	})
	if !began {
		return []any{false, "the session is ending"}, nil
	}
	return []any{true}, nil
}
