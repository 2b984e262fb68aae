//go:build linux

package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
	"ui-mcp/internal/testkit/persons"

	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/term/record"
)

// growths are all that is measured, in the order of the table.
var growths = []growth{
	{name: "values", of: "bound values", cost: "a change of one of n values that are bound in one view, until the page has it", sizes: []int{250, 1_000, 4_000, 16_000}, setUp: growValues},
	{name: "rows", of: "rows", cost: "a change of one of n rows, until the page has it", sizes: []int{625, 2_500, 10_000, 40_000}, setUp: growRows("")},
	{name: "windowed", of: "rows of a windowed list", cost: "the same, where the page has the rows near its viewport", sizes: []int{1_562, 6_250, 25_000, 100_000}, setUp: growRows("?window")},
	{name: "changed", of: "changed rows", cost: "a change of n of 16,000 rows at once, until the page has it", sizes: []int{250, 1_000, 4_000, 16_000}, setUp: growChanged},
	{name: "sessions", of: "sessions of apps", cost: "a change of one of 100 rows in one of n sessions", sizes: []int{4, 16, 64, 250}, setUp: growSessions},
	{name: "pages", of: "pages of a session", cost: "a change of one of 100 rows, until n pages have it", sizes: []int{4, 16, 64, 256}, setUp: growPages},
	{name: "problems", of: "problems", cost: "a transaction that changes nothing, while n bindings fail", sizes: []int{25, 100, 400, 1_600}, setUp: growProblems},
	{name: "templates", of: "templates", cost: "a change of one of n view definitions", sizes: []int{25, 100, 400, 1_600}, setUp: growTemplates},
	{name: "questions", of: "questions that wait", cost: "one question more, and withdrawing it", sizes: []int{15, 60, 240, 960}, setUp: growQuestions},
	{name: "terminals", of: "terminals", cost: "a list of n sessions", sizes: []int{4, 16, 64, 250}, setUp: growTerminals},
	{name: "history", of: "lines of history", cost: "a search for a text that n lines do not have", sizes: []int{1_562, 6_250, 25_000, 100_000}, setUp: growHistory},
	{name: "viewers", of: "viewers of a terminal", cost: "a line that a program prints, until n WebSockets have its event", sizes: []int{1, 4, 16, 64}, setUp: growViewers},
	{name: "tokens", of: "tokens", cost: "a request with one of n tokens", sizes: []int{15, 60, 240, 960}, setUp: growTokens},
	{name: "recordings", of: "recordings", cost: "beginning one beside n in a folder, and removing it", sizes: []int{62, 250, 1_000, 4_000}, setUp: growRecordings},
}

// changing returns a call that runs code with a number that grows, and waits until pages have it.
func changing(b *testing.B, p *process, code string, pages ...*page) func() {
	i := 0
	return func() {
		i++
		p.send("tools/call", params(b, "ui_run", map[string]any{"code": strings.ReplaceAll(code, "$", strconv.Itoa(i))}))
		for _, pg := range pages {
			pg.next("batch")
		}
		p.answer()
	}
}

func growValues(b *testing.B, n int) (*process, func()) {
	var bound strings.Builder
	for i := range n {
		fmt.Fprintf(&bound, `<i ui-value="f%d"></i>`, i+1)
	}
	p := display(b, 0, map[string]string{
		"apps/rows/app.lua":                    fmt.Sprintf("local fields = {} for i = 1, %d do fields['f' .. i] = i end\nRows = session:prototype('Rows', fields)\nrows = rows or Rows:new()\n", n),
		"apps/rows/viewdefs/Rows.DEFAULT.html": "<template><p>" + bound.String() + "</p></template>",
	})
	pg, _ := p.open()
	return p, changing(b, p, fmt.Sprintf("rows['f' .. ($ %% %d + 1)] = 'changed $'", n), pg)
}

// growRows displays n rows in a list with options.
func growRows(options string) func(b *testing.B, n int) (*process, func()) {
	return func(b *testing.B, n int) (*process, func()) {
		p := display(b, n, map[string]string{"apps/rows/viewdefs/Rows.DEFAULT.html": `<template><ul ui-viewlist="items` + options + `"></ul></template>`})
		pg, _ := p.open()
		return p, changing(b, p, "rows.items[$ % 20 + 1].name = 'changed $'", pg)
	}
}

func growChanged(b *testing.B, n int) (*process, func()) {
	p := display(b, 16_000, nil)
	pg, _ := p.open()
	return p, changing(b, p, fmt.Sprintf("for i = 1, %d do rows.items[i].name = 'changed $' end", n), pg)
}

func growSessions(b *testing.B, n int) (*process, func()) {
	p := display(b, 100, nil)
	for i := range n - 1 {
		id := fmt.Sprintf("s%d", i)
		p.call("ui_display", map[string]any{"name": "rows", "sessionId": id})
		p.call("ui_run", map[string]any{"code": "rows:fill(100)", "sessionId": id})
	}
	pg, _ := p.open()
	return p, changing(b, p, "rows.items[$ % 20 + 1].name = 'changed $'", pg)
}

func growPages(b *testing.B, n int) (*process, func()) {
	p := display(b, 100, nil)
	var pages []*page
	for range n {
		pg, _ := p.open()
		pages = append(pages, pg)
	}
	return p, changing(b, p, "rows.items[$ % 20 + 1].name = 'changed $'", pages...)
}

func growProblems(b *testing.B, n int) (*process, func()) {
	p := display(b, n, map[string]string{"apps/rows/viewdefs/Item.list-item.html": `<template><li ui-value="none()"></li></template>`})
	return p, changing(b, p, "return $")
}

func growTemplates(b *testing.B, n int) (*process, func()) {
	files := map[string]string{}
	for i := range n {
		files[fmt.Sprintf("apps/rows/viewdefs/Type%d.DEFAULT.html", i)] = `<template><p ui-value="name"></p></template>`
	}
	p := display(b, 0, files)
	i := 0
	return p, func() {
		i++
		p.call("ui_upload_viewdef", map[string]any{"type": "Type0", "namespace": "DEFAULT", "content": fmt.Sprintf(`<template><p ui-value="name" id="a%d"></p></template>`, i)})
	}
}

func growQuestions(b *testing.B, n int) (*process, func()) {
	broker := persons.Broker(b, popup.Options{Workspaces: []string{"/w"}, Patience: time.Hour})
	q, err := question.Spec{Request: question.Request{WorkspacePath: "/w", Title: "T", Message: "Deploy?", Options: []question.Option{{Label: "Yes", Value: "yes"}}}}.Question()
	if err != nil {
		b.Fatal(err)
	}
	ask := func() string {
		id, err := broker.Ask(q, popup.AskOptions{})
		if err != nil {
			b.Fatal(err)
		}
		return id
	}
	for range n {
		ask()
	}
	return &process{b: b, pid: os.Getpid()}, func() {
		if err := broker.Withdraw(ask()); err != nil {
			b.Fatal(err)
		}
	}
}

func growTerminals(b *testing.B, n int) (*process, func()) {
	h := startHost(b)
	for i := range n {
		h.create(fmt.Sprintf("s%d", i), "exec cat", 80, 24)
	}
	return h.process, func() { h.request("GET", "/sessions", "") }
}

func growHistory(b *testing.B, n int) (*process, func()) {
	h := startHost(b)
	h.request("POST", "/sessions", fmt.Sprintf(`{"name":"s","cols":80,"rows":24,"scrollback":%d,"command":"seq -f 'line %%.0f of a program that prints much' %d; echo done; exec cat"}`, n, n))
	h.request("GET", "/sessions/s/wait/text?text=done", "")
	return h.process, func() { // some requests, each of which searches as many lines as it may
		for from := 0; ; {
			var answer struct {
				Next    *int
				Matches []any
			}
			text := h.request("GET", fmt.Sprintf("/sessions/s/scrollback/search?text=nowhere&from=%d", from), "")
			if err := json.Unmarshal(text, &answer); err != nil || len(answer.Matches) > 0 {
				b.Fatalf("%s (%v)", text, err)
			}
			if answer.Next == nil || *answer.Next <= from {
				return
			}
			from = *answer.Next
		}
	}
}

func growViewers(b *testing.B, n int) (*process, func()) {
	h := startHost(b)
	h.create("s", "stty -echo; exec cat", 80, 24)
	var viewers []*shellSocket
	for range n {
		s := openSocket(b, h.url, "/sessions/s/ws/json")
		s.call("subscribe", `{"events":["lines"]}`)
		viewers = append(viewers, s)
	}
	i := 0
	return h.process, func() {
		i++
		line := fmt.Sprintf("line number %d.", i)
		viewers[0].send("send_input", fmt.Sprintf(`{"data":%q}`, line+"\n"))
		for _, v := range viewers {
			v.until(line)
		}
	}
}

func growTokens(b *testing.B, n int) (*process, func()) {
	h := startHost(b)
	var answer struct{ Token string }
	for range n {
		if err := json.Unmarshal(h.request("POST", "/auth/tokens", `{"rights":["read"]}`), &answer); err != nil {
			b.Fatal(err)
		}
	}
	return h.process, func() {
		req, err := http.NewRequestWithContext(b.Context(), "GET", h.url+"/sessions", nil)
		if err != nil {
			b.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+answer.Token)
		res, err := http.DefaultClient.Do(req)
		if err != nil || res.StatusCode != http.StatusOK {
			b.Fatal(res, err)
		}
		_, _ = io.Copy(io.Discard, res.Body) // so that the connection is kept
		res.Body.Close()
	}
}

func growRecordings(b *testing.B, n int) (*process, func()) {
	dir := b.TempDir()
	for i := range n {
		name := fmt.Sprintf("s%d.%s.wsh.cast", i, time.Now().UTC().Format("20060102-150405"))
		if err := os.WriteFile(filepath.Join(dir, name), []byte("{}\n"), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	folder, err := record.OpenFolder(dir, 1<<30, time.Hour, slog.New(slog.DiscardHandler))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(folder.Close)
	return &process{b: b, pid: os.Getpid()}, func() {
		w, err := folder.Create("new")
		if err != nil {
			b.Fatal(err)
		}
		if err := w.Close(); err != nil { // it removes an empty one
			b.Fatal(err)
		}
	}
}
