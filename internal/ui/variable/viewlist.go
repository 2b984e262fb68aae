package variable

import (
	"fmt"

	"ui-mcp/internal/ui/path"
)

// ViewListType is the name of this package's built-in wrapper, which displays an array through the
// view definitions lua.ViewList and lua.ViewListItem.
const ViewListType = "lua.ViewList"

const viewListItemType = "lua.ViewListItem"

// A ViewList presents an array as a list of items, one for each element that a row displays. An
// item stays with its element when elements are inserted, moved or removed.
type ViewList struct {
	itemWrapper string
	windowed    bool
	source      Value // the array
}

// A ViewListItem represents one element of an array.
type ViewListItem struct {
	list  *ViewList
	base  Value // the element
	item  Value // the element, or its wrapper
	arg   Value // of a wrapper: see [Host.WrapItem]
	index int   // zero-based
}

func (l *ViewList) step(s *path.Step) (Value, error) {
	if s.Kind == path.Field && s.Name == "items" {
		return l, nil // as a value, the list is the array of its items
	}
	return nil, fmt.Errorf("%s has items, and no %s", ViewListType, s.Name)
}

func (it *ViewListItem) step(s *path.Step) (Value, error) {
	if s.Kind == path.Field {
		switch s.Name {
		case "item":
			return it.item, nil
		case "baseItem":
			return it.base, nil
		case "index":
			return indexValue(it.index), nil
		case "list":
			return it.list, nil
		case "type":
			return nil, nil
		}
	}
	return nil, fmt.Errorf("%s has item, baseItem, index and list, and no %s", viewListItemType, s.Name)
}

// An indexValue is a number of this package's, not the host's.
type indexValue int

func (i indexValue) step(*path.Step) (Value, error) { return nil, fmt.Errorf("an index is a number") }

func (l *ViewList) host(*Tree) Value      { return nil }
func (it *ViewListItem) host(*Tree) Value { return it.item }
func (i indexValue) host(t *Tree) Value   { return t.host.Import(float64(i)) }
