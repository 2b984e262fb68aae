package variable

import (
	"encoding/base64"
	"errors"
	"fmt"

	"ui-mcp/internal/ui/viewdef"
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

func takesFile(b *viewdef.Binding) bool { return b.Opts.Content || b.Opts.Upload }

// An Upload is a file on its way to a binding. It goes to the object that the binding has written
// to when the upload began, whatever is displayed since.
type Upload struct {
	t     *Tree
	in    *instance
	slot  *slot
	at    int
	owner Value
}

// Upload begins an upload to a binding; seen is as in [Tree.Event], and so are the errors.
func (t *Tree) Upload(inst int64, slot int, seen int64) (*Upload, error) {
	in := t.instances[inst]
	if in == nil {
		return nil, ErrStale
	}
	if slot < 0 || slot >= len(in.plan.slots) || !in.plan.slots[slot].Opts.Upload {
		return nil, fmt.Errorf("binding %d of %s takes no uploads", slot, in.plan.tmpl.Key)
	}
	if t.stale(in, slot, seen) {
		return nil, ErrStale
	}
	owner, err := t.owned(in, slot)
	switch {
	case errors.Is(err, ErrStale):
		return nil, err
	case err != nil:
		return nil, in.problem(slot, err.Error(), err)
	}
	return &Upload{t, in, &in.plan.slots[slot], slot, owner}, nil
}

// Same reports whether both go to the same object through the same binding.
func (u *Upload) Same(other *Upload) bool {
	return u.owner == other.owner && u.slot.Binding == other.slot.Binding
}

// Reports reports whether the app wants to know how much has arrived.
func (u *Upload) Reports() bool { return u.slot.Progress != "" }

// Location is where the problems of the upload are, as [Tree.Location] returns it.
func (u *Upload) Location() Problem { return *u.in.problem(u.at, "", nil) }

// Progress tells the app how much has arrived, in percent; nil: nothing is on its way.
func (u *Upload) Progress(percent any) error {
	return u.judge(u.t.host.SetField(u.owner, u.slot.Progress, u.t.host.Import(percent)))
}

// Put gives the app the file, which is a map as [Host.Import] takes it. An error is a *[Problem].
func (u *Upload) Put(file map[string]any) error {
	if u.slot.Access.Readable() {
		u.in.vars[u.at].value = unknown // as in Event
	}
	return u.judge(u.t.put(u.in, u.slot, u.owner, file))
}

func (u *Upload) judge(err error) error {
	if err == nil {
		return nil
	}
	return u.in.problem(u.at, err.Error(), err)
}

// fileName returns what pages and agents see of a file: its name. A page can display no more, and
// clears the field when it is another one or nil.
func (t *Tree) fileName(v Value) (Value, error) {
	if v == nil || !t.host.IsObject(v) {
		return v, nil
	}
	return t.host.Field(v, "name")
}
