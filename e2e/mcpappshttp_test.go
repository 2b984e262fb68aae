package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/apphost"
	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/wait"
)

// openHTTPChat begins a conversation with "ui-mcp serve", over Streamable HTTP.
func openHTTPChat(t *testing.T, o apphost.Options) *chat {
	t.Helper()
	home := t.TempDir()
	dir := filepath.Join(home, "project", ".claude", "ui")
	cmd := exec.Command("ui-mcp", "serve", "--dir", dir, "--port", "0", "--mcp-port", "0")
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_RUNTIME_DIR="+home, "XDG_CACHE_HOME="+filepath.Join(home, "cache"), "DISPLAY=", "WAYLAND_DISPLAY=")
	serveUntilEnd(t, cmd)
	return &chat{apphost.New(t, apphost.HTTP(testkit.AgentURL(t, dir)+"/mcp"), o), t, dir}
}

// serveUntilEnd starts "ui-mcp serve", waits until it serves, and stops it at the end of the test.
func serveUntilEnd(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	log := &testkit.Log{}
	cmd.Stderr = log
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			_ = cmd.Process.Signal(syscall.SIGQUIT)
		}
		_ = cmd.Process.Signal(os.Interrupt) // it may have ended
		if err := cmd.Wait(); err != nil {
			t.Errorf("the server failed: %v\n%s", err, log)
		}
	})
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "Open ") {
			return
		}
	}
	t.Fatalf("ui-mcp serve ended\n%s", log)
}

// run runs Lua code and returns the JSON of its result.
func (c *chat) run(code string) string {
	c.t.Helper()
	return c.ok("ui_run", map[string]any{"code": code})
}

// contacts displays the contacts and waits until their view is live.
func (c *chat) contacts() *apphost.View {
	c.t.Helper()
	view := c.Call("ui_display", map[string]any{"name": "contacts"}).View()
	live(view).WaitText(".contacts h1", "Contacts")
	return view
}

// live returns the document of a view that is connected to the server.
func live(view *apphost.View) *browser.Tab {
	tab := view.Content()
	tab.Wait(`document.documentElement.dataset.uiView === "live"`)
	return tab
}

// names is the expression for the names in the list of contacts.
const names = `Array.from(document.querySelectorAll(".contact-name"), (e) => e.textContent).join()`

// The same app in two views of a conversation and in the browser, over HTTP. TestAppInTheChat does
// so over standard streams.
func TestAppInChatOverHTTP(t *testing.T) {
	for name, options := range map[string]apphost.Options{"with a handshake": {}, "stateless": {Modern: true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := openHTTPChat(t, options)
			view := c.contacts()
			content := live(view)

			// What the person does there changes the app.
			content.Type(`input[placeholder="Ada Lovelace"]`, "Vera Chat")
			content.Type(`input[placeholder="ada@example.org"]`, "vera@example.org")
			content.Click(`.contacts-new button`)
			content.Wait(names + `.includes("Vera Chat")`)
			if got := c.run(`return contacts.items[#contacts.items].name`); got != `"Vera Chat"` {
				t.Errorf("the new contact is %s", got)
			}
			// What the agent does appears there.
			c.run(`contacts.items[1].name = "Zoe Zed"`)
			content.Wait(names + `.includes("Zoe Zed")`)

			// A page in the browser is one more of the same session.
			tab := browser.New(t).Tab()
			tab.Open(pageURL(c))
			tab.Wait(names + `.includes("Zoe Zed")`)
			tab.Type(`input[placeholder="Ada Lovelace"]`, "Pia Page")
			tab.Type(`input[placeholder="ada@example.org"]`, "pia@example.org")
			tab.Click(`.contacts-new button`)
			content.Wait(names + `.includes("Pia Page")`)

			const scheme = `getComputedStyle(document.documentElement).colorScheme`
			c.Dark(true)
			content.Wait(scheme + ` === "dark"`)
			c.Dark(false)
			content.Wait(scheme + ` === "light"`)

			// A second frame, and the first one is removed.
			again := view.Remount()
			live(again).Wait(names + `.includes("Pia Page")`)
			c.views(2)
			c.run(`contacts.items[1].name = "Both See"`)
			content.Wait(names + `.includes("Both See")`)
			live(again).Wait(names + `.includes("Both See")`)
			view.Close()
			// A lost goodbye would keep it for longer than this test waits.
			wait.Until(t, "the removed view is not counted", func() bool { return strings.Contains(c.ok("ui_status", nil), `"views":1,`) })
			c.run(`contacts.items[1].name = "Still Here"`)
			live(again).Wait(names + `.includes("Still Here")`)
			if got := again.Violations(); len(got) > 0 {
				t.Errorf("the policy has stopped the view: %q", got)
			}
		})
	}
}

// pageURL returns the URL of the page in the browser.
func pageURL(c *chat) string {
	c.t.Helper()
	var status struct{ URL string }
	if err := json.Unmarshal([]byte(c.ok("ui_status", nil)), &status); err != nil {
		c.t.Fatal(err)
	}
	return status.URL
}

// The view is as large as its content, up to what the host allows, and as large as the window when
// the person wants it so.
func TestAppSizesInChat(t *testing.T) {
	t.Parallel()
	c := openChat(t, apphost.Options{Width: 300, MaxHeight: 500})
	view := c.contacts()
	view.Wait(`view.size?.height > 200 && view.frame.clientHeight === Math.min(500, view.size.height)`)
	content := live(view)
	if got := browser.Eval[int](content, `document.documentElement.scrollWidth - innerWidth`); got > 0 {
		t.Errorf("in 300 pixels, %d are cut off", got)
	}
	content.ClickOn(buttonOf("Full screen"))
	content.Wait(`innerWidth === 1000 && innerHeight === 800`)
	content.ClickOn(buttonOf("Back to the chat"))
	content.Wait(`innerWidth === 300`)
	c.run(`for i = 1, 50 do contacts.items[#contacts.items + 1] = session:create(AddressBookEntry, { name = "P" .. i, email = "" }) end`)
	view.Wait(`view.size.height > 1000 && view.frame.clientHeight === 500`)
}

// buttonOf is the expression for a button with a text.
func buttonOf(text string) string {
	return fmt.Sprintf(`Array.from(document.querySelectorAll("button")).find((b) => b.textContent === %q)`, text)
}
