package variable

import (
	"encoding/base64"
	"errors"
	"fmt"
)

// MaxFile bounds a file whose content a page sends, in bytes. The page has the same bound, in
// web/src/dom/upload.ts, and tells the person.
const MaxFile = 1 << 20

var errNoFile = errors.New("a page has sent something other than a file")

// fileOf returns a file as the app gets it, from what a page sends: nil, or a list of name, media
// type, size and text, or in place of the text false and the content in base64.
func fileOf(value any) (any, error) {
	if value == nil {
		return nil, nil
	}
	parts, _ := value.([]any)
	if len(parts) != 4 && len(parts) != 5 {
		return nil, errNoFile
	}
	name, isName := parts[0].(string)
	mime, isMime := parts[1].(string)
	size, isSize := parts[2].(float64)
	content, isText := parts[len(parts)-1].(string)
	if !isName || !isMime || !isSize || !isText || size < 0 {
		return nil, errNoFile
	}
	// A field "type" would make the table an object of that type.
	file := map[string]any{"name": name, "mime": mime, "size": size}
	length := len(content)
	if len(parts) == 4 {
		file["text"] = content
	} else {
		if parts[3] != false {
			return nil, errNoFile
		}
		file["base64"] = content
		bytes, err := base64.StdEncoding.DecodeString(content)
		if err != nil {
			return nil, errNoFile
		}
		length = len(bytes)
	}
	if length > MaxFile {
		return nil, fmt.Errorf("a file of %d bytes is too large: at most %d", length, MaxFile)
	}
	return file, nil
}

// fileName returns what pages and agents see of a file: its name. A page can display no more, and
// clears the field when it is another one or nil.
func (t *Tree) fileName(v Value) (Value, error) {
	if v == nil || !t.host.IsObject(v) {
		return v, nil
	}
	return t.host.Field(v, "name")
}
