//go:build linux || darwin

package e2e

import (
	"context"
	"encoding/binary"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"ui-mcp/internal/testkit"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

// A person tries the demo, an agent connects as the page says and works in it, and Ctrl-C ends all
// of it, while the page is open and programs run, and removes it.
func TestDemoWithAgent(t *testing.T) {
	load.Long(t, "TestDemoLeavesNothing runs the demo, and TestDemo uses its page")
	t.Parallel()
	home := testkit.ShortDir(t)
	temporary := filepath.Join(home, "tmp")
	if err := os.Mkdir(temporary, 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("ui-mcp", "demo")
	cmd.Env = append(os.Environ(), "HOME="+home, "TMPDIR="+temporary, "XDG_RUNTIME_DIR=", "XDG_CACHE_HOME=", "DISPLAY=", "WAYLAND_DISPLAY=", "BROWSER=", "SHELL=/bin/sh")
	url, stop := serveUntilEnd(t, cmd)
	tab := browser.New(t).Tab()
	tab.Open(url)
	tab.WaitText(".catalog-card", "Plan")

	tab.Wait(`customElements.get("sl-copy-button") && document.querySelector(".demo-connect code").textContent.endsWith("/mcp")`)
	words := strings.Fields(browser.Eval[string](tab, `document.querySelector(".demo-connect sl-copy-button").value`))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	agent, err := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "1"}, nil).Connect(ctx, &mcp.StreamableClientTransport{Endpoint: words[len(words)-1]}, nil)
	if err != nil {
		t.Fatalf("%q: %v", words, err)
	}
	for tool, args := range map[string]map[string]any{
		"ui_run":             {"code": `demo.board:add("Bake") return #demo.board.columns[1].cards`},
		"wsh_create_session": {"name": "busy", "command": "trap \"\" INT HUP; sleep 1000"},
	} {
		if res, err := agent.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args}); err != nil || res.IsError {
			t.Fatalf("%s: %+v, %v", tool, res, err)
		}
	}
	tab.Wait(`[...document.querySelectorAll(".catalog-card")].some((card) => card.textContent === "Bake")`)

	for range 5 { // a person who does not wait
		_ = cmd.Process.Signal(os.Interrupt)
		wait.Pause(10 * time.Millisecond)
	}
	stop()
	if left, err := os.ReadDir(temporary); len(left) > 0 || err != nil {
		t.Errorf("%s has %v, %v", temporary, left, err)
	}
}

// A reel is a moving picture: frames of one size that follow each other without end. The container
// is described by https://developers.google.com/speed/webp/docs/riff_container.
type reel struct {
	width, height int // in pixels
	frames        []byte
}

// add adds a picture, a file in lossy WebP as browsers write it, for a time.
func (r *reel) add(picture []byte, d time.Duration) error {
	image := chunkOf(picture, "VP8 ")
	const head = 8 // of a chunk
	if len(image) < head+10 {
		return errors.New("not a picture in lossy WebP")
	}
	// The content begins with three bytes of a tag and three that mark a key frame.
	width, height := int(binary.LittleEndian.Uint16(image[head+6:]))&0x3fff, int(binary.LittleEndian.Uint16(image[head+8:]))&0x3fff
	if r.frames != nil && (width != r.width || height != r.height) {
		return errors.New("the pictures have different sizes")
	}
	r.width, r.height = width, height
	frame := make([]byte, 0, 16+len(image))
	for _, n := range []int{0, 0, width - 1, height - 1, int(d.Milliseconds())} {
		frame = append(frame, byte(n), byte(n>>8), byte(n>>16))
	}
	frame = append(frame, 0b10) // it replaces what was there
	r.frames = appendChunk(r.frames, "ANMF", append(frame, image...))
	return nil
}

// chunkOf returns a chunk of a file, with its head, or nil.
func chunkOf(file []byte, kind string) []byte {
	for at := 12; at+8 <= len(file); {
		size := int(binary.LittleEndian.Uint32(file[at+4:]))
		end := at + 8 + size + size%2
		if end > len(file) {
			return nil
		}
		if string(file[at:at+4]) == kind {
			return file[at:end]
		}
		at = end
	}
	return nil
}

// bytes returns the file.
func (r *reel) bytes() []byte {
	const animated = 0b10
	w, h := r.width-1, r.height-1
	file := []byte("WEBP")
	file = appendChunk(file, "VP8X", []byte{animated, 0, 0, 0, byte(w), byte(w >> 8), byte(w >> 16), byte(h), byte(h >> 8), byte(h >> 16)})
	file = appendChunk(file, "ANIM", []byte{0, 0, 0, 0, 0, 0}) // no background, for ever
	return appendChunk(nil, "RIFF", append(file, r.frames...))
}

func appendChunk(b []byte, kind string, content []byte) []byte {
	b = append(b, kind...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(content)))
	b = append(b, content...)
	if len(content)%2 == 1 {
		b = append(b, 0)
	}
	return b
}
