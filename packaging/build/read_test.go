package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
	"testing"
)

// A packed file is one that was read from a package.
type packed struct {
	data  []byte
	mode  fs.FileMode
	owner string // user and group, where the format has them
	time  int64  // in seconds since 1970
}

// readFile reads a file.
func readFile(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// readTar reads a .tar, with or without its end. Other things than files and directories are
// errors.
func readTar(r io.Reader) (map[string]packed, error) {
	files := map[string]packed{}
	for archive := tar.NewReader(r); ; {
		h, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return files, nil
		}
		if err != nil {
			return nil, err
		}
		switch h.Typeflag {
		case tar.TypeDir:
			continue
		case tar.TypeReg:
		default:
			return nil, fmt.Errorf("%s is of type %c", h.Name, h.Typeflag)
		}
		data, err := io.ReadAll(archive)
		if err != nil {
			return nil, err
		}
		name := strings.TrimPrefix(h.Name, "./")
		if _, twice := files[name]; twice || !fs.ValidPath(name) {
			return nil, fmt.Errorf("the name %s", h.Name)
		}
		files[name] = packed{data: data, mode: h.FileInfo().Mode(), owner: fmt.Sprintf("%d:%d", h.Uid, h.Gid), time: h.ModTime.Unix()}
	}
}

// readTarball reads a .tar.gz.
func readTarball(data []byte) (map[string]packed, error) {
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return readTar(r)
}

// readZip reads a .zip.
func readZip(data []byte) (map[string]packed, error) {
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	files := map[string]packed{}
	for _, f := range r.File {
		content, err := fs.ReadFile(r, f.Name)
		if err != nil {
			return nil, err
		}
		files[f.Name] = packed{data: content, mode: f.Mode(), time: f.Modified.Unix()}
	}
	return files, nil
}

// readDeb returns the files of a .deb, and its control file with the names of the others beside it.
func readDeb(data []byte) (files map[string]packed, control map[string]string, beside []string, err error) {
	rest, ok := bytes.CutPrefix(data, []byte("!<arch>\n"))
	if !ok {
		return nil, nil, nil, errors.New("not an archive of ar")
	}
	members := map[string][]byte{}
	for len(rest) >= 60 {
		size, err := strconv.Atoi(strings.TrimSpace(string(rest[48:58])))
		if err != nil || 60+size > len(rest) {
			return nil, nil, nil, fmt.Errorf("a member of %q", rest[:60])
		}
		members[strings.TrimRight(string(rest[:16]), " /")] = rest[60 : 60+size]
		rest = rest[min(len(rest), 60+size+size%2):]
	}
	if string(members["debian-binary"]) != "2.0\n" {
		return nil, nil, nil, fmt.Errorf("version %q of the format", members["debian-binary"])
	}
	about, err := readTarball(members["control.tar.gz"])
	if err != nil {
		return nil, nil, nil, err
	}
	for name := range about {
		if name != "control" && name != "md5sums" {
			beside = append(beside, name)
		}
	}
	files, err = readTarball(members["data.tar.gz"])
	return files, fields(string(about["control"].data), ": "), beside, err
}

// readApk returns the files of an .apk and what .PKGINFO says.
func readApk(data []byte) (files map[string]packed, about map[string]string, err error) {
	// Two members of gzip, control and data, which are one .tar together.
	r := bytes.NewReader(data)
	control, err := gzip.NewReader(r)
	if err != nil {
		return nil, nil, err
	}
	control.Multistream(false)
	if _, err := io.Copy(io.Discard, control); err != nil {
		return nil, nil, err
	}
	rest := data[len(data)-r.Len():]
	if files, err = readTarball(data); err != nil {
		return nil, nil, err
	}
	about = fields(string(files[".PKGINFO"].data), " = ")
	if sum := fmt.Sprintf("%x", sha256.Sum256(rest)); about["datahash"] != sum {
		return nil, nil, fmt.Errorf("its data has the checksum %s, not %s", sum, about["datahash"])
	}
	for name := range files {
		if strings.HasPrefix(name, ".") && name != ".PKGINFO" {
			return nil, nil, fmt.Errorf("it has %s", name)
		}
	}
	delete(files, ".PKGINFO")
	return files, about, nil
}

// fields reads lines with a name, a separator and a value.
func fields(text, separator string) map[string]string {
	values := map[string]string{}
	for line := range strings.Lines(text) {
		if name, value, ok := strings.Cut(strings.TrimRight(line, "\n"), separator); ok {
			values[name] = value
		}
	}
	return values
}

// Tags of the header of an .rpm.
const (
	rpmName, rpmVersion, rpmRelease, rpmSummary, rpmBuildTime = 1000, 1001, 1002, 1004, 1006
	rpmBuildHost, rpmLicence, rpmArch                         = 1007, 1014, 1022
	rpmPreIn, rpmPostIn, rpmPreUn, rpmPostUn                  = 1023, 1024, 1025, 1026
	rpmUsers, rpmGroups, rpmIndexes, rpmBases, rpmFolders     = 1039, 1040, 1116, 1117, 1118
	rpmModes, rpmTimes, rpmCompressor                         = 1030, 1034, 1125
)

// rpmHeader reads a header of an .rpm: the values of its tags, as texts, and its length.
func rpmHeader(data []byte) (map[uint32][]string, int, error) {
	if len(data) < 16 || !bytes.HasPrefix(data, []byte{0x8e, 0xad, 0xe8, 1}) {
		return nil, 0, errors.New("there is no header")
	}
	count, size := int(binary.BigEndian.Uint32(data[8:])), int(binary.BigEndian.Uint32(data[12:]))
	end := 16 + 16*count + size
	if end > len(data) {
		return nil, 0, errors.New("the header is cut")
	}
	store := data[16+16*count : end]
	values := map[uint32][]string{}
	for i := range count {
		entry := data[16+16*i:]
		tag, kind := binary.BigEndian.Uint32(entry), binary.BigEndian.Uint32(entry[4:])
		at, n := store[binary.BigEndian.Uint32(entry[8:]):], int(binary.BigEndian.Uint32(entry[12:]))
		for j := range n {
			switch kind {
			case 3:
				values[tag] = append(values[tag], fmt.Sprint(binary.BigEndian.Uint16(at[2*j:])))
			case 4:
				values[tag] = append(values[tag], fmt.Sprint(binary.BigEndian.Uint32(at[4*j:])))
			case 6, 8, 9:
				text, rest, _ := bytes.Cut(at, []byte{0})
				values[tag] = append(values[tag], string(text))
				at = rest
			}
		}
	}
	return values, end, nil
}

// readRPM returns the files of an .rpm and the values of its header.
func readRPM(data []byte) (map[string]packed, map[uint32][]string, error) {
	const lead = 96
	if len(data) < lead || !bytes.HasPrefix(data, []byte{0xed, 0xab, 0xee, 0xdb}) {
		return nil, nil, errors.New("not an .rpm")
	}
	_, n, err := rpmHeader(data[lead:])
	if err != nil {
		return nil, nil, err
	}
	at := lead + (n+7)/8*8 // the signature is filled up
	about, n, err := rpmHeader(data[at:])
	if err != nil {
		return nil, nil, err
	}
	r, err := gzip.NewReader(bytes.NewReader(data[at+n:]))
	if err != nil {
		return nil, nil, err
	}
	payload, err := io.ReadAll(r)
	if err != nil {
		return nil, nil, err
	}
	contents, err := readCpio(payload)
	if err != nil {
		return nil, nil, err
	}
	files := map[string]packed{}
	for i, base := range about[rpmBases] {
		mode, _ := strconv.Atoi(about[rpmModes][i])
		if mode&0o170000 == 0o040000 {
			continue
		}
		folder, _ := strconv.Atoi(about[rpmIndexes][i])
		name := strings.TrimPrefix(path.Join(about[rpmFolders][folder], base), "/")
		time, _ := strconv.ParseInt(about[rpmTimes][i], 10, 64)
		content, ok := contents[name]
		if !ok || mode&0o170000 != 0o100000 {
			return nil, nil, fmt.Errorf("%s has the mode %o, and is among the contents: %t", name, mode, ok)
		}
		files[name] = packed{data: content, mode: fs.FileMode(mode & 0o777), owner: about[rpmUsers][i] + ":" + about[rpmGroups][i], time: time}
	}
	return files, about, nil
}

// readCpio reads an archive of cpio, in the format "newc".
func readCpio(data []byte) (map[string][]byte, error) {
	files := map[string][]byte{}
	for at := 0; at+110 <= len(data); {
		head := data[at:]
		if string(head[:6]) != "070701" {
			return nil, fmt.Errorf("no entry at %d", at)
		}
		number := func(i int) int {
			n, _ := strconv.ParseUint(string(head[6+8*i:14+8*i]), 16, 32)
			return int(n)
		}
		size, named := number(6), number(11)
		body := (at + 110 + named + 3) / 4 * 4
		if body+size > len(data) {
			return nil, errors.New("it is cut")
		}
		name := strings.TrimPrefix(strings.TrimRight(string(head[110:110+named]), "\x00"), ".")
		if name == "TRAILER!!!" {
			return files, nil
		}
		files[strings.TrimPrefix(name, "/")] = data[body : body+size]
		at = (body + size + 3) / 4 * 4
	}
	return nil, errors.New("it has no end")
}
