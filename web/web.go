// Package web holds the browser client and embeds its build. The sources are in src; dist is made
// from them by go generate, and committed, so that building the program needs neither Node nor a
// network. Its files are compressed, except for licences. shoelace/README.md describes how
// dist/shoelace is built.
package web

import (
	"embed"

	"ui-mcp/internal/packed"
)

//go:generate go run ../internal/packed/pack -open dist/shoelace dist/xterm
//go:generate go tool -modfile=../tools/go.mod esbuild src/main.ts src/worker.ts popup=src/popup/host/main.ts question=src/popup/main.ts terminal=src/terminal/main.ts look=src/look/main.ts reach=src/reach/main.ts --bundle --minify --target=es2022 --format=iife --charset=utf8 --legal-comments=none --outdir=dist
//go:generate go tool -modfile=../tools/go.mod esbuild page=src/terminals/main.ts src/terminals/page.css dialog=src/popup/element.ts --bundle --minify --target=es2022 --format=esm --charset=utf8 --legal-comments=none --outdir=dist/terminals
//go:generate go tool -modfile=../tools/go.mod esbuild chat=src/chat/main.ts components=src/chat/components.js chatxterm=src/chat/xterm.js --bundle --minify --target=es2022 --format=iife --charset=utf8 --legal-comments=none --outdir=dist
//go:generate go run ../internal/packed/pack dist

// Dist is the built client: dist/main.js and dist/worker.js, dist/popup.js for the frame with the
// questions and dist/question.js for what is in it, which are classic scripts, and the component
// library in dist/shoelace.
func Dist() packed.FS { return packed.New(dist) }

//go:embed dist/main.js.gz dist/worker.js.gz dist/popup.js.gz dist/question.js.gz dist/shoelace
var dist embed.FS

// Terminals is the page of terminals: dist/terminals/page.js, a module, and its style page.css; and
// what it loads: dist/terminals/dialog.js with the first question, and xterm.js in dist/xterm.
// dist/terminal.js displays terminals in other pages, and loads the same.
func Terminals() packed.FS { return packed.New(terminals) }

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

// Chat is the view in a conversation: dist/chat.js, its components in dist/components.js, xterm.js
// in dist/chatxterm.js, and the themes and icons of the component library in dist/shoelace.
func Chat() packed.FS { return packed.New(chat) }

//go:embed dist/chat.js.gz dist/components.js.gz dist/chatxterm.js.gz dist/shoelace
var chat embed.FS
