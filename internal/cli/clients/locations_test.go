package clients

import (
	"slices"
	"strings"
)

// Locations returns where the user's settings are on a system, for people to read. Where a client
// has several, it uses the first one that exists.
func (c Client) Locations(system string) []string {
	var list []string
	for _, t := range c.user[slices.Index(systems, system)] {
		t = strings.ReplaceAll(t, "$XDG_CONFIG_HOME", "~/.config")
		if system == "windows" {
			t = strings.ReplaceAll(strings.ReplaceAll(t, "~", "%USERPROFILE%"), "/", `\`)
		}
		list = append(list, t)
	}
	return list
}

// Moved returns the variable that names another folder for the user's settings, or "".
func (c Client) Moved() string { return c.move[0] }

// ProjectFiles returns the settings of a project, for people to read.
func (c Client) ProjectFiles() []string { return slices.Clone(c.project) }
