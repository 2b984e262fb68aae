// Package packaging reads names.json, the one file with all names under which the project is
// published: addresses, accounts and the packages of each channel. What only the owner can choose
// is empty until then, and nothing that is built or printed makes up for it.
package packaging

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

//go:embed names.json
var file []byte

// Names are the names under which the project is published. An empty one has not been chosen.
type Names struct {
	// Published is the one switch: set once the packages can be installed from their registries.
	// Until then, documents and commands offer what a local build gives.
	Published bool `json:"published"`
	// Module is the path in go.mod; tools/rename changes both.
	Module string `json:"module"`
	// Repository is the forge's page of the project, "https://HOST/OWNER/NAME".
	Repository string `json:"repository"`
	// Maintainer and Email say who answers for the packages.
	Maintainer string `json:"maintainer"`
	Email      string `json:"email"`
	// Tap is the Homebrew tap, "OWNER/NAME".
	Tap string `json:"tap"`
	// Bucket is the URL of the scoop bucket's repository.
	Bucket string `json:"bucket"`
	// Publisher is the name that winget displays.
	Publisher string    `json:"publisher"`
	Commands  []Command `json:"commands"`
}

// Command has the names of one command's packages. Homebrew's formula and scoop's manifest have the
// command's own.
type Command struct {
	Name string `json:"name"`
	// Of is the command that starts this one, and has its manual page and completions; "": none.
	// Then this one serves MCP.
	Of      string `json:"of"`
	Summary string `json:"summary"` // one line, without a full stop
	NPM     string `json:"npm"`     // those of its platforms are NPM-OS-CPU
	PyPI    string `json:"pypi"`
	Linux   string `json:"linux"`    // of the .deb, the .rpm and the .apk
	Winget  string `json:"winget"`   // "Publisher.Package"
	Image   string `json:"image"`    // of the container, with its registry, without a tag
	Server  string `json:"registry"` // in the MCP registry: a reversed domain, a slash, a name
}

// Load returns the names that the project has. It panics if names.json is wrong, which a test would
// have found.
func Load() Names {
	n, err := Parse(file)
	if err != nil {
		panic(err)
	}
	return n
}

// Servers returns the commands that serve MCP.
func (n Names) Servers() []Command {
	return slices.DeleteFunc(slices.Clone(n.Commands), func(c Command) bool { return c.Of != "" })
}

// Command returns the names of a command's packages. It panics if there is no such command.
func (n Names) Command(name string) Command {
	for _, c := range n.Commands {
		if c.Name == name {
			return c
		}
	}
	panic("packaging/names.json has no command " + name)
}

// needed are the keys that must not be empty: always, or once the packages are published. Channels
// can do without the others.
var needed = map[string]bool{
	"module": true, "maintainer": true, "name": true, "summary": true, "npm": true, "pypi": true, "linux": true, "repository": false, "email": false,
}

// Parse reads a file like names.json. It returns an error if the switch is on while the owner has
// not chosen what all channels need. Registries check the forms of names.
func Parse(data []byte) (Names, error) {
	var n Names
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&n); err != nil {
		return n, fmt.Errorf("packaging/names.json: %w", err)
	}
	var problems []error
	check := func(names any) {
		for f, v := range reflect.ValueOf(names).Fields() {
			key := f.Tag.Get("json")
			always, published := needed[key]
			if v.Kind() == reflect.String && v.String() == "" && (always || n.Published && published) {
				problems = append(problems, fmt.Errorf("packaging/names.json: %q is empty", key))
			}
		}
	}
	check(n)
	if n.Published && !strings.Contains(n.Module, ".") {
		problems = append(problems, errors.New("packaging/names.json: the module has no address: see tools/rename"))
	}
	for _, c := range n.Commands {
		check(c)
	}
	return n, errors.Join(problems...)
}
