package app

import (
	"context"

	"ui-mcp/internal/ui/problem"
)

// Uploaded is the outcome of Upload.
type Uploaded struct {
	Key      string            // TYPE.NAMESPACE
	Pages    int               // how many are connected
	Problems []problem.Problem // of the default session, if they were not reported to the agent yet
}

// Upload makes content the view definition of a type in a namespace, until the server stops or a
// file of that name is saved. When it returns, pages that display the type have been updated.
func (a *App) Upload(ctx context.Context, typ, namespace, content string) (Uploaded, error) {
	r, s, err := a.open(ctx, DefaultSession)
	if err != nil {
		return Uploaded{}, err
	}
	key, problems, err := r.engine.Upload(ctx, s, typ, namespace, content)
	if err != nil {
		return Uploaded{}, err
	}
	return Uploaded{Key: key, Pages: r.engine.Clients(), Problems: problems}, nil
}
