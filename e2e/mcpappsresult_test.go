package e2e

import (
	"fmt"
	"strings"
	"testing"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/apphost"
	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
)

// The view of a call that has failed says why, in the place of the app that an earlier call has
// displayed. The views of other calls go on.
func TestFailedDisplayInTheChat(t *testing.T) {
	load.Long(t, "TestAppInTheChat displays an app that works")
	t.Parallel()
	for name, o := range map[string]apphost.Options{
		"handshake":                       {},
		"stateless, holds back the input": {Modern: true, HoldInput: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := openChat(t, o)
			_, good, content := c.display()
			testkit.Write(t, c.dir, "apps/broken/app.lua", "broken = = 1\n")
			const failure = `document.querySelector(".ui-chat-failure")`
			for _, tt := range []struct {
				app, why string
				refused  bool // by an error of the protocol, which the host passes on as the end of the call
			}{
				{"broken", "apps/broken/app.lua:1", false},
				{"missing", "missing", false},
				{"no name", `"no name" cannot be the name of an app`, true},
			} {
				call := c.Call("ui_display", map[string]any{"name": tt.app})
				if err := call.Err(); (err != "") != tt.refused {
					t.Errorf("the error of the call of %s is %q", tt.app, err)
				}
				view := call.View().Content()
				view.Wait(fmt.Sprintf(`%s?.textContent.includes(%q)`, failure, tt.why))
				if browser.Eval[bool](view, `Boolean(document.querySelector("#count"))`) {
					t.Errorf("the view of %s displays the earlier app", tt.app)
				}
				view.Wait(note + ` === "" && ` + buttonOf("Open in browser") + `.hidden`)
				if text := browser.Eval[string](view, failure+`.textContent`); !strings.HasPrefix(text, "The app is not displayed.") {
					t.Errorf("the view of %s says %q", tt.app, text)
				}
			}
			c.views(1)
			content.Click("#more")
			content.WaitText("#count", "1")
			again := good.Remount().Content()
			again.WaitText("#count", "1")
		})
	}
}
