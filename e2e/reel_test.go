//go:build linux || darwin

package e2e

import (
	"encoding/binary"
	"errors"
	"time"
)

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
