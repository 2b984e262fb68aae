package chromium

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"ui-mcp/internal/fault"
)

// Shells are the names of Chromium without windows, which opens a page in a quarter of the time.
var Shells = []string{"chromium-headless-shell", "chrome-headless-shell", "headless_shell"}

// Whole are the names of browsers that people use, best first.
var Whole = []string{
	"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome",
	"microsoft-edge", "microsoft-edge-stable", "msedge", "brave-browser", "brave",
}

// Variable is the environment variable that names the browser to use.
const Variable = "UI_MCP_CHROMIUM"

// places returns the programs on systems that do not put browsers in PATH.
func places(goos string, variable func(string) string) []string {
	switch goos {
	case "darwin":
		apps := []string{"/Applications"}
		if home := variable("HOME"); home != "" {
			apps = append(apps, home+"/Applications")
		}
		var list []string
		for _, name := range []string{"Google Chrome", "Chromium", "Microsoft Edge", "Brave Browser"} {
			for _, dir := range apps {
				list = append(list, dir+"/"+name+".app/Contents/MacOS/"+name)
			}
		}
		return list
	case "windows":
		var list []string
		for _, program := range []string{
			`Google\Chrome\Application\chrome.exe`, `Chromium\Application\chrome.exe`,
			`Microsoft\Edge\Application\msedge.exe`, `BraveSoftware\Brave-Browser\Application\brave.exe`,
		} {
			for _, name := range []string{"ProgramFiles", "ProgramFiles(x86)", "LocalAppData"} {
				if dir := variable(name); dir != "" {
					list = append(list, dir+`\`+program)
				}
			}
		}
		return list
	}
	return []string{"/usr/bin/chromium", "/snap/bin/chromium", "/opt/google/chrome/chrome", "/opt/microsoft/msedge/msedge", "/opt/brave.com/brave/brave"}
}

// Find returns the path of a browser on this machine: that in [Variable] if it is set, else one of
// the names in PATH, the first names first, else one where installers put it. If there is none, the
// error is a [fault.Precondition] that says what to install.
func Find(names ...string) (string, error) {
	if path := os.Getenv(Variable); path != "" {
		if !executable(path) {
			return "", fault.New(fault.Precondition, "%s is %q, which is no program: set it to the path of Chromium, Chrome, Edge or Brave, or unset it", Variable, path)
		}
		return path, nil
	}
	if runtime.GOOS == "windows" {
		names = slices.Clone(names)
		for i := range names {
			names[i] += ".exe"
		}
	}
	dirs := filepath.SplitList(os.Getenv("PATH"))
	for _, name := range names {
		for _, dir := range dirs {
			if path := filepath.Join(dir, name); filepath.IsAbs(dir) && executable(path) {
				return path, nil
			}
		}
	}
	for _, path := range places(runtime.GOOS, os.Getenv) {
		if executable(path) {
			return path, nil
		}
	}
	return "", fault.New(fault.Precondition, "no browser was found: install Chromium, Chrome, Edge or Brave (on Debian: apt-get install chromium-headless-shell), or set %s to the path of one", Variable)
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && (runtime.GOOS == "windows" || info.Mode()&0o111 != 0)
}
