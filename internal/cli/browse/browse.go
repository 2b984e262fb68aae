// Package browse opens the person's browser.
package browse

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/cli/browser"
)

func init() {
	// Browsers print messages when they start, which must not get into the JSON-RPC stream.
	browser.Stdout, browser.Stderr = io.Discard, io.Discard
}

// browserStart is how long an opener may take to fail. One that is still running then is a browser
// that runs in the foreground.
const browserStart = 3 * time.Second

// Open opens a URL in the person's default browser. Without a display, or if there is no program
// that opens it, it tries the commands in $BROWSER, which remote editors set to one that opens the
// browser at the person's machine. It returns within seconds; the error says why no browser was
// opened.
func Open(url string) error {
	if runtime.GOOS == "linux" && os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" && os.Getenv("WSL_DISTRO_NAME") == "" {
		return openWith(os.Getenv("BROWSER"), url)
	}
	err := started(func() error { return browser.OpenURL(url) })
	if list := os.Getenv("BROWSER"); err != nil && list != "" && openWith(list, url) == nil {
		return nil // a machine that is used over SSH may lack what a display needs
	}
	return err
}

// started runs an opener, and returns its error if it fails within browserStart.
func started(open func() error) error {
	failed := make(chan error, 1)
	// The goroutine ends with the browser, which may outlive this process.
	go func() { failed <- open() }()
	select {
	case err := <-failed:
		if err != nil {
			return fmt.Errorf("no browser could be started: %w", err)
		}
	case <-time.After(browserStart):
	}
	return nil
}

// textBrowsers need a terminal, which this process has not.
var textBrowsers = []string{"www-browser", "links2", "elinks", "links", "lynx", "w3m"}

// openWith opens a URL with the first command that works of a list in the form of $BROWSER:
// separated by colons, each a program with arguments, in which %s stands for the URL. Without %s
// the URL is the last argument.
func openWith(list, url string) error {
	err := errors.New("this machine has no display")
	for command := range strings.SplitSeq(list, ":") {
		words := strings.Fields(strings.TrimSuffix(strings.TrimSpace(command), "&"))
		if len(words) == 0 || slices.Contains(textBrowsers, filepath.Base(words[0])) {
			continue
		}
		if strings.Contains(command, "%s") {
			for i := range words {
				words[i] = strings.ReplaceAll(words[i], "%s", url)
			}
		} else {
			words = append(words, url)
		}
		if err = started(exec.Command(words[0], words[1:]...).Run); err == nil {
			return nil
		}
	}
	return err
}
