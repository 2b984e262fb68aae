package lookback

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/term/vt"
)

// Settings are a person's own keys and colours. The zero value has the default ones.
type Settings struct {
	keys   map[string]string // the keys that keys stand for; "" disables one
	styles map[string]vt.Style
}

// The parts of a picture whose colours can be set, and their default colours. These entries of the
// palette are the same on dark and light terminals.
var styles = map[string]vt.Style{
	"match":     {FG: vt.Indexed(16), BG: vt.Indexed(220)},
	"current":   {FG: vt.Indexed(16), BG: vt.Indexed(208), Attr: vt.Bold}, // the match at the cursor
	"selection": {FG: vt.Indexed(16), BG: vt.Indexed(117)},
	"status":    {Attr: vt.Inverse},
}

func (s *Settings) style(part string) vt.Style {
	if own, ok := s.styles[part]; ok {
		return own
	}
	return styles[part]
}

// Status returns the style of rows that wsh itself writes.
func (s *Settings) Status() vt.Style { return s.style("status") }

// NewSettings reads keys, such as "e=j" (e does what j usually does) or "x=none", and colours, such
// as "match=black on yellow": "current", "selection" and "status" are the other parts. If a key or
// a part is given twice, the last one counts. An error is of kind Invalid.
func NewSettings(keys, colors []string) (Settings, error) {
	s := Settings{keys: map[string]string{}, styles: map[string]vt.Style{}}
	for _, text := range keys {
		key, usual, err := ParseKey(text)
		if err != nil {
			return Settings{}, err
		}
		s.keys[key] = usual
	}
	for _, text := range colors {
		part, style, err := parseColors(text)
		if err != nil {
			return Settings{}, err
		}
		s.styles[part] = style
	}
	return s, nil
}

// ParseKey reads a key of [NewSettings]: its name, and that of the key for which it stands, or "".
func ParseKey(text string) (key, usual string, err error) {
	at := strings.LastIndex(text, "=")
	if at < 1 {
		return "", "", fault.New(fault.Invalid, `%.40q is not a key for looking back: give two keys, such as "e=j", which makes e do what j does, or "x=none"`, text)
	}
	if key, err = parseKeyName(text[:at]); err != nil {
		return "", "", err
	}
	if text[at+1:] == "none" {
		return key, "", nil
	}
	if usual, err = parseKeyName(text[at+1:]); err != nil {
		return "", "", err
	}
	if _, ok := commands[usual]; !ok {
		return "", "", fault.New(fault.Invalid, "the key %.40q does nothing while looking back, so %.40q cannot stand for it", text[at+1:], text[:at])
	}
	return key, usual, nil
}

// namedKeys are the keys that have a name, which is not always the one that terminals report.
var namedKeys = map[string]string{
	"Up": "ArrowUp", "Down": "ArrowDown", "Left": "ArrowLeft", "Right": "ArrowRight", "Space": " ",
	"Enter": "Enter", "Escape": "Escape", "Tab": "Tab", "Backspace": "Backspace", "Delete": "Delete", "Insert": "Insert",
	"Home": "Home", "End": "End", "PageUp": "PageUp", "PageDown": "PageDown",
	"F1": "F1", "F2": "F2", "F3": "F3", "F4": "F4", "F5": "F5", "F6": "F6", "F7": "F7", "F8": "F8", "F9": "F9", "F10": "F10", "F11": "F11", "F12": "F12",
}

// parseKeyName returns the name of a key as [overlay.Key.Name] has it.
func parseKeyName(text string) (string, error) {
	prefix, base := "", text
	for _, p := range []string{"C-", "M-", "S-"} { // in the order of [overlay.Key.Name]
		if rest, ok := strings.CutPrefix(base, p); ok && rest != "" {
			prefix, base = prefix+p, rest
		}
	}
	r, size := utf8.DecodeRuneInString(base)
	switch named, ok := namedKeys[base]; {
	case ok:
		return prefix + named, nil
	case size == len(base) && r > ' ' && r != 0x7f && r != utf8.RuneError && !strings.HasSuffix(prefix, "S-"):
		if strings.HasPrefix(prefix, "C-") {
			base = strings.ToLower(base)
		}
		return prefix + base, nil
	}
	return "", fault.New(fault.Invalid, "%.40q is not a key: give a character or one of %s, with C-, M- or S- before it for Ctrl, Alt or Shift",
		text, strings.Join(slices.Sorted(maps.Keys(namedKeys)), ", "))
}

// ParseColors checks one of the colours of [NewSettings].
func ParseColors(text string) error {
	_, _, err := parseColors(text)
	return err
}

func parseColors(text string) (part string, style vt.Style, err error) {
	part, colors, ok := strings.Cut(text, "=")
	if _, known := styles[part]; !ok || !known {
		return "", style, fault.New(fault.Invalid, `%.40q are not colours: give a part and its colours, such as "match=black on yellow"; the parts are %s`,
			text, strings.Join(slices.Sorted(maps.Keys(styles)), ", "))
	}
	if colors == "inverse" {
		return part, vt.Style{Attr: vt.Inverse}, nil
	}
	foreground, background, _ := strings.Cut(colors, " on ")
	fg, err := overlay.ParseColor(foreground)
	if err != nil {
		return "", style, err
	}
	bg, err := overlay.ParseColor(background)
	return part, vt.Style{FG: vt.Color(fg), BG: vt.Color(bg)}, err
}
