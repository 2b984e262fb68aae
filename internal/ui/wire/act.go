package wire

import "strconv"

// An Act asks a page to do something to an element in place of the person. Element is the number of
// an element of the instance, or -1 for its first one. One of the other fields is set.
type Act struct {
	ID       int64
	Instance int64
	Element  int
	Click    bool
	Fill     *string
	Check    *bool
	Select   []string
	Key      string
}

// Acted answers an [Act].
type Acted struct {
	ID      int64
	Refused string // why nothing was done, or ""
	Holds   bool   // nothing was done, since the control was so already
}

// AppendAct appends an act message.
func AppendAct(dst []byte, a Act) []byte {
	dst = append(dst, `{"type":"act","id":`...)
	dst = strconv.AppendInt(dst, a.ID, 10)
	dst = append(dst, `,"at":[`...)
	dst = strconv.AppendInt(dst, a.Instance, 10)
	dst = append(dst, ',')
	dst = strconv.AppendInt(dst, int64(a.Element), 10)
	dst = append(dst, `],"do":"`...)
	switch {
	case a.Click:
		dst = append(dst, `click"`...)
	case a.Fill != nil:
		dst = append(dst, `fill","text":`...)
		dst = AppendString(dst, *a.Fill)
	case a.Check != nil:
		dst = append(dst, `check","on":`...)
		dst = strconv.AppendBool(dst, *a.Check)
	case a.Select != nil:
		dst = append(dst, `select","options":[`...)
		for i, o := range a.Select {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = AppendString(dst, o)
		}
		dst = append(dst, ']')
	default:
		dst = append(dst, `key","key":`...)
		dst = AppendString(dst, a.Key)
	}
	return append(dst, '}')
}
