// Package shell starts shells such that they mark their prompts and commands (OSC 133) and number
// the marks. With them, a terminal knows which line was run, when its command ended, with what
// status, and which output was its own; without them it can only wait for silence.
// docs/adr/0036-marks-of-shells.md has the protocol.
//
// The person's files are read as always and never changed, and a shell that marks its prompts
// already is left alone. bash (4.4 or newer), zsh and fish are known; other shells start as they
// are.
package shell

import (
	"bytes"
	"crypto/rand"
	"embed"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/regular"
)

//go:embed scripts
var scripts embed.FS

// files maps the scripts to their names when installed; zsh requires its name.
var files = map[string]string{
	"scripts/wsh.bash": "wsh.bash",
	"scripts/wsh.fish": "wsh.fish",
	"scripts/zsh.env":  filepath.Join("zsh", ".zshenv"),
}

// Scripts are the start-up scripts, written to a directory from which shells read them.
type Scripts struct {
	dir string
	// Login makes the shells that Start starts login shells: they read what prepares the person's
	// environment. Set it before the first use.
	Login bool
}

// Install writes the scripts into a directory, which must be the caller's alone: shells run what is
// there. A directory that another user owns or can write to is an error of kind Precondition.
func Install(dir string) (*Scripts, error) {
	s := &Scripts{dir: dir}
	if err := s.write(); err != nil {
		return nil, err
	}
	return s, nil
}

// write writes the scripts that are missing or changed. It may be called concurrently.
func (s *Scripts) write() error {
	for from, to := range files {
		data, err := scripts.ReadFile(from)
		if err != nil {
			return fault.Wrap(fault.Internal, err, "read the shell scripts")
		}
		path := filepath.Join(s.dir, to)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return fault.Wrap(fault.Internal, err, "write the shell scripts")
		}
		for _, dir := range []string{s.dir, filepath.Dir(path)} {
			if err := checkOwner(dir); err != nil {
				return err
			}
		}
		if old, err := regular.ReadFile(path, int64(len(data))); err == nil && bytes.Equal(old, data) {
			continue
		}
		if err := replace(path, data); err != nil {
			return fault.Wrap(fault.Internal, err, "write the shell scripts")
		}
	}
	return nil
}

// replace writes a file in one step: a shell may be reading it.
func replace(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".new-")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // the first error says more
	}
	return err
}

// A Start is how to start a shell.
type Start struct {
	Path string
	Args []string
	Env  map[string]string // on top of the environment
	// MarkKey is the key that the shell's marks have. It is random, so that no other program makes
	// such marks. It is empty if we do not make the shell mark its prompts.
	MarkKey string
	// KeyFile has the key. The shell removes it before it runs anything else; see Discard.
	KeyFile string
	// Name is the name of the shell's program, such as "bash", if there is a MarkKey.
	Name string
	// Offers are the lines for the shell, if there is a MarkKey.
	Offers *Offers
}

// Offers are lines that a shell's line editor may take: see package core. The newest is in the file
// "line". The editor takes it by making the file that its first field names, in a folder. An offer
// makes a folder only if it has to: that costs more than all the rest.
type Offers struct {
	dir    string
	folder string // of the newest offer
	free   bool   // the folder is there, and certainly empty
}

func (o *Offers) line() string { return filepath.Join(o.dir, "line") }

// Offer lets the shell's line editor take a line at a key of ours. No other offer has its number.
func (o *Offers) Offer(n int, line string) error {
	if _, err := os.Lstat(o.folder); err != nil || !o.free {
		o.folder = filepath.Join(o.dir, strconv.Itoa(n))
		if err := os.MkdirAll(o.folder, 0o700); err != nil {
			return err
		}
	}
	o.free = false
	id := filepath.Base(o.folder) + "/" + strconv.Itoa(n)
	// The last field tells the shell that it has read all of the line.
	return os.WriteFile(o.line(), []byte(id+"\x00"+line+"\x00.\x00"), 0o600)
}

// Withdraw ends that, unless the shell has taken the line: it removes the folder, which the system
// does only if that is empty. Afterwards the shell cannot take the line, even if it has read it.
func (o *Offers) Withdraw() bool {
	if err := os.Remove(o.folder); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	_ = os.Remove(o.line())
	return true
}

// Clear removes the files of a line that the shell has taken.
func (o *Offers) Clear(n int) {
	_ = os.Remove(o.line())
	o.free = os.Remove(filepath.Join(o.folder, strconv.Itoa(n))) == nil
}

// Discard removes what a shell that has ended, or has not started, may have left.
func (s Start) Discard() {
	if s.KeyFile != "" {
		_ = os.Remove(s.KeyFile) // usually, the shell has
		_ = os.RemoveAll(s.Offers.dir)
	}
}

// Start returns how to start an interactive shell. getenv looks into the environment that the shell
// will have. Nil Scripts start every shell as it is. The scripts are written again if they are
// missing: directories for files of running programs are emptied when the person logs out. If that
// is impossible, the error says why, and the Start starts the shell as it is.
func (s *Scripts) Start(path string, getenv func(string) (string, bool)) (Start, error) {
	plain := Start{Path: path, Args: []string{"-i"}, Env: map[string]string{}}
	name := shellName(path)
	login := s != nil && s.Login
	if login {
		plain.Args = []string{"-l", "-i"}
	}
	switch {
	case name == "cmd" || name == "powershell" || name == "pwsh":
		plain.Args = nil
		return plain, nil
	case s == nil || name != "bash" && name != "zsh" && name != "fish":
		return plain, nil
	}
	if err := s.write(); err != nil {
		return plain, err
	}
	var words []string
	if login {
		words = []string{"-l"}
	}
	o, _ := readOptions(name, words)
	start, err := s.marked(name, path, o, getenv)
	if err != nil {
		return plain, err
	}
	return start, nil
}

// Command is Start for a command line that does nothing but start an interactive shell that we
// know: its name, or its path, with options such as -i, -l, --norc or --rcfile. ok is false for any
// other command line.
func (s *Scripts) Command(line string, getenv func(string) (string, bool)) (_ Start, ok bool, _ error) {
	words := strings.Fields(line)
	if s == nil || len(words) == 0 || strings.ContainsAny(line, `'"\$&|;<>()*?[]{}#!`+"`\n") {
		return Start{}, false, nil
	}
	name := shellName(words[0])
	o, ok := readOptions(name, words[1:])
	if !ok || strings.Contains(strings.Replace(line, " ~/", " ", 1), "~") || strings.Contains(line, "~") && !o.expand(getenv) {
		return Start{}, false, nil
	}
	if err := s.write(); err != nil {
		return Start{}, false, err
	}
	start, err := s.marked(name, words[0], o, getenv)
	return start, err == nil, err
}

type options struct {
	words []string // for the shell; not bash's -l and --rcfile
	// The rest is about bash. login says that it reads a profile, bare that it reads no start-up
	// file that can be named, and rcFile is what it reads instead of ~/.bashrc, if not "".
	login, bare bool
	rcFile      string
}

// readOptions reads the options of an interactive shell, and reports false if there are others.
func readOptions(name string, words []string) (o options, ok bool) {
	profile, posix := true, false
	for i := 0; i < len(words); i++ {
		switch word := words[i]; {
		case word == "-i":
		case name == "bash" && (word == "-l" || word == "--login" || word == "-li" || word == "-il"):
			o.login = true
		case name == "bash" && word == "--norc":
			o.bare = true
		case name == "bash" && word == "--noprofile":
			profile = false
		case name == "bash" && word == "--posix":
			posix = true
		case name == "bash" && (word == "--rcfile" || word == "--init-file") && i+1 < len(words) && !strings.HasPrefix(words[i+1], "-"):
			i++
			o.rcFile = words[i]
		case name == "zsh" && (word == "-l" || word == "--login"),
			name == "fish" && (word == "-l" || word == "--login" || word == "-N" || word == "--no-config" || word == "-P" || word == "--private"):
			o.words = append(o.words, word)
		default:
			return options{}, false
		}
	}
	switch {
	case posix: // it reads what ENV names, and nothing else
		o.words, o.bare, o.login = append(o.words, "--posix"), true, false
	case o.login && !profile:
		o.words, o.bare, o.login = append(o.words, "--noprofile"), true, false
	case o.login:
		o.bare = false
	}
	if o.bare {
		o.words = append(o.words, "--norc")
	}
	return o, name == "bash" || name == "zsh" || name == "fish"
}

// expand expands the home directory in rcFile, and reports whether it is there and known.
func (o *options) expand(getenv func(string) (string, bool)) bool {
	home, known := getenv("HOME")
	rest, ok := strings.CutPrefix(o.rcFile, "~/")
	o.rcFile = filepath.Join(home, rest)
	return ok && known
}

// marked returns how to start a shell with the scripts. The key is in a file, since other programs
// can see the environment for as long as the shell runs.
func (s *Scripts) marked(name, path string, o options, getenv func(string) (string, bool)) (Start, error) {
	key := make([]byte, 8)
	_, _ = rand.Read(key) // it never fails
	start := Start{Path: path, Env: map[string]string{}, MarkKey: hex.EncodeToString(key), Name: name}
	file, err := os.CreateTemp(s.dir, "key-")
	if err == nil {
		_, err = file.WriteString(start.MarkKey + "\n")
		err = errors.Join(err, file.Close())
		start.KeyFile, start.Offers = file.Name(), &Offers{dir: file.Name() + ".offers"}
	}
	if err != nil {
		start.Discard()
		return Start{}, fault.Wrap(fault.Internal, err, "write the key of a shell")
	}
	start.Env["WSH_KEY_FILE"] = start.KeyFile
	switch name {
	case "bash":
		if o.bare {
			// With --rcfile, it would read the system's file, too. The commands of its first prompt
			// come from the environment, after all that it reads by itself.
			start.Env["WSH_PROMPT_COMMAND"], _ = getenv("PROMPT_COMMAND")
			start.Env["PROMPT_COMMAND"] = `. "${WSH_KEY_FILE%/*}/wsh.bash"`
			start.Args = append(o.words, "-i")
			break
		}
		if o.login { // which would not read our script
			start.Env["WSH_LOGIN"] = "1"
		} else if o.rcFile != "" {
			start.Env["WSH_RC_FILE"] = o.rcFile
		}
		start.Args = append(o.words, "--rcfile", filepath.Join(s.dir, "wsh.bash"), "-i")
	case "zsh":
		if was, ok := getenv("ZDOTDIR"); ok {
			start.Env["WSH_ZDOTDIR"] = was
		}
		start.Env["ZDOTDIR"] = filepath.Join(s.dir, "zsh")
		start.Args = append(o.words, "-i")
	case "fish":
		start.Args = append(o.words, "--init-command", "source "+quote(filepath.Join(s.dir, "wsh.fish")), "-i")
	}
	return start, nil
}

func shellName(path string) string {
	return strings.TrimSuffix(strings.ToLower(filepath.Base(path)), ".exe")
}

func quote(word string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(word) + "'"
}
