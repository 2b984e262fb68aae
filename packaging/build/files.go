package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A file is part of a package. Its name has slashes.
type file struct {
	name     string
	data     []byte
	exec     bool   // whether it is a program
	deflated []byte // data as deflate has it, without the end of a stream; nil if nobody has compressed it
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

// deflate compresses data. Streams can be joined if they do not end, so that a program needs to be
// compressed once for all of its packages, which takes most of the time.
func deflate(data []byte, end bool) ([]byte, error) {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.DefaultCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	if end {
		err = w.Close()
	} else {
		err = w.Flush()
	}
	return b.Bytes(), err
}

// gzipped returns the concatenation of parts as a stream of gzip.
func gzipped(parts []file) ([]byte, error) {
	b := bytes.NewBuffer([]byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255})
	sum, size := crc32.NewIEEE(), 0
	for i, p := range append(parts, file{}) {
		piece := p.deflated
		if piece == nil {
			var err error
			if piece, err = deflate(p.data, i == len(parts)); err != nil {
				return nil, err
			}
		}
		b.Write(piece)
		sum.Write(p.data)
		size += len(p.data)
	}
	return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(b.Bytes(), sum.Sum32()), uint32(size)), nil
}

// tarball returns files as a .tar.gz, as root owns them.
func tarball(files []file, at time.Time) ([]byte, error) {
	var parts []file
	var b bytes.Buffer
	archive := tar.NewWriter(&b)
	for _, f := range files {
		h := &tar.Header{Name: f.name, Mode: int64(f.mode()), Size: int64(len(f.data)), ModTime: at, Typeflag: tar.TypeReg, Format: tar.FormatUSTAR}
		if err := archive.WriteHeader(h); err != nil {
			return nil, err
		}
		start := b.Len()
		if _, err := archive.Write(f.data); err != nil {
			return nil, err
		}
		if f.deflated != nil {
			parts = append(parts, file{data: bytes.Clone(b.Bytes()[:start])}, f)
			b.Reset()
		}
	}
	if err := archive.Close(); err != nil {
		return nil, err
	}
	return gzipped(append(parts, file{data: b.Bytes()}))
}

// ready writes compressed data when the data that it was made of have been written.
type ready struct {
	io.Writer // where the compressed data belong
	data      []byte
}

func (r ready) Write(p []byte) (int, error) { return len(p), nil }

func (r ready) Close() error {
	_, err := r.Writer.Write(r.data)
	return err
}

func zipped(files []file, at time.Time) ([]byte, error) {
	var b bytes.Buffer
	archive := zip.NewWriter(&b)
	for _, f := range files {
		compressed := f.deflated
		if compressed == nil {
			var err error
			if compressed, err = deflate(f.data, false); err != nil {
				return nil, err
			}
		}
		archive.RegisterCompressor(zip.Deflate, func(to io.Writer) (io.WriteCloser, error) {
			end, err := deflate(nil, true)
			return ready{to, append(slices.Clip(compressed), end...)}, err
		})
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
	if err := archive.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// readTree returns the files below a directory, by their names.
func readTree(dir string) (list []file, err error) {
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		name, err = filepath.Rel(dir, name)
		list = append(list, file{name: filepath.ToSlash(name), data: data})
		return err
	})
	slices.SortFunc(list, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return list, err
}
