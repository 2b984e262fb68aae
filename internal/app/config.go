package app

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/regular"
	"ui-mcp/internal/termask"
	"ui-mcp/internal/ui"
	"ui-mcp/internal/ui/lua/async"
)

// configFile is where a project keeps settings of its own, in the base directory. It may be
// missing.
const configFile = "config.json"

// maxConfig bounds it, in bytes.
const maxConfig = 1 << 20

const (
	// DefaultLuaTimeout is how long one entry into Lua may run by default.
	DefaultLuaTimeout = 10 * time.Second
	// maxLuaMemory bounds what a project can ask for, in MiB.
	maxLuaMemory = 1 << 20
)

// settings are what a project's configuration file sets. Command-line flags override them; see
// [Options] for the defaults.
type settings struct {
	LuaTimeout string `json:"lua_timeout"` // such as "10s"
	LuaMemory  int64  `json:"lua_memory"`  // MiB
	HTTP       *bool  `json:"http"`        // whether scripts may make requests
	Exec       *bool  `json:"exec"`        // and run programs
	// AskPrompts says which prompts of programs in terminals become questions; "" means the
	// default.
	AskPrompts termask.Rule `json:"ask_prompts"`

	timeout time.Duration
}

// readSettings reads the configuration file of a base directory.
func readSettings(dir string) (settings, error) {
	var s settings
	file := filepath.Join(dir, configFile)
	data, err := regular.ReadFile(file, maxConfig)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return s, fault.Wrap(fault.Precondition, err, "the configuration cannot be read")
	}
	if err := s.decode(data); err != nil {
		return s, fault.Wrap(fault.Precondition, err, "%s", file)
	}
	if s.LuaTimeout != "" {
		if s.timeout, err = time.ParseDuration(s.LuaTimeout); err != nil || s.timeout <= 0 {
			return s, fault.New(fault.Precondition, "%s: lua_timeout must be a time above 0, such as \"10s\", not %q", file, s.LuaTimeout)
		}
	}
	if s.LuaMemory < 0 || s.LuaMemory > maxLuaMemory {
		return s, fault.New(fault.Precondition, "%s: lua_memory must be between 1 and %d MiB", file, maxLuaMemory)
	}
	return s, nil
}

// decode reads the content of the file. Its errors begin with the line.
func (s *settings) decode(data []byte) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(data, &members); err != nil || members == nil {
		if e, ok := errors.AsType[*json.SyntaxError](err); ok {
			return fmt.Errorf("line %d: invalid JSON: %w", lineAt(data, e.Offset), e)
		}
		return errors.New("line 1: the settings must be a JSON object, such as {\"lua_timeout\": \"20s\"}")
	}
	known := map[string]struct {
		dst  any
		want string
	}{
		"lua_timeout": {&s.LuaTimeout, "a time in quotes, such as \"10s\""},
		"lua_memory":  {&s.LuaMemory, "a whole number of MiB, such as 512"},
		"http":        {&s.HTTP, "true or false"},
		"exec":        {&s.Exec, "true or false"},
		"ask_prompts": {&s.AskPrompts, "\"off\", \"secrets\" or \"all\""},
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		line := lineAt(data, int64(bytes.Index(data, []byte(`"`+name+`"`)))) // 1 if the name is written with escapes
		setting, ok := known[name]
		if !ok {
			return fmt.Errorf("line %d: unknown setting %q: there are %s", line, name, strings.Join(slices.Sorted(maps.Keys(known)), ", "))
		}
		if json.Unmarshal(members[name], setting.dst) != nil {
			return fmt.Errorf("line %d: %s must be %s", line, name, setting.want)
		}
	}
	return nil
}

// lineAt returns the number of the line at an offset; an offset that is out of bounds counts as the
// nearest.
func lineAt(data []byte, offset int64) int {
	offset = min(max(offset, 0), int64(len(data)))
	return 1 + bytes.Count(data[:offset], []byte("\n"))
}

// PromptRule returns which prompts of programs in terminals become questions, as the project's
// configuration file says now, or "" if it does not. It reads the file.
func (a *App) PromptRule() termask.Rule {
	a.mu.RLock()
	dir := a.dir
	a.mu.RUnlock()
	if dir == "" {
		return ""
	}
	s, err := readSettings(dir)
	if err != nil {
		return "" // the next start reports it
	}
	return s.AskPrompts
}

// engineOptions combines the command line's settings with the project's.
func (a *App) engineOptions(s settings) ui.Options {
	o := ui.Options{LuaTimeout: a.opts.LuaTimeout, LuaMemory: a.opts.LuaMemory, Effects: async.Effects{HTTP: a.opts.HTTP, Exec: a.opts.Exec}}
	if o.LuaTimeout == 0 {
		o.LuaTimeout = s.timeout
	}
	if o.LuaTimeout == 0 {
		o.LuaTimeout = DefaultLuaTimeout
	}
	if o.LuaMemory == 0 {
		o.LuaMemory = s.LuaMemory << 20
	}
	if s.HTTP != nil && !*s.HTTP {
		o.HTTP = nil
	}
	if s.Exec != nil && !*s.Exec {
		o.Exec = nil
	}
	o.Terminals, o.NoTerminals = a.opts.Terminals, noTerminals
	if o.Exec == nil {
		o.Terminals, o.NoTerminals = nil, "terminals are switched off, by --no-exec or by \"exec\": false in config.json"
	}
	return o
}
