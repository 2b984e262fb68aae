// Package bundle embeds the files that get installed into a user's project.
// Package install says where they go.
package bundle

import "embed"

// Files has the folder base, which is copied into the base directory.
//
//go:embed all:base
var Files embed.FS
