package mcpterm

import (
	"bytes"
	"slices"
	"strings"

	"ui-mcp/internal/term/keys"
	"ui-mcp/internal/term/overlay"
)

// keyNames returns captured input for models: keys by the names that wsh_send_input takes, pasted
// text as {"paste":TEXT}, and {"secret":true} for what a person has typed while the program asked
// for a secret. Releases of keys and reports of the mouse are left out.
func keyNames(events []overlay.InputEvent) (list []any) {
	for _, e := range events {
		text, isPaste := bytes.CutPrefix(e.Raw, []byte("\x1b[200~"))
		switch {
		case e.Secret:
			list = append(list, map[string]bool{"secret": true})
		case e.Parsed != nil && e.Parsed.Event != "release":
			list = append(list, keyName(e.Parsed))
		case isPaste:
			text, _ = bytes.CutSuffix(text, []byte("\x1b[201~"))
			list = append(list, map[string]string{"paste": string(text)})
		}
	}
	return list
}

// keyName returns the name of a key, such as "a", "Enter" or "C-Left".
func keyName(k *keys.Key) string {
	var b strings.Builder
	for _, m := range []struct{ name, prefix string }{{"ctrl", "C-"}, {"alt", "M-"}, {"shift", "S-"}, {"super", "Super-"}} {
		if slices.Contains(k.Modifiers, m.name) {
			b.WriteString(m.prefix)
		}
	}
	if k.Key == " " {
		return b.String() + "Space"
	}
	return b.String() + strings.TrimPrefix(k.Key, "Arrow")
}
