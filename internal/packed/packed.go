// Package packed reads embedded files that are compressed, each for itself, as if they were not:
// what is embedded as NAME.gz is the file NAME. The command pack compresses them. That makes the
// programs smaller, which have three megabytes of such files.
package packed

import (
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/binary"
	"io"
	"io/fs"
	"strings"
)

// Suffix is what the name of a compressed file ends with. Under that name, [FS.ReadFile] returns
// the file as it is: in the format of gzip.
const Suffix = ".gz"

// FS is a file system of embedded files, some of which may be compressed. It is safe for concurrent
// use. A compressed file is expanded each time that it is opened or read; files can seek.
type FS struct{ files embed.FS }

// New returns a file system of files.
func New(files embed.FS) FS { return FS{files} }

// Sub returns a file system of the files in a folder, whose name must be valid.
func Sub(files embed.FS, folder string) fs.FS {
	sub, err := fs.Sub(New(files), folder)
	if err != nil {
		panic(err)
	}
	return sub
}

// ReadFile implements [fs.ReadFileFS].
func (f FS) ReadFile(name string) ([]byte, error) {
	small, err := f.files.ReadFile(name + Suffix)
	if err != nil {
		return f.files.ReadFile(name)
	}
	content, err := Expand(small)
	if err != nil {
		return nil, &fs.PathError{Op: "read", Path: name, Err: err}
	}
	return content, nil
}

// Expand returns the content of a compressed file.
func Expand(small []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(small))
	if err != nil {
		return nil, err
	}
	content := bytes.NewBuffer(make([]byte, 0, expanded(small)+bytes.MinRead))
	_, err = io.Copy(content, r)
	return content.Bytes(), err
}

// expanded returns the size of the content of a compressed file, with which it ends.
func expanded(small []byte) int {
	return int(binary.LittleEndian.Uint32(small[max(len(small)-4, 0):]))
}

// Open implements [fs.FS].
func (f FS) Open(name string) (fs.File, error) {
	file, err := f.files.Open(name)
	if err == nil {
		if info, err := file.Stat(); err != nil || !info.IsDir() {
			return file, err
		}
		list, err := f.ReadDir(name)
		return &folder{file, list}, err
	}
	small, notPacked := f.files.Open(name + Suffix)
	if notPacked != nil {
		return nil, err
	}
	info, err := small.Stat()
	if err != nil {
		return nil, err
	}
	content, err := f.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return &document{bytes.NewReader(content), described{info, int64(len(content))}}, nil
}

// ReadDir implements [fs.ReadDirFS].
func (f FS) ReadDir(name string) ([]fs.DirEntry, error) {
	list, err := f.files.ReadDir(name)
	if err != nil {
		return nil, err
	}
	for i, e := range list {
		if !strings.HasSuffix(e.Name(), Suffix) {
			continue
		}
		info, err := e.Info()
		if err != nil {
			return nil, err
		}
		small, err := f.files.ReadFile(strings.TrimPrefix(name+"/", "./") + e.Name())
		if err != nil {
			return nil, err
		}
		list[i] = fs.FileInfoToDirEntry(described{info, int64(expanded(small))})
	}
	return list, nil
}

// described describes a compressed file as its content.
type described struct {
	fs.FileInfo
	size int64
}

func (d described) Name() string { return strings.TrimSuffix(d.FileInfo.Name(), Suffix) }
func (d described) Size() int64  { return d.size }

// A document is a compressed file that is open.
type document struct {
	*bytes.Reader
	info described
}

func (d *document) Stat() (fs.FileInfo, error) { return d.info, nil }
func (d *document) Close() error               { return nil }

// A folder is an open directory.
type folder struct {
	fs.File
	rest []fs.DirEntry
}

// ReadDir implements [fs.ReadDirFile].
func (d *folder) ReadDir(n int) ([]fs.DirEntry, error) {
	if n > 0 && len(d.rest) == 0 {
		return nil, io.EOF
	}
	if n <= 0 || n > len(d.rest) {
		n = len(d.rest)
	}
	list := d.rest[:n:n]
	d.rest = d.rest[n:]
	return list, nil
}
