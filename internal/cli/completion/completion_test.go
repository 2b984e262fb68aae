package completion

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// TestMain is also the program prog-ram whose command line shells complete.
func TestMain(m *testing.M) {
	if os.Getenv("COMPLETION_TEST") == "" {
		os.Exit(m.Run())
	}
	if args := os.Args[1:]; len(args) > 1 && args[0] == "complete" {
		if err := (Query{args[1], args[2:]}).Answer(os.Stdout, model(), names); err != nil {
			panic(err)
		}
	}
}

type grammar struct {
	Server string      `short:"L" default:"default"`
	Attach attach      `cmd:"" default:"withargs" help:"Attach: to a session. And more."`
	List   list        `cmd:"" aliases:"ls" help:"List sessions, with 'quotes' and \"others\"."`
	Run    run         `cmd:"" help:"Run a command."`
	Link   linkCommand `cmd:"" help:"Links."`
	Kill   kill        `cmd:"" help:"Kill sessions."`
	Secret kill        `cmd:"" hidden:""`
	Play   playing     `cmd:"" help:"Play a file."`
}

type attach struct {
	Name string `short:"n" help:"A name."`
}

type list struct {
	Tag    []string `help:"A tag."`
	JSON   bool     `name:"json" short:"j" xor:"form" help:"Print JSON."`
	Text   bool     `short:"t" xor:"form" help:"Print text."`
	Level  level    `help:"A level."`
	Format string   `short:"f" enum:",plain,color" default:"" help:"A format."`
	Dir    string   `complete:"directories" help:"A directory."`
	Bind   string   `help:"An address."`
	Old    bool     `hidden:""`
}

type level string

func (level) Choices() []string { return []string{"debug", "info"} }

type run struct {
	Background bool     `short:"b"`
	Command    []string `arg:"" passthrough:""`
}

type linkCommand struct {
	Add    kill `cmd:"" help:"Add."`
	Remove kill `cmd:"" help:"Remove."`
}

type kill struct {
	Sessions []string `arg:"" optional:"" name:"session"`
	Yes      bool
}

type playing struct {
	File string `arg:"" complete:"files"`
	Mode string `arg:"" enum:"slow,fast"`
}

func model() *kong.Application {
	parser, err := kong.New(&grammar{}, kong.Name("prog-ram"))
	if err != nil {
		panic(err)
	}
	return parser.Model
}

// names knows the sessions of each server.
func names(command *kong.Node, v *kong.Value, given Given) (Result, bool) {
	if v.Name != "session" && v.Name != "tag" {
		return Result{}, false
	}
	server := "default"
	if s := given["server"]; len(s) > 0 {
		server = s[0]
	}
	r := Result{Kind: Words}
	for _, name := range []string{"build", "b.2", "web"} {
		r.Candidates = append(r.Candidates, Candidate{server + "-" + name, "it is: " + command.Name})
	}
	return r, true
}

// The cases hold in each shell. The last word is incomplete.
var cases = []struct {
	line    string
	want    string // words that must be offered
	not     string // words that must not be
	nothing bool
}{
	{line: "", want: "attach list run link kill", not: "ls secret default-build add --name"},
	{line: "l", want: "list link", not: "kill run"},
	{line: "-", want: "--server --name --help", not: "--tag"},
	{line: "--", want: "--server --name --help", not: "--tag"},
	{line: "list --", want: "--tag --json --text --server --help", not: "--name --old"},
	{line: "ls --j", want: "--json", not: "--tag"},
	{line: "list --json --", want: "--tag", not: "--json"},
	{line: "list -j --", want: "--tag", not: "--json"},
	{line: "list --tag default-web --", want: "--tag --json"},
	{line: "list --tag ", want: "default-build default-web", not: "--json list"},
	{line: "list --tag=", want: "=default-build"},
	{line: "list --tag default-web --tag ", want: "default-build default-b.2", not: "default-web"},
	{line: "list --level ", want: "debug info"},
	{line: "list --level d", want: "debug", not: "info"},
	{line: "list --level=d", want: "=debug", not: "=info"},
	{line: "list -f ", want: "plain color"},
	{line: "list -jf p", want: "plain", not: "color"},
	{line: "list --bind 127.0.0.1:8080 --level ", want: "debug info"},
	{line: "list --bind ", nothing: true},
	{line: "list ", want: "--tag --json", not: "attach"},
	{line: "list --dir a", want: "apples", not: "pears ashes"},
	{line: "link ", want: "add remove", not: "list"},
	{line: "link re", want: "remove", not: "add"},
	{line: "link add ", want: "default-build default-b.2", not: "remove"},
	{line: "kill default-b", want: "default-build default-b.2", not: "default-web"},
	{line: "kill default-build ", want: "default-web", not: "default-build"},
	{line: "kill -L other ", want: "other-build", not: "default-build"},
	{line: "kill --server=other ", want: "other-build", not: "default-build"},
	{line: "-Lother kill ", want: "other-build", not: "default-build"},
	{line: "kill -- --", nothing: true},
	{line: "play a", want: "apples ashes", not: "pears"},
	{line: "play ashes ", want: "slow fast", not: "apples"},
	{line: "play 'two words' s", want: "slow", not: "fast"},
	{line: "run my-pro", want: "my-program", not: "apples"},
	{line: "run -b -- my-pro", want: "my-program"},
	{line: "run my-program a", want: "apples ashes", not: "my-program"},
	{line: "nosuch ", nothing: true},
	{line: "kill --nosuch ", want: "default-build"},
}

func TestShells(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		t.Run(shell, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(shell); err != nil {
				t.Skip(shell + " is not installed")
			}
			dir := place(t, shell)
			for _, tt := range cases {
				out := ask(t, dir, shell, tt.line)
				last := tt.line[strings.LastIndexByte(tt.line, ' ')+1:]
				offered := map[string]bool{}
				for line := range strings.Lines(out) {
					offer, _, _ := strings.Cut(strings.TrimRight(line, "\n"), "\t")
					if flag, value, ok := strings.Cut(offer, "="); ok && strings.HasPrefix(last, flag+"=") {
						offer = "=" + value
					} else if shell == "bash" && strings.Contains(last, "=") {
						offer = "=" + offer // bash keeps what is before
					}
					if offer != "" {
						offered[strings.TrimRight(offer, "/ ")] = true
					}
				}
				if tt.nothing && len(offered) > 0 {
					t.Errorf("%q: offers %q", tt.line, out)
				}
				for w := range strings.FieldsSeq(tt.want) {
					if !offered[w] {
						t.Errorf("%q: does not offer %s: %q", tt.line, w, out)
					}
				}
				for w := range strings.FieldsSeq(tt.not) {
					if offered[w] {
						t.Errorf("%q: offers %s: %q", tt.line, w, out)
					}
				}
			}
		})
	}
}

// place makes a directory to complete in: with two directories, a file, a program in bin, and the
// script of a shell.
func place(t *testing.T, shell string) string {
	t.Helper()
	dir := t.TempDir()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(dir, "bin")
	if err := errors.Join(
		os.Mkdir(filepath.Join(dir, "apples"), 0o755), os.Mkdir(filepath.Join(dir, "pears"), 0o755), os.Mkdir(bin, 0o755),
		os.WriteFile(filepath.Join(dir, "ashes"), nil, 0o644),
		os.WriteFile(filepath.Join(bin, "my-program"), []byte("#!/bin/sh\n"), 0o755),
		os.Symlink(program, filepath.Join(bin, "prog-ram")),
		os.WriteFile(filepath.Join(dir, "script"), []byte(script(shell, "prog-ram")), 0o644),
	); err != nil {
		t.Fatal(err)
	}
	return dir
}

// harnesses make shells print what they would offer for the command line $1, one on each line.
var harnesses = map[string][]string{
	"bash": {"bash", "--norc", "-uc", `
		source ./script
		COMP_LINE="prog-ram $1" COMP_POINT=$((${#1} + 9)) COMP_TYPE=9 COMP_KEY=9
		# As readline splits it.
		text=$COMP_LINE
		text=${text//=/ = }; text=${text//:/ : }
		read -ra COMP_WORDS <<<"$text"
		case $text in *' ') COMP_WORDS+=("") ;; esac
		case $COMP_LINE in *[=:]) unset 'COMP_WORDS[${#COMP_WORDS[@]}-1]' ;; esac
		COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
		compopt() { :; }
		_prog_ram
		[ ${#COMPREPLY[@]} -eq 0 ] || printf '%s\n' "${COMPREPLY[@]}"`, "bash"},
	// The functions of zsh's completion work only at a prompt; these print what they are given.
	"zsh": {"zsh", "-fc", `
		compdef() { [ "$*" = "_prog_ram prog-ram" ] || echo "compdef $*"; }
		_describe() { local one; for one in "${(@P)2}"; do one=${one//\\:/$'\1'}; print -r -- "${${one%%:*}//$'\1'/:}"; done }
		compset() { PREFIX=${PREFIX#*=} }
		_files() { if [ "$1" = "-/" ]; then print -rl -- ${PREFIX}*(N/); else print -rl -- ${PREFIX}*(N); fi }
		_normal() { if [ $CURRENT -eq 1 ]; then print -rl -- ${(k)commands[(I)${PREFIX}*]}; else _files; fi }
		source ./script
		words=("prog-ram" "${(z)1}"); case $1 in ''|*' ') words+=("") ;; esac
		words=("${(@)words:#}") ; case $1 in ''|*' ') words+=("") ;; esac
		CURRENT=${#words}; PREFIX=${words[CURRENT]}
		_prog_ram`, "zsh"},
	"fish": {"fish", "--no-config", "-c", `source ./script; complete -C "prog-ram $argv[1]"`, "--"},
}

func ask(t *testing.T, dir, shell, line string) string {
	t.Helper()
	command := harnesses[shell]
	cmd := exec.CommandContext(t.Context(), command[0], append(command[1:len(command):len(command)], line)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "COMPLETION_TEST=1", "HOME="+dir, "XDG_CONFIG_HOME="+dir, "XDG_DATA_HOME="+dir,
		"PATH="+filepath.Join(dir, "bin")+string(filepath.ListSeparator)+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		if _, ok := err.(*exec.ExitError); !ok || len(out) > 0 {
			t.Fatalf("%q: %v\n%s", line, err, out)
		}
	}
	return string(out)
}

func TestSplit(t *testing.T) {
	for line, want := range map[string]string{
		"":                       "[]",
		"wsh":                    "[]",
		"wsh ":                   "[]",
		"wsh a":                  "[a]",
		"wsh a ":                 "[a] []",
		`wsh "a b" c\ d 'e "f'`:  `[a b] [c d] [e "f]`,
		`wsh '' x`:               `[] [x]`,
		`wsh "half a`:            `[half a]`,
		`wsh 'a\b'`:              `[a\b]`,
		"/usr/bin/wsh  --x=1 é ": "[--x=1] [é] []",
	} {
		var got []string
		for _, w := range split(line, '\\') {
			got = append(got, "["+w+"]")
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %s, want %s", line, got, want)
		}
	}
}

// PowerShell sends the line up to the cursor as one argument, in which a backslash is a character.
// It gets whole words.
func TestPowerShell(t *testing.T) {
	for line, want := range map[string]string{
		"prog-ram list --format=p":                     "words\n--format=plain\t\n",
		"prog-ram list --format ":                      "words\nplain\t\ncolor\t\n",
		`prog-ram list -L C:\x --format c`:             "words\ncolor\t\n",
		`prog-ram list -L "a` + "`" + `"b" --format c`: "words\ncolor\t\n",
		`prog-ram play C:\x\`:                          "files \n",
	} {
		var b strings.Builder
		if err := (Query{"powershell", []string{"--", line}}).Answer(&b, model(), names); err != nil || b.String() != want {
			t.Errorf("%s: %q, %v, want %q", line, &b, err, want)
		}
	}
	if s := script("powershell", "prog-ram"); strings.Contains(s, "PROGRAM") || !strings.Contains(s, "-CommandName prog-ram") {
		t.Errorf("the script is\n%s", s)
	}
}

// Every line has an answer.
func FuzzComplete(f *testing.F) {
	for _, tt := range cases {
		f.Add("prog-ram " + tt.line)
	}
	f.Add("x -- -- -jjj --tag --=")
	m := model()
	f.Fuzz(func(t *testing.T, line string) {
		words := split(line, '\\')
		r := Complete(m, words, names)
		for _, c := range r.Candidates {
			if !strings.HasPrefix(c.Text, words[len(words)-1]) {
				t.Errorf("%q: offers %q", line, c.Text)
			}
		}
		if r.Kind == Command && r.Start >= len(words) {
			t.Errorf("%q: the command begins at word %d of %d", line, r.Start, len(words))
		}
	})
}
