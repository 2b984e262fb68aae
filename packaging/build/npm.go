package main

import (
	_ "embed"
	"path"
	"strings"

	"ui-mcp/packaging"
)

//go:embed templates/launcher.js
var launcher []byte

type npmPackage struct {
	Name        string            `json:"name"`
	Version     string            `json:"version"`
	Description string            `json:"description"`
	Licence     string            `json:"license"`
	Repository  string            `json:"repository,omitempty"`
	Bin         map[string]string `json:"bin,omitempty"`
	Engines     map[string]string `json:"engines,omitempty"`
	OS          []string          `json:"os,omitempty"`
	CPU         []string          `json:"cpu,omitempty"`
	Unplugged   bool              `json:"preferUnplugged,omitempty"`
	Optional    map[string]string `json:"optionalDependencies,omitempty"`
}

// npmFile returns the name that npm gives to the archive of a package.
func npmFile(name, version string) string {
	name = strings.NewReplacer("@", "", "/", "-").Replace(name)
	return path.Join("npm", name+"-"+version+".tgz")
}

// npmLauncher makes the package that people install: a script that starts the program of the
// platform's package, one of which npm installs, by its "os" and "cpu". Nothing runs at the
// installation.
func (r *release) npmLauncher(c packaging.Command) error {
	script := "bin/" + c.Name + ".js"
	p := npmPackage{
		Name: c.NPM, Version: r.version.String(), Description: c.Summary + ".", Licence: "MIT", Repository: r.names.Repository,
		Bin: map[string]string{c.Name: script}, Engines: map[string]string{"node": ">=18"}, Optional: map[string]string{},
	}
	for _, platform := range platforms {
		p.Optional[c.NPM+"-"+platform.npm()] = p.Version
	}
	return r.npm(p, append(r.about(c), file{name: script, data: launcher, exec: true}))
}

func (r *release) npmProgram(c packaging.Command, to platform, program file) error {
	p := npmPackage{
		Name: c.NPM + "-" + to.npm(), Version: r.version.String(), Licence: "MIT", Repository: r.names.Repository,
		Description: "The program of " + c.NPM + " for " + to.npm() + ". Install " + c.NPM + " instead.",
		OS:          []string{to.npmOS}, CPU: []string{to.npmArch}, Unplugged: true,
	}
	return r.npm(p, append(r.about(c), program.as("bin/"+to.program(c.Name))))
}

func (r *release) npm(p npmPackage, files []file) error {
	description, err := indented(p)
	if err != nil {
		return err
	}
	archive, err := tarball(within("package", append([]file{{name: "package.json", data: description}}, files...)), r.at)
	if err != nil {
		return err
	}
	return r.write(npmFile(p.Name, p.Version), archive)
}
