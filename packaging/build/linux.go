package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"ui-mcp/packaging"
)

// compression of packages for Debian and Red Hat has the level of our archives. The highest, which
// nfpm would use, takes three times as long for .deb that are 0.3 % and .rpm that are 3 % smaller.
const compression = "gzip:6"

// linux makes the packages of one platform for Debian, Red Hat and Alpine, of files whose names are
// below /usr. None of them runs anything when it is installed.
func (r *release) linux(c packaging.Command, on platform, files []file) error {
	work, err := os.MkdirTemp(r.work, "linux")
	if err != nil {
		return err
	}
	maintainer := r.names.Maintainer
	if r.names.Email != "" {
		maintainer += " <" + r.names.Email + ">"
	}
	var contents []any
	for i, f := range files {
		from := filepath.Join(work, fmt.Sprint(i))
		if err := os.WriteFile(from, f.data, 0o600); err != nil {
			return err
		}
		info := map[string]any{"mode": f.mode(), "owner": "root", "group": "root"}
		contents = append(contents, map[string]any{"src": from, "dst": "/usr/" + f.name, "file_info": info})
	}
	config := map[string]any{
		"name": c.Linux, "arch": on.arch, "platform": "linux", "version_schema": "none", "section": "utils", "priority": "optional",
		"maintainer": maintainer, "description": c.Summary, "homepage": r.names.Repository, "license": "MIT", "mtime": r.at.Format(time.RFC3339),
		"deb":      map[string]any{"compression": compression},
		"rpm":      map[string]any{"compression": compression, "summary": c.Summary, "buildhost": "localhost"},
		"contents": contents,
	}
	for _, kind := range []struct{ name, version, release, file string }{
		{"deb", r.version.linux(), "", fmt.Sprintf("%s_%s_%s.deb", c.Linux, r.version.linux(), on.arch)},
		{"rpm", r.version.linux(), "1", fmt.Sprintf("%s-%s-1.%s.rpm", c.Linux, r.version.linux(), machine[on.arch])},
		{"apk", r.version.alpine(), "0", fmt.Sprintf("%s-%s-r0.%s.apk", c.Linux, r.version.alpine(), machine[on.arch])},
	} {
		config["version"], config["release"] = kind.version, kind.release
		text, err := json.Marshal(config) // which is YAML, too
		if err != nil {
			return err
		}
		name := filepath.Join(work, kind.name+".json")
		if err := os.WriteFile(name, text, 0o600); err != nil {
			return err
		}
		to := filepath.Join(r.dir, "linux", kind.file)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		if out, err := exec.Command(r.nfpm, "package", "--config", name, "--packager", kind.name, "--target", to).CombinedOutput(); err != nil {
			return fmt.Errorf("nfpm: %w\n%s", err, strings.TrimSpace(string(out)))
		}
		if err := r.sum("linux/" + kind.file); err != nil {
			return err
		}
	}
	return nil
}

// machine has the names of processors in .rpm and .apk.
var machine = map[string]string{"amd64": "x86_64", "arm64": "aarch64"}
