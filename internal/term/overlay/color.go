package overlay

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/sgr"
)

// A Color is the colour of an element's text or background. In JSON it is a name, "#rrggbb",
// {"r","g","b"}, {"indexed"} or {"rgb":{"r","g","b"}}. The zero Color, "default", is the terminal's
// own.
type Color sgr.Color

// colorNames name the first sixteen palette entries. [ParseColor] knows other spellings.
var colorNames = [16]string{
	"black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
	"bright_black", "bright_red", "bright_green", "bright_yellow",
	"bright_blue", "bright_magenta", "bright_cyan", "bright_white",
}

// MarshalJSON writes the colour's name if it has one.
func (c Color) MarshalJSON() ([]byte, error) {
	if r, g, b, ok := sgr.Color(c).RGB(); ok {
		return json.Marshal(rgb{&r, &g, &b})
	}
	i, ok := sgr.Color(c).Index()
	switch {
	case !ok:
		return []byte(`"default"`), nil
	case int(i) < len(colorNames):
		return json.Marshal(colorNames[i])
	default:
		return json.Marshal(map[string]uint8{"indexed": i})
	}
}

type rgb struct {
	R *uint8 `json:"r"`
	G *uint8 `json:"g"`
	B *uint8 `json:"b"`
}

// UnmarshalJSON accepts all forms.
func (c *Color) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		*c = 0
		return nil
	}
	var name string
	if json.Unmarshal(data, &name) == nil {
		got, err := ParseColor(name)
		*c = got
		return err
	}
	var form struct {
		rgb
		Indexed *uint8 `json:"indexed"`
		RGB     *rgb   `json:"rgb"`
	}
	err := json.Unmarshal(data, &form)
	of := cmp.Or(form.RGB, &form.rgb)
	switch {
	case err == nil && form.Indexed != nil:
		*c = Color(sgr.Indexed(*form.Indexed))
	case err == nil && of.R != nil && of.G != nil && of.B != nil:
		*c = Color(sgr.RGB(*of.R, *of.G, *of.B))
	default:
		return fault.New(fault.Invalid, `%.80s is not a colour: give a name, "#rrggbb", {"r","g","b"} or {"indexed"}, with numbers from 0 to 255`, data)
	}
	return nil
}

// ParseColor reads a name or "#rrggbb". An error is of kind Invalid.
func ParseColor(s string) (Color, error) {
	name := strings.NewReplacer("-", "_", " ", "_", "light", "bright").Replace(strings.ToLower(s))
	switch name {
	case "default", "none", "":
		return 0, nil
	case "gray", "grey":
		name = "bright_black"
	}
	for i, n := range colorNames {
		if n == name || strings.Replace(n, "_", "", 1) == name {
			return Color(sgr.Indexed(uint8(i))), nil
		}
	}
	if hex, ok := strings.CutPrefix(name, "#"); ok && len(hex) == 6 {
		if n, err := strconv.ParseUint(hex, 16, 24); err == nil {
			return Color(sgr.RGB(uint8(n>>16), uint8(n>>8), uint8(n))), nil
		}
	}
	return 0, fault.New(fault.Invalid, `no colour %.40q: give "#rrggbb", or one of %s, or one of these with "bright_" before it`,
		s, strings.Join(colorNames[:8], ", "))
}

// A Background is the fill of an element: in JSON a [Color], an object with one as "bg", or null.
// The zero Background fills nothing, and leaves a fill as it is in a [Form].
type Background struct {
	Filled  bool
	Removed bool // in a form, by null
	Color   Color
}

// MarshalJSON writes {"bg":colour} or null.
func (b Background) MarshalJSON() ([]byte, error) {
	if b.Removed {
		return []byte("null"), nil
	}
	return json.Marshal(map[string]Color{"bg": b.Color})
}

// UnmarshalJSON accepts all forms.
func (b *Background) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		*b = Background{Removed: true}
		return nil
	}
	var form struct {
		BG *json.RawMessage `json:"bg"`
	}
	if json.Unmarshal(data, &form) == nil && form.BG != nil {
		data = *form.BG
	}
	*b = Background{Filled: true}
	return b.Color.UnmarshalJSON(data)
}
