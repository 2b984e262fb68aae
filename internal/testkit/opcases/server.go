package opcases

import "ui-mcp/internal/terminals"

// WithServer returns terminals that know another server by a name: what names it is carried out
// there.
func WithServer(t terminals.Terminals, name string, other terminals.Terminals) terminals.Terminals {
	return knowing{t, name, other}
}

type knowing struct {
	terminals.Terminals
	name  string
	other terminals.Terminals
}

// OnServer implements [terminals.OnServer].
func (k knowing) OnServer(name string) (terminals.Terminals, error) {
	if name == k.name {
		return k.other, nil
	}
	return terminals.OnServer(k.Terminals, name)
}
