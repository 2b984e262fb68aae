package e2e

import (
	"fmt"
	"strings"
	"testing"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/apphost"
	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

// waysOut has everything by which a view definition may lead elsewhere.
const waysOut = `<template><div class="stack">
  <output id="count" ui-value="count"></output>
  <a id="web" href="https://example.org/web?a=1">web</a>
  <a id="blank" href="https://example.org/blank" target="_blank">blank</a>
  <a id="top" href="https://example.org/top" target="_top">top</a>
  <a id="mail" href="mailto:ada@example.org">mail</a>
  <a id="own" href="files/report.txt" download>own</a>
  <a id="script" href="javascript:window.ran = true">script</a>
  <a id="empty" href="">empty</a>
  <a id="acts" href="https://example.org/acts" ui-action="more()">acts</a>
  <a id="tells" href="https://example.org/tells" ui-event-click="more()">tells</a>
  <a id="down" href="#part">down</a>
  <sl-button id="button" href="https://example.org/button" target="_blank">button</sl-button>
  <svg width="20" height="20"><a id="svg" href="https://example.org/svg"><rect width="20" height="20"/></a></svg>
  <svg width="20" height="20"><a id="xlink" xlink:href="https://example.org/xlink"><rect width="20" height="20"/></a></svg>
  <map name="m"><area id="area" href="https://example.org/area" coords="0,0,9,9"></map>
  <form id="form" action="https://example.org/form"><button id="send">send</button></form>
  <form action="https://example.org/form" target="_top"><button id="sendtop">send</button></form>
  <form><button id="sendto" formaction="https://example.org/formaction">send</button></form>
  <iframe id="frame" srcdoc="&lt;a id=inner href=https://example.org/inner target=_top>inner&lt;/a>&lt;form action=https://example.org/f target=_parent>&lt;button>"></iframe>
  <meta http-equiv="refresh" content="0;url=https://example.org/refresh">
  <div ui-html="news"></div>
  <base href="https://example.org/base/">
  <p style="height: 2000px"></p>
  <a id="file" download="notes.txt" href="data:text/plain,two%20words">notes</a>
  <p id="part">part</p>
</div></template>
`

// Links go to the host. Nothing of an app replaces its view, whose frame has no way back.
func TestLinksInTheChat(t *testing.T) {
	load.Long(t, "TestAppInTheChat has a host that opens links")
	t.Parallel()
	c := openChat(t, apphost.Options{})
	testkit.Write(t, c.dir, "apps/counter/viewdefs/Counter.DEFAULT.html", waysOut)
	view := c.Call("ui_display", map[string]any{"name": "counter"}).View()
	view.Content().Run(`window.same = true`)
	content := live(view)
	content.Wait(`document.querySelector("#part") && document.querySelector("#button").shadowRoot?.querySelector("a")`)
	grown(content, 600)
	opened := func(what, url string) {
		t.Helper()
		view.Wait(fmt.Sprintf(`view.links.at(-1) === %q`, url))
	}

	content.Click("#web")
	opened("a click", "https://example.org/web?a=1")
	content.Run(`document.querySelector("#blank").focus()`)
	content.Press(browser.Enter)
	opened("a key", "https://example.org/blank")
	click := func(element, event string) {
		t.Helper()
		content.Run(element + `.dispatchEvent(new MouseEvent(` + event + `))`)
	}
	plain := `"click", { bubbles: true, composed: true, cancelable: true }`
	for id, url := range map[string]string{
		"top": "https://example.org/top", "mail": "mailto:ada@example.org",
		"svg": "https://example.org/svg", "xlink": "https://example.org/xlink", "area": "https://example.org/area", "tells": "https://example.org/tells",
	} {
		click(`document.querySelector("#`+id+`")`, plain)
		opened(id, url)
	}
	content.WaitText("#count", "1") // of the last one
	click(`document.querySelector("#button").shadowRoot.querySelector("a")`, plain)
	opened("a component", "https://example.org/button")
	click(`document.querySelector("#web")`, `"click", { bubbles: true, cancelable: true, ctrlKey: true }`)
	opened("a click for a tab", "https://example.org/web?a=1")
	click(`document.querySelector("#top")`, `"auxclick", { bubbles: true, cancelable: true, button: 1 }`)
	opened("the middle button", "https://example.org/top")
	content.Wait(`document.querySelector("#frame").contentDocument.querySelector("#inner")`)
	content.Run(`document.querySelector("#frame").contentDocument.querySelector("#inner").click()`)
	opened("a frame", "https://example.org/inner")
	content.Run(`window.open("https://example.org/script")`)
	opened("a script", "https://example.org/script")

	// The host saves files.
	content.Click("#file")
	view.Wait(`view.files.at(-1)?.resource?.text === "two words" && view.files.at(-1).resource.uri === "file:///notes.txt"`)
	content.Click("#own")
	view.Wait(fmt.Sprintf(`view.files.at(-1)?.uri === %q`, pageURL(c)+"/1/files/report.txt"))

	// What has an action goes nowhere, as in a page.
	count := browser.Eval[int](c.Chat, `host.views.at(-1).links.length`)
	content.Click("#acts")
	content.WaitText("#count", "2")
	content.Click("#empty")
	content.Click("#down")
	content.Wait(`document.querySelector("#part").getBoundingClientRect().top < innerHeight`)

	// The rest is prevented, and the person learns it.
	const said = `document.querySelector(".ui-chat-bar p").textContent.startsWith("This works only in the page")`
	for _, id := range []string{"script", "send", "sendtop", "sendto"} {
		content.Run(`document.querySelector(".ui-chat-bar p").textContent = ""; document.querySelector("#` + id + `").click()`)
		content.Wait(said)
	}
	content.Run(`document.querySelector("#frame").contentDocument.querySelector("button").click()`)
	c.run(`counter.news = '<meta http-equiv="Refresh" content="0;url=https://example.org/again"><b id="news">news</b>'`)
	content.WaitText("#news", "news")
	if got := browser.Eval[int](c.Chat, `host.views.at(-1).links.length`); got != count {
		t.Errorf("the host has opened %d more addresses", got-count)
	}
	if !browser.Eval[bool](content, `window.same === true && window.ran !== true`) {
		t.Error("the view has been replaced, or a script has run")
	}
	content.Click("#acts")
	content.WaitText("#count", "3")
}

// Links of a question go to the host, too; where that refuses, the person can copy the address in
// the question's own view, and answer.
func TestLinksOfAQuestionInTheChat(t *testing.T) {
	load.Long(t, "TestAppInTheChat has a host that opens links")
	t.Parallel()
	for name, refuses := range map[string]bool{"opened": false, "refused": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := openChat(t, apphost.Options{Modern: refuses, RefuseLinks: refuses})
			c.Chat.Size(900, 1200) // all of a question must be visible
			call := c.Call("popup", map[string]any{"title": "Read?", "message": "Read [the plan](https://example.org/plan) first.", "options": []string{"Yes", "No"}})
			view := call.View()
			content := view.Content()
			content.Wait(dialog(".message a") + ` && ` + settled)
			grown(content, 600)
			// While the view grows, the question takes no click.
			content.Run(`addEventListener("click", () => { window.clicks = (window.clicks ?? 0) + 1; })`)
			click := func(clicks int, part string) {
				t.Helper()
				wait.Until(t, "the click counts", func() bool {
					content.Wait(settled)
					content.ClickOn(dialog(part))
					return browser.Eval[int](content, `window.clicks ?? 0`) >= clicks
				})
			}
			click(1, ".message a")
			if refuses {
				content.Wait(`document.querySelector("ui-popup .ui-chat-bar input:not([hidden])")?.value === "https://example.org/plan" && document.activeElement.selectionEnd > 10`)
			} else {
				view.Wait(`view.links.at(-1) === "https://example.org/plan"`)
			}
			content.Wait(`innerHeight >= parseFloat(document.querySelector(".ui-chat").style.getPropertyValue("--question-height")) && ` + dialog(".options") + `.getBoundingClientRect().bottom < innerHeight && ` +
				dialog(".reading") + `.scrollHeight === ` + dialog(".reading") + `.clientHeight && ` + settled)
			click(2, ".option:nth-child(2)")
			if text := call.Result().Text(); !strings.Contains(text, `"selectedValue":"No"`) {
				t.Errorf("the result = %s", text)
			}
		})
	}
}
