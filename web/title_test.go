package web_test

import "testing"

// The tab is named after the app, unless the page or a script has named it.
func TestTitle(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.head = `<script>document.title = "ui-mcp"</script>`
	p := showOn(s, `[1,1,[[2,2,["Inbox\n (3)"]]]]`, def(1, "MCP.DEFAULT", `<div data-ui='0'></div>`, `[[0,"view",""]]`),
		def(2, "Mail.DEFAULT", `<main><h1 data-ui='0'></h1></main>`, `[[0,"value",""]]`),
		def(3, "Notes.DEFAULT", `<p>notes</p><div hidden><h1>Nothing yet</h1></div>`, `[]`), def(4, "Plan.DEFAULT", `<h1> </h1><h1>Plan</h1>`, `[]`))
	p.Wait(`document.title === "Inbox (3)"`)
	p.apply(2, `["set",2,0,"Inbox"]`)
	p.Wait(`document.title === "Inbox"`)
	p.Run(`document.title = "(1) Inbox"`) // a question is open
	p.apply(3, `["mount",1,0,[3,3,[]]]`)
	p.Wait(`document.title === "Notes"`)
	p.apply(4, `["mount",1,0,[4,4,[]]]`)
	p.Wait(`document.title === "Plan"`)
	p.Run(`document.title = "own"`)
	p.apply(5, `["mount",1,0,[2,4,["Inbox"]]]`)
	p.Run(`window.idle = false; requestIdleCallback(() => { idle = true })`)
	p.Wait(`idle`)
	is(p, `document.title`, "own")
}
