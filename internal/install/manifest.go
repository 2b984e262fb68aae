package install

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

const (
	baseFolder    = "base"    // in the bundle: what goes to the base directory
	projectFolder = "project" // in the bundle: what goes to the project
	readme        = "README.md"

	// hashMark stands for a script's hash in the bundled HTML: main-HASH.js.
	hashMark = "HASH"
)

// A Source has the files to install.
type Source struct {
	// Files holds the bundle. Its folder base is copied into the base directory and its folder
	// project into the project; either may be missing. A file that begins with #! is made
	// executable.
	Files fs.FS
	// Client holds the browser client. Each NAME.js at its root is installed as html/NAME-HASH.js,
	// where HASH is the first eight hexadecimal digits of its SHA-256; NAME-HASH.js in bundled HTML
	// is replaced by that name.
	Client fs.FS
	// Readme is installed as README.md; it has a line **Version: X.Y.Z**.
	Readme string
}

type file struct {
	folder string // baseFolder or projectFolder
	path   string // relative to what the folder stands for, with slashes
	data   []byte
	mode   fs.FileMode
}

// key names the file in the record, wherever the base directory is.
func (f file) key() string { return path.Join(f.folder, f.path) }

// manifest lists the files of src: scripts first, so that no page ever names a missing one, and
// README.md last.
func manifest(src Source) ([]file, error) {
	scripts, names, err := client(src.Client)
	if err != nil {
		return nil, err
	}
	files := scripts
	for _, folder := range []string{baseFolder, projectFolder} {
		copied, err := walk(src.Files, folder, names)
		if err != nil {
			return nil, err
		}
		files = append(files, copied...)
	}
	return append(files, file{baseFolder, readme, []byte(src.Readme), 0o644}), nil
}

// client lists the browser's scripts, and replaces their names in HTML.
func client(src fs.FS) ([]file, *strings.Replacer, error) {
	scripts, err := fs.Glob(src, "*.js")
	if err != nil {
		return nil, nil, err
	}
	if !slices.Contains(scripts, "main.js") {
		return nil, nil, fmt.Errorf("the browser client has no main.js")
	}
	var files []file
	var renames []string
	for _, name := range scripts {
		data, err := fs.ReadFile(src, name)
		if err != nil {
			return nil, nil, err
		}
		stem := strings.TrimSuffix(name, ".js")
		hashed := stem + "-" + sum(data)[:8] + ".js"
		files = append(files, file{baseFolder, path.Join("html", hashed), data, 0o644})
		renames = append(renames, stem+"-"+hashMark+".js", hashed)
	}
	return files, strings.NewReplacer(renames...), nil
}

func walk(src fs.FS, folder string, names *strings.Replacer) ([]file, error) {
	if _, err := fs.Stat(src, folder); err != nil {
		return nil, nil // a bundle need not have both folders
	}
	var files []file
	err := fs.WalkDir(src, folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(src, name)
		if err != nil {
			return err
		}
		f := file{folder, strings.TrimPrefix(name, folder+"/"), data, 0o644}
		if bytes.HasPrefix(data, []byte("#!")) {
			f.mode = 0o755
		}
		if path.Ext(name) == ".html" {
			f.data = []byte(names.Replace(string(data)))
		}
		files = append(files, f)
		return nil
	})
	return files, err
}

// sum is the SHA-256 of data in hexadecimal.
func sum(data []byte) string {
	s := sha256.Sum256(data)
	return hex.EncodeToString(s[:])
}
