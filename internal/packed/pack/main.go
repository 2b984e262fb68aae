// Command pack compresses files that package packed reads: in place of each script, style, vector
// graphic and font in the folders that it is given, it leaves NAME.gz. One that has the content of
// the file stays as it is, since a later version of the compressor may make other bytes of it. With
// -open, it puts the files beside the compressed ones, for builds that need them.
package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/packed"
)

func main() {
	opens := flag.Bool("open", false, "put the files beside the compressed ones")
	flag.Parse()
	act := pack
	if *opens {
		act = open
	}
	for _, dir := range flag.Args() {
		if err := act(dir); err != nil {
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
		if had, err := read(name + ".gz"); err != nil || !bytes.Equal(had, content) {
			var small bytes.Buffer
			w := fault.Must(gzip.NewWriterLevel(&small, gzip.BestCompression))
			_, err := w.Write(content)
			if err := errors.Join(err, w.Close()); err != nil {
				return err
			}
			if err := os.WriteFile(name+".gz", small.Bytes(), 0o644); err != nil {
				return err
			}
		}
		return os.Remove(name)
	})
}

func open(dir string) error {
	return filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		file, isPacked := strings.CutSuffix(name, ".gz")
		if err != nil || d.IsDir() || !isPacked {
			return err
		}
		content, err := read(name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return os.WriteFile(file, content, 0o644)
	})
}

// read returns the content of a compressed file.
func read(name string) ([]byte, error) {
	small, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return packed.Expand(small)
}
