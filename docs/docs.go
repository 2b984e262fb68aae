// Package docs embeds the documentation, which the commands serve.
package docs

import "embed"

// Files has the pages, with README.md as the list of them, and the pictures that they show.
//
//go:embed *.md adr/*.md
//go:embed screenshots/panes-wide-dark.webp screenshots/player-wide-dark.webp screenshots/choose-phone-light.webp
//go:embed screenshots/chat-app-800-light.webp screenshots/gallery-*-900-light.webp growth/growth.svg
var Files embed.FS
