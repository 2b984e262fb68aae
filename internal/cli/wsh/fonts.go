package wsh

import (
	"ui-mcp/internal/fault"
	"ui-mcp/internal/regular"
	"ui-mcp/internal/term/render/picture"
)

// maxFont bounds the size of a font file. The largest collections have 40 MB.
const maxFont = 128 << 20

// fonts returns the fonts for pictures: what --font names, and the embedded ones.
func (c *serverCommand) fonts() (*picture.Fonts, error) {
	var fonts [][]byte
	for _, path := range c.Font {
		data, err := regular.ReadFile(path, maxFont)
		if err != nil {
			return nil, fault.Wrap(fault.Invalid, err, "read the font")
		}
		// One at a time first, so that an error names the file.
		if _, err := picture.NewFonts(data); err != nil {
			return nil, fault.Wrap(fault.Invalid, err, "%s", path)
		}
		fonts = append(fonts, data)
	}
	return picture.NewFonts(fonts...)
}
