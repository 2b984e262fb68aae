package variable

import (
	"fmt"

	"ui-mcp/internal/ui/path"
)

// ViewListType is the name of this package's built-in wrapper, which displays an array through the
// view definitions lua.ViewList and lua.ViewListItem.
const ViewListType = "lua.ViewList"

const viewListItemType = "lua.ViewListItem"

// A ViewList presents an array as a list of items, one for each element. An item stays with its
// element when elements are inserted, moved or removed.
type ViewList struct {
	items       []*ViewListItem
	itemWrapper string
	spare       []*ViewListItem // the previous items, whose memory is reused

	// A windowed list creates its items on demand, and does not use the fields above.
	windowed bool
	source   Value // the array
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

// sync brings the items in line with the elements.
func (l *ViewList) sync(t *Tree, elements []Value) error {
	old := l.items
	var byBase map[Value][]*ViewListItem // in order, for elements that are there several times
	head := 0
	for head < len(old) && head < len(elements) && same(old[head].base, elements[head]) {
		head++
	}
	if head == len(old) && head == len(elements) {
		return nil
	}
	items := append(l.spare[:0], old[:head]...)
	if head < len(old) {
		byBase = make(map[Value][]*ViewListItem, len(old)-head)
		for _, it := range old[head:] {
			byBase[keyOf(it.base)] = append(byBase[keyOf(it.base)], it)
		}
	}
	var failed error
	for i := head; i < len(elements); i++ {
		e := elements[i]
		if equal := byBase[keyOf(e)]; len(equal) > 0 {
			it := equal[0]
			byBase[keyOf(e)] = equal[1:]
			it.move(t, i)
			items = append(items, it)
			continue
		}
		it, err := l.newItem(t, e, i)
		if err != nil && failed == nil {
			failed = err
		}
		items = append(items, it)
	}
	clear(old)
	l.spare, l.items = old[:0], items
	return failed
}

// newItem creates the item of an element. If its wrapper cannot be created, the item is the element
// itself.
func (l *ViewList) newItem(t *Tree, element Value, index int) (*ViewListItem, error) {
	it := &ViewListItem{list: l, base: element, item: element, index: index}
	if l.itemWrapper == "" {
		return it, nil
	}
	w, arg, err := t.host.WrapItem(l.itemWrapper, element, index)
	if err == nil {
		it.item, it.arg = w, arg
	}
	return it, err
}

// move gives an item another index.
func (it *ViewListItem) move(t *Tree, index int) {
	if it.index == index {
		return
	}
	it.index = index
	if it.arg != nil {
		t.host.MoveItem(it.arg, index)
	}
}
