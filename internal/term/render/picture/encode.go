package picture

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
)

// compression is a level of package zlib. Higher ones take half as long again, for a seventh less.
const compression = zlib.BestSpeed

// encode returns the picture as a PNG. The encoder of the standard library tries five filters on
// every row, and knows of no palette unless it is given one. Pictures of terminals have few
// colours, and most rows of pixels are like the one above.
func (r *raster) encode() []byte {
	var b, data bytes.Buffer
	z, err := zlib.NewWriterLevel(&data, compression)
	if err != nil {
		panic(err) // the level exists
	}
	b.WriteString("\x89PNG\r\n\x1a\n")
	header := binary.BigEndian.AppendUint32(nil, uint32(r.w))
	header = binary.BigEndian.AppendUint32(header, uint32(r.h))
	if colors, pixels := r.indexed(); colors != nil {
		chunk(&b, "IHDR", append(header, 8, 3, 0, 0, 0)) // 8 bits of an index
		palette := make([]byte, 0, 3*len(colors))
		for _, c := range colors {
			palette = append(palette, byte(c>>16), byte(c>>8), byte(c))
		}
		chunk(&b, "PLTE", palette)
		writeRows(z, r.w, r.h, func(row []byte, y int) { copy(row, pixels[y*r.w:]) })
	} else {
		chunk(&b, "IHDR", append(header, 8, 2, 0, 0, 0)) // 8 bits of red, green and blue
		writeRows(z, 3*r.w, r.h, func(row []byte, y int) {
			for x, c := range r.pix[y*r.w : (y+1)*r.w] {
				at := row[3*x : 3*x+3]
				at[0], at[1], at[2] = byte(c>>16), byte(c>>8), byte(c)
			}
		})
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
	b.Write(binary.BigEndian.AppendUint32(nil, sum))
}

// indexed returns the colours of a picture that has at most 256 of them, and the index of each
// pixel's colour. Otherwise it returns nil.
func (r *raster) indexed() (colors []rgb, pixels []uint8) {
	// An open hash table, because a map takes as long as everything else together.
	const bits = 10
	var table [1 << bits]struct {
		color rgb
		index uint8
		used  bool
	}
	pixels = make([]uint8, len(r.pix))
	last, index := ^rgb(0), uint8(0)
	for i, c := range r.pix {
		if c != last {
			slot := uint32(c) * 0x9e3779b1 >> (32 - bits)
			for table[slot].used && table[slot].color != c {
				slot = (slot + 1) % (1 << bits)
			}
			if e := &table[slot]; !e.used {
				if len(colors) == 256 {
					return nil, nil
				}
				e.color, e.index, e.used = c, uint8(len(colors)), true
				colors = append(colors, c)
			}
			last, index = c, table[slot].index
		}
		pixels[i] = index
	}
	return colors, pixels
}

// The filters of PNG that are used: a row as it is, or its difference from the one above.
const (
	filterNone = 0
	filterUp   = 2
)

// writeRows writes rows of n bytes, which fill fills: as zeros if they are like the one above, and
// otherwise as they are.
func writeRows(z *zlib.Writer, n, rows int, fill func(row []byte, y int)) {
	row, before, same := make([]byte, 1+n), make([]byte, 1+n), make([]byte, 1+n)
	row[0], before[0], same[0] = filterNone, filterNone, filterUp
	for y := range rows {
		fill(row[1:], y)
		out := row
		if y > 0 && bytes.Equal(row, before) {
			out = same
		}
		if _, err := z.Write(out); err != nil {
			panic(err) // memory accepts everything
		}
		row, before = before, row
	}
}
