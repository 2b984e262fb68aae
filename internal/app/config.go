package app

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
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
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err = dec.Decode(&s); err == nil && dec.Decode(&struct{}{}) != io.EOF {
		err = errors.New("there is text after the settings")
	}
	if err != nil {
		return s, fault.New(fault.Precondition, "%s: %v. The settings are lua_timeout, such as \"10s\", lua_memory, in MiB, http and exec, true or false, and ask_prompts, \"off\", \"secrets\" or \"all\"", file, err)
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
