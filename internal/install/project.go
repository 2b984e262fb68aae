package install

import (
	"path/filepath"

	"ui-mcp/internal/fault"
)

// Project returns the absolute path of the project that a base directory belongs to: the folder
// that holds .claude when baseDir is .claude/ui in it, and the parent of baseDir otherwise. Nothing
// needs to exist, and symbolic links are taken as they are written.
func Project(baseDir string) (string, error) {
	abs, err := filepath.Abs(baseDir)
	if err != nil {
		return "", fault.Wrap(fault.Precondition, err, "resolve %s", baseDir)
	}
	parent := filepath.Dir(abs)
	if filepath.Base(abs) == "ui" && filepath.Base(parent) == ".claude" {
		return filepath.Dir(parent), nil
	}
	return parent, nil
}
