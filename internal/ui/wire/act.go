package wire

// An Act asks a page to do something to an element in place of the person.
type Act struct {
	ID int64    `json:"id"`
	At [2]int64 `json:"at"` // an instance, and the number of an element of it, or -1 for its first one
	Input
}

// An Input is what is done to an element: exactly one field is set.
type Input struct {
	Click  bool     `json:"-"`
	Fill   *string  `json:"text,omitempty"`
	Check  *bool    `json:"on,omitempty"`
	Select []string `json:"options,omitempty"` // by their values or texts; not nil
	Key    string   `json:"key,omitempty"`     // such as "ctrl-enter"
}

// Acted answers an [Act].
type Acted struct {
	ID      int64  `json:"id"`
	Refused string `json:"refused"` // why nothing was done, or ""
	Holds   bool   `json:"holds"`   // nothing was done, since the control was so already
	Thrown  string `json:"thrown"`  // what stopped the page while it acted, or ""
}

// AppendAct appends an act message.
func AppendAct(dst []byte, a Act) []byte {
	do := "key"
	switch {
	case a.Click:
		do = "click"
	case a.Fill != nil:
		do = "fill"
	case a.Check != nil:
		do = "check"
	case a.Select != nil:
		do = "select"
	}
	return appendJSON(dst, struct {
		Type string `json:"type"`
		Do   string `json:"do"`
		Act
	}{"act", do, a})
}
