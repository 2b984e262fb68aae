// Package bundle embeds the files that get installed into a user's project. Package install says
// where they go.
package bundle

import (
	"embed"
	"io/fs"
)

// Files has the folder base, which is copied into the base directory, the folder project, which is
// copied into the project, and claude.md, the section for the project's CLAUDE.md.
//
//go:embed all:base all:project claude.md
var Files embed.FS

//go:embed base/resources
var guides embed.FS

// Guides returns what those who write apps read, for programs that install nothing.
func Guides() fs.FS {
	folder, _ := fs.Sub(guides, "base/resources") // it fails for names that are no paths
	return folder
}

// Demo has the folder demo: the app of "ui-mcp demo", which is installed nowhere else.
//
//go:embed all:demo
var Demo embed.FS
