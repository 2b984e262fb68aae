package wsh

import (
	"bytes"
	"encoding"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/wsh/attaching"
	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/cli/wsh/serving"
	"ui-mcp/internal/environ"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/regular"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/gate"
	"ui-mcp/internal/ui/spell"
)

// maxConfig is the longest configuration file that is read, in bytes.
const maxConfig = 1 << 20

// A config is a configuration file. Flags and the environment override it.
type config struct {
	serving.Configured
	server, client map[string]any
	lines          map[string]int // see linesOf
}

// layout is what a configuration file may contain.
type layout struct {
	Server serverTable `toml:"server"`
	Client clientTable `toml:"client"`

	// Other servers. DefaultToken is for HTTP servers without a token of their own.
	DefaultToken string             `toml:"default_token"`
	Servers      []configuredServer `toml:"servers"`
	IPAccess     struct {
		Blocklist []string `toml:"blocklist"`
		Allowlist []string `toml:"allowlist"`
	} `toml:"ip_access"`
}

// A configuredServer is one of [[servers]].
type configuredServer struct {
	Address  string `toml:"address"`
	Token    string `toml:"token"`
	Hostname string `toml:"hostname"`
}

// A clientTable is the table [client]: the flags of "wsh" and "wsh attach", and a setting of other
// commands that need no flag for it, since they have --yes.
type clientTable struct {
	attaching.ClientFlags
	Confirm bool `toml:"confirm"` // "wsh kill" and "wsh stop" ask on a terminal; it is so unless the file says otherwise
}

// A serverTable is the table [server]: the flags of "wsh server".
type serverTable struct {
	caller.Where
	serving.Command
}

func configFlag(ctx *kong.Context) (path string) {
	for _, flag := range ctx.Selected().Flags {
		if flag.Name == "config" {
			path, _ = ctx.FlagValue(flag).(string)
		}
	}
	return path
}

// readConfig reads the file at a path. "" means the usual one, which need not exist.
func readConfig(vars environ.Variables, path string) (config, error) {
	required := path != ""
	if !required {
		if path = caller.DefaultConfig(vars); path == "" {
			return config{}, nil
		}
	}
	if path == os.DevNull {
		return config{Configured: serving.Configured{Path: path}}, nil
	}
	content, err := regular.ReadFile(path, maxConfig)
	if errors.Is(err, fs.ErrNotExist) && !required {
		return config{Configured: serving.Configured{Path: path}}, nil
	}
	if err != nil {
		return config{}, fault.Wrap(fault.Invalid, err, "read the configuration")
	}
	c, err := parseConfig(content)
	if err != nil {
		return config{}, fault.Wrap(fault.Invalid, err, "%s", path)
	}
	if c.Path, err = filepath.Abs(path); err != nil {
		return config{}, fault.Wrap(fault.Precondition, err, "read the configuration")
	}
	c.Token, c.TokenFile = c.text("token"), c.file("token_file")
	if info, err := os.Stat(path); err == nil && runtime.GOOS != "windows" {
		hasToken := c.server["token"] != nil || slices.ContainsFunc(c.Servers, func(s terminals.NewServer) bool { return s.Token != "" })
		c.Secret = hasToken && info.Mode().Perm()&0o077 != 0
	}
	return c, nil
}

// parseConfig parses the content of a configuration file. An error names the line and the key.
func parseConfig(content []byte) (config, error) {
	var all map[string]any
	if err := toml.Unmarshal(content, &all); err != nil {
		return config{}, explain(err)
	}
	lines := linesOf(content)
	if err := checkValues(lines, all); err != nil {
		return config{}, err
	}
	d := toml.NewDecoder(bytes.NewReader(content)).DisallowUnknownFields()
	var file layout
	if err := d.Decode(&file); err != nil {
		return config{}, explain(err)
	}
	c := config{lines: lines}
	for _, s := range file.Servers {
		if s.Token == "" && strings.HasPrefix(s.Address, "http") {
			s.Token = file.DefaultToken
		}
		c.Servers = append(c.Servers, terminals.NewServer(s))
	}
	c.server, _ = all["server"].(map[string]any)
	c.client, _ = all["client"].(map[string]any)
	if token := c.text("token"); token != "" {
		if c.text("token_file") != "" {
			return config{}, fault.New(fault.Invalid, "line %d: give either token or token_file", c.lines["server.token_file"])
		}
		if err := gate.CheckToken(token); err != nil {
			return config{}, fault.New(fault.Invalid, "line %d: %v", c.lines["server.token"], err)
		}
	}
	if all["ip_access"] != nil {
		c.Notes = append(c.Notes, fmt.Sprintf("line %d: [ip_access] has no effect yet: no address is refused: use --bind, a token or a firewall", lines["ip_access"]))
	}
	return c, nil
}

// checkValues returns an error if a value is a number that must be a text, or not one of those that
// are possible. The decoder would hand the digits to UnmarshalText, and not say where they are.
func checkValues(lines map[string]int, all map[string]any) error {
	for _, name := range []string{"server", "client"} {
		values, _ := all[name].(map[string]any)
		for _, key := range slices.Sorted(maps.Keys(values)) {
			f, ok := fieldOf(toml.Key{name, key})
			if !ok {
				continue // the decoder reports it
			}
			text, isText := values[key].(string)
			number, isNumber := values[key].(int64)
			unmarshaler := reflect.TypeFor[encoding.TextUnmarshaler]()
			wrong := !isText && (f.Type.Implements(unmarshaler) || reflect.PointerTo(f.Type).Implements(unmarshaler)) &&
				!(isNumber && number >= 0 && f.Type == reflect.TypeFor[attaching.History]())
			if list, ok := values[key].([]any); ok && f.Type.Kind() == reflect.Slice && reflect.PointerTo(f.Type.Elem()).Implements(unmarshaler) {
				for _, one := range list { // which the decoder does not check
					text, isText := one.(string)
					read, _ := reflect.New(f.Type.Elem()).Interface().(encoding.TextUnmarshaler)
					wrong = wrong || !isText || read.UnmarshalText([]byte(text)) != nil
				}
			}
			if choices := f.Tag.Get("enum"); choices != "" && isText && (text == "" || !slices.Contains(strings.Split(choices, ","), text)) {
				wrong = true
			}
			if wrong {
				return fault.New(fault.Invalid, "line %d: %s.%s must be %s", lines[name+"."+key], name, key, form(f))
			}
		}
	}
	return nil
}

// linesOf returns in which line each key of a file is set first, or its table begins, by its parts
// with dots between them.
func linesOf(content []byte) map[string]int {
	lines := map[string]int{}
	var add func(path string, e *unstable.Node) string
	add = func(path string, e *unstable.Node) string {
		for parts := e.Key(); parts.Next(); path += "." {
			path += string(parts.Node().Data)
			if lines[path] == 0 {
				lines[path] = 1 + bytes.Count(content[:parts.Node().Raw.Offset], []byte("\n"))
			}
		}
		if e.Kind == unstable.KeyValue && e.Value().Kind == unstable.InlineTable {
			for members := e.Value().Children(); members.Next(); {
				add(path, members.Node())
			}
		}
		return path
	}
	table := ""
	var p unstable.Parser
	p.Reset(content)
	for p.NextExpression() {
		if e := p.Expression(); e.Kind == unstable.KeyValue {
			add(table, e)
		} else {
			table = add("", e)
		}
	}
	return lines
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
	if f, ok := fieldOf(key); ok {
		return fault.New(fault.Invalid, "line %d: %s must be %s", line, strings.Join(key, "."), form(f))
	}
	return fault.New(fault.Invalid, "line %d: %s", line, strings.TrimPrefix(wrong.Error(), "toml: "))
}

// unknownKey is the message on a key that does not exist.
func unknownKey(key toml.Key) string {
	t := reflect.TypeFor[layout]()
	for i, part := range key {
		known := keysOf(t)
		if slices.Contains(known, part) {
			f, _ := fieldOf(key[:i+1])
			t = f.Type
			continue
		}
		text := fmt.Sprintf("there is no %q", part)
		if i > 0 {
			text += " in [" + strings.Join(key[:i], ".") + "]"
		}
		if meant := spell.Nearest(part, known); meant != "" {
			text += fmt.Sprintf(": did you mean %q?", meant)
		} else if i == 0 {
			text += belongs(part, " outside of a table: it belongs in [%s]")
		} else if i == 1 {
			text += belongs(part, ": it belongs in [%s]")
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

// belongs says in which table a key belongs, or returns "".
func belongs(key, format string) string {
	for _, table := range []string{"server", "client"} {
		if f, _ := fieldOf(toml.Key{table}); slices.Contains(keysOf(f.Type), key) {
			return fmt.Sprintf(format, table)
		}
	}
	return ""
}

// fieldOf returns the field of a [layout] that a key sets.
func fieldOf(key toml.Key) (field reflect.StructField, ok bool) {
	t := reflect.TypeFor[layout]()
	for _, part := range key {
		for t.Kind() == reflect.Slice {
			t = t.Elem()
		}
		if t.Kind() != reflect.Struct {
			return field, false
		}
		i := slices.IndexFunc(reflect.VisibleFields(t), func(f reflect.StructField) bool { return f.Tag.Get("toml") == part })
		if i < 0 {
			return field, false
		}
		field = reflect.VisibleFields(t)[i]
		t = field.Type
	}
	return field, len(key) > 0
}

// form says what the value of a field looks like.
func form(f reflect.StructField) string {
	switch f.Type {
	case reflect.TypeFor[caller.Duration]():
		return `a duration, such as "90s" or "10m"`
	case reflect.TypeFor[caller.Level]():
		return `"debug", "info", "warn" or "error"`
	case reflect.TypeFor[attaching.History]():
		return `a number of lines, "all" or "none"`
	case reflect.TypeFor[*attaching.DetachKey]():
		return `a key with Ctrl, such as "ctrl-]", or "off"`
	}
	if choices := f.Tag.Get("enum"); choices != "" {
		list := strings.Split(strings.TrimSuffix(choices, ","), ",")
		last := len(list) - 1
		return `"` + strings.Join(list[:last], `", "`) + `" or "` + list[last] + `"`
	}
	switch f.Type.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Int:
		return "a whole number"
	case reflect.String:
		return `text in quotes`
	case reflect.Slice:
		if f.Type.Elem().Kind() == reflect.Struct {
			return "a list of tables"
		}
		return `a list of texts, such as ["a", "b"]`
	}
	return "a table"
}

// A resolver gives flags the values of a table, unless the environment has one.
type resolver struct {
	config
	table map[string]any
	vars  environ.Variables
}

// Resolve implements [kong.Resolver].
func (r resolver) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	for _, name := range flag.Envs {
		if _, ok := r.vars.Lookup(name); ok {
			return nil, nil
		}
	}
	key := strings.ReplaceAll(flag.Name, "-", "_")
	switch value := r.table[key]; {
	case key == "token" || key == "token_file": // the environment comes before both: see tokenSource
		return nil, nil
	case flag.Tag.Type == "path" && value != nil:
		return r.file(key), nil
	default:
		return value, nil
	}
}

// Validate implements [kong.Resolver].
func (resolver) Validate(*kong.Application) error { return nil }

// text returns a value of [server] that is a text, or "".
func (c config) text(key string) string {
	text, _ := c.server[key].(string)
	return text
}

// file returns a value of [server] that is a path, or "". Relative paths start from the
// configuration file.
func (c config) file(key string) string {
	switch path := c.text(key); {
	case path == "":
		return ""
	case filepath.IsAbs(path), strings.HasPrefix(path, "~"):
		return kong.ExpandPath(path)
	default:
		return filepath.Join(filepath.Dir(c.Path), path)
	}
}

// BeforeResolve reads the configuration file, whose values apply where neither a flag nor the
// environment has one.
func (globalFlags) BeforeResolve(ctx *kong.Context, vars environ.Variables) error {
	var command any
	if node := ctx.Selected(); node != nil {
		command = node.Target.Addr().Interface()
	}
	server, ofServer := command.(*serving.Command)
	switch command.(type) {
	case *serving.Command, *attaching.New, *attaching.Attach:
	default:
		return nil
	}
	c, err := readConfig(vars, configFlag(ctx))
	if err != nil {
		return err
	}
	values := c.client
	if ofServer {
		server.Configure(c.Configured, commandline.HasFlag(ctx, "bind"))
		values = c.server
	}
	ctx.AddResolver(resolver{c, values, vars})
	return nil
}
