package uimcp

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
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

// openURL opens a URL in the person's default browser.
func openURL(url string) error {
	if runtime.GOOS == "linux" && os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" && os.Getenv("WSL_DISTRO_NAME") == "" {
		return errors.New("this machine has no display")
	}
	failed := make(chan error, 1)
	// The goroutine ends with the browser, which may outlive this process.
	go func() { failed <- browser.OpenURL(url) }()
	select {
	case err := <-failed:
		if err != nil {
			return fmt.Errorf("no browser could be started: %w", err)
		}
	case <-time.After(browserStart):
	}
	return nil
}
