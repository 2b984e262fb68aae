package picture

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
)

// encode returns the picture as a PNG. The encoder of the standard library tries five filters on
// every row, and knows nothing of palettes unless it is given one; terminals have few colours, and
// most of their rows of pixels are like the one above.
func (r *raster) encode() []byte {
	var b bytes.Buffer
	b.WriteString("\x89PNG\r\n\x1a\n")
	palette := r.palette()
	header := binary.BigEndian.AppendUint32(nil, uint32(r.w))
	header = binary.BigEndian.AppendUint32(header, uint32(r.h))
	if palette == nil {
		header = append(header, 8, 2, 0, 0, 0) // 8 bits of red, green and blue
	} else {
		header = append(header, 8, 3, 0, 0, 0) // 8 bits of an index
	}
	chunk(&b, "IHDR", header)
	var data bytes.Buffer
	// Fast enough while somebody waits; a better compression saves a fifth.
	z, err := zlib.NewWriterLevel(&data, zlib.BestSpeed)
	if err != nil {
		panic(err) // the level exists
	}
	if palette == nil {
		r.encodeRGB(z)
	} else {
		plte := make([]byte, 0, 3*len(palette.colors))
		for _, c := range palette.colors {
			plte = append(plte, byte(c>>16), byte(c>>8), byte(c))
		}
		chunk(&b, "PLTE", plte)
		r.encodeIndexed(z, palette)
	}
	if err := z.Close(); err != nil {
		panic(err) // memory accepts everything
	}
	chunk(&b, "IDAT", data.Bytes())
	chunk(&b, "IEND", nil)
	return b.Bytes()
}

func chunk(b *bytes.Buffer, name string, data []byte) {
	var head [8]byte
	binary.BigEndian.PutUint32(head[:], uint32(len(data)))
	copy(head[4:], name)
	b.Write(head[:])
	b.Write(data)
	sum := crc32.Update(crc32.ChecksumIEEE(head[4:]), crc32.IEEETable, data)
	var tail [4]byte
	binary.BigEndian.PutUint32(tail[:], sum)
	b.Write(tail[:])
}

// A palette has the colours of a picture with at most 256 of them.
type palette struct {
	colors []rgb
	index  map[rgb]uint8
}

// palette returns the colours of the picture, or nil if there are more than 256.
func (r *raster) palette() *palette {
	p := &palette{index: make(map[rgb]uint8, 256)}
	last := ^rgb(0)
	for _, c := range r.pix {
		if c == last {
			continue
		}
		last = c
		if _, ok := p.index[c]; !ok {
			if len(p.colors) == 256 {
				return nil
			}
			p.index[c] = uint8(len(p.colors))
			p.colors = append(p.colors, c)
		}
	}
	return p
}

// The filters of PNG that are used: a row of pixels as it is, or its difference from the one above.
const (
	filterNone = 0
	filterUp   = 2
)

func (r *raster) encodeIndexed(z *zlib.Writer, p *palette) {
	row, before := make([]byte, 1+r.w), make([]byte, 1+r.w)
	last, index := ^rgb(0), uint8(0)
	for y := range r.h {
		for x, c := range r.pix[y*r.w : (y+1)*r.w] {
			if c != last {
				last, index = c, p.index[c]
			}
			row[1+x] = index
		}
		writeRow(z, row, before, y)
		row, before = before, row
	}
}

func (r *raster) encodeRGB(z *zlib.Writer) {
	row, before := make([]byte, 1+3*r.w), make([]byte, 1+3*r.w)
	for y := range r.h {
		out := row[1:]
		for _, c := range r.pix[y*r.w : (y+1)*r.w] {
			out[0], out[1], out[2] = byte(c>>16), byte(c>>8), byte(c)
			out = out[3:]
		}
		writeRow(z, row, before, y)
		row, before = before, row
	}
}

// writeRow writes a row of pixels: as zeros if it is like the one above, and otherwise as it is.
func writeRow(z *zlib.Writer, row, before []byte, y int) {
	row[0] = filterNone
	if y > 0 && bytes.Equal(row[1:], before[1:]) {
		same := make([]byte, len(row))
		same[0] = filterUp
		row = same
	}
	if _, err := z.Write(row); err != nil {
		panic(err) // memory accepts everything
	}
}
