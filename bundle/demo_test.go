package bundle_test

import (
	"encoding/json"
	"io/fs"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"ui-mcp/bundle"
	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/wait"
)

// demoWorld displays the app of "ui-mcp demo".
func demoWorld(t *testing.T) *world {
	t.Helper()
	toolsets := "ui,popup"
	if runtime.GOOS != "windows" {
		toolsets += ",terminal"
	}
	w := newWorld(t, "--toolsets", toolsets)
	files, err := fs.Sub(bundle.Demo, "demo")
	if err != nil {
		t.Fatal(err)
	}
	testkit.Copy(t, filepath.Join(w.dir, "apps", "demo"), files)
	w.display("1", "demo")
	return w
}

// The demo works without an agent, and its log tells what the person and the agent have done.
func TestDemo(t *testing.T) {
	t.Parallel()
	w, l := demoWorld(t), newLook(t)
	l.at("demo", w.url+"/1/", `document.querySelector(".catalog-card")`)
	l.Type(".demo-apps form input", "Bake")
	l.Click(".demo-apps form button")
	wait.Until(t, "the card is logged", func() bool { return strings.Contains(w.run("1", "return demo.log"), "“Bake” is in To do") })
	w.run("1", `demo.board.columns[1].cards[4]:right()`)
	wait.Until(t, "the move is logged", func() bool { return strings.Contains(w.run("1", "return demo.log"), "“Bake” is in Doing") })
	l.Run(`document.querySelector("sl-tab[panel=log]").click()`)
	l.Wait(`document.querySelector(".demo-log").checkVisibility() && document.querySelector(".demo-log").innerText.includes("Doing")`)
	l.pictures("demo-log")
	if runtime.GOOS == "windows" {
		return
	}
	w.run("1", `terminal.get("shell"):run("echo from-$((1+1))")`)
	wait.Until(t, "the command is logged", func() bool {
		return strings.Contains(w.run("1", "return demo.log"), "Terminal shell has run echo from-")
	})
	l.Run(`document.querySelector("sl-tab[panel=terminals]").click()`)
	l.Wait(`document.querySelector(".workbench-row")?.checkVisibility()`)
	inside := l.Frame(`document.querySelector("ui-terminal").shadowRoot.querySelector("iframe")`)
	inside.Wait(`terminalViews[0].state.is === "attached"`)
	l.pictures("demo-terminals")
	var prompts []string
	if err := json.Unmarshal([]byte(w.run("1", `local list = {} for i, p in ipairs(demo.prompts) do list[i] = p.text end return list`)), &prompts); err != nil || len(prompts) < 4 {
		t.Errorf("what to ask: %q, %v", prompts, err)
	}
}
