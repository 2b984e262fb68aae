package main

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/packaging"
)

// chosen are names as they might be when everything is published.
const chosen = `{
	"published": true, "module": "example.com/you/ui-mcp", "repository": "https://example.com/you/ui-mcp",
	"maintainer": "You", "email": "you@example.com", "tap": "you/tap", "bucket": "https://example.com/you/bucket", "publisher": "You & Co.",
	"commands": [{
		"name": "ui-mcp", "summary": "Apps, and more", "npm": "ui-mcp", "pypi": "ui-mcp", "linux": "ui-mcp",
		"winget": "You.UIMCP", "image": "example.com/you/ui-mcp", "registry": "com.example/ui-mcp"
	}]
}`

// manifests makes the manifests of a command, with names and made-up checksums, and returns them.
func manifests(t *testing.T, names packaging.Names) (map[string]string, []string) {
	t.Helper()
	v, err := parseVersion("1.2.3")
	if err != nil {
		t.Fatal(err)
	}
	c := names.Command("ui-mcp")
	r := &release{names: names, version: v, at: time.Unix(1e9, 0), dir: t.TempDir(), sums: map[string]string{}}
	for i, p := range platforms {
		r.sums[r.archiveName(c, p)] = strings.Repeat(string(rune('a'+i)), 64)
	}
	for _, make := range []func(packaging.Command) error{r.formula, r.scoop, r.winget} {
		if err := make(c); err != nil {
			t.Fatal(err)
		}
	}
	tree, err := readTree(r.dir)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, f := range tree {
		texts[f.name] = string(f.data)
	}
	return texts, r.notes
}

// A release is for the platforms that have programs, in the order of the table.
func TestPlatformsIn(t *testing.T) {
	t.Parallel()
	names, dir := packaging.Load(), t.TempDir()
	if got, err := platformsIn(dir, names); err == nil {
		t.Errorf("without programs: %v", got)
	}
	for _, name := range []string{"wsh-windows-amd64.exe", "ui-mcp-linux-arm64", "wsh-linux-arm64", "notes"} {
		if err := write(filepath.Join(dir, name), nil); err != nil {
			t.Fatal(err)
		}
	}
	got, err := platformsIn(dir, names)
	if err != nil || len(got) != 2 || got[0].String() != "linux-arm64" || got[1].String() != "windows-amd64" {
		t.Errorf("%v, %v", got, err)
	}
}

// Homebrew's formula has what brew asks for: each archive with its checksum, blocks that end, and a
// class with the name that brew makes of the file's.
func TestFormula(t *testing.T) {
	t.Parallel()
	names, err := packaging.Parse([]byte(chosen))
	if err != nil {
		t.Fatal(err)
	}
	texts, _ := manifests(t, names)
	formula := texts["homebrew/ui-mcp.rb"]
	for _, want := range []string{
		"class UiMcp < Formula\n", "\n  desc \"Apps, and more\"\n", "\n  homepage \"https://example.com/you/ui-mcp\"\n", "\n  version \"1.2.3\"\n", "\n  license \"MIT\"\n",
		"on_macos do\n    on_arm do\n      url \"https://example.com/you/ui-mcp/releases/download/v1.2.3/ui-mcp-1.2.3-darwin-arm64.tar.gz\"\n      sha256 \"" + strings.Repeat("d", 64) + "\"\n",
		"on_linux do\n    on_arm do\n      url \"https://example.com/you/ui-mcp/releases/download/v1.2.3/ui-mcp-1.2.3-linux-arm64.tar.gz\"\n      sha256 \"" + strings.Repeat("b", 64) + "\"\n",
		"  def install\n", "  service do\n    run [opt_bin/\"ui-mcp\", \"serve\"]\n", "  test do\n",
	} {
		if !strings.Contains(formula, want) {
			t.Errorf("the formula does not have %q:\n%s", want, formula)
		}
	}
	opens := regexp.MustCompile(`(?m)( do|^class .*|^  def .*)$`).FindAllString(formula, -1)
	ends := regexp.MustCompile(`(?m)^ *end$`).FindAllString(formula, -1)
	if len(opens) != len(ends) {
		t.Errorf("%d blocks, %d ends:\n%s", len(opens), len(ends), formula)
	}
}

// scoop's manifest has the keys that its schema requires, and such that it knows.
func TestScoop(t *testing.T) {
	t.Parallel()
	names, err := packaging.Parse([]byte(chosen))
	if err != nil {
		t.Fatal(err)
	}
	texts, _ := manifests(t, names)
	want := object{
		"version": "1.2.3", "description": "Apps, and more.", "homepage": "https://example.com/you/ui-mcp", "license": "MIT",
		"extract_dir": "ui-mcp-1.2.3-windows-amd64", "bin": "bin/ui-mcp.exe", "architecture": object{"64bit": object{
			"url": "https://example.com/you/ui-mcp/releases/download/v1.2.3/ui-mcp-1.2.3-windows-amd64.zip", "hash": strings.Repeat("e", 64),
		}},
	}
	if diff := cmp.Diff(want, read[object](t, []byte(texts["scoop/ui-mcp.json"]))); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// winget's manifests have the keys that its schemas require.
func TestWinget(t *testing.T) {
	t.Parallel()
	names, err := packaging.Parse([]byte(chosen))
	if err != nil {
		t.Fatal(err)
	}
	texts, _ := manifests(t, names)
	for file, want := range map[string][]string{
		"winget/You.UIMCP.yaml":              {"DefaultLocale: en-US", "ManifestType: version"},
		"winget/You.UIMCP.locale.en-US.yaml": {"PackageLocale: en-US", `Publisher: "You & Co."`, "PackageName: ui-mcp", "License: MIT", `ShortDescription: "Apps, and more."`, "ManifestType: defaultLocale"},
		"winget/You.UIMCP.installer.yaml": {
			"InstallerType: zip", "NestedInstallerType: portable", `- RelativeFilePath: ui-mcp-1.2.3-windows-amd64\bin\ui-mcp.exe`, "  PortableCommandAlias: ui-mcp",
			"- Architecture: x64", "  InstallerUrl: https://example.com/you/ui-mcp/releases/download/v1.2.3/ui-mcp-1.2.3-windows-amd64.zip",
			"  InstallerSha256: " + strings.Repeat("E", 64), "ManifestType: installer",
		},
	} {
		lines := strings.Split(texts[file], "\n")
		for _, line := range append(want, "PackageIdentifier: You.UIMCP", "PackageVersion: 1.2.3", "ManifestVersion: 1.10.0") {
			if !slices.Contains(lines, line) {
				t.Errorf("%s does not have %q:\n%s", file, line, texts[file])
			}
		}
	}
}

// While the owner has chosen no address, none is in a manifest. The formula installs what lies
// beside it, and what cannot do that is not made.
func TestWithoutAddress(t *testing.T) {
	t.Parallel()
	names := packaging.Load()
	names.Repository, names.Publisher = "", ""
	texts, notes := manifests(t, names)
	formula := texts["homebrew/ui-mcp.rb"]
	if len(texts) != 1 || !strings.Contains(formula, `url "file://#{__dir__}/../archives/ui-mcp-1.2.3-darwin-arm64.tar.gz"`) || strings.Contains(formula, "https:") || strings.Contains(formula, "homepage") {
		t.Errorf("%v", texts)
	}
	if len(notes) != 2 || !strings.Contains(notes[0], "scoop") || !strings.Contains(notes[1], "winget") {
		t.Errorf("%q", notes)
	}
}

// Licences are recognised by their texts, and others are not taken for one of them.
func TestLicences(t *testing.T) {
	t.Parallel()
	own := string(readFile(t, filepath.Join("..", "..", "LICENSE")))
	for text, want := range map[string]string{
		own:                                   "MIT",
		"All rights reserved.":                "",
		own + "\nCommons Clause: no selling.": "",
	} {
		if got := licenceOf(text); got != want {
			t.Errorf("%q, not %q:\n%s", got, want, text)
		}
	}
	if _, err := licenceIn(t.TempDir()); err == nil || !strings.Contains(err.Error(), "has no licence") {
		t.Errorf("a folder without a licence: %v", err)
	}
}
