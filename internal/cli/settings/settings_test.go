package settings_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"
	"github.com/tailscale/hujson"

	"ui-mcp/internal/cli/settings"
)

var (
	path  = [2]string{"mcpServers", "wsh"}
	entry = settings.Entry{{"type", "stdio"}, {"command", `C:\a b\wsh.exe`}, {"args", []string{"mcp"}}, {"enabled", true}}
	// asRead is what a reader finds where entry was added.
	asRead = map[string]any{"type": "stdio", "command": `C:\a b\wsh.exe`, "args": []any{"mcp"}, "enabled": true}
)

const inner = `{
      "type": "stdio",
      "command": "C:\\a b\\wsh.exe",
      "args": ["mcp"],
      "enabled": true
    }`

// How an entry looks in files of different styles, and that removing it restores them.
func TestJSON(t *testing.T) {
	for name, tt := range map[string]struct{ before, after string }{
		"empty":         {"", "{\n  \"mcpServers\": {\n    \"wsh\": " + inner + "\n  }\n}\n"},
		"no members":    {"{}\n", "{\n  \"mcpServers\": {\n    \"wsh\": " + inner + "\n  }\n}\n"},
		"no table":      {"{\n  \"a\": 1 // one\n}\n", "{\n  \"a\": 1, // one\n  \"mcpServers\": {\n    \"wsh\": " + inner + "\n  }\n}\n"},
		"empty table":   {"{\n  \"mcpServers\": {}\n}", "{\n  \"mcpServers\": {\n    \"wsh\": " + inner + "\n  }\n}"},
		"another entry": {"{\n  \"mcpServers\": {\n    \"x\": {\"command\": \"x\"}\n  },\n  \"z\": [1,\n2]}", "{\n  \"mcpServers\": {\n    \"x\": {\"command\": \"x\"},\n    \"wsh\": " + inner + "\n  },\n  \"z\": [1,\n2]}"},
		"commas":        {"{\n  \"mcpServers\": {\n    // mine\n    \"x\": {}, // x\n    /* end */\n  },\n}", "{\n  \"mcpServers\": {\n    // mine\n    \"x\": {}, // x\n    /* end */\n    \"wsh\": " + inner + ",\n  },\n}"},
		"one line":      {`{"mcpServers": {"x": {}}}`, "{\"mcpServers\": {\"x\": {},\n  \"wsh\": " + strings.ReplaceAll(inner, "\n    ", "\n  ") + "}}"},
		"tabs":          {"{\n\t\"mcpServers\": {\n\t\t\"x\": 1\n\t}\n}", "{\n\t\"mcpServers\": {\n\t\t\"x\": 1,\n\t\t\"wsh\": " + strings.NewReplacer("      ", "\t\t\t", "    ", "\t\t").Replace(inner) + "\n\t}\n}"},
		"Windows":       {"\xef\xbb\xbf{\r\n  \"mcpServers\": {\r\n    \"x\": 1\r\n  }\r\n}", "\xef\xbb\xbf{\r\n  \"mcpServers\": {\r\n    \"x\": 1,\r\n    \"wsh\": " + strings.ReplaceAll(inner, "\n", "\r\n") + "\r\n  }\r\n}"},
	} {
		t.Run(name, func(t *testing.T) {
			after, err := settings.Add(settings.JSON, []byte(tt.before), path, entry)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.after, string(after)); diff != "" {
				t.Errorf("added (-want +got):\n%s", diff)
			}
			if found, err := settings.Get(settings.JSON, after, path); err != nil || !cmp.Equal(asRead, found) {
				t.Errorf("Get = %v, %v", found, err)
			}
			removed, err := settings.Remove(settings.JSON, after, path)
			if err == nil && !strings.Contains(tt.before, "mcpServers") {
				removed, err = settings.RemoveTable(settings.JSON, removed, "mcpServers")
			}
			want := tt.before
			if want == "" {
				want = "{}\n"
			}
			if diff := cmp.Diff(want, string(removed)); diff != "" || err != nil {
				t.Errorf("removed: %v (-want +got):\n%s", err, diff)
			}
		})
	}
}

func TestTOML(t *testing.T) {
	path := [2]string{"mcp_servers", "wsh"}
	block := "[mcp_servers.wsh]\ntype = \"stdio\"\ncommand = \"C:\\\\a b\\\\wsh.exe\"\nargs = [\"mcp\"]\nenabled = true\n"
	for name, tt := range map[string]struct{ before, after string }{
		"empty":       {"", block},
		"other":       {"# mine\nmodel = 'x' # keep\n\n[mcp_servers.x]\ncommand = \"x\"\n", "# mine\nmodel = 'x' # keep\n\n[mcp_servers.x]\ncommand = \"x\"\n\n" + block},
		"dotted keys": {"mcp_servers.x.command = \"x\"\n", "mcp_servers.x.command = \"x\"\n\n" + block},
		"Windows":     {"\xef\xbb\xbfa = 1\r\n", "\xef\xbb\xbfa = 1\r\n\r\n" + strings.ReplaceAll(block, "\n", "\r\n")},
	} {
		t.Run(name, func(t *testing.T) {
			after, err := settings.Add(settings.TOML, []byte(tt.before), path, entry)
			if diff := cmp.Diff(tt.after, string(after)); diff != "" || err != nil {
				t.Fatalf("added: %v (-want +got):\n%s", err, diff)
			}
			if found, err := settings.Get(settings.TOML, after, path); err != nil || !cmp.Equal(asRead, found) {
				t.Errorf("Get = %v, %v", found, err)
			}
			removed, err := settings.Remove(settings.TOML, after, path)
			if diff := cmp.Diff(tt.before, string(removed)); diff != "" || err != nil {
				t.Errorf("removed: %v (-want +got):\n%s", err, diff)
			}
		})
	}
	// What others have added below, and tables of the entry itself.
	const text = "a = 1\n\n[mcp_servers.wsh]\ncommand = 'wsh' # here\nnote = \"\"\"\n# no comment\n\"\"\"\n\n# of the next one\n[tools]\nx = 1\n\n[mcp_servers.wsh.env]\nA = 'b'\n"
	removed, err := settings.Remove(settings.TOML, []byte(text), path)
	if diff := cmp.Diff("a = 1\n\n# of the next one\n[tools]\nx = 1\n", string(removed)); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	changed, err := settings.SetCommand(settings.TOML, []byte(text), path, "/b/wsh")
	if diff := cmp.Diff(strings.Replace(text, "'wsh' #", `"/b/wsh" #`, 1), string(changed)); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// The program changes, and all else stays: the person's own arguments above all.
func TestSetCommand(t *testing.T) {
	for _, tt := range []struct{ before, after string }{
		{`{"mcpServers": {"wsh": {"args": ["mcp", "--x"], "command": /* old */ "wsh", "env": {}}}}`, `{"mcpServers": {"wsh": {"args": ["mcp", "--x"], "command": /* old */ "/b/wsh", "env": {}}}}`},
		{`{"mcpServers": {"wsh": {"command": [ "wsh", "mcp" ]}}}`, `{"mcpServers": {"wsh": {"command": [ "/b/wsh", "mcp" ]}}}`},
	} {
		changed, err := settings.SetCommand(settings.JSON, []byte(tt.before), path, "/b/wsh")
		if string(changed) != tt.after || err != nil {
			t.Errorf("%s: %s, %v", tt.before, changed, err)
		}
	}
	for _, text := range []string{`{}`, `{"mcpServers": {"wsh": 1}}`, `{"mcpServers": {"wsh": {"url": "x"}}}`, `{"mcpServers": {"wsh": {"command": []}}}`} {
		if changed, err := settings.SetCommand(settings.JSON, []byte(text), path, "x"); !errors.Is(err, settings.ErrByHand) {
			t.Errorf("%s: %s, %v", text, changed, err)
		}
	}
}

// Files that cannot be read or edited stay, and the error says why.
func TestRefused(t *testing.T) {
	deep := strings.Repeat("[", 1<<17-1)
	for _, tt := range []struct {
		format     settings.Format
		text, want string
	}{
		{settings.JSON, "{\n  \"a\": 1\n  \"b\": 2\n}", "it is not valid JSON: line 3, column 3: "},
		{settings.JSON, "[]", "it is not a JSON object"},
		{settings.JSON, `{"a": ` + deep, "it is not valid JSON"},
		{settings.JSON, `{"a": [` + deep, "it has more than 131072 objects and lists"},
		{settings.JSON, `{"mcpServers": null}`, `mcpServers is not an object`},
		{settings.JSON, `{"mcpServers": {}, "mcpServers": {}}`, `it has "mcpServers" twice`},
		{settings.TOML, "a = 1\nb = \n", "it is not valid TOML: line 2, column 5: "},
		{settings.TOML, "mcpServers = 1\n", "mcpServers is not a table"},
		{settings.TOML, "mcpServers = { x = { command = 'x' } }\n", "the result would be invalid"},
		{settings.TOML, "[mcpServers]\nwsh = { command = 'x' }\n", "there is \"wsh\" already"},
	} {
		if text, err := settings.Add(tt.format, []byte(tt.text), path, entry); text != nil || err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%.60s: %q, %v; want %s", tt.text, text, err, tt.want)
		}
	}
	if text, err := settings.Remove(settings.TOML, []byte("[mcpServers]\nwsh = { command = 'x' }\n"), path); text != nil || !errors.Is(err, settings.ErrByHand) {
		t.Errorf("an inline table: %q, %v", text, err)
	}
}

// decoded returns the data of a text, and its comments in order.
func decoded(t *testing.T, text []byte) (value map[string]any, comments []string) {
	t.Helper()
	v, err := hujson.Parse(text)
	if err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	standard := v.Clone()
	standard.Standardize()
	if err := json.Unmarshal(standard.Pack(), &value); err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	return value, comment.FindAllString(string(text), -1)
}

// comment matches the comments of random documents, whose texts have no slashes.
var comment = regexp.MustCompile(`//[^\r\n]*|/\*.*?\*/`)

// A writer makes random documents.
type writer struct {
	*rand.Rand
	b strings.Builder
	n int // of comments
}

func (w *writer) blank() {
	for range w.IntN(3) {
		switch w.n++; w.IntN(7) {
		case 0:
			fmt.Fprintf(&w.b, "/* %d */", w.n)
		case 1:
			fmt.Fprintf(&w.b, "// %d, { [ \"\n", w.n)
		default:
			w.b.WriteString([]string{" ", "\n", "\t", "\r\n", "\n  ", ""}[w.IntN(6)])
		}
	}
}

func (w *writer) value(depth int) {
	w.blank()
	switch k := w.IntN(6); {
	case k == 0 && depth > 0:
		w.object(depth-1, "a", "b", "c", "d")
	case k == 1 && depth > 0:
		w.b.WriteString("[")
		for i := range w.IntN(3) {
			if i > 0 {
				w.b.WriteString(",")
			}
			w.value(depth - 1)
		}
		w.b.WriteString("]")
	default:
		w.b.WriteString([]string{`1`, `-0.5e3`, `"text \" { \\"`, `null`, `true`}[w.IntN(5)])
	}
	w.blank()
}

func (w *writer) object(depth int, names ...string) {
	w.b.WriteString("{")
	w.blank()
	w.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	for i, name := range names[:w.IntN(len(names)+1)] {
		if i > 0 {
			w.b.WriteString(",")
			w.blank()
		}
		fmt.Fprintf(&w.b, "%q", name)
		w.blank()
		w.b.WriteString(":")
		if name == "mcpServers" {
			w.blank()
			w.object(depth-1, "x", "y", "z")
			w.blank()
		} else {
			w.value(depth)
		}
		if i == len(names)-1 && w.IntN(2) == 0 {
			w.b.WriteString(",")
		}
	}
	w.blank()
	w.b.WriteString("}")
}

// In any document, adding and removing an entry changes no other data and no comment, and restores
// the same bytes, unless the entry was the only one of an object that was not written "{}".
func TestRandomJSON(t *testing.T) {
	restored := 0
	for seed := range uint64(4000) {
		w := &writer{Rand: rand.New(rand.NewPCG(seed, 1))}
		w.blank()
		w.object(3, "a", "b", "mcpServers")
		w.blank()
		text := []byte(w.b.String())
		before, comments := decoded(t, text)
		added, err := settings.Add(settings.JSON, text, path, entry)
		if err != nil {
			t.Fatalf("%v:\n%s", err, text)
		}
		after, kept := decoded(t, added)
		servers, hadTable := before["mcpServers"].(map[string]any)
		want := map[string]any{"wsh": asRead}
		for name, value := range servers {
			want[name] = value
		}
		if diff := cmp.Diff(want, after["mcpServers"]); diff != "" {
			t.Fatalf("-want +got:\n%s\n%s\n---\n%s", diff, text, added)
		}
		removed, err := settings.Remove(settings.JSON, added, path)
		if err == nil && !hadTable {
			removed, err = settings.RemoveTable(settings.JSON, removed, "mcpServers")
		}
		if err != nil {
			t.Fatalf("%v:\n%s", err, added)
		}
		again, left := decoded(t, removed)
		if !cmp.Equal(before, again) || !slices.Equal(comments, kept) || !slices.Equal(comments, left) {
			t.Fatalf("from\n%s\nto\n%s\nand\n%s\n%v %q %q %q", text, added, removed, cmp.Diff(before, again), comments, kept, left)
		}
		same := string(removed) == string(text)
		if same {
			restored++
		} else if hadTable && len(servers) > 0 || !hadTable && len(before) > 0 {
			t.Fatalf("seed %d: from\n%q\nto\n%q\nand\n%q", seed, text, added, removed)
		}
	}
	if restored < 3000 {
		t.Errorf("%d of 4000 documents were restored", restored)
	}
}

// Whatever the file is, an edit leaves a valid one, or none.
func FuzzJSON(f *testing.F) {
	for _, text := range []string{"", "{}", `{"mcpServers": {"x": 1,},}`, "{ // c\n}", "\xef\xbb\xbf{\r\n}", `{"mcpServers":{"wsh":{"command":["a"]}}}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		found, err := settings.Get(settings.JSON, text, path)
		if err != nil {
			return
		}
		if found != nil {
			if changed, err := settings.SetCommand(settings.JSON, text, path, "new"); err == nil {
				mustGet(t, settings.JSON, changed)
			}
			removed, err := settings.Remove(settings.JSON, text, path)
			if err != nil {
				t.Fatal(err)
			}
			text = removed
		}
		added, err := settings.Add(settings.JSON, text, path, entry)
		if err != nil {
			t.Fatalf("%v: %q", err, text)
		}
		if found := mustGet(t, settings.JSON, added); !cmp.Equal(asRead, found) {
			t.Fatalf("%q: %v", added, found)
		}
		removed, err := settings.Remove(settings.JSON, added, path)
		if err != nil {
			t.Fatal(err)
		}
		if found := mustGet(t, settings.JSON, removed); found != nil {
			t.Fatalf("%q: %v", removed, found)
		}
	})
}

func FuzzTOML(f *testing.F) {
	for _, text := range []string{"", "a = 1", "[mcpServers.x]\n", "[mcpServers]\nwsh.command = 'x'\n", "[[mcpServers.wsh]]\n", "[mcpServers.wsh]\ncommand='''\n[x]'''\r\n#\n\n[b]", "a = [ # b\n [1], # c\n { d = [ # e\n] } ] # f"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if found, err := settings.Get(settings.TOML, text, path); err != nil || found != nil {
			if removed, err := settings.Remove(settings.TOML, text, path); err == nil {
				mustGet(t, settings.TOML, removed)
			}
			return
		}
		var before, after map[string]any
		added, err := settings.Add(settings.TOML, text, path, entry)
		if err != nil {
			return
		}
		if found := mustGet(t, settings.TOML, added); !cmp.Equal(asRead, found) {
			t.Fatalf("%q: %v", added, found)
		}
		removed, err := settings.Remove(settings.TOML, added, path)
		if err != nil {
			t.Fatalf("%v: %q", err, added)
		}
		if err := errors.Join(toml.Unmarshal(text, &before), toml.Unmarshal(removed, &after)); err != nil {
			if !strings.HasPrefix(string(text), "\xef\xbb\xbf") {
				t.Fatalf("%v: %q to %q", err, text, removed)
			}
			return
		}
		if fmt.Sprint(before) != fmt.Sprint(after) {
			t.Fatalf("%q became %q", text, removed)
		}
	})
}

func mustGet(t *testing.T, f settings.Format, text []byte) map[string]any {
	t.Helper()
	found, err := settings.Get(f, text, path)
	if err != nil {
		t.Fatalf("%v: %q", err, text)
	}
	return found
}

// A file is decoded as its format says, with comments and the mark that begins it.
func TestDecode(t *testing.T) {
	for text, f := range map[string]settings.Format{
		"\ufeff{ // a\n\"b\": \"// c\", /* d */ }": settings.JSON,
		"# a\nb = '// c' # d\n":                    settings.TOML,
	} {
		if got, err := settings.Decode(f, []byte(text)); err != nil || len(got) != 1 || got["b"] != "// c" {
			t.Errorf("%q is %v, %v", text, got, err)
		}
	}
	if got, err := settings.Decode(settings.JSON, nil); err != nil || len(got) != 0 {
		t.Errorf("nothing is %v, %v", got, err)
	}
	if _, err := settings.Decode(settings.JSON, []byte("{ // a")); err == nil {
		t.Error("half an object is valid")
	}
}
