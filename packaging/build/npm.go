package main

import (
	_ "embed"
	"maps"
	"path"
	"strings"

	"ui-mcp/packaging"
)

//go:embed templates/launcher.js
var launcher []byte

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
	optional := object{}
	for _, platform := range platforms {
		optional[c.NPM+"-"+platform.npm()] = r.version.String()
	}
	return r.npm(c.NPM, object{
		"description": c.Summary + ".", "bin": object{c.Name: script}, "engines": object{"node": ">=18"}, "optionalDependencies": optional,
	}, append(r.about(c), file{name: script, data: launcher, exec: true}))
}

func (r *release) npmProgram(c packaging.Command, to platform, program file) error {
	return r.npm(c.NPM+"-"+to.npm(), object{
		"description": "The program of " + c.NPM + " for " + to.npm() + ". Install " + c.NPM + " instead.",
		"os":          []string{to.npmOS}, "cpu": []string{to.npmArch}, "preferUnplugged": true,
	}, append(r.about(c), program.as("bin/"+to.program(c.Name))))
}

// npm makes a package of files, described by about and by what all packages have.
func (r *release) npm(name string, about object, files []file) error {
	maps.Copy(about, object{"name": name, "version": r.version.String(), "license": "MIT", "repository": r.names.Repository})
	description := indented(known(about))
	archive, err := tarball(within("package", append([]file{{name: "package.json", data: description}}, files...)), r.at)
	if err != nil {
		return err
	}
	return r.write(npmFile(name, r.version.String()), archive)
}
