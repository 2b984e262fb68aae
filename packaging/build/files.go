package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
)

// A file is part of a package. Its name has slashes.
type file struct {
	name string
	data []byte
	exec bool // whether it is a program
}

func (f file) as(name string) file {
	f.name = name
	return f
}

func (f file) mode() fs.FileMode {
	if f.exec {
		return 0o755
	}
	return 0o644
}

func within(folder string, files []file) []file {
	list := slices.Clone(files)
	for i := range list {
		list[i].name = path.Join(folder, list[i].name)
	}
	return list
}

// write writes a whole file of a release, and the folders above it.
func write(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, data, 0o644)
}

// tarball returns files as a .tar.gz, as root owns them.
func tarball(files []file, at time.Time) ([]byte, error) {
	var b bytes.Buffer
	compressed := gzip.NewWriter(&b)
	archive := tar.NewWriter(compressed)
	for _, f := range files {
		h := &tar.Header{Name: f.name, Mode: int64(f.mode()), Size: int64(len(f.data)), ModTime: at, Typeflag: tar.TypeReg, Format: tar.FormatUSTAR}
		if err := archive.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := archive.Write(f.data); err != nil {
			return nil, err
		}
	}
	err := errors.Join(archive.Close(), compressed.Close())
	return b.Bytes(), err
}

func zipped(files []file, at time.Time) ([]byte, error) {
	var b bytes.Buffer
	archive := zip.NewWriter(&b)
	archive.RegisterCompressor(zip.Deflate, func(to io.Writer) (io.WriteCloser, error) { return flate.NewWriter(to, flate.DefaultCompression) })
	for _, f := range files {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: at}
		h.SetMode(f.mode())
		w, err := archive.CreateHeader(h)
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(f.data); err != nil {
			return nil, err
		}
	}
	err := archive.Close()
	return b.Bytes(), err
}

// readTree returns the files below a directory, by their names.
func readTree(dir string) (list []file, err error) {
	tree := os.DirFS(dir)
	err = fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(tree, name)
		list = append(list, file{name: name, data: data})
		return err
	})
	return list, err
}
