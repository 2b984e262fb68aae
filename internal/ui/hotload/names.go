package hotload

import (
	"path/filepath"
	"strings"
)

// ignored reports whether a name is hidden, or belongs to a temporary file of an editor or a
// system: .a.lua.swp, .#a.lua, #a.lua#, a.lua~.
func ignored(name string) bool {
	return name == "" || name[0] == '.' || name[0] == '#' || strings.HasSuffix(name, "~") || name == "node_modules"
}

func wanted(name string) bool {
	extension := filepath.Ext(name)
	return !ignored(name) && (extension == ".lua" || extension == ".html")
}
