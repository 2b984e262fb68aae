// Package web holds the browser client and embeds its build. The sources are
// in src; dist is made from them by go generate, and committed, so that
// building the program needs neither Node nor a network.
package web

import "embed"

//go:generate go tool -modfile=../tools/go.mod esbuild src/main.ts --bundle --minify --target=es2022 --format=iife --charset=utf8 --legal-comments=none --outfile=dist/main.js

// Dist is the built client: dist/main.js, a classic script.
//
//go:embed dist/main.js
var Dist embed.FS
