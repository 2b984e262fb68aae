// Command pack compresses files that package packed reads: in place of each script, style, vector
// graphic and font in the folders that it is given, it leaves NAME.gz. One that has the content of
// the file stays as it is, since a later version of the compressor may make other bytes of it.
package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

func main() {
	for _, dir := range os.Args[1:] {
		if err := pack(dir); err != nil {
			fmt.Fprintln(os.Stderr, "pack:", err)
			os.Exit(1)
		}
	}
}

// kinds are the extensions of the files to compress. Licences stay readable in the programs.
var kinds = []string{".css", ".js", ".svg", ".ttf"}

func pack(dir string) error {
	return filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !slices.Contains(kinds, filepath.Ext(name)) {
			return err
		}
		content, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if !contains(name+".gz", content) {
			var small bytes.Buffer
			w, err := gzip.NewWriterLevel(&small, gzip.BestCompression)
			if err != nil {
				return err
			}
			if _, err := w.Write(content); err != nil {
				return err
			}
			if err := w.Close(); err != nil {
				return err
			}
			if err := os.WriteFile(name+".gz", small.Bytes(), 0o644); err != nil {
				return err
			}
		}
		return os.Remove(name)
	})
}

// contains reports whether a compressed file has this content.
func contains(name string, content []byte) bool {
	file, err := os.Open(name)
	if err != nil {
		return false
	}
	defer file.Close()
	r, err := gzip.NewReader(file)
	if err != nil {
		return false
	}
	had, err := io.ReadAll(r)
	return err == nil && bytes.Equal(had, content)
}
