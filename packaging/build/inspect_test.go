package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sync/errgroup"

	"ui-mcp/packaging"
)

// released returns the release that make inspect looks at: its directory, version and date. Other
// runs skip the test.
func released(t *testing.T) (dir string, v version, date int64) {
	t.Helper()
	dir = os.Getenv("UI_MCP_RELEASE")
	if dir == "" {
		t.Skip("make inspect runs it, on a release")
	}
	v, err := parseVersion(os.Getenv("UI_MCP_RELEASE_VERSION"))
	if err != nil {
		t.Fatal(err)
	}
	date, err = strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return dir, v, date
}

// releasedFor returns the platforms of a release.
func releasedFor(t *testing.T, dir string) []platform {
	t.Helper()
	there, err := platformsIn(dir, packaging.Load())
	if err != nil {
		t.Fatal(err)
	}
	return there
}

// programs calls visit with each program of a release, and its content.
func programs(t *testing.T, dir string, visit func(c packaging.Command, p platform, program []byte)) {
	t.Helper()
	for _, c := range packaging.Load().Commands {
		for _, p := range releasedFor(t, dir) {
			visit(c, p, readFile(t, filepath.Join(dir, p.program(c.Name+"-"+p.String()))))
		}
	}
}

// checkTree checks the files of a package that has everything, with names below its prefix.
func checkTree(t *testing.T, what string, files map[string]packed, c packaging.Command, p platform, program []byte, date int64) {
	t.Helper()
	want := map[string]string{ // what is in them
		"share/doc/" + c.Linux + "/LICENSE":         "MIT License",
		"share/doc/" + c.Linux + "/THIRD-PARTY.txt": "golang.org/x/sys v",
		"share/doc/" + c.Linux + "/README.md":       "# " + c.Name,
	}
	if c.Of == "" && p.os == "windows" {
		want["share/powershell/"+c.Name+".ps1"] = "Register-ArgumentCompleter"
	} else if c.Of == "" {
		want["share/man/man1/"+c.Name+".1"] = ".TH"
		want["share/man/man1/"+c.Name+"-mcp.1"] = ".TH"
		want["share/bash-completion/completions/"+c.Name] = "complete "
		want["share/zsh/site-functions/_"+c.Name] = "#compdef"
		want["share/fish/vendor_completions.d/"+c.Name+".fish"] = "complete "
	}
	switch p.os {
	case "linux":
		want["lib/systemd/user/"+c.Name+".service"] = "ExecStart=" + c.Name + " " + started[c.Name]
	case "darwin":
		want["share/launchd/"+c.Name+".plist"] = "exec " + c.Name + " " + started[c.Name]
	}
	for name, text := range want {
		if f, ok := files[name]; !ok || !bytes.Contains(f.data, []byte(text)) {
			t.Errorf("%s: %s, there: %t, does not have %q", what, name, ok, text)
		}
	}
	bin := "bin/" + p.program(c.Name)
	if !bytes.Equal(files[bin].data, program) {
		t.Errorf("%s: %s is not the program", what, bin)
	}
	for name, f := range files {
		mode := fs.FileMode(0o644)
		if name == bin {
			mode = 0o755
		}
		if f.mode.Perm() != mode || f.time/2 != date/2 || !slices.Contains([]string{"", "0:0", "root:root"}, f.owner) {
			t.Errorf("%s: %s has mode %v, owner %q, time %d", what, name, f.mode, f.owner, f.time)
		}
		if _, wanted := want[name]; !wanted && name != bin && !strings.HasPrefix(name, "share/man/man1/"+c.Name+"-") {
			t.Errorf("%s has %s", what, name)
		}
	}
}

// below returns the files below a folder, which must be all, with the rest of their names.
func below(t *testing.T, what, folder string, files map[string]packed) map[string]packed {
	t.Helper()
	list := map[string]packed{}
	for name, f := range files {
		rest, ok := strings.CutPrefix(name, folder+"/")
		if !ok {
			t.Errorf("%s has %s, outside of %s", what, name, folder)
		}
		list[rest] = f
	}
	return list
}

// SHA256SUMS has each file of the release.
func TestReleasedSums(t *testing.T) {
	t.Parallel()
	dir, _, _ := released(t)
	var want []string
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == "SHA256SUMS" {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		want = append(want, fmt.Sprintf("%x  %s", sha256.Sum256(readFile(t, name)), filepath.ToSlash(rel)))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Split(strings.TrimSpace(string(readFile(t, filepath.Join(dir, "SHA256SUMS")))), "\n")
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("SHA256SUMS (-files +listed)\n%s", diff)
	}
}

// The archives have the programs, manual pages, completions, units and licences.
func TestReleasedArchives(t *testing.T) {
	t.Parallel()
	dir, v, date := released(t)
	programs(t, dir, func(c packaging.Command, p platform, program []byte) {
		folder, end, read := c.Name+"-"+v.String()+"-"+p.String(), ".tar.gz", readTarball
		if p.os == "windows" {
			end, read = ".zip", readZip
		}
		files, err := read(readFile(t, filepath.Join(dir, "archives", folder+end)))
		if err != nil {
			t.Errorf("%s: %v", folder, err)
			return
		}
		checkTree(t, folder, below(t, folder, folder, files), c, p, program, date)
		for name, f := range files {
			if strings.HasSuffix(name, ".plist") {
				if err := xml.Unmarshal(f.data, new(struct{})); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
	})
}

// The packages for npm have what the registry and npm read, one program each, and no scripts.
func TestReleasedNPM(t *testing.T) {
	t.Parallel()
	dir, v, date := released(t)
	// check returns the files of a package, whose package.json has these members beside those of
	// all, and no scripts.
	check := func(name string, about object) map[string]packed {
		t.Helper()
		files, err := readTarball(readFile(t, filepath.Join(dir, filepath.FromSlash(npmFile(name, v.String())))))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		files = below(t, name, "package", files)
		maps.Copy(about, object{"name": name, "version": v.String(), "license": "MIT"})
		if repository := packaging.Load().Repository; repository != "" {
			about["repository"] = repository
		}
		if diff := cmp.Diff(about, read[object](t, files["package.json"].data)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
		for file, f := range files {
			if f.time != date || f.mode.Perm() != 0o644 && !strings.HasPrefix(file, "bin/") {
				t.Errorf("%s: %s has mode %v, time %d", name, file, f.mode, f.time)
			}
		}
		for _, file := range []string{"README.md", "LICENSE", "THIRD-PARTY.txt"} {
			if len(files[file].data) == 0 {
				t.Errorf("%s has no %s", name, file)
			}
		}
		return files
	}
	programs(t, dir, func(c packaging.Command, p platform, program []byte) {
		name := c.NPM + "-" + p.npm()
		files := check(name, object{
			"description": "The program of " + c.NPM + " for " + p.npm() + ". Install " + c.NPM + " instead.", "preferUnplugged": true,
			"os": []any{p.npmOS}, "cpu": []any{p.npmArch},
		})
		bin := files["bin/"+p.program(c.Name)]
		if !bytes.Equal(bin.data, program) || bin.mode.Perm() != 0o755 || len(files) != 5 {
			t.Errorf("%s has %q, mode %v", name, slices.Collect(maps.Keys(files)), bin.mode)
		}
	})
	for _, c := range packaging.Load().Commands {
		optional := object{}
		for _, p := range platforms {
			optional[c.NPM+"-"+p.npm()] = v.String()
		}
		script := "bin/" + c.Name + ".js"
		bin := check(c.NPM, object{
			"description": c.Summary + ".", "bin": object{c.Name: script}, "engines": object{"node": ">=18"}, "optionalDependencies": optional,
		})[script]
		if !bytes.HasPrefix(bin.data, []byte("#!/usr/bin/env node\n")) || bin.mode.Perm() != 0o755 {
			t.Errorf("%s has the script %q, mode %v", c.NPM, bin.data, bin.mode)
		}
	}
}

// Wheels have the program where installers look for commands, and records of all files.
func TestReleasedWheels(t *testing.T) {
	t.Parallel()
	dir, v, date := released(t)
	// As PEP 427 and the compatibility tags of platforms have it.
	form := regexp.MustCompile(`^[a-z0-9_]+-[0-9]+(\.[0-9]+)*((a|b|rc)[0-9]+)?(\+[a-z0-9.]+)?-py3-none-((manylinux2014|musllinux_1_1|macosx_12_0)_(x86_64|aarch64|arm64)|win_amd64)(\.[a-z0-9_]+)?\.whl$`)
	programs(t, dir, func(c packaging.Command, p platform, program []byte) {
		base := strings.ReplaceAll(c.PyPI, "-", "_") + "-" + v.python()
		name := base + "-py3-none-" + p.wheel + ".whl"
		if !form.MatchString(name) {
			t.Errorf("%s is no name of a wheel", name)
		}
		files, err := readZip(readFile(t, filepath.Join(dir, "pypi", name)))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		script := files[base+".data/scripts/"+p.program(c.Name)]
		if !bytes.Equal(script.data, program) || script.mode.Perm() != 0o755 {
			t.Errorf("%s does not have the program, or with mode %v", name, script.mode)
		}
		record := strings.Fields(string(files[base+".dist-info/RECORD"].data))
		if len(record) != len(files) {
			t.Errorf("%s has %d files, %d of them recorded", name, len(files), len(record))
		}
		for _, line := range record {
			cells := strings.Split(line, ",")
			f := files[cells[0]]
			sum := sha256.Sum256(f.data)
			want := fmt.Sprintf("%s,sha256=%s,%d", cells[0], base64.RawURLEncoding.EncodeToString(sum[:]), len(f.data))
			if strings.HasSuffix(cells[0], "/RECORD") {
				want = cells[0] + ",,"
			}
			if line != want || f.time/2 != date/2 {
				t.Errorf("%s: recorded as %s, but %s; time %d", name, line, want, f.time)
			}
		}
		about := fields(string(files[base+".dist-info/METADATA"].data), ": ")
		if about["Name"] != c.PyPI || about["Version"] != v.python() || about["License-Expression"] != "MIT" || about["Summary"] == "" {
			t.Errorf("%s: %v", name, about)
		}
		var tags []string
		for line := range strings.Lines(string(files[base+".dist-info/WHEEL"].data)) {
			if tag, ok := strings.CutPrefix(strings.TrimSpace(line), "Tag: py3-none-"); ok {
				tags = append(tags, tag)
			}
		}
		if strings.Join(tags, ".") != p.wheel {
			t.Errorf("%s has tags %q", name, tags)
		}
	})
}

// The packages for Linux say what they are, have all files as root's, and run nothing.
func TestReleasedLinux(t *testing.T) {
	t.Parallel()
	dir, v, date := released(t)
	names := packaging.Load()
	machines := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}
	programs(t, dir, func(c packaging.Command, p platform, program []byte) {
		if p.os != "linux" {
			return
		}
		for _, kind := range []struct {
			file string
			read func(data []byte) (files map[string]packed, about string, err error)
			want string
		}{
			{c.Linux + "_" + v.linux() + "_" + p.arch + ".deb", func(data []byte) (map[string]packed, string, error) {
				files, about, beside, err := readDeb(data)
				return files, fmt.Sprint(about["Package"], " ", about["Version"], " ", about["Architecture"], " ", about["Maintainer"], " ", about["Depends"], beside), err
			}, fmt.Sprint(c.Linux, " ", v.linux(), " ", p.arch, " ", maintainer(names), " []")},
			{c.Linux + "-" + v.linux() + "-1." + machines[p.arch] + ".rpm", func(data []byte) (map[string]packed, string, error) {
				files, about, err := readRPM(data)
				return files, fmt.Sprint(about[rpmName], about[rpmVersion], about[rpmRelease], about[rpmArch], about[rpmLicence], about[rpmSummary], about[rpmBuildHost], about[rpmBuildTime],
					about[rpmPreIn], about[rpmPostIn], about[rpmPreUn], about[rpmPostUn]), err
			}, fmt.Sprint([]string{c.Linux}, []string{v.linux()}, []string{"1"}, []string{machines[p.arch]}, []string{"MIT"}, []string{c.Summary}, []string{"localhost"}, []int64{date}, []string{}, []string{}, []string{}, []string{})},
			{c.Linux + "-" + v.alpine() + "-r0." + machines[p.arch] + ".apk", func(data []byte) (map[string]packed, string, error) {
				files, about, err := readApk(data)
				return files, fmt.Sprint(about["pkgname"], " ", about["pkgver"], " ", about["arch"], " ", about["license"], " ", about["depend"]), err
			}, fmt.Sprint(c.Linux, " ", v.alpine(), "-r0 ", machines[p.arch], " MIT ")},
		} {
			files, about, err := kind.read(readFile(t, filepath.Join(dir, "linux", kind.file)))
			if err != nil {
				t.Errorf("%s: %v", kind.file, err)
				continue
			}
			if about != kind.want {
				t.Errorf("%s: %s\nwant %s", kind.file, about, kind.want)
			}
			checkTree(t, kind.file, below(t, kind.file, "usr", files), c, p, program, date)
		}
	})
}

// maintainer returns who answers for packages, as Debian writes it.
func maintainer(n packaging.Names) string {
	if n.Email == "" {
		return n.Maintainer
	}
	return n.Maintainer + " <" + n.Email + ">"
}

// The units are such as systemd reads.
func TestReleasedUnits(t *testing.T) {
	t.Parallel()
	dir, v, _ := released(t)
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("SYSTEMD-ANALYZE IS MISSING: units are not verified")
	}
	for _, c := range packaging.Load().Commands {
		folder := c.Name + "-" + v.String() + "-linux-amd64"
		files, err := readTarball(readFile(t, filepath.Join(dir, "archives", folder+".tar.gz")))
		if err != nil {
			t.Fatal(err)
		}
		unit := filepath.Join(t.TempDir(), c.Name+".service")
		text := files[folder+"/lib/systemd/user/"+c.Name+".service"].data
		// The program is looked for where it will be installed.
		bin := t.TempDir()
		if err := os.WriteFile(filepath.Join(bin, c.Name), files[folder+"/bin/"+c.Name].data, 0o700); err != nil {
			t.Fatal(err)
		}
		text = bytes.Replace(text, []byte("ExecStart="), []byte("ExecStart="+bin+"/"), 1)
		if err := os.WriteFile(unit, text, 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), analyze, "verify", "--user", unit)
		cmd.Env = append(cmd.Environ(), "XDG_RUNTIME_DIR="+bin, "HOME="+bin)
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v\n%s", unit, err, out)
		}
	}
}

// The bills of materials have everything that the go command says is in the programs, with a
// licence.
func TestReleasedBills(t *testing.T) {
	t.Parallel()
	dir, v, _ := released(t)
	for _, c := range packaging.Load().Commands {
		b := read[object](t, readFile(t, filepath.Join(dir, "sbom", c.Name+".cdx.json")))
		serial, _ := b["serialNumber"].(string)
		about := object{"type": "application", "bom-ref": c.Name, "name": c.Name, "version": v.String(), "licenses": []any{object{"expression": "MIT"}}}
		if b["bomFormat"] != "CycloneDX" || b["specVersion"] != "1.6" || !cmp.Equal(b["metadata"].(object)["component"], any(about)) ||
			!regexp.MustCompile(`^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`).MatchString(serial) {
			t.Errorf("%s: %v", c.Name, b)
		}
		parts, all := map[string]bool{}, []any{}
		for _, p := range b["components"].([]any) {
			p := p.(object)
			ref, _ := p["purl"].(string)
			licence, _ := p["licenses"].([]any)[0].(object)["expression"].(string)
			if parts[ref] || p["bom-ref"] != ref || ref == "" || licence == "" {
				t.Errorf("%s: %v", c.Name, p)
			}
			parts[ref], all = true, append(all, ref)
		}
		if needs := []any{object{"ref": c.Name, "dependsOn": all}}; !cmp.Equal(b["dependencies"], any(needs)) {
			t.Errorf("%s: dependencies %v", c.Name, b["dependencies"])
		}
		for _, p := range releasedFor(t, dir) {
			out, err := exec.CommandContext(t.Context(), "go", "version", "-m", filepath.Join(dir, p.program(c.Name+"-"+p.String()))).Output()
			if err != nil {
				t.Fatal(err)
			}
			found := regexp.MustCompile(`(?m)^\tdep\t(\S+)\t(\S+)\t`).FindAllStringSubmatch(string(out), -1)
			if len(found) < 10 {
				t.Errorf("%s: the go command says:\n%s", c.Name, out)
			}
			for _, m := range found {
				if !parts["pkg:golang/"+m[1]+"@"+m[2]] {
					t.Errorf("%s for %s contains %s %s, which is not in its bill", c.Name, p, m[1], m[2])
				}
			}
		}
	}
}

// Made once more, in another place and time zone, the packages have the same bytes. It does so for
// one platform, since the others are made by the same code.
func TestReleasedAgain(t *testing.T) {
	dir, v, date := released(t)
	t.Setenv("TZ", "Pacific/Chatham")
	names, again := packaging.Load(), t.TempDir()
	programs(t, dir, func(c packaging.Command, p platform, _ []byte) {
		name := p.program(c.Name + "-" + p.String())
		if err := os.Symlink(filepath.Join(dir, name), filepath.Join(again, name)); err != nil {
			t.Fatal(err)
		}
	})
	r, err := newRelease(names, v, time.Unix(date, 0).UTC(), again)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.close)
	if err := r.prepare(); err != nil {
		t.Fatal(err)
	}
	var jobs errgroup.Group
	for _, c := range names.Commands {
		jobs.Go(func() error { return errors.Join(r.packages(c, platforms[0]), r.npmLauncher(c)) })
	}
	if err := jobs.Wait(); err != nil {
		t.Fatal(err)
	}
	if want := len(names.Commands) * (1 + 2 + 3 + 2); len(r.sums) != want { // of each command: program, npm, Linux, wheel and archive
		t.Errorf("%d files, not %d: %q", len(r.sums), want, slices.Sorted(maps.Keys(r.sums)))
	}
	if err := r.clients(); err != nil {
		t.Fatal(err)
	}
	for name := range r.sums {
		if !bytes.Equal(readFile(t, filepath.Join(dir, name)), readFile(t, filepath.Join(again, name))) {
			t.Errorf("%s has other bytes", name)
		}
	}
}
