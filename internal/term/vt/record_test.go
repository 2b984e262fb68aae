//go:build linux

package vt_test

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/term/pty"
	"ui-mcp/internal/term/vt"
)

var record = flag.String("record", "", "record the programs whose names match a regular expression to testdata/programs; needs root")

// A scene is a program and a person's actions in it.
type scene struct {
	name    string
	sizes   []string // COLSxROWS
	command string   // for sh, in a directory prepared by testdata/programs/home.sh
	acts    []act
}

// An act waits until the screen matches a regular expression and is quiet, and then types, or
// changes the size to COLSxROWS.
type act struct{ see, keys, resize string }

var (
	usual = []string{"80x24"}
	both  = []string{"80x24", "132x43"}
	every = []string{"80x24", "132x43", "40x10"}
)

// scenes are the programs to record. Keys are written as the bytes that they send.
var scenes = []scene{
	{"bash", []string{"80x24", "40x10"}, "HISTFILE=.history PS1='$ ' bash --norc --noprofile", []act{
		{see: `\$ ?$`, keys: "echo " + strings.Repeat("a long line of words that wraps ", 4)},
		{see: `wraps`, keys: "\x01\x1bf\x1bf\x0b\x19\x1bbXY\x1bd\x05"}, // readline: ^A M-f M-f ^K ^Y M-b M-d ^E
		{see: `XY`, keys: "\r"},
		{see: `\$ ?$`, keys: "\x12comm"}, // ^R
		{see: `reverse-i-search`, keys: "\x12\x12"},
		{see: `reverse-i-search`, keys: "\x1b[C\x03"},
		{see: `\$ ?$`, keys: "ls dir\t\t"},
		{see: `\$ ls dir`, keys: "-1/\t\t"},
		{see: `\$ ls`, keys: "\r"},
		{see: `\$ ?$`, keys: "\x1b[A\x1b[A\x1b[D\x1b[D\x7f\x7f\r"},
		{see: `\$ ?$`, keys: "for i in 1 2\rdo echo $i\rdone\r"},
		{see: `2\n\$ ?$`, keys: "ls --color=always -la; tput setaf 1; tput bold; echo red; tput sgr0\r"},
		{see: `red\s+\$ ?$`, resize: "30x12"},
		{see: `\$ ?$`, keys: "echo after\r"},
		{see: `after\s+\$ ?$`, keys: "exit\r"},
	}},
	{"zsh", usual, "PS1='%F{blue}%~%f\n%# ' RPS1='%F{green}right%f' zsh -f", []act{
		{see: `#`, keys: "autoload -U compinit; compinit -D; zstyle ':completion:*' menu select\r"},
		{see: `#`, keys: "ls di\t\t\t"},
		{see: `directory-2`, keys: "\x1b[C\x1b[B\r"},
		{see: `ls dir`, keys: "\x15echo 日本語 'and\rmore'\r"},
		{see: `more`, keys: "\x12ec"},
		{see: `bck-i-search`, keys: "\x03"},
		{see: `#`, keys: "exit\r"},
	}},
	{"fish", usual, "fish --no-config", []act{
		{see: `> ?$|# ?$`, keys: "echo one two three\r"},
		{see: `one two three\s`, keys: "ec"},                 // a suggestion
		{see: `ec`, keys: "\x05\r"},                          // taken
		{see: `> ?$|# ?$`, keys: "ls di\t\t"},                // completion
		{see: `directory-2`, keys: "\x1b[B\x1b[C"},           // in its pager
		{see: `directory`, keys: "\r\r"},                     //
		{see: `> ?$|# ?$`, keys: "for i in 1 2\recho $i\re"}, // several lines
		{see: `e`, keys: "nd\r"},
		{see: `> ?$|# ?$`, resize: "60x20"},
		{see: `> ?$|# ?$`, keys: "exit\r"},
	}},
	{"python", usual, "/usr/bin/python3 -q", []act{
		{see: `>>> ?$`, keys: "def f(x):\r    return x * 2\r\r"},
		{see: `>>> ?$`, keys: "[f(i) for i in range(60)]\r"},
		{see: `>>> ?$`, keys: "impor\t\x15print('\x1b[D\x1b[C日本')\r"},
		{see: `>>> ?$`, keys: "1 / 0\r"},
		{see: `ZeroDivisionError`, keys: "\x1b[A\x1b[A\r\x04"},
	}},
	{"vim", every, "vim -u NONE -N -n code.py", []act{
		{see: `import`, keys: ":syntax on | set number hlsearch\r"},
		{see: `1 `, keys: ":set laststatus=2 ruler showcmd\r"},
		{see: `1,1`, keys: "\x06\x06\x02\x05\x05\x19"}, // pages and lines
		{see: `\d+,\d+`, keys: "gg:split\r"},
		{see: `code.py.*\n(.*\n)*.*code.py`, keys: ":vsplit lines.txt\r"},
		{see: `lines.txt`, keys: "G10k\x17j/def\r"},
		{see: `\d+,\d+`, keys: "nnn:%s/return/RETURN/g\r"},
		{see: `RETURN`, keys: "uggVjjjd"},
		{see: `\d+,\d+`, keys: "p:only\r"},
		{see: `\d+,\d+`, keys: "Otyped 日本 e\u0301\x1b"},
		{see: `typed`, resize: "70x20"},
		{see: `typed`, keys: ":q!\r"},
	}},
	{"less", every, "less -R colors.txt", []act{
		{see: `line 1\b`, keys: "  bjjk"},
		{see: `:|line`, keys: "/line .5\r"},
		{see: `:|line`, keys: "nnN&7\r"},
		{see: `:|line`, keys: "&\rG"},
		{see: `END`, keys: "g\x1b[C\x1b[D-S\r"},
		{see: `:|line`, keys: "h"},
		{see: `(?i)commands`, keys: "qq"},
	}},
	{"man", usual, "MANPAGER=less MAN_KEEP_FORMATTING=1 GROFF_NO_SGR= man ls", []act{
		{see: `NAME`, keys: " /color\r"},
		{see: `(?i)color`, keys: "nnq"},
	}},
	{"nano", both, "nano --ignorercfiles --linenumbers code.py", []act{
		{see: `import`, keys: "typed \x1b[B\x1b[B\x0b\x0b\x15"},
		{see: `import`, keys: "\x16\x16"},
		{see: `return`, keys: "\x17def\r"},
		{see: `def`, keys: "\x07"},
		{see: `(?i)help`, keys: "\x18"},
		{see: `def`, keys: "\x18"},
		{see: `(?i)save modified`, keys: "n"},
	}},
	{"mc", both, "mc --nosubshell -u", []act{
		{see: `10Quit|Quit`, keys: "\x1b[B\x1b[B\t\x1b[B"},
		{see: `Quit`, keys: "\x1bOR"}, // view
		{see: `Quit`, keys: "\x1b[21~"},
		{see: `Quit`, keys: "\x1b[20~\x1b[B\x1b[B"}, // the menu
		{see: `Quit`, keys: "\x1b[21~"},
		{see: `Quit`, keys: "\x1b[21~"},
	}},
	{"htop", both, "mkdir -p .config/htop; printf 'header_layout=two_50_50\n' >.config/htop/htoprc; htop -d 5", []act{
		{see: `Quit`, keys: "\x1b[B\x1b[B\x1b[15~"},
		{see: `Quit`, keys: "\x1bOQ"}, // settings
		{see: `(?i)done`, keys: "\x1b[B\x1b[B\x1b[21~"},
	}},
	{"top", usual, "top -d 0.3", []act{
		{see: `PID`, keys: "z"}, {see: `PID`, keys: "1"}, {see: `PID`, keys: "t"}, {see: `PID`, keys: "h"}, {see: `Help`, keys: "q"}, {see: `PID`, keys: "q"},
	}},
	{"tmux", both, // without left and right margins and wide characters, which xterm's headless engine handles differently
		"echo \"set -as terminal-overrides ',*:Enmg@:Dsmg@:Clmg@:Cmg@'\" >tmux.conf; tmux -L inside -f tmux.conf new-session 'PS1=\"$ \" sh'", []act{
			{see: `\$ ?$`, keys: "cat narrow.txt\r"},
			{see: `line 100`, keys: "\x02%"},
			{see: `# ?$|\$ ?$`, keys: "PS1='$ '\rls --color=always -l\r"},
			{see: `directory`, keys: "\x02\""},
			{see: `# ?$|\$ ?$`, keys: "PS1='$ '\rseq 100\r"},
			{see: `100`, keys: "\x02o"},
			{see: `100`, keys: "\x02["},
			{see: `\[\d+/\d+\]`, keys: "\x1b[5~"},
			{see: `\[\d+/\d+\]`, keys: "q"},
			{see: `100`, keys: "\x02c"},
			{see: `# ?$|\$ ?$`, keys: "vim -u NONE code.py\r"},
			{see: `import`, keys: "\x02p"},
			{see: `100`, resize: "70x20"},
			{see: `100`, keys: "\x02:"},
			{see: `^:`, keys: "kill-server\r"},
		}},
	{"git", usual, "git --no-pager log --graph --color=always --decorate --all --stat; git --no-pager diff --color=always --word-diff HEAD~2; GIT_PAGER=less LESS=FRX git log -p --color=always", []act{
		{see: `:$|END`, keys: "q"},
	}},
	{"ls", every, "ls --color=always --hyperlink=always -la . directory-1; ls --color=always -C -w 100 many; grep --color=always -n return code.py", nil},
	{"progress", []string{"80x24", "50x10"}, "curl -# -o /dev/null file:///bin/bash; git clone --progress --no-local . copy; dd if=/dev/zero of=/dev/null bs=4M count=2000 status=progress", nil},
	{"whiptail", usual, "whiptail --checklist 'Which of these?' 15 60 6 one 'the first' on two 'the second' off 日本 'a wide one' off; for i in 10 50 100; do echo $i; done | whiptail --gauge 'Working' 8 50 0", []act{
		{see: `Which`, keys: "\x1b[B \x1b[B \t"},
		{see: `Ok`, keys: "\r"},
	}},
	{"dialog", usual, "dialog --menu 'Which of these?' 15 60 6 one 'the first' two 'the second' three 'the third'; dialog --calendar 'When?' 0 0 1 2 2020", []act{
		{see: `Which`, keys: "\x1b[B\x1b[B\r"},
		{see: `2020`, keys: "\x1b[B\x1b[C\r"},
	}},
}

// TestRecord renews the recordings of programs. Each runs isolated, with its own home directory,
// processes and host name.
func TestRecord(t *testing.T) {
	if *record == "" {
		t.Skip("nothing to record: -record says what")
	}
	names := regexp.MustCompile(*record)
	for _, s := range scenes {
		for _, size := range s.sizes {
			if name := s.name + "-" + size; names.MatchString(name) {
				t.Run(name, func(t *testing.T) {
					output := s.record(t, size)
					if err := os.WriteFile(filepath.Join("testdata", "programs", name+".out"), output, 0o644); err != nil {
						t.Fatal(err)
					}
				})
			}
		}
	}
}

// enter is the command that sets up the isolation and runs a command line in it.
const enter = `set -e
hostname demo
mount -t tmpfs tmpfs /home
mkdir -p /home/demo
cd /home/demo
%s
exec env -i HOME=/home/demo PATH=/usr/bin:/bin:/usr/sbin TERM=xterm-256color COLORTERM=truecolor LANG=C.UTF-8 LESSHISTFILE=- TZ=UTC \
	GIT_CONFIG_NOSYSTEM=1 SHELL=/bin/sh sh -c "$1"`

// record runs a scene, and returns the program's output. A change of size is recorded as the
// sequence that requests it from a terminal.
func (s scene) record(t *testing.T, size string) []byte {
	t.Helper()
	var cols, rows int
	scan(t, size, &cols, &rows)
	home, err := os.ReadFile(filepath.Join("testdata", "programs", "home.sh"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := pty.Start(pty.Options{
		Path: "unshare",
		Args: []string{"--pid", "--fork", "--mount-proc", "--mount", "--uts", "sh", "-c", fmt.Sprintf(enter, home), "sh", s.command},
		Env:  os.Environ(), Cols: cols, Rows: rows,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}()
	chunks := make(chan []byte)
	go func() {
		defer close(chunks)
		for {
			b := make([]byte, 32<<10)
			n, err := p.Read(b)
			if n > 0 {
				chunks <- b[:n]
			}
			if err != nil {
				if err != io.EOF {
					t.Error(err)
				}
				return
			}
		}
	}()

	var output bytes.Buffer
	screen, err := vt.New(vt.Options{Cols: cols, Rows: rows, Effect: func(e vt.Effect) {
		if r, ok := e.(vt.Reply); ok {
			if _, err := p.Write(r.Data); err != nil {
				t.Error(err)
			}
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	// until takes output until the screen matches and is quiet. With nil, it waits until the
	// program ends or its output stops.
	const quiet, patience = 300 * time.Millisecond, 15 * time.Second
	until := func(see *regexp.Regexp) {
		t.Helper()
		limit := time.After(patience)
		if see == nil {
			limit = time.After(patience / 5)
		}
		silence := time.NewTimer(quiet)
		for {
			select {
			case b, ok := <-chunks:
				if !ok {
					if see != nil {
						t.Fatalf("the program ended before %v\n%q", see, output.Bytes())
					}
					return
				}
				output.Write(b)
				if _, err := screen.Write(b); err != nil {
					t.Fatal(err)
				}
				silence.Reset(quiet)
			case <-silence.C:
				if see != nil && see.MatchString(text(screen)) {
					return
				}
				silence.Reset(quiet)
			case <-limit:
				if see == nil {
					return
				}
				t.Fatalf("no %v after %v\n%s", see, patience, text(screen))
			}
		}
	}
	for _, a := range s.acts {
		until(regexp.MustCompile(`(?m)` + a.see))
		if a.resize != "" {
			scan(t, a.resize, &cols, &rows)
			fmt.Fprintf(&output, "\x1b[8;%d;%dt", rows, cols)
			if err := cmp.Or(screen.Resize(cols, rows), p.Resize(cols, rows)); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := io.WriteString(p, a.keys); err != nil {
			t.Fatal(err)
		}
	}
	until(nil)
	return output.Bytes()
}

func scan(t *testing.T, size string, cols, rows *int) {
	t.Helper()
	if _, err := fmt.Sscanf(size, "%dx%d", cols, rows); err != nil {
		t.Fatalf("size %q: %v", size, err)
	}
}

func text(screen *vt.Terminal) string {
	var b strings.Builder
	for _, l := range screen.Snapshot().Lines {
		b.WriteString(l.Plain() + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}
