// Package popuplink lets a program of the user show a question at another one on this machine. Over
// a WebSocket, the question goes to the other program, the person's reply comes back, and what the
// asker makes of the reply goes to the person. When the connection ends, the question is withdrawn.
//
// The program that shows the question keeps no reply, neither in memory nor on the disk. Which
// programs there are, and when to ask at them, is for others to decide.
package popuplink

import (
	"encoding/json"
	"time"

	"ui-mcp/internal/popup/question"
)

// Path is where [Handler] is served.
const Path = "/popup-link"

const (
	// maxMessage bounds a message, in bytes: a question has pictures.
	maxMessage = 8 << 20
	// dialTime is how long the other program may take to accept a connection.
	dialTime = 5 * time.Second
	// verdictTime is how long the asker may take to say what it makes of a reply.
	verdictTime = 20 * time.Second
	// endTime is how long the end of a connection may take after the last reply.
	endTime = 2 * time.Second
)

// A posed question is the first message of the asker. The others are verdicts.
type posed struct {
	ID       string         `json:"id"`
	Asker    question.Asker `json:"asker"`
	Host     string         `json:"host,omitempty"` // see [popup.AskOptions]
	Question question.Posed `json:"question"`
}

// A message is one of the program that shows the question. It has one of these.
type message struct {
	Reply   *question.Reply  `json:"reply,omitempty"`
	Outcome question.Outcome `json:"outcome,omitempty"` // the last message
}

// decode reads a message, and reports whether it is one.
func decode(data []byte, v any) bool { return json.Unmarshal(data, v) == nil }
