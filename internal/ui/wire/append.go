package wire

import (
	"math"
	"strconv"

	"github.com/segmentio/encoding/json"
)

// AppendString appends s as a JSON string. Bytes that are not UTF-8 become U+FFFD, as encoding/json
// writes them.
func AppendString(dst []byte, s string) []byte { return json.AppendEscape(dst, s, 0) }

// AppendNumber appends f as JSON: integers without a fraction as far as a float64 holds them
// exactly, everything else in the shortest form that reads back. JSON has no NaN and no infinities;
// they become strings.
func AppendNumber(dst []byte, f float64) []byte {
	switch {
	case f == math.Trunc(f) && math.Abs(f) <= 1<<53:
		return strconv.AppendInt(dst, int64(f), 10)
	case math.IsNaN(f):
		return append(dst, `"NaN"`...)
	case math.IsInf(f, 1):
		return append(dst, `"Infinity"`...)
	case math.IsInf(f, -1):
		return append(dst, `"-Infinity"`...)
	}
	return strconv.AppendFloat(dst, f, 'g', -1, 64)
}
