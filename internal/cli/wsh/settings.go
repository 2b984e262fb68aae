package wsh

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"ui-mcp/internal/cli/wsh/attaching"
	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/environ"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/transport/gate"
)

type configCommand struct {
	Path   bool   `xor:"what" help:"Print only the path of the configuration file."`
	Check  bool   `xor:"what" help:"Only check the configuration file."`
	Config string `type:"path" env:"WSH_CONFIG" placeholder:"FILE" help:"The configuration file (default: ~/.config/wsh/config.toml, which need not exist)."`
	caller.JSONFlag
}

// A setting is a key of the configuration file with the value that applies without flags.
type setting struct {
	Table  string `json:"table"`
	Key    string `json:"key"`
	Value  any    `json:"value"`         // nil: none
	Source string `json:"source"`        // "default", "file" or "environment"
	Env    string `json:"env,omitempty"` // the variable
}

// hidden stands for the value of a token.
const hidden = "(not shown)"

func (c configCommand) Run(_ context.Context, e caller.Env) error {
	path := cmp.Or(c.Config, caller.DefaultConfig(e.Vars))
	if path == "" {
		return fault.New(fault.Precondition, "there is no place for a configuration file, since HOME is not set: give one with --config")
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return fault.Wrap(fault.Precondition, err, "find the configuration file")
	}
	_, err = os.Stat(path)
	exists := !errors.Is(err, fs.ErrNotExist)
	if c.Path {
		if c.JSON {
			return e.PrintJSON(map[string]any{"path": path, "exists": exists})
		}
		return e.Printf("%s\n", path)
	}
	file, err := readConfig(e.Vars, c.Config)
	if err != nil {
		return err
	}
	for _, note := range file.Notes {
		e.Note("%s: %s", path, note)
	}
	if file.Secret {
		e.Note("%s has a token, and other users can read it: chmod 600 %[1]s", path)
	}
	list := settings(e, file)
	switch {
	case c.JSON:
		return e.PrintJSON(map[string]any{"path": path, "exists": exists, "settings": list})
	case !exists:
		e.Note("%s does not exist", path)
	case c.Check:
		return e.Printf("%s has no mistakes\n", path)
	}
	if c.Check {
		return nil
	}
	return printSettings(e, list)
}

// settings returns all settings; the settings of clients come first.
func settings(e caller.Env, file config) []setting {
	model := new(grammar).program(e.Version, e.Vars, e.Streams).Model()
	var list []setting
	for _, table := range []struct {
		name, command string
		keys          []string
		values        map[string]any
	}{
		{"client", "attach", keysOf(reflect.TypeFor[attaching.ClientFlags]()), file.client},
		{"server", "server", keysOf(reflect.TypeFor[serverTable]()), file.server},
	} {
		command := model.Children[slices.IndexFunc(model.Children, func(n *kong.Node) bool { return n.Name == table.command })]
		for _, flag := range slices.Concat(model.Flags, command.Flags) {
			key := strings.ReplaceAll(flag.Name, "-", "_")
			if !slices.Contains(table.keys, key) {
				continue
			}
			list = append(list, settingOf(table.name, key, flag, e.Vars, table.values))
		}
		if table.name == "client" {
			confirm := setting{Table: "client", Key: "confirm", Value: true, Source: "default"}
			if value, ok := table.values["confirm"]; ok {
				confirm.Value, confirm.Source = value, "file"
			}
			list = append(list, confirm)
		}
	}
	return list
}

// settingOf returns the value of a key that applies when its flag is not given.
func settingOf(table, key string, flag *kong.Flag, vars environ.Variables, values map[string]any) setting {
	s := setting{Table: table, Key: key, Source: "default"}
	if flag.Default != "" {
		s.Value = flag.Default
	} else if flag.IsBool() {
		s.Value = false
	}
	variables := flag.Envs
	if key == "token" {
		variables = append(variables, gate.TokenVariable)
	}
	for _, name := range variables {
		if value, ok := vars.Lookup(name); ok {
			s.Value, s.Source, s.Env = value, "environment", name
		}
	}
	if value, ok := values[key]; ok && s.Source == "default" {
		s.Value, s.Source = value, "file"
	}
	if key == "token" && s.Value != nil {
		s.Value = hidden
	}
	return s
}

// printSettings prints settings as the tables of the file, with where they come from.
func printSettings(e caller.Env, list []setting) error {
	var t caller.Table
	for i, s := range list {
		if i == 0 || list[i-1].Table != s.Table {
			t.Add("[" + s.Table + "]")
		}
		value := "-"
		if s.Value != nil {
			value = safetext.Visible(fmt.Sprint(s.Value))
		}
		source := s.Source
		if s.Env != "" {
			source = "$" + s.Env
		}
		t.Add("  "+s.Key, value, source)
	}
	return t.Print(e)
}
