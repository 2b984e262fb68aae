package wsh

import (
	"bytes"
	"cmp"
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
	"sync"

	"github.com/alecthomas/kong"
	"github.com/pelletier/go-toml/v2"

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

// parseConfig parses the content of a configuration file. An error names the line where one is
// known, and the key.
func parseConfig(content []byte) (config, error) {
	var all map[string]any
	var file layout
	d := toml.NewDecoder(bytes.NewReader(content))
	d.DisallowUnknownFields()
	if err := cmp.Or(d.Decode(&file), toml.Unmarshal(content, &all)); err != nil {
		return config{}, fault.New(fault.Invalid, "%s", explain(err))
	}
	tables := fieldsOf(reflect.TypeFor[layout]())
	for name, table := range all { // the decoder takes keys whose letters have another case, too
		values, _ := table.(map[string]any)
		for key := range values {
			if f := tables[name]; f.Type == nil || !slices.Contains(keysOf(f.Type), key) {
				return config{}, fault.New(fault.Invalid, "%s", unknownKey([]string{name, key}))
			}
		}
	}
	var c config
	for _, s := range file.Servers {
		if s.Token == "" && strings.HasPrefix(s.Address, "http") {
			s.Token = file.DefaultToken
		}
		c.Servers = append(c.Servers, terminals.NewServer(s))
	}
	c.server, _ = all["server"].(map[string]any)
	c.client, _ = all["client"].(map[string]any)
	for key, f := range fieldsOf(reflect.TypeFor[clientTable]()) {
		choices := strings.TrimSuffix(f.Tag.Get("enum"), ",")
		if value, ok := c.client[key].(string); ok && choices != "" && !slices.Contains(strings.Split(choices, ","), value) {
			return config{}, fault.New(fault.Invalid, "client.%s must be one of %s", key, choices)
		}
	}
	if token := c.text("token"); token != "" {
		if c.text("token_file") != "" {
			return config{}, fault.New(fault.Invalid, "[server]: give either token or token_file")
		}
		if err := gate.CheckToken(token); err != nil {
			return config{}, fault.Wrap(fault.Invalid, err, "server.token")
		}
	}
	if all["ip_access"] != nil {
		c.Notes = append(c.Notes, "[ip_access] has no effect yet: no address is refused: use --bind, a token or a firewall")
	}
	return c, nil
}

// wrongType matches what go-toml says of a value of a type that a key cannot have.
var wrongType = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`cannot decode .* of type (\S+)`) })

// forms describes values by their types in Go. Those of all other types are tables.
var forms = map[string]string{"string": "text in quotes", "bool": "true or false", "int": "a whole number", "[]string": "a list of texts"}

// explain says what is wrong in a configuration file.
func explain(err error) string {
	if unknown, ok := errors.AsType[*toml.StrictMissingError](err); ok {
		line, _ := unknown.Errors[0].Position()
		return fmt.Sprintf("line %d: %s", line, unknownKey(unknown.Errors[0].Key()))
	}
	wrong, ok := errors.AsType[*toml.DecodeError](err)
	if !ok {
		return err.Error() // a number where there must be text, which it quotes
	}
	line, _ := wrong.Position()
	text := strings.TrimPrefix(wrong.Error(), "toml: ")
	if m := wrongType().FindStringSubmatch(text); m != nil {
		text = "it must be " + cmp.Or(forms[m[1]], "a table")
	}
	if len(wrong.Key()) > 0 {
		text = strings.Join(wrong.Key(), ".") + ": " + text
	}
	return fmt.Sprintf("line %d: %s", line, text)
}

// unknownKey is the message on a key of which a part does not exist.
func unknownKey(path []string) string {
	table, key, t := "", path[0], reflect.TypeFor[layout]()
	for _, next := range path[1:] {
		f, known := fieldsOf(t)[key]
		if !known {
			break
		}
		t, table, key = f.Type, strings.TrimPrefix(table+"."+key, "."), next
	}
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

func keysOf(t reflect.Type) []string { return slices.Sorted(maps.Keys(fieldsOf(t))) }

// fieldsOf returns the fields of a table or of each in a list, by their keys, with what they point
// to.
func fieldsOf(t reflect.Type) map[string]reflect.StructField {
	if t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	fields := map[string]reflect.StructField{}
	for _, f := range reflect.VisibleFields(t) {
		if f.Type.Kind() == reflect.Pointer {
			f.Type = f.Type.Elem()
		}
		if key := f.Tag.Get("toml"); key != "" && key != "-" {
			fields[key] = f
		}
	}
	return fields
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
