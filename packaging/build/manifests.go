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

type scoopManifest struct {
	Version      string                   `json:"version"`
	Description  string                   `json:"description"`
	Homepage     string                   `json:"homepage"`
	Licence      string                   `json:"license"`
	Architecture map[string]scoopDownload `json:"architecture"`
	Directory    string                   `json:"extract_dir"`
	Bin          string                   `json:"bin"`
}

type scoopDownload struct {
	URL string `json:"url"`
	Sum string `json:"hash"`
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
	return r.writeJSON("scoop/"+c.Name+".json", scoopManifest{
		Version: r.version.String(), Description: c.Summary + ".", Homepage: r.names.Repository, Licence: "MIT",
		Architecture: map[string]scoopDownload{"64bit": {r.address(name), r.sums[name]}},
		Directory:    r.archiveFolder(c, windows), Bin: "bin/" + windows.program(c.Name),
	})
}

// winget makes the three manifests of a command for winget, which need an address and a publisher.
func (r *release) winget(c packaging.Command) error {
	if r.names.Repository == "" || r.names.Publisher == "" || c.Winget == "" {
		r.note("there are no manifests for winget: packaging/names.json lacks the repository, the publisher or an identifier")
		return nil
	}
	name := r.archiveName(c, windows)
	head := []string{"PackageIdentifier: " + c.Winget, "PackageVersion: " + r.version.String()}
	for _, m := range []struct {
		file, kind string
		lines      []string
	}{
		{".yaml", "version", []string{"DefaultLocale: en-US"}},
		{".locale.en-US.yaml", "defaultLocale", []string{
			"PackageLocale: en-US", "Publisher: " + quoted(r.names.Publisher), "PackageName: " + c.Name,
			"PackageUrl: " + r.names.Repository, "License: MIT", "ShortDescription: " + quoted(c.Summary+"."),
		}},
		{".installer.yaml", "installer", []string{
			"InstallerType: zip", "NestedInstallerType: portable",
			"NestedInstallerFiles:", `- RelativeFilePath: ` + r.archiveFolder(c, windows) + `\bin\` + windows.program(c.Name), "  PortableCommandAlias: " + c.Name,
			"Installers:", "- Architecture: " + windows.winget, "  InstallerUrl: " + r.address(name), "  InstallerSha256: " + strings.ToUpper(r.sums[name]),
		}},
	} {
		lines := append(append(append([]string{}, head...), m.lines...), "ManifestType: "+m.kind, "ManifestVersion: 1.10.0", "")
		if err := r.write("winget/"+c.Winget+m.file, []byte(strings.Join(lines, "\n"))); err != nil {
			return err
		}
	}
	return nil
}

func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }
