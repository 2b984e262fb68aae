package caller

import (
	"path/filepath"
	"runtime"

	"ui-mcp/internal/environ"
)

// DefaultConfig returns the path of the configuration file of the user with an environment, or ""
// if there is no home directory.
func DefaultConfig(vars environ.Variables) string {
	if dir := vars.Get("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "wsh", "config.toml")
	}
	if runtime.GOOS == "windows" {
		dir, err := vars.ConfigDir()
		if err != nil {
			return ""
		}
		return filepath.Join(dir, "wsh", "config.toml")
	}
	home, err := vars.Home()
	if err != nil {
		return ""
	}
	return filepath.Join(home, ".config", "wsh", "config.toml")
}

// A ServerFile returns the file of a kind in which a server keeps what it knows of others: "" if
// there is no home directory.
func ServerFile(vars environ.Variables, server, kind string) string {
	config := DefaultConfig(vars)
	if config == "" {
		return ""
	}
	return filepath.Join(filepath.Dir(config), server+"."+kind)
}
