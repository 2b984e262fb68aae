// Package bundle embeds the files that get installed into a user's project. Package install says
// where they go.
package bundle

import "embed"

// Files has the folder base, which is copied into the base directory, the folder project, which is
// copied into the project, and claude.md, the section for the project's CLAUDE.md.
//
//go:embed all:base all:project claude.md
var Files embed.FS

// Demo has the folder demo: the app of "ui-mcp demo", which is installed nowhere else.
//
//go:embed all:demo
var Demo embed.FS
