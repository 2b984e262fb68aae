package wsh

import (
	"bytes"
	"cmp"
	"encoding"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
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
		if wrong, ok := errors.AsType[*toml.DecodeError](err); ok {
			line, _ := wrong.Position()
			err = fault.New(fault.Invalid, "line %d: %s", line, strings.TrimPrefix(wrong.Error(), "toml: "))
		}
		return config{}, err
	}
	lines := linesOf(content)
	if err := check(lines, "", "", reflect.StructField{Type: reflect.TypeFor[layout]()}, all); err != nil {
		return config{}, err
	}
	var file layout
	if err := toml.Unmarshal(content, &file); err != nil {
		return config{}, err
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

// check returns an error, which names the line, if a field cannot have a value. key is the field's,
// with those above it, and at is that as lines has it.
func check(lines map[string]int, key, at string, f reflect.StructField, value any) error {
	list, isList := value.([]any)
	switch table, isTable := value.(map[string]any); {
	case isTable && f.Type.Kind() == reflect.Struct:
		for _, name := range slices.Sorted(maps.Keys(table)) {
			member, known := fieldsOf(f.Type)[name]
			below := strings.TrimPrefix(at+"."+name, ".")
			lines[below] = cmp.Or(lines[below], lines[at]) // it may be in a list
			if !known {
				return fault.New(fault.Invalid, "line %d: %s", lines[below], unknownKey(key, name, f.Type))
			}
			if err := check(lines, strings.TrimPrefix(key+"."+name, "."), below, member, table[name]); err != nil {
				return err
			}
		}
	case isList && f.Type.Kind() == reflect.Slice && f.Type.Elem().Kind() == reflect.Struct:
		for i, one := range list {
			below := fmt.Sprintf("%s.%d", at, i)
			lines[below] = cmp.Or(lines[below], lines[at])
			if err := check(lines, key, below, reflect.StructField{Type: f.Type.Elem()}, one); err != nil {
				return err
			}
		}
	case !accepts(f, value):
		return fault.New(fault.Invalid, "line %d: %s must be %s", lines[at], key, form(f))
	}
	return nil
}

// accepts reports whether a field can have a value without keys.
func accepts(f reflect.StructField, value any) bool {
	text, isText := value.(string)
	if read, ok := reflect.New(f.Type).Interface().(encoding.TextUnmarshaler); ok {
		if number, isNumber := value.(int64); isNumber && f.Type.Kind() == reflect.Int {
			text, isText = fmt.Sprint(number), true
		}
		return isText && read.UnmarshalText([]byte(text)) == nil
	}
	if choices := f.Tag.Get("enum"); choices != "" {
		return text != "" && slices.Contains(strings.Split(choices, ","), text)
	}
	switch value := value.(type) {
	case string, bool:
		return reflect.TypeOf(value).Kind() == f.Type.Kind()
	case int64:
		return f.Type.Kind() == reflect.Int
	case []any:
		return f.Type.Kind() == reflect.Slice && !slices.ContainsFunc(value, func(one any) bool {
			return !accepts(reflect.StructField{Type: f.Type.Elem()}, one)
		})
	}
	return false
}

// linesOf returns in which line each key of a file is set first, or its table begins, by its parts
// with dots between them; one of [[servers]] has its index as a part.
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
	table, before := "", map[string]int{} // how many there are of each list of tables so far
	var p unstable.Parser
	p.Reset(content)
	for p.NextExpression() {
		if e := p.Expression(); e.Kind == unstable.KeyValue {
			add(table, e)
		} else if table = add("", e); e.Kind == unstable.ArrayTable {
			of := table
			table += fmt.Sprint(before[of], ".")
			before[of]++
		}
	}
	return lines
}

// unknownKey is the message on a key that a table of some type does not have. table is the table's
// key, or "".
func unknownKey(table, key string, t reflect.Type) string {
	text := fmt.Sprintf("there is no %q", key)
	if table != "" {
		text += " in [" + table + "]"
	}
	if meant := spell.Nearest(key, keysOf(t)); meant != "" {
		return text + fmt.Sprintf(": did you mean %q?", meant)
	}
	for _, name := range []string{"server", "client"} {
		if _, has := fieldsOf(fieldsOf(reflect.TypeFor[layout]())[name].Type)[key]; !has {
			continue
		}
		if table == "" {
			text += " outside of a table"
		}
		return text + ": it belongs in [" + name + "]"
	}
	return text
}

// keysOf returns the keys that a table of some type may have.
func keysOf(t reflect.Type) []string { return slices.Sorted(maps.Keys(fieldsOf(t))) }

// fieldsOf returns the fields of a table, by their keys, with what they point to.
func fieldsOf(t reflect.Type) map[string]reflect.StructField {
	fields := map[string]reflect.StructField{}
	for _, f := range reflect.VisibleFields(t) {
		if f.Type.Kind() == reflect.Pointer {
			f.Type = f.Type.Elem()
		}
		if key := f.Tag.Get("toml"); key != "" {
			fields[key] = f
		}
	}
	return fields
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
	case reflect.TypeFor[attaching.DetachKey]():
		return `a key with Ctrl, such as "ctrl-]", or "off"`
	case reflect.TypeFor[regexp.Regexp]():
		return "a regular expression in quotes"
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
