package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"ui-mcp/internal/ui"
)

// ask is mcp:ask(question, callback): it asks the person and calls callback(answer, err) in the
// session when there is an outcome. The question has the members of triggerPopup; err says why
// there is no answer.
func (a *App) ask(r *running, b *ui.Bridge, args []ui.Value) ([]any, error) {
	if a.opts.Ask == nil {
		return nil, fmt.Errorf("mcp:ask: nobody can be asked here")
	}
	if len(args) < 2 || args[0] == nil || args[1] == nil {
		return nil, errors.New(askUsage)
	}
	question, callback := b.JSON(args[0]), b.Callback(args[1])
	ctx, cancel := context.WithCancel(r.ctx)
	b.Did(cancel, nil)
	began := r.begin(func() {
		defer cancel()
		answer, err := a.opts.Ask(ctx, question)
		var v any
		if err == nil {
			err = json.Unmarshal(answer, &v)
		}
		if err != nil {
			callback(nil, err.Error())
			return
		}
		callback(v, nil)
	})
	if !began {
		cancel()
		return nil, fmt.Errorf("mcp:ask: the session is ending")
	}
	return nil, nil
}
