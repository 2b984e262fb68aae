package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"text/template"

	"ui-mcp/packaging"
)

//go:embed templates/readme.md
var readmeText string

//go:embed templates/unit.service
var unitText string

//go:embed templates/agent.plist
var agentText string

// started says how the service of a command is started.
var started = map[string]string{"wsh": "server", "ui-mcp": "serve", "wsh-hub": "--listen=127.0.0.1:4222"}

func fill(text string, data any) []byte {
	var b bytes.Buffer
	if err := template.Must(template.New("").Parse(text)).Execute(&b, data); err != nil {
		panic(err) // templates are part of this program
	}
	return b.Bytes()
}

func (r *release) readme(c packaging.Command) []byte {
	return fill(readmeText, map[string]any{"Command": c, "Names": r.names})
}

// licences returns the command's own licence and those of what it contains.
func (r *release) licences(c packaging.Command) []file {
	return []file{{name: "LICENSE", data: r.licence}, {name: "THIRD-PARTY.txt", data: thirdParty(c.Name, r.parts[c.Name])}}
}

// about returns what every package has beside programs.
func (r *release) about(c packaging.Command) []file {
	return append(r.licences(c), file{name: "README.md", data: r.readme(c)})
}

// share returns the manual pages and completions of a command, with names below /usr. The program
// itself writes them, so one for this platform must be there.
func (r *release) share(c packaging.Command) ([]file, error) {
	if c.Of != "" {
		return nil, nil
	}
	here := platform{os: runtime.GOOS, arch: runtime.GOARCH}
	program, err := filepath.Abs(r.binary(c, here))
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(r.work, "man")
	if err != nil {
		return nil, err
	}
	if _, err := printed(program, "man", "--dir", dir); err != nil {
		return nil, err
	}
	pages, err := readTree(dir)
	if err != nil {
		return nil, err
	}
	files := within("share/man/man1", pages)
	for _, shell := range []struct{ name, file string }{
		{"bash", "share/bash-completion/completions/" + c.Name},
		{"zsh", "share/zsh/site-functions/_" + c.Name},
		{"fish", "share/fish/vendor_completions.d/" + c.Name + ".fish"},
		{"powershell", "share/powershell/" + c.Name + ".ps1"},
	} {
		script, err := printed(program, "completion", shell.name)
		if err != nil {
			return nil, err
		}
		files = append(files, file{name: shell.file, data: script})
	}
	return files, nil
}

func printed(program string, args ...string) ([]byte, error) {
	out, err := exec.Command(program, args...).Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", program, strings.Join(args, " "), err)
	}
	return out, nil
}

// tree returns all files of a command on a platform, with names below /usr or another prefix.
func (r *release) tree(c packaging.Command, on platform, program file) []file {
	files := []file{program.as("bin/" + on.program(c.Name))}
	for _, f := range r.shared[c.Name] {
		// Windows has no manual pages, and only PowerShell of these shells.
		if powershell := strings.HasSuffix(f.name, ".ps1"); powershell == (on.os == "windows") {
			files = append(files, f)
		}
	}
	service := map[string]any{"Command": c, "Argument": started[c.Name]}
	switch on.os {
	case "linux":
		files = append(files, file{name: "lib/systemd/user/" + c.Name + ".service", data: fill(unitText, service)})
	case "darwin":
		files = append(files, file{name: "share/launchd/" + c.Name + ".plist", data: fill(agentText, service)})
	}
	return append(files, within("share/doc/"+c.Linux, r.about(c))...)
}
