package packaging

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"

	"ui-mcp/internal/testkit/load"
)

// run runs a command in a directory and returns what it prints.
func run(t *testing.T, dir string, env []string, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}
	return string(out)
}

// copySources copies the files of the repository.
func copySources(t *testing.T, to string) {
	t.Helper()
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel("..", path)
		if err != nil {
			return err
		}
		switch {
		case d.IsDir() && (d.Name() == "node_modules" || slices.Contains([]string{".git", ".demo", "bin", "release", "scratch"}, name)):
			return fs.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, name), 0o700)
		case !d.Type().IsRegular():
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, name), data, info.Mode().Perm())
	})
	if err != nil {
		t.Fatal(err)
	}
}

// With another path, the module can be installed from a module proxy as every other: all imports
// are found, and a command builds and knows its version. It is the one with the fewest of our
// packages, since each is compiled once more.
func TestRename(t *testing.T) {
	t.Parallel()
	load.Long(t, "packages are compiled once more, under their new path")
	if runtime.GOOS == "windows" {
		t.Skip("tools/rename is for Unix shells")
	}
	version := module.Version{Path: "example.com/who/ui-mcp", Version: "v1.2.3"}
	dir := t.TempDir()
	sources, proxy, bin := filepath.Join(dir, "sources"), filepath.Join(dir, "proxy"), filepath.Join(dir, "bin")
	copySources(t, sources)
	for _, path := range []string{"", "nowhere", version.Path + "\nmore", version.Path + "\n"} {
		if out, err := exec.CommandContext(t.Context(), filepath.Join(sources, "tools", "rename"), path).CombinedOutput(); err == nil {
			t.Errorf("the path %q is accepted: %s", path, out)
		}
	}
	run(t, sources, nil, filepath.Join(sources, "tools", "rename"), version.Path)
	if unknown := run(t, sources, nil, "go", "list", "-e", "-test", "-deps", "-f", "{{if .Error}}{{.ImportPath}}: {{.Error}}{{end}}", "./..."); unknown != "" {
		t.Errorf("packages are missing:\n%s", unknown)
	}
	for _, file := range []string{"go.mod", "tools/go.mod", "packaging/names.json"} {
		data, err := os.ReadFile(filepath.Join(sources, file))
		if err != nil || !strings.Contains(string(data), version.Path) {
			t.Errorf("%s does not have the new path: %v", file, err)
		}
	}

	folder := filepath.Join(proxy, filepath.FromSlash(version.Path), "@v")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	archive, err := os.Create(filepath.Join(folder, version.Version+".zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	if err := zip.CreateFromDir(archive, version, sources); err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join(sources, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		version.Version + ".mod":  string(mod),
		version.Version + ".info": `{"Version":"` + version.Version + `"}`,
		"list":                    version.Version + "\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}

	// Other modules come from what the go command has fetched for this one.
	fetched := filepath.Join(strings.TrimSpace(run(t, dir, nil, "go", "env", "GOMODCACHE")), "cache", "download")
	run(t, dir, []string{
		"GOPROXY=file://" + proxy + ",file://" + fetched, "GOSUMDB=off", "GOBIN=" + bin,
		"GOMODCACHE=" + filepath.Join(dir, "modules"), "GOFLAGS=-modcacherw -trimpath", "GOWORK=off",
	}, "go", "install", version.Path+"/cmd/wsh-hub@"+version.Version)
	if got, want := run(t, dir, nil, filepath.Join(bin, "wsh-hub"), "--version"), "wsh-hub "+version.Version+"\n"; got != want {
		t.Errorf("wsh-hub --version prints %q, not %q", got, want)
	}
}
