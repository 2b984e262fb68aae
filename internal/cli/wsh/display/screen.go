// Package display has the commands of wsh that print what a session displays and has displayed,
// what was typed into it, and its recordings.
package display

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/files"
	"ui-mcp/internal/term/render/picture"
	"ui-mcp/internal/terminals"
)

type Screen struct {
	Session  caller.SessionName `arg:"" help:"The session."`
	Format   string             `short:"f" enum:",plain,color,html,svg,png" default:"" placeholder:"FORMAT" help:"plain, color, html, svg or png (default: by the file's name, else color on a terminal and plain elsewhere)."`
	Output   caller.FileName    `short:"o" complete:"files" placeholder:"FILE" help:"Write to a file."`
	Composed bool               `short:"c" help:"With overlays and panels, as attached terminals display it."`
	Theme    string             `enum:",dark,light" default:"" placeholder:"NAME" help:"Colors of pictures: dark or light (default: dark)."`
	caller.JSONFlag
}

func (c Screen) Run(ctx context.Context, e caller.Env) error {
	format, err := c.format(e)
	if err != nil {
		return err
	}
	return e.WithServer(ctx, func(r *caller.Remote) error {
		var content []byte
		switch {
		case c.JSON:
			var raw json.RawMessage
			err = c.read(ctx, r, format, &raw)
			content = append(raw, '\n')
		case format == "plain" || format == "color":
			var screen struct{ Lines lines }
			if err = c.read(ctx, r, format, &screen); err == nil {
				content, err = screen.Lines.text()
				content = trimBlank(content)
			}
		default:
			elements := c.Composed
			var image terminals.Image
			image, err = terminals.DrawPicture.Do(ctx, r, terminals.Everything, terminals.Drawing{Target: caller.Target(c.Session), Format: format, Theme: picture.Theme(c.Theme), Elements: &elements})
			content = image.Data
		}
		if err != nil {
			return err
		}
		return writeFile(e, string(c.Output), content)
	})
}

func (c Screen) format(e caller.Env) (string, error) {
	format := c.Format
	if extension := strings.TrimPrefix(filepath.Ext(string(c.Output)), "."); format == "" {
		switch extension {
		case "html", "svg", "png":
			format = extension
		case "jpg", "jpeg", "gif", "webp", "bmp", "pdf":
			return "", fault.New(fault.Invalid, "-o cannot be a .%s: choose a file that ends in .png, .svg, .html or .txt", extension)
		default:
			format = "plain"
			if c.Output == "" && e.IsColoured() && !c.JSON {
				format = "color"
			}
		}
	}
	if c.JSON && format != "plain" && format != "color" {
		return "", fault.New(fault.Invalid, "--json has no pictures: leave it out, or choose plain or color")
	}
	if format == "png" && c.Output == "" && commandline.IsTerminal(e.Out) {
		return "", fault.New(fault.Invalid, "a terminal cannot display a PNG: choose a file with -o, or redirect the output")
	}
	return format, nil
}

func (c Screen) read(ctx context.Context, r *caller.Remote, format string, answer any) error {
	in := terminals.ScreenQuery{Target: caller.Target(c.Session), Formatted: terminals.Formatted{Format: WireFormat(format)}}
	o := &terminals.GetScreen.Operation
	if c.Composed {
		o = &terminals.GetPicture.Operation
	}
	return r.Do(ctx, terminals.Everything, o, in, answer)
}

// trimBlank removes empty lines from the end of a text.
func trimBlank(text []byte) []byte {
	for len(text) > 1 && text[len(text)-1] == '\n' && text[len(text)-2] == '\n' {
		text = text[:len(text)-1]
	}
	if len(text) == 1 && text[0] == '\n' {
		return nil
	}
	return text
}

// WireFormat is the name of a format in requests.
func WireFormat(format string) string {
	if format == "color" {
		return "styled"
	}
	return format
}

// writeFile writes to a file, or to standard output if there is no name or it is -.
func writeFile(e caller.Env, name string, content []byte) error {
	if name == "" || name == "-" || isOut(e, name) {
		_, err := e.Out.Write(content)
		return err
	}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return fault.New(fault.Precondition, "%s is not a regular file: write to standard output instead", name)
	}
	return fault.Wrap(fault.Precondition, files.Write(name, content, 0o644), "write the file")
}

// isOut reports whether a name such as /dev/stdout means standard output, also where that is a pipe
// or a terminal, or a file that must not be replaced.
func isOut(e caller.Env, name string) bool {
	out, ok := e.Out.(*os.File)
	if !ok {
		return false
	}
	named, err := os.Stat(name)
	if err != nil {
		return false
	}
	info, err := out.Stat()
	return err == nil && os.SameFile(named, info)
}
