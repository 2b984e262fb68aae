package setup

import "io/fs"

// isMine cannot tell: a new file gets the rights of its folder.
func isMine(fs.FileInfo) bool { return true }
