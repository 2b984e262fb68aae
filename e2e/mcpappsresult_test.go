package e2e

import (
	"strings"
	"testing"

	"ui-mcp/internal/testkit/apphost"
)

// The result of the first call that displays an app says that a view displays it: the host reads
// the view while the call waits for that.
func TestDisplayProvesItsView(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]apphost.Options{
		"handshake": {},
		"stateless": {Modern: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for transport, open := range map[string]func(*testing.T, apphost.Options) *chat{"stdio": openChat, "HTTP": openHTTPChat} {
				c := open(t, o)
				if text := c.ok("ui_display", map[string]any{"name": "counter"}); !strings.Contains(text, "The app is displayed in the conversation.") {
					t.Errorf("%s: the result = %s", transport, text)
				}
			}
		})
	}
}
