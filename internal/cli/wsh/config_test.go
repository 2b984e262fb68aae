package wsh

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/fault"
)

// Every flag of the server is a key of [server], named alike, except for a few.
func TestFlagsAreKeys(t *testing.T) {
	t.Parallel()
	keyless := []string{"help", "version", "config", "any-port", "log-file", "bridged"}
	keys := keysOf(reflect.TypeFor[serverTable]())
	for _, flag := range serverFlags(t) {
		key := strings.ReplaceAll(flag.Name, "-", "_")
		if slices.Contains(keys, key) == slices.Contains(keyless, flag.Name) {
			t.Errorf("--%s: is it a key of the configuration file or not?", flag.Name)
		}
		keys = slices.DeleteFunc(keys, func(k string) bool { return k == key })
	}
	if len(keys) > 0 {
		t.Errorf("keys without a flag: %q", keys)
	}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[serverTable]()) {
		if f.IsExported() && !f.Anonymous && f.Tag.Get("toml") == "" {
			t.Errorf("%s has no toml tag", f.Name)
		}
	}
}

func TestParseConfig(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, content string
		want          string // the error
	}{
		{"nothing", "", ""},
		{"comment", "# mine\n[server]\n", ""},
		{"values", "[server]\nbind = \"127.0.0.1:9000\"\nmax_sessions = 3\nephemeral = true\nlinger = \"5s\"\nlog_level = \"warn\"\n[client]\n", ""},
		{"other servers", "default_token = \"x\"\n[[servers]]\naddress = \"https://a\"\ntoken = \"y\"\n[ip_access]\nblocklist = [\"10.0.0.0/8\"]\n", ""},
		{"misspelt key", "[server]\nbind = \"127.0.0.1:9000\"\nmax_sesions = 3\n", `line 3: there is no "max_sesions" in [server]: did you mean "max_sessions"?`},
		{"misspelt table", "[sever]\n", `line 1: there is no "sever": did you mean "server"?`},
		{"unknown key", "[server]\n\n  qqqqq = 1", `line 3: there is no "qqqqq" in [server]`},
		{"key of no table", "max_sessions = 3", `line 1: there is no "max_sessions" outside of a table: it belongs in [server]`},
		{"values of a client", "[client]\nscrollback = 500\nalt_screen = true\nsize = \"manual\"\ndetach_key = \"ctrl-]\"\n", ""},
		{"all of the history", "[client]\nscrollback = \"all\"\ndetach_key = \"off\"\n", ""},
		{"key of a server for a client", "[client]\nbind = \"x\"", `line 2: there is no "bind" in [client]: it belongs in [server]`},
		{"key of a client for a server", "[server]\ndetach_key = \"off\"", `line 2: there is no "detach_key" in [server]: it belongs in [client]`},
		{"key of a client outside", "alt_screen = true", `line 1: there is no "alt_screen" outside of a table: it belongs in [client]`},
		{"misspelt key of a client", "[server]\n[client]\nscrolback = 1", `line 3: there is no "scrolback" in [client]: did you mean "scrollback"?`},
		{"no size", "[server]\nlinger = \"1s\"\n\n[client]\nsize = \"biggest\"", `client.size must be one of leader,manual`},
		{"no detach key", "[client]\ndetach_key = \"x\"", `line 2: client.detach_key: "x" is not a detach key: give one such as ctrl-\`},
		{"number for a key", "[client]\ndetach_key = 5", `"5" is not a detach key: give one such as ctrl-\`},
		{"no history", "[client]\nscrollback = \"some\"", `line 2: client.scrollback: "some" is not a number of lines, all or none`},
		{"less than nothing", "[client]\nscrollback = -1", `"-1" is not a number of lines, all or none`},
		{"half a line", "[client]\nscrollback = 1.5", `"1.5" is not a number of lines, all or none`},
		{"key of a second server", "[[servers]]\naddress = \"x\"\n[[servers]]\naddress = 5", `line 4: servers.address: it must be text in quotes`},
		{"key of a server in a list", "\nservers = [{adress = \"x\"}]", `line 2: there is no "adress"`},
		{"key of no key", "[sever.x]\ny = 1", `line 1: there is no "sever": did you mean "server"?`},
		{"table in a table", "[server.bond]\ny = 1", `line 1: there is no "bond" in [server]: did you mean "bind"?`},
		{"flag without a key", "[client]\nreadonly = true", `line 2: there is no "readonly" in [client]`},
		{"no pattern", "[server]\nconfirm = \"(\"", `line 2: server.confirm: error parsing regexp`},
		{"number for a switch that may be left out", "[client]\nwheel = 5", `line 2: client.wheel: it must be true or false`},
		{"key in capitals", "[server]\nToken = \"secretsecretsecret\"", `there is no "Token" in [server]: did you mean "token"?`},
		{"table in capitals", "[Client]\nwheel = true", `there is no "Client": did you mean "client"?`},
		{"table for a list", "[servers]\naddress = \"x\"\nToken = \"y\"", `there is no "Token" in [servers]: did you mean "token"?`},
		{"text for a list", "[server]\ncors_origin = \"a\"", `line 2: server.cors_origin: it must be a list of texts`},
		{"number in a list", "[server]\ncors_origin = [\"a\", 5]", `line 2: server.cors_origin: it must be text in quotes`},
		{"date for a table", "server = 1979-05-27", `line 1: server: it must be a table`},
		{"key of another server", "[[servers]]\nadress = \"x\"", `line 2: there is no "adress" in [servers]: did you mean "address"?`},
		{"text for a number", "[server]\nmax_sessions = \"3\"", `line 2: server.max_sessions: it must be a whole number`},
		{"number for a text", "[server]\nbind = 8080", `line 2: server.bind: it must be text in quotes`},
		{"number for a duration", "[server]\nlinger = 5", `"5" is not a duration, such as 90s or 10m`},
		{"bad duration", "[server]\nlinger = \"5 minutes\"", `line 2: server.linger: "5 minutes" is not a duration, such as 90s or 10m`},
		{"bad level", "[server]\nlog_level = \"loud\"", `line 2: server.log_level: slog: level string "loud": unknown name`},
		{"text for a switch", "[server]\nephemeral = \"yes\"", `line 2: server.ephemeral: it must be true or false`},
		{"huge number", "[server]\nmax_sessions = 99999999999999999999", `line 2: `},
		{"no TOML", "[server]\nbind 127.0.0.1", `line 2: `},
		{"twice", "[server]\nbind = \"a\"\nbind = \"b\"", `line 3: `},
		{"not UTF-8", "[server]\nbind = \"\xff\"", `line 2: `},
	} {
		_, err := parseConfig([]byte(tt.content))
		switch {
		case tt.want == "" && err != nil:
			t.Errorf("%s: %v", tt.name, err)
		case tt.want != "" && (err == nil || !strings.HasPrefix(err.Error(), tt.want) || fault.KindOf(err) != fault.Invalid):
			t.Errorf("%s: error %v, want %s", tt.name, err, tt.want)
		}
	}
}

// Parts of the file that have no effect yet are found, however they are written.
func TestUnusedParts(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ content, want string }{
		{"[server]\nmax_sessions = 3\n", ""},
		{"# servers = 1, [ip_access]\n[client]\n", ""},
		{"default_token = \"x\"\n\n[[servers]]\naddress = \"a\"\n[[servers]]\naddress = \"b\"\n[ip_access]\n", "[ip_access]"},
		{"[server]\nbind = \"a\"\n [ ip_access ]\nblocklist = []\n", "[ip_access]"},
		{"\nip_access.allowlist = [\"10.0.0.0/8\"]\nservers = []\r\n\"default_token\" = ''\n", "[ip_access]"},
	} {
		c, err := parseConfig([]byte(tt.content))
		if err != nil {
			t.Errorf("%q: %v", tt.content, err)
		}
		if notes := strings.Join(c.Notes, "\n"); len(c.Notes) > 1 || (notes == "") != (tt.want == "") || !strings.HasPrefix(notes, tt.want) {
			t.Errorf("%q: %q, want %q", tt.content, c.Notes, tt.want)
		}
	}
}

func FuzzParseConfig(f *testing.F) {
	f.Add([]byte("[server]\nbind = \"127.0.0.1:9000\"\nlinger = \"5s\"\n[client]\n"))
	f.Add([]byte("server.bind = 1\n[[servers]]\naddress=\"x\"\n[server.more]\n"))
	f.Add([]byte("[ip_access]\nallowlist = [1]"))
	f.Fuzz(func(t *testing.T, content []byte) {
		if _, err := parseConfig(content); err != nil && fault.KindOf(err) != fault.Invalid {
			t.Errorf("%v", err)
		}
	})
}

// parse parses the command line of a server.
func parse(t *testing.T, args ...string) (serverTable, error) {
	t.Helper()
	var g grammar
	args = append([]string{"server"}, args...)
	_, _, err := g.program("", vars(t), commandline.Streams{}).Parse(args)
	return serverTable{g.global.Where, g.commands.Server}, err
}

// Flags override the environment, which overrides the file, which overrides defaults.
func TestPrecedence(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	setenv(t, "XDG_CONFIG_HOME", dir)
	if err := os.Mkdir(filepath.Join(dir, "wsh"), 0o700); err != nil {
		t.Fatal(err)
	}
	usual, other := filepath.Join(dir, "wsh", "config.toml"), filepath.Join(dir, "other.toml")
	write := func(file, content string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(usual, "[server]\nhostname = \"usual\"\nmax_sessions = 5\nlinger = \"7s\"\nephemeral = true\n")
	write(other, "[server]\nhostname = \"other\"\n")
	for _, tt := range []struct {
		name string
		env  []string // names and values
		args []string
		want string // the host's name, the number of sessions, the duration, the switch and the address
	}{
		{"the file, and a default", nil, nil, "usual 5 7s true 127.0.0.1:8080"},
		{"flags over the file", nil, []string{"--hostname", "flag", "--max-sessions=6", "--linger", "1m"}, "flag 6 1m0s true 127.0.0.1:8080"},
		{"another file, and defaults where it says nothing", nil, []string{"--config", other}, "other 256 10m0s false 127.0.0.1:8080"},
		{"the file of the environment", []string{"WSH_CONFIG", other}, nil, "other 256 10m0s false 127.0.0.1:8080"},
		{"the environment over that file", []string{"WSH_CONFIG", other, "WSH_HOSTNAME", "env"}, nil, "env 256 10m0s false 127.0.0.1:8080"},
		{"flags over the environment", []string{"WSH_CONFIG", other, "WSH_HOSTNAME", "env"}, []string{"--hostname=flag", "--config", usual}, "flag 5 7s true 127.0.0.1:8080"},
		{"no file", []string{"WSH_CONFIG", os.DevNull}, nil, " 256 10m0s false 127.0.0.1:8080"},
		{"a file that does not exist", []string{"WSH_CONFIG", filepath.Join(dir, "none.toml")}, nil, "invalid"},
		{"a directory", []string{"WSH_CONFIG", dir}, nil, "invalid"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for v := range slices.Chunk(tt.env, 2) {
				setenv(t, v[0], v[1])
			}
			s, err := parse(t, tt.args...)
			got := fmt.Sprint(s.Hostname, " ", s.MaxSessions, " ", s.Linger.Duration, " ", s.Ephemeral, " ", s.Bind)
			if err != nil {
				got = fault.KindOf(err).String()
			}
			if got != tt.want {
				t.Errorf("%s, want %s: %v", got, tt.want, err)
			}
		})
	}
}

// docs/terminal.md names every key of [client].
func TestClientKeysAreDocumented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../docs/terminal.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(page), "named like their flags:")
	sentence, _, ended := strings.Cut(rest, "`[[servers]]`")
	if !found || !ended {
		t.Fatal("docs/terminal.md does not describe [client]")
	}
	var documented []string
	for _, key := range regexp.MustCompile("`([a-z_]+)`").FindAllStringSubmatch(sentence, -1) {
		documented = append(documented, key[1])
	}
	keys := keysOf(reflect.TypeFor[clientTable]())
	for _, key := range keys {
		if !slices.Contains(documented, key) {
			t.Errorf("%s is missing", key)
		}
	}
	for _, key := range documented {
		if !slices.Contains(keys, key) {
			t.Errorf("%s is no key", key)
		}
	}
}

// serverFlags returns the flags of "wsh server".
func serverFlags(t *testing.T) []*kong.Flag {
	t.Helper()
	model := new(grammar).program("", nil, commandline.Streams{}).Model()
	for _, command := range model.Children {
		if command.Name == "server" {
			return slices.Concat(model.Flags, command.Flags)
		}
	}
	t.Fatal("there is no command server")
	return nil
}
