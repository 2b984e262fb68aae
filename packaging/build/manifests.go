package main

import (
	_ "embed"
	"path"
	"regexp"
	"strings"

	"ui-mcp/packaging"
)

//go:embed templates/formula.rb
var formulaText string

//go:embed templates/Containerfile
var containerText string

//go:embed templates/winget.yaml
var wingetText string

// address returns where an archive can be downloaded from, or "" while there is no forge. The paths
// are as on GitHub and Forgejo.
func (r *release) address(file string) string {
	if r.names.Repository == "" {
		return ""
	}
	return r.names.Repository + "/releases/download/v" + r.version.String() + "/" + path.Base(file)
}

// formula makes Homebrew's description of a command. Without a forge it installs the archives that
// lie beside it.
func (r *release) formula(c packaging.Command) error {
	type download struct{ URL, Sum string }
	archives := map[string]download{}
	for _, p := range platforms {
		name := r.archiveName(c, p)
		d := download{URL: r.address(name), Sum: r.sums[name]}
		if d.URL == "" {
			d.URL = "file://#{__dir__}/../" + name
		}
		archives[p.os+"_"+p.arch] = d
	}
	class := regexp.MustCompile(`(^|-)[a-z]`).ReplaceAllStringFunc(c.Name, func(s string) string { return strings.ToUpper(strings.TrimPrefix(s, "-")) })
	return r.write("homebrew/"+c.Name+".rb", fill(formulaText, map[string]any{
		"Class": class, "Command": c, "Names": r.names, "Version": r.version, "Archives": archives, "Argument": started[c.Name],
	}))
}

// windows is the platform of scoop and winget.
var windows = platforms[len(platforms)-1]

// scoop makes scoop's manifest of a command, which needs an address.
func (r *release) scoop(c packaging.Command) error {
	if r.names.Repository == "" {
		r.note("there is no manifest for scoop: packaging/names.json has no repository")
		return nil
	}
	name := r.archiveName(c, windows)
	return r.writeJSON("scoop/"+c.Name+".json", object{
		"version": r.version.String(), "description": c.Summary + ".", "homepage": r.names.Repository, "license": "MIT",
		"architecture": object{"64bit": object{"url": r.address(name), "hash": r.sums[name]}},
		"extract_dir":  r.archiveFolder(c, windows), "bin": "bin/" + windows.program(c.Name),
	})
}

// winget makes the three manifests of a command for winget, which need an address and a publisher.
func (r *release) winget(c packaging.Command) error {
	if r.names.Repository == "" || r.names.Publisher == "" || c.Winget == "" {
		r.note("there are no manifests for winget: packaging/names.json lacks the repository, the publisher or an identifier")
		return nil
	}
	name := r.archiveName(c, windows)
	texts := fill(wingetText, map[string]any{
		"Command": c, "Names": r.names, "Version": r.version, "Folder": r.archiveFolder(c, windows), "Platform": windows.winget,
		"URL": r.address(name), "Sum": strings.ToUpper(r.sums[name]),
	})
	manifests := strings.Split(string(texts), "---\n")
	for i, end := range []string{".yaml", ".locale.en-US.yaml", ".installer.yaml"} {
		if err := r.write("winget/"+c.Winget+end, []byte(manifests[i])); err != nil {
			return err
		}
	}
	return nil
}
