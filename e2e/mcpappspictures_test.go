package e2e

import (
	"flag"
	"fmt"
	"path/filepath"
	"testing"

	"ui-mcp/internal/testkit/apphost"
	"ui-mcp/internal/testkit/browser"
)

var pictures = flag.String("pictures", "", "folder for pictures of pages and views: see docs/screenshots")

// TestChatPictures takes pictures of views in a conversation, in every size and theme, for
// documents and for a look at them after a change.
func TestChatPictures(t *testing.T) {
	if *pictures == "" {
		t.Skip("-pictures names no folder")
	}
	views := map[string]func(*chat) *apphost.View{
		"app": func(c *chat) *apphost.View {
			_, view := c.contacts()
			live(view).Wait(names + ` !== ""`)
			return view
		},
		"question": func(c *chat) *apphost.View {
			view := c.Call("popup", map[string]any{
				"title":   "Deploy to production?",
				"message": "All **214** tests pass. The last release was on Tuesday.",
				"options": []string{"Deploy", "Deploy tonight", "Not now"},
			}).View()
			view.Content().Wait(dialog("h2"))
			view.Content().Run("window.focus()")
			view.Content().Wait(settled)
			return view
		},
		"terminal": func(c *chat) *apphost.View {
			call := c.Call("wsh_create_session", map[string]any{"name": "build"})
			c.created(call)
			c.ok("wsh_run_command", map[string]any{"session": "build", "input": `printf '\033[32mok\033[0m  package/%d  0.2s\n' 1 2 3 4 5`})
			view := call.View()
			view.Content().Wait(rows + `.includes("package/5")`)
			return view
		},
		"off": func(c *chat) *apphost.View {
			_, view := c.contacts()
			live(view)
			c.stop()
			view.Content().Wait(givenUp)
			return view
		},
	}
	for name, width := range map[string]int{"wide": 640, "narrow": 300} {
		for what, open := range views {
			c := openTerminalChat(t, apphost.Options{Width: width, MaxHeight: 700})
			c.Chat.Size(width+60, 900)
			c.ok("ui_start", nil)
			view := open(c)
			picture := func(size string) {
				t.Helper()
				for _, dark := range []bool{false, true} {
					c.Dark(dark)
					settle(view)
					theme := map[bool]string{true: "dark", false: "light"}[dark]
					c.Chat.Screenshot(filepath.Join(*pictures, fmt.Sprintf("chat-%s-%s-%s.webp", what, size, theme)))
				}
			}
			grown(view.Content(), 700)
			picture(name)
			if name == "wide" && (what == "app" || what == "terminal") {
				view.Content().Run(buttonOf("Full screen") + `.click()`)
				view.Content().Wait(`innerHeight === 900`)
				picture("full")
			}
		}
	}
}

// settle waits until a view has been painted.
func settle(view *apphost.View) {
	const painted = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`
	browser.Eval[bool](view.Content(), painted)
	view.Content().Wait(`document.getAnimations().every(({ playState }) => playState !== "running")`)
}
