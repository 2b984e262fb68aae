package web_test

import "testing"

// A component or script that throws while the page acts stops the act, which is answered at once.
func TestActThatThrows(t *testing.T) {
	t.Parallel()
	p := show(t, `[1,1,[]]`, def(1, "A", `<p data-ui='0'><button id='b' data-ui='1'>x</button></p>`, `[[1,"action","go()"]]`))
	p.Run(`b.click = () => { throw new Error("no luck") }`)
	p.send(`{"type":"act","id":4,"at":[1,1],"do":"click"}`)
	p.expect(`{"type":"acted","id":4,"thrown":"Error: no luck"}`)
	p.Run(`Object.defineProperty(b, "closest", { get() { throw "again" } })`)
	p.send(`{"type":"act","id":5,"at":[1,1],"do":"click"}`)
	p.expect(`{"type":"acted","id":5,"thrown":"again"}`)
	p.Run(`delete b.click; delete b.closest`)
}
