package look

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"ui-mcp/internal/finding"
	"ui-mcp/internal/safetext"
)

// Codes are the codes of findings of this package, with what they mean.
var Codes = map[string]string{
	"page-overflow": "something is wider than the page, so that the page scrolls sideways",
	"card-overflow": "something sticks out of the frame that is drawn around it",
	"clipped-text":  "a part of a text is cut off",
	"contrast":      "a text has less contrast than 4.5, or 3 where it is large",
	"small-target":  "a control is less than 24 px wide or high",
	"narrow-table":  "the rows of a table end before the table does",
	"whole-line":    "a choice takes a whole line of a row, and needs no half of it",
	"missing-glyph": "this machine has no font for a character",
	"console":       "an error in the console of the page",
	"dialog":        "a script opens a dialog of the browser, which stops the page",
}

// A defect is a finding before its element's source is known.
type defect struct {
	Code    string           `json:"code"`
	Place   *finding.Element `json:"place"`
	Element string           `json:"element"`
	What    string           `json:"what"`
	Instead string           `json:"instead"`
}

const maxFindings = 30

// scriptOf finds the template in the name that the client gives to scripts of templates.
var scriptOf = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`ui-(?:script|code):([^:\s)]+)`) })

// findings gives defects their places. Defects of one line, such as in each row of a list, are one
// finding.
func (v *pageLook) findings(defects []defect, places []finding.Place) []finding.Finding {
	type line struct {
		code, file string
		line       int
	}
	var list []finding.Finding
	seen, more := map[line]int{}, map[int]int{}
	for i, f := range defects {
		src := places[i]
		what := f.What
		if f.Element != "" {
			where := ""
			if src.Path != "" {
				where = " (" + src.Path + ")"
			}
			what = f.Element + where + " " + f.What
		}
		at := line{f.Code, src.File, src.Line}
		if i, ok := seen[at]; ok && src.Line > 0 {
			more[i]++
			continue
		}
		if len(list) == maxFindings {
			break
		}
		seen[at] = len(list)
		list = append(list, finding.Finding{Code: f.Code, File: src.File, Line: src.Line, What: v.clean(what), Instead: v.clean(f.Instead)})
	}
	for i, n := range more {
		list[i].What += fmt.Sprintf(", and %d more of this line", n)
	}
	return list
}

// maxText bounds a text from a page, in bytes, and maxRaw what is read of it.
const maxText, maxRaw = 400, 4 << 10

// clean makes a text from a page harmless and short. The name by which the page reached the server
// is of no use to readers, who might take it for an address, so only paths are left of it.
func (v *pageLook) clean(text string) string {
	text = safetext.Cut(text, maxRaw)
	if u, err := url.Parse(v.req.URL); err == nil && u.Host != "" {
		for _, origin := range []string{u.Scheme + "://" + u.Host, "ws://" + u.Host, u.Host, u.Hostname()} {
			text = strings.ReplaceAll(text, origin, "")
		}
	}
	return safetext.Clip(safetext.Visible(strings.Join(strings.Fields(text), " ")), maxText)
}

// consoleDefect returns the fault that an event of the browser tells, if it does.
func consoleDefect(method string, params json.RawMessage) (defect, bool) {
	type frames struct {
		CallFrames []struct {
			URL string `json:"url"`
		} `json:"callFrames"`
	}
	var p struct {
		Type string `json:"type"` // of consoleAPICalled
		Args []struct {
			Value       any    `json:"value"`
			Description string `json:"description"`
		} `json:"args"`
		StackTrace       frames `json:"stackTrace"`
		ExceptionDetails struct {
			Text      string `json:"text"`
			URL       string `json:"url"`
			Exception struct {
				Description string `json:"description"`
				Value       any    `json:"value"`
			} `json:"exception"`
			StackTrace frames `json:"stackTrace"`
		} `json:"exceptionDetails"`
		Entry struct {
			Level string `json:"level"`
			Text  string `json:"text"`
			URL   string `json:"url"`
		} `json:"entry"`
		Message string `json:"message"` // of a dialog
	}
	if json.Unmarshal(params, &p) != nil {
		return defect{}, false
	}
	text, stack := "", ""
	for _, f := range slices.Concat(p.StackTrace.CallFrames, p.ExceptionDetails.StackTrace.CallFrames) {
		stack += " " + f.URL
	}
	switch method {
	case "Page.javascriptDialogOpening":
		return defect{Code: "dialog", What: fmt.Sprintf("a script opens a dialog of the browser (%s): “%s”", p.Type, safetext.Cut(p.Message, maxRaw)),
			Instead: "display it in the app, or ask with mcp:ask"}, true
	case "Runtime.exceptionThrown":
		e := p.ExceptionDetails
		text = strings.TrimSpace(e.Text + " " + e.Exception.Description)
		if e.Exception.Description == "" && e.Exception.Value != nil {
			text += fmt.Sprint(" ", e.Exception.Value)
		}
		stack += " " + e.URL
	case "Runtime.consoleAPICalled":
		if p.Type != "error" && p.Type != "assert" {
			return defect{}, false
		}
		for _, a := range p.Args {
			part := a.Description
			if part == "" {
				part = fmt.Sprint(a.Value)
			}
			if len(text) < maxRaw {
				text += " " + safetext.Cut(part, maxRaw)
			}
		}
	case "Log.entryAdded":
		if p.Entry.Level != "error" {
			return defect{}, false
		}
		text = p.Entry.Text
		if p.Entry.URL != "" {
			text += " (" + p.Entry.URL + ")"
		}
	default:
		return defect{}, false
	}
	text = strings.Clone(safetext.Cut(text, maxRaw)) // many are kept
	f := defect{Code: "console", What: strings.TrimSpace(text)}
	if f.What == "" {
		f.What = "an error without a message"
	}
	if m := scriptOf().FindStringSubmatch(stack + " " + text); m != nil {
		f.Place = &finding.Element{Template: m[1]}
	}
	// Only the first lines are the message: the rest is a stack in our own scripts.
	if lines := strings.Split(f.What, "\n"); len(lines) > 2 {
		f.What = strings.Join(lines[:2], " ")
	}
	return f, true
}
