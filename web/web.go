// Package web holds the browser client and embeds its build. The sources are in src; dist is made
// from them by go generate, and committed, so that building the program needs neither Node nor a
// network. Its files are compressed, except for licences. shoelace/README.md describes how
// dist/shoelace is built.
package web

import (
	"embed"
	"io/fs"

	"ui-mcp/internal/packed"
)

//go:generate go run ../internal/packed/pack -open dist/shoelace dist/xterm
//go:generate go tool -modfile=../tools/go.mod esbuild src/main.ts src/worker.ts popup=src/popup/host/main.ts question=src/popup/main.ts terminal=src/terminal/main.ts look=src/look/main.ts reach=src/reach/main.ts --bundle --minify --target=es2022 --format=iife --charset=utf8 --legal-comments=none --log-level=warning --outdir=dist
//go:generate go tool -modfile=../tools/go.mod esbuild page=src/terminals/main.ts src/terminals/page.css dialog=src/popup/element.ts --bundle --minify --target=es2022 --format=esm --charset=utf8 --legal-comments=none --log-level=warning --outdir=dist/terminals
//go:generate go tool -modfile=../tools/go.mod esbuild chat=src/chat/main.ts components=src/chat/components.js chatxterm=src/chat/xterm.js --bundle --minify --target=es2022 --format=iife --charset=utf8 --legal-comments=none --log-level=warning --outdir=dist
//go:generate go run ../internal/packed/pack dist

// Dist is the built client: main.js and worker.js, popup.js for the frame with the questions and
// question.js for what is in it, which are classic scripts, and the component library in shoelace.
func Dist() fs.FS { return packed.Sub(dist, "dist") }

//go:embed dist/main.js.gz dist/worker.js.gz dist/popup.js.gz dist/question.js.gz dist/shoelace
var dist embed.FS

// Terminals is the page of terminals: terminals/page.js, a module, and its style page.css; and what
// it loads: terminals/dialog.js with the first question, and xterm.js in xterm. terminal.js
// displays terminals in other pages, and loads the same.
func Terminals() fs.FS { return packed.Sub(terminals, "dist") }

//go:embed dist/terminals dist/xterm dist/terminal.js.gz
var terminals embed.FS

// Look is what runs in pages of which pictures are taken: package look describes it.
func Look() (string, error) {
	script, err := packed.New(look).ReadFile("dist/look.js")
	return string(script), err
}

//go:embed dist/look.js.gz
var look embed.FS

// Reach is what plain pages run, so that the keyboard reaches what scrolls.
func Reach() (string, error) {
	script, err := packed.New(reach).ReadFile("dist/reach.js")
	return string(script), err
}

//go:embed dist/reach.js.gz
var reach embed.FS

// Chat is the view in a conversation: chat.js, its components in components.js, xterm.js in
// chatxterm.js, and the themes and icons of the component library in shoelace.
func Chat() fs.FS { return packed.Sub(chat, "dist") }

//go:embed dist/chat.js.gz dist/components.js.gz dist/chatxterm.js.gz dist/shoelace
var chat embed.FS
