package web_test

import (
	"encoding/base64"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/testkit"
)

const (
	uploadField = `<p><label>Statement <input type='file' id='c' data-ui='0'></label><button id='go' data-ui='1'>Go</button></p>`
	uploadBind  = `[[0,"value","",{"edit":true,"content":true}],[1,"action",""]]`
)

// chosenFile returns the path of a file for [browser.Tab.Choose].
func chosenFile(t *testing.T, name, content string) string {
	t.Helper()
	dir := t.TempDir()
	testkit.Write(t, dir, name, content)
	return filepath.Join(dir, name)
}

// slowReading makes the page read files only when the test calls release(NAME) in it.
const slowReading = `
	const waiting = new Map(), read = Blob.prototype.arrayBuffer;
	Blob.prototype.arrayBuffer = function () {
		return new Promise((resolve, reject) => waiting.set(this.name, (fail) => fail ? reject(new Error("gone")) : resolve(read.call(this))));
	};
	window.release = (name, fail) => waiting.get(name)(fail);`

// What the person chooses reaches the server with its content, and a field that was emptied is nil.
func TestUpload(t *testing.T) {
	t.Parallel()
	p := form(t, uploadField, uploadBind, `[]`)
	p.Choose("#c", chosenFile(t, "a.csv", "\ufeffcity,days\nKöln,4\n"))
	p.expect(edited(1, `["a.csv","text/csv",21,"city,days\nKöln,4\n"]`))
	p.apply(2, `["set",1,0,"a.csv"]`)
	p.ack(1)
	p.settled()
	is(p, `c.files[0].name`, "a.csv")

	for i, binary := range []string{"\x89PNG\xff", "a\x00b"} {
		p.Choose("#c", chosenFile(t, "b.png", binary))
		p.expect(edited(2+i, `["b.png","image/png",`+string(rune('0'+len(binary)))+`,false,"`+base64.StdEncoding.EncodeToString([]byte(binary))+`"]`))
		p.apply(3+i, `["set",1,0,"b.png"]`)
		p.ack(2 + i)
		p.settled()
	}

	p.Run(`c.value = ""; for (const e of ["input", "change"]) c.dispatchEvent(new Event(e, { bubbles: true }))`)
	p.expect(edited(4, `null`))
	p.apply(5, `["set",1,0,null]`)
	p.ack(4)
	p.settled()

	// An empty file is a file. When the app has taken it over, the field is free for another one.
	p.Choose("#c", chosenFile(t, "empty.txt", ""))
	p.expect(edited(5, `["empty.txt","text/plain",0,""]`))
	p.apply(6, `["set",1,0,null]`)
	is(p, `c.files.length`, 1)
	p.ack(5)
	p.settled()
	is(p, `c.files.length`, 0)
	p.silent()
}

// A file of the greatest size arrives whole; a larger one does not, and the person learns why.
func TestUploadTooLarge(t *testing.T) {
	t.Parallel()
	p := form(t, uploadField, uploadBind, `[]`)
	const most = 1 << 20
	text := strings.Repeat("x", most)
	p.Choose("#c", chosenFile(t, "most.txt", text))
	p.expect(edited(1, `["most.txt","text/plain",1048576,"`+text+`"]`))
	p.apply(2, `["set",1,0,"most.txt"]`)
	p.ack(1)
	p.settled()
	p.Choose("#c", chosenFile(t, "more.txt", text+"x"))
	const unsaved = `document.querySelector(".ui-unsaved").shadowRoot.querySelector("li")`
	p.Wait(unsaved + ` !== null`)
	is(p, unsaved+`.querySelector("h2").textContent`, "Not saved: Statement")
	is(p, unsaved+`.querySelector(".why").textContent`, "The file is too large: at most 1 MiB can be sent.")
	is(p, unsaved+`.querySelector(".text").textContent`, "more.txt")
	is(p, `c.files.length`, 0)
	p.Click("#go")
	p.expect(`{"type":"events","ref":2,"events":[[1,1]]}`)
}

// When a second file is chosen before the first was read, only the second is sent. An action waits
// for it.
func TestUploadTwice(t *testing.T) {
	t.Parallel()
	p := form(t, uploadField, uploadBind, `[]`)
	p.Run(slowReading)
	p.Choose("#c", chosenFile(t, "first.txt", "1"))
	p.Choose("#c", chosenFile(t, "second.txt", "2"))
	p.Click("#go")
	p.Run(`release("first.txt")`)
	p.silent()
	is(p, `document.documentElement.dataset.uiPending`, "1")
	p.apply(2)
	p.Run(`release("second.txt")`)
	p.expect(edited(1, `["second.txt","text/plain",1,"2"]`))
	p.expect(`{"type":"events","ref":2,"events":[[1,1]]}`)
	p.ack(1)
	p.ack(2)
	p.settled()
	p.silent()
}

// A file that cannot be read to its end, as from another machine that is away, holds up actions for
// a while only.
func TestUploadHangs(t *testing.T) {
	t.Parallel()
	p := form(t, uploadField, uploadBind, `[]`)
	p.Run(slowReading + `
		const later = window.setTimeout;
		window.setTimeout = (f, ms, ...rest) => later(f, ms === 30_000 ? 300 : ms, ...rest);`)
	p.Choose("#c", chosenFile(t, "a.txt", "words"))
	p.Click("#go")
	p.expect(`{"type":"events","ref":1,"events":[[1,1]]}`)
	const unsaved = `document.querySelector(".ui-unsaved").shadowRoot.querySelector("li")`
	p.Wait(unsaved + ` !== null`)
	is(p, unsaved+`.querySelector(".why").textContent`, "The browser could not read the file.")
	p.Run(`release("a.txt")`)
	p.silent()
}

// Nothing is sent of a file that cannot be read, or whose field is disabled, gone or of another
// object meanwhile. What was chosen is handed back by its name, and what waits for it goes on.
func TestUploadInVain(t *testing.T) {
	t.Parallel()
	p, run := show(t, `null`), 1
	p.Run(slowReading)
	for name, test := range map[string]struct{ run, op, why string }{
		"unreadable": {`release("a.txt", true)`, "", "The browser could not read the file."},
		"disabled":   {`c.disabled = true; release("a.txt")`, "", "The app has changed what is shown here."},
		"gone":       {`release("a.txt")`, `["mount",1,0,null]`, "The app has changed what is shown here."},
		"rebound":    {`release("a.txt")`, `["object",2,8],["set",2,0,null]`, "The app has changed what is shown here."},
	} {
		t.Run(name, func(t *testing.T) {
			run += 2
			p.again(run, run, `[1,1,[[2,2,[],7]]]`,
				def(1, "Outer", `<div><div data-ui='0'></div><button id='go' data-ui='1'>Go</button></div>`, `[[0,"view",""],[1,"action",""]]`),
				def(2, "Inner", `<p><input type='file' id='c' data-ui='0'></p>`, `[[0,"value","",{"edit":true,"content":true}]]`))
			p.Choose("#c", chosenFile(t, "a.txt", "secret words"))
			p.Click("#go")
			p.silent()
			if test.op != "" {
				p.apply(run+1, test.op)
			}
			p.Run(test.run)
			p.expect(`{"type":"events","ref":1,"events":[[1,1]]}`)
			const unsaved = `document.querySelector(".ui-unsaved").shadowRoot.querySelector("li")`
			p.Wait(unsaved + ` !== null`)
			is(p, unsaved+`.querySelector(".why").textContent`, test.why)
			is(p, unsaved+`.querySelector(".text").textContent`, "a.txt")
			is(p, unsaved+`.querySelector(".actions :nth-child(2)").hidden`, true)
			is(p, `document.querySelector("#c")?.files.length ?? 0`, 0)
			p.silent()
		})
	}
}

const (
	uploadsField = `<p><label>Receipts <input type='file' id='c' multiple data-ui='0'></label></p>`
	uploadsBind  = `[[0,"value","",{"edit":true,"arg":true,"upload":true}]]`
	cards        = `document.querySelector(".ui-unsaved").shadowRoot.querySelectorAll("li")`
)

// arrives waits for the page's next upload.
func (p *page) arrives() *upload {
	p.server.t.Helper()
	select {
	case u := <-p.server.uploads:
		return u
	case <-time.After(patience):
		p.server.t.Fatal("the page uploads nothing")
		return nil
	}
}

// Several files are on their way at once, each with a card that says how far it is, and that goes
// when the app has it. One that is cancelled does not arrive.
func TestUploads(t *testing.T) {
	t.Parallel()
	p := form(t, uploadsField, uploadsBind, `[null]`)
	var paths []string
	for _, name := range []string{"a.txt", "b.txt", "c.txt", "d.txt"} {
		paths = append(paths, chosenFile(t, name, strings.Repeat(name, 100<<10)))
	}
	p.Choose("#c", paths...)
	var running []*upload
	for range 4 {
		u := p.arrives()
		if got, want := u.query.Encode(), "epoch=e1&instance=1&name="+u.query.Get("name")+"&seq=1&slot=0&type=text%2Fplain"; got != want {
			t.Errorf("the query is %s, want %s", got, want)
		}
		running = append(running, u)
	}
	p.Wait(cards + `.length === 4`)
	is(p, `[...`+cards+`].map((e) => e.querySelector("h2").textContent).join()`, "Uploading a.txt,Uploading b.txt,Uploading c.txt,Uploading d.txt")
	is(p, `document.querySelector("#c").files.length`, 4)
	find := func(name string) *upload {
		for _, u := range running {
			if u.query.Get("name") == name {
				return u
			}
		}
		t.Fatalf("%s is not on its way", name)
		return nil
	}
	p.Run(cards + `[0].querySelector("button").click()`)
	cut := find("a.txt")
	if _, err := io.ReadAll(cut.body); err == nil {
		<-cut.gone // all of it was on its way already
	}
	for _, name := range []string{"b.txt", "c.txt", "d.txt"} {
		u := find(name)
		content, err := io.ReadAll(u.body)
		if err != nil || string(content) != strings.Repeat(name, 100<<10) {
			t.Errorf("%d bytes of %s arrived, %v", len(content), name, err)
		}
		u.answer <- ""
	}
	p.Wait(`document.querySelector(".ui-unsaved").shadowRoot.querySelector("section").hidden`)
	p.Wait(`document.querySelector("#c").files.length === 0`) // free for others
	p.silent()
}

// A file that is too large is not sent, and keeps none of the others from arriving. One that the
// server refuses stays on its card, with the reason.
func TestUploadsRefused(t *testing.T) {
	t.Parallel()
	p := form(t, uploadsField, uploadsBind, `[null]`)
	large := chosenFile(t, "large.bin", "")
	if err := os.Truncate(large, 100<<20+1); err != nil {
		t.Fatal(err)
	}
	p.Choose("#c", large, chosenFile(t, "b.txt", "b"), chosenFile(t, "c.txt", "c"))
	got := map[string]bool{}
	for range 2 {
		u := p.arrives()
		got[u.query.Get("name")] = true
		u.answer <- ""
	}
	if !got["b.txt"] || !got["c.txt"] {
		t.Errorf("the files are %v", got)
	}
	p.Wait(cards + `.length === 1 && c.files.length === 0`)
	is(p, cards+`[0].querySelector("h2").textContent`, "Not uploaded: large.bin")
	is(p, cards+`[0].querySelector(".why").textContent`, "It is too large: at most 100 MiB can be uploaded.")
	p.Run(cards + `[0].querySelector(".dismiss").click()`)
	is(p, cards+`.length`, 0)

	p.Choose("#c", chosenFile(t, "a.txt", "words"))
	p.arrives().answer <- "there is no room for it"
	p.Wait(cards + `.length === 1`)
	is(p, cards+`[0].querySelector(".why").textContent`, "There is no room for it.")
}

// In a field for one file, the file chosen last is the one that arrives, and none if the field was
// cleared.
func TestUploadsReplaced(t *testing.T) {
	t.Parallel()
	p := form(t, strings.Replace(uploadsField, " multiple", "", 1), `[[0,"value","",{"edit":true,"upload":true}]]`, `[null]`)
	cut := func(u *upload) {
		if _, err := io.ReadAll(u.body); err == nil {
			<-u.gone // all of it was on its way already
		}
	}
	p.Choose("#c", chosenFile(t, "first.txt", "1"))
	first := p.arrives()
	p.Choose("#c", chosenFile(t, "second.txt", "2"))
	second := p.arrives()
	cut(first)
	p.Choose("#c", chosenFile(t, "third.txt", "3"))
	third := p.arrives()
	cut(second)
	is(p, `c.files[0].name`, "third.txt")
	p.Run(`c.value = ""; c.dispatchEvent(new Event("change", { bubbles: true }))`)
	cut(third)
	p.Wait(cards + `.length === 0`)
}

// A field displays the name of the file that the app holds, whatever comes while one is on its way.
func TestUploadsInAField(t *testing.T) {
	t.Parallel()
	p := form(t, strings.Replace(uploadsField, " multiple", "", 1), `[[0,"value","",{"edit":true,"upload":true}]]`, `[null]`)
	p.Choose("#c", chosenFile(t, "a.txt", "words"))
	u := p.arrives()
	p.apply(2, `["set",1,0,"other.txt"]`)
	is(p, `c.files[0].name`, "a.txt")
	p.apply(3, `["set",1,0,"a.txt"]`)
	u.answer <- ""
	p.apply(4, `["set",1,0,"a.txt"]`)
	is(p, `c.files[0].name`, "a.txt")
	p.apply(5, `["set",1,0,null]`)
	is(p, `c.files.length`, 0)
}
