package main

import (
	"archive/zip"
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"ui-mcp/internal/regular"
	"ui-mcp/packaging"
)

type bundleManifest struct {
	Version       string                 `json:"manifest_version"`
	Name          string                 `json:"name"`
	DisplayName   string                 `json:"display_name"`
	Number        string                 `json:"version"`
	Description   string                 `json:"description"`
	Author        person                 `json:"author"`
	Repository    *repository            `json:"repository,omitempty"`
	Licence       string                 `json:"license"`
	Server        bundleServer           `json:"server"`
	Generated     bool                   `json:"tools_generated"`
	UserConfig    map[string]userSetting `json:"user_config,omitempty"`
	Compatibility compatibility          `json:"compatibility"`
}

type repository struct {
	Type string `json:"type"`
	URL  string `json:"url"`
}

type bundleServer struct {
	Type  string `json:"type"`
	Entry string `json:"entry_point"`
	Start server `json:"mcp_config"`
}

type userSetting struct {
	Type        string `json:"type"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Required    bool   `json:"required"`
}

type compatibility struct {
	Platforms []string `json:"platforms"`
}

// desktops are the platforms of Claude Desktop, as our programs and as bundles name them.
var desktops = []struct{ program, platform string }{
	{"darwin-amd64", "darwin"}, {"darwin-arm64", "darwin"}, {"windows-amd64.exe", "win32"},
}

const maxProgram = 1 << 30

// bundles makes a bundle for Claude Desktop of each command and platform. A bundle says which
// system it is for, not which processor.
func (b *builder) bundles() error {
	for _, c := range b.names.Servers() {
		for _, d := range desktops {
			program, err := regular.ReadFile(filepath.Join(b.dir, c.Name+"-"+d.program), maxProgram)
			if err != nil {
				return err
			}
			name := c.Name
			if strings.HasSuffix(d.program, ".exe") {
				name += ".exe"
			}
			text, err := readable(b.bundleOf(c, "server/"+name, d.platform))
			if err != nil {
				return err
			}
			archive, err := b.zipped([]packed{{"manifest.json", text, 0o644}, {"server/" + name, program, 0o755}})
			if err != nil {
				return err
			}
			if err := b.write("mcpb/"+c.Name+"-"+b.version+"-"+strings.TrimSuffix(d.program, ".exe")+".mcpb", archive); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *builder) bundleOf(c packaging.Command, program, platform string) bundleManifest {
	m := bundleManifest{
		Version: "0.3", Name: c.Name, DisplayName: c.Name, Number: b.version, Description: c.Summary + ".", Author: b.maintainer(), Licence: "MIT",
		Server:    bundleServer{Type: "binary", Entry: program, Start: server{Command: "${__dirname}/" + program, Args: []string{"mcp"}}},
		Generated: true, Compatibility: compatibility{[]string{platform}},
	}
	if b.names.Repository != "" {
		m.Repository = &repository{"git", b.names.Repository}
	}
	if c.Name == apps {
		m.UserConfig = map[string]userSetting{"directory": {
			Type: "directory", Title: "Directory", Description: "Your apps are kept in .claude/ui in this directory.", Required: true,
		}}
		m.Server.Start.Args = append(m.Server.Start.Args, "--dir", "${user_config.directory}/"+base)
	}
	return m
}

// packed is a file in a bundle.
type packed struct {
	name string
	data []byte
	mode fs.FileMode
}

func (b *builder) zipped(files []packed) ([]byte, error) {
	var buffer bytes.Buffer
	archive := zip.NewWriter(&buffer)
	for _, f := range files {
		header := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: b.at}
		header.SetMode(f.mode)
		w, err := archive.CreateHeader(header)
		if err == nil {
			_, err = w.Write(f.data)
		}
		if err != nil {
			return nil, errors.Join(err, archive.Close())
		}
	}
	err := archive.Close()
	return buffer.Bytes(), err
}
