// Package environ holds the environment of one run of a program as a value, so that a run depends
// on nothing but what it is given. It changes no environment.
package environ

import (
	"errors"
	"path/filepath"
	"runtime"
	"strings"
)

// Variables is an environment: entries such as "HOME=/root", as [os.Environ] returns them. Of two
// entries for the same variable, the last counts, as for programs that are started with them.
type Variables []string

// Lookup returns the value of a variable, and whether it is set.
func (v Variables) Lookup(name string) (value string, ok bool) {
	for i := len(v) - 1; i >= 0; i-- {
		if key, value, ok := strings.Cut(v[i], "="); ok && isSame(key, name) {
			return value, true
		}
	}
	return "", false
}

// Get returns the value of a variable, or "" if it is not set.
func (v Variables) Get(name string) string {
	value, _ := v.Lookup(name)
	return value
}

// With returns the variables with one of them changed or added.
func (v Variables) With(name, value string) Variables {
	var changed Variables
	for _, entry := range v {
		if key, _, _ := strings.Cut(entry, "="); !isSame(key, name) {
			changed = append(changed, entry)
		}
	}
	return append(changed, name+"="+value)
}

// isSame reports whether two names mean one variable. On Windows, case makes no difference.
func isSame(a, b string) bool {
	return a == b || runtime.GOOS == "windows" && strings.EqualFold(a, b)
}

// Shell returns the person's shell, or "" where the environment does not say.
func (v Variables) Shell() string {
	if shell := v.Get("SHELL"); shell != "" {
		return shell
	}
	return v.Get("ComSpec")
}

// Home returns the home directory of the user, as [os.UserHomeDir] does.
func (v Variables) Home() (string, error) {
	name := "HOME"
	if runtime.GOOS == "windows" {
		name = "USERPROFILE"
	}
	if dir := v.Get(name); dir != "" {
		return dir, nil
	}
	return "", errors.New(name + " is not set")
}

// CacheDir returns the directory for files that can be made again, as [os.UserCacheDir] does.
func (v Variables) CacheDir() (string, error) {
	return v.userDir("LocalAppData", "Library/Caches", "XDG_CACHE_HOME", ".cache")
}

// ConfigDir returns the directory for the user's settings, as [os.UserConfigDir] does.
func (v Variables) ConfigDir() (string, error) {
	return v.userDir("AppData", "Library/Application Support", "XDG_CONFIG_HOME", ".config")
}

// userDir returns a directory of the user: a variable names it on Windows and elsewhere but on
// macOS; without that, it is in the home directory.
func (v Variables) userDir(windows, mac, variable, hidden string) (string, error) {
	inHome := hidden
	switch runtime.GOOS {
	case "windows":
		if dir := v.Get(windows); dir != "" {
			return dir, nil
		}
		return "", errors.New("%" + windows + "% is not set")
	case "darwin", "ios":
		inHome = mac
	default:
		if dir := v.Get(variable); filepath.IsAbs(dir) {
			return dir, nil
		} else if dir != "" {
			return "", errors.New("the path in $" + variable + " is relative")
		}
	}
	home, err := v.Home()
	if err != nil {
		return "", err
	}
	return filepath.Join(home, inHome), nil
}
