package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"ui-mcp/packaging"
)

// A platform is one that programs are built for, with its names in each channel.
type platform struct {
	os, arch string // as Go names them
	npmOS    string // as Node.js does
	npmArch  string
	wheel    string // the tag of wheels
	winget   string
}

// The Go release that builds the programs needs at least macOS 12. The programs for Linux are
// linked statically, so they run with every C library.
var platforms = []platform{
	{os: "linux", arch: "amd64", npmOS: "linux", npmArch: "x64", wheel: "manylinux2014_x86_64.musllinux_1_1_x86_64"},
	{os: "linux", arch: "arm64", npmOS: "linux", npmArch: "arm64", wheel: "manylinux2014_aarch64.musllinux_1_1_aarch64"},
	{os: "darwin", arch: "amd64", npmOS: "darwin", npmArch: "x64", wheel: "macosx_12_0_x86_64"},
	{os: "darwin", arch: "arm64", npmOS: "darwin", npmArch: "arm64", wheel: "macosx_12_0_arm64"},
	{os: "windows", arch: "amd64", npmOS: "win32", npmArch: "x64", wheel: "win_amd64", winget: "x64"},
}

// platformsIn returns the platforms that have programs in a directory. .ci/run builds for some.
func platformsIn(dir string, names packaging.Names) ([]platform, error) {
	found := slices.DeleteFunc(slices.Clone(platforms), func(p platform) bool {
		return !slices.ContainsFunc(names.Commands, func(c packaging.Command) bool {
			_, err := os.Stat(filepath.Join(dir, p.program(c.Name+"-"+p.String())))
			return err == nil
		})
	})
	if len(found) == 0 {
		return nil, fmt.Errorf("%s has no programs", dir)
	}
	return found, nil
}

// String returns the platform as it is part of names of files.
func (p platform) String() string { return p.os + "-" + p.arch }

func (p platform) program(command string) string {
	if p.os == "windows" {
		return command + ".exe"
	}
	return command
}

func (p platform) npm() string { return p.npmOS + "-" + p.npmArch }
