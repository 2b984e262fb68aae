//go:build !unix

package access

import "io/fs"

// private accepts every file: on Windows, the files of a user's own folders are closed to others by
// inheritance.
func private(fs.FileInfo) error { return nil }
