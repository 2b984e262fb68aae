package frameterm

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"io"

	"ui-mcp/internal/fault"
)

// A kind is the type of a frame.
type kind byte

const (
	createSession         kind = 0x01
	createSessionResponse kind = 0x02
	attachSession         kind = 0x03
	attachSessionResponse kind = 0x04
	detach                kind = 0x05
	resize                kind = 0x06
	failed                kind = 0x07
	listSessions          kind = 0x08
	listSessionsResponse  kind = 0x09
	killSession           kind = 0x0a
	killSessionResponse   kind = 0x0b
	detachSession         kind = 0x0c
	detachSessionResponse kind = 0x0d
	getToken              kind = 0x0e
	getTokenResponse      kind = 0x0f
	ptyOutput             kind = 0x10
	stdinInput            kind = 0x11
	overlaySync           kind = 0x12
	panelSync             kind = 0x13
	ping                  kind = 0x14
	pong                  kind = 0x15
	manageTags            kind = 0x16
	manageTagsResponse    kind = 0x17
	shutdown              kind = 0x18
	shutdownResponse      kind = 0x19
)

// maxFrame is the length limit of a frame's content, in bytes.
const maxFrame = 16 << 20

// headerSize is the length of a frame's type and length.
const headerSize = 5

// A frame is a message. Its content is JSON or bytes.
type frame struct {
	kind    kind
	content []byte
}

// decode reads the content as JSON. No content is an empty object.
func (f frame) decode(v any) error {
	if len(f.content) == 0 {
		return nil
	}
	return fault.Wrap(fault.Invalid, json.Unmarshal(f.content, v), "frame %02x is malformed", f.kind)
}

// readFrame reads a whole frame. It must not be given up half-way: the rest would be taken for the
// next frame.
func readFrame(r *bufio.Reader) (frame, error) {
	var head [headerSize]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return frame{}, err
	}
	n := binary.BigEndian.Uint32(head[1:])
	if n > maxFrame {
		return frame{}, fault.New(fault.Invalid, "a frame of %d bytes is too long: at most %d are taken", n, maxFrame)
	}
	content, err := readContent(r, int(n))
	return frame{kind(head[0]), content}, err
}

// readContent reads n bytes. Memory is taken as they arrive, not as they are announced.
func readContent(r io.Reader, n int) ([]byte, error) {
	const piece = 64 << 10
	content := make([]byte, 0, min(n, piece))
	for len(content) < n {
		at := len(content)
		content = append(content, make([]byte, min(n-at, max(piece, at)))...)
		if _, err := io.ReadFull(r, content[at:]); err != nil {
			return nil, err
		}
	}
	return content, nil
}

// appendFrame appends a frame.
func appendFrame(b []byte, k kind, content []byte) []byte {
	b = append(b, byte(k))
	b = binary.BigEndian.AppendUint32(b, uint32(len(content)))
	return append(b, content...)
}
