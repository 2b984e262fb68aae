package wsh

import (
	"bytes"
	"encoding"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"
	"github.com/pelletier/go-toml/v2"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/regular"
	"ui-mcp/internal/transport/access"
	"ui-mcp/internal/ui/spell"
)

// maxConfig is the longest configuration file that is read, in bytes.
const maxConfig = 1 << 20

// A config is a configuration file. Flags and the environment override it.
type config struct {
	path   string
	values map[string]any // of [server], by key
	// later are the tables and keys of the file that are known, but have no effect yet.
	later []string
	// secret says that the file has a token and that other users can read it.
	secret bool
}

// layout is what a configuration file may contain.
type layout struct {
	Server serverTable `toml:"server"`
	Client struct{}    `toml:"client"`

	// Settings of servers that know each other.
	DefaultToken string `toml:"default_token"`
	Servers      []struct {
		Address string `toml:"address"`
		Token   string `toml:"token"`
	} `toml:"servers"`
	IPAccess struct {
		Blocklist []string `toml:"blocklist"`
		Allowlist []string `toml:"allowlist"`
	} `toml:"ip_access"`
}

// A serverTable is the table [server]: the flags of "wsh server".
type serverTable struct {
	where
	serverCommand
}

// later are the keys of a layout that have no effect yet.
var later = []string{"default_token", "servers", "ip_access"}

// defaultConfig returns the path of the configuration file of this user, or "" if there is no home.
func defaultConfig() string {
	if dir := os.Getenv("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "wsh", "config.toml")
	}
	if runtime.GOOS == "windows" {
		dir, err := os.UserConfigDir()
		if err != nil {
			return ""
		}
		return filepath.Join(dir, "wsh", "config.toml")
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(home, ".config", "wsh", "config.toml")
}

// readConfig reads the file at a path. "" means the usual one, which need not exist.
func readConfig(path string) (config, error) {
	required := path != ""
	if !required {
		if path = defaultConfig(); path == "" {
			return config{}, nil
		}
	}
	if path == os.DevNull {
		return config{path: path}, nil
	}
	content, err := regular.ReadFile(path, maxConfig)
	if errors.Is(err, fs.ErrNotExist) && !required {
		return config{path: path}, nil
	}
	if err != nil {
		return config{}, fault.Wrap(fault.Invalid, err, "read the configuration")
	}
	c, err := parseConfig(content)
	if err != nil {
		return config{}, fault.Wrap(fault.Invalid, err, "%s", path)
	}
	if c.path, err = filepath.Abs(path); err != nil {
		return config{}, fault.Wrap(fault.Precondition, err, "read the configuration")
	}
	if info, err := os.Stat(path); err == nil && runtime.GOOS != "windows" {
		c.secret = c.values["token"] != nil && info.Mode().Perm()&0o077 != 0
	}
	return c, nil
}

// parseConfig parses the content of a configuration file. An error names the line and the key.
func parseConfig(content []byte) (config, error) {
	var all map[string]any
	if err := toml.Unmarshal(content, &all); err != nil {
		return config{}, explain(err)
	}
	if err := checkTexts(content, all["server"]); err != nil {
		return config{}, err
	}
	d := toml.NewDecoder(bytes.NewReader(content)).DisallowUnknownFields()
	if err := d.Decode(new(layout)); err != nil {
		return config{}, explain(err)
	}
	var c config
	c.values, _ = all["server"].(map[string]any)
	if token := c.text("token"); token != "" {
		if c.text("token_file") != "" {
			return config{}, fault.New(fault.Invalid, "line %d: give either token or token_file", lineOf(content, "token_file"))
		}
		if err := access.CheckToken(token); err != nil {
			return config{}, fault.New(fault.Invalid, "line %d: %v", lineOf(content, "token"), err)
		}
	}
	for _, key := range later {
		if all[key] != nil {
			c.later = append(c.later, key)
		}
	}
	return c, nil
}

// checkTexts returns an error if a value of [server] is a number that must be a text. The decoder
// would hand its digits to UnmarshalText, and not say where they are.
func checkTexts(content []byte, server any) error {
	values, _ := server.(map[string]any)
	for _, key := range slices.Sorted(maps.Keys(values)) {
		t, ok := typeOf(toml.Key{"server", key})
		if _, isText := values[key].(string); ok && !isText && reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) {
			return fault.New(fault.Invalid, "line %d: server.%s must be %s", lineOf(content, key), key, form(t))
		}
	}
	return nil
}

// lineOf returns the line in which a key is probably set.
func lineOf(content []byte, key string) int {
	at := regexp.MustCompile(`\b` + regexp.QuoteMeta(key) + `\b["']?\s*=`).FindIndex(content)
	if at == nil {
		return 1
	}
	return 1 + bytes.Count(content[:at[0]], []byte("\n"))
}

// explain says in which line of a file a mistake is, and what to write instead.
func explain(err error) error {
	if missing, ok := errors.AsType[*toml.StrictMissingError](err); ok && len(missing.Errors) > 0 {
		first := missing.Errors[0]
		line, _ := first.Position()
		return fault.New(fault.Invalid, "line %d: %s", line, unknownKey(first.Key()))
	}
	wrong, ok := errors.AsType[*toml.DecodeError](err)
	if !ok {
		return err
	}
	line, _ := wrong.Position()
	key := wrong.Key()
	if t, ok := typeOf(key); ok {
		return fault.New(fault.Invalid, "line %d: %s must be %s", line, strings.Join(key, "."), form(t))
	}
	return fault.New(fault.Invalid, "line %d: %s", line, strings.TrimPrefix(wrong.Error(), "toml: "))
}

// unknownKey is the message on a key that does not exist.
func unknownKey(key toml.Key) string {
	t := reflect.TypeFor[layout]()
	for i, part := range key {
		known := keysOf(t)
		if slices.Contains(known, part) {
			t, _ = typeOf(key[:i+1])
			continue
		}
		text := fmt.Sprintf("there is no %q", part)
		if i > 0 {
			text += " in [" + strings.Join(key[:i], ".") + "]"
		}
		if meant := spell.Nearest(part, known); meant != "" {
			text += fmt.Sprintf(": did you mean %q?", meant)
		} else if i == 0 && slices.Contains(keysOf(reflect.TypeFor[serverTable]()), part) {
			text += " outside of a table: it belongs in [server]"
		}
		return text
	}
	return fmt.Sprintf("there is no %q", strings.Join(key, "."))
}

// keysOf returns the keys that a table of some type may have.
func keysOf(t reflect.Type) []string {
	for t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	var keys []string
	if t.Kind() != reflect.Struct {
		return nil
	}
	for _, f := range reflect.VisibleFields(t) {
		if key := f.Tag.Get("toml"); key != "" && key != "-" {
			keys = append(keys, key)
		}
	}
	return keys
}

// typeOf returns the type of the value of a key.
func typeOf(key toml.Key) (reflect.Type, bool) {
	t := reflect.TypeFor[layout]()
	for _, part := range key {
		for t.Kind() == reflect.Slice {
			t = t.Elem()
		}
		if t.Kind() != reflect.Struct {
			return nil, false
		}
		i := slices.IndexFunc(reflect.VisibleFields(t), func(f reflect.StructField) bool { return f.Tag.Get("toml") == part })
		if i < 0 {
			return nil, false
		}
		t = reflect.VisibleFields(t)[i].Type
	}
	return t, len(key) > 0
}

// form says what a value of some type looks like.
func form(t reflect.Type) string {
	switch t {
	case reflect.TypeFor[duration]():
		return `a duration, such as "90s" or "10m"`
	case reflect.TypeFor[level]():
		return `"debug", "info", "warn" or "error"`
	}
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Int:
		return "a whole number"
	case reflect.String:
		return `text in quotes`
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Struct {
			return "a list of tables"
		}
		return `a list of texts, such as ["a", "b"]`
	}
	return "a table"
}

// Resolve implements [kong.Resolver]: it gives a flag of the server the file's value, unless the
// environment has one.
func (c config) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	for _, name := range flag.Envs {
		if _, ok := os.LookupEnv(name); ok {
			return nil, nil
		}
	}
	key := strings.ReplaceAll(flag.Name, "-", "_")
	switch {
	case key == "token" || key == "token_file": // the environment comes before both: see tokenSource
		return nil, nil
	case flag.Tag.Type == "path" && c.values[key] != nil:
		if list, ok := c.values[key].([]any); ok {
			return c.files(list), nil
		}
		return c.file(key), nil
	}
	return c.values[key], nil
}

// Validate implements [kong.Resolver].
func (config) Validate(*kong.Application) error { return nil }

// text returns a value that is a text, or "".
func (c config) text(key string) string {
	text, _ := c.values[key].(string)
	return text
}

// file returns a value that is a path, or "". Relative paths start from the configuration file.
func (c config) file(key string) string { return c.resolve(c.text(key)) }

// files returns a list of paths like [config.file].
func (c config) files(list []any) []any {
	out := make([]any, len(list))
	for i := range list {
		path, _ := list[i].(string)
		out[i] = c.resolve(path)
	}
	return out
}

func (c config) resolve(path string) string {
	switch {
	case path == "":
		return ""
	case filepath.IsAbs(path), strings.HasPrefix(path, "~"):
		return kong.ExpandPath(path)
	}
	return filepath.Join(filepath.Dir(c.path), path)
}

// A duration is a [time.Duration] that is text, and never a number, in configuration files.
type duration struct{ time.Duration }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (d *duration) UnmarshalText(text []byte) error {
	parsed, err := time.ParseDuration(string(text))
	if err != nil {
		return fault.New(fault.Invalid, "%q is not a duration, such as 90s or 10m", text)
	}
	d.Duration = parsed
	return nil
}

// A level is a [slog.Level] that is text, and never a number, in configuration files.
type level struct{ slog.Level }
