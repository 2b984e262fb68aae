package uimcp

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/discovery"
	"ui-mcp/internal/environ"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/transport/jsonrpc"
	"ui-mcp/internal/transport/popuprpc"
	"ui-mcp/internal/transport/sse"
	"ui-mcp/internal/wake"
)

// Exit statuses of ask. For a yes-or-no question, 0 is yes and exitNo is no, and nothing else
// uses these two.
const (
	exitNo         = 1
	exitRefused    = 3 // the person dismissed the question, or refuses to answer
	exitUnanswered = 4 // nobody reacted, or nobody could be asked
	exitAskFailed  = 5 // the question could not be asked, or the command was interrupted
)

type askCommand struct {
	serverFlags
	Message   string        `arg:"" help:"The question, in Markdown."`
	Title     string        `default:"Question" placeholder:"TEXT" help:"A few words above it (default: ${default})."`
	Option    []string      `short:"o" sep:"none" placeholder:"VALUE=LABEL" help:"An answer to choose. May be repeated. LABEL alone is its own value. Without options and --text: Yes and No."`
	Text      bool          `help:"The person may type an answer."`
	Multiple  bool          `help:"Several options may be chosen; each is printed on a line."`
	Default   string        `placeholder:"VALUE" help:"The answer when nobody reacts in time."`
	Timeout   time.Duration `placeholder:"DURATION" help:"How long to wait: 30s to 24h, with --default from 1s (default: 24h)."`
	Severity  string        `default:"info" enum:"info,warning,danger" placeholder:"KIND" help:"How much depends on it: info, warning or danger."`
	Files     int           `placeholder:"N" help:"The person may add up to N files. Their paths are printed, each on a line."`
	Secret    bool          `help:"Ask for a password or key, and print it."`
	Workspace string        `placeholder:"DIR" help:"The project that the question concerns (default: the current directory)."`
	JSON      bool          `name:"json" help:"Print the whole answer as JSON."`
}

// asFlags names the members of a question as the flags that set them.
var asFlags = strings.NewReplacer(`"message"`, "the question", `"title"`, "--title", `"options"`, "--option", `"allowText"`, "--text", `"multiple"`, "--multiple",
	`"defaultValue"`, "--default", `"timeoutSeconds"`, "--timeout, in seconds,", `"secret"`, "--secret", `"files"`, "--files")

// Validate is called by kong. The question has the rules.
func (c askCommand) Validate() error {
	if c.Multiple && c.isYesNo() {
		return errors.New("--multiple needs options to choose from: give them with --option")
	}
	spec, err := c.spec()
	if err == nil {
		_, err = spec.Question()
	}
	if err != nil {
		return errors.New(asFlags.Replace(err.Error()))
	}
	return nil
}

func (c askCommand) isYesNo() bool { return len(c.Option) == 0 && !c.Text && !c.Secret && c.Files == 0 }

func (c askCommand) options() []question.Option {
	if c.isYesNo() {
		return []question.Option{{Label: "Yes", Value: yes}, {Label: "No", Value: "no"}}
	}
	options := []question.Option{}
	for _, o := range c.Option {
		value, label, ok := strings.Cut(o, "=")
		if !ok {
			label = value
		}
		options = append(options, question.Option{Label: label, Value: value})
	}
	return options
}

// yes is the value of the option Yes.
const yes = "yes"

func (c askCommand) spec() (question.Spec, error) {
	workspace := c.Workspace
	if workspace == "" {
		dir, err := os.Getwd()
		if err != nil {
			return question.Spec{}, err
		}
		workspace = dir
	}
	return question.Spec{Request: question.Request{
		WorkspacePath: workspace, Title: c.Title, Message: c.Message, Options: c.options(), AllowText: c.Text, Multiple: c.Multiple,
		DefaultValue: c.Default, TimeoutSeconds: c.Timeout.Seconds(), Severity: question.Severity(c.Severity), Secret: c.Secret, Files: c.Files,
	}, RevealSecret: c.Secret}, nil
}

func (c askCommand) run(ctx context.Context, e env) error {
	err := c.ask(ctx, e)
	if _, ok := errors.AsType[*commandline.StatusError](err); err == nil || ok || fault.KindOf(err) == fault.Invalid {
		return err
	}
	return &commandline.StatusError{Status: exitAskFailed, Err: err}
}

func (c askCommand) ask(ctx context.Context, e env) error {
	spec, err := c.spec()
	if err != nil {
		return err
	}
	said, err := c.pose(ctx, e.Err, spec)
	if errors.Is(err, errAway) {
		return fault.New(fault.Precondition, "there is no page to show the question: start one with \"ui-mcp serve\" in another terminal, open the address that it prints, and ask again (%v)", err)
	}
	switch {
	case err != nil:
		return err
	case said.Error != nil:
		return unanswered(said.Error)
	}
	return c.printAnswer(e.Out, said.Result)
}

const (
	askPath = "/mcp" // of a server, at its port and on its socket
	// atSocket is the address of a project's server on its socket.
	atSocket = "localhost"
)

// pose asks a question at the newest server and waits for its outcome: a result, or the error that
// stands for another ending. When that server ends, pose goes on waiting at the next one, which has
// the question as it was, unless it is one that is not kept. A question that opens no page is asked
// at the project's server before that has a port, too.
func (f serverFlags) pose(ctx context.Context, errs io.Writer, s question.Spec) (said outcome, err error) {
	s.PopupID = rand.Text()
	body, err := jsonrpc.Marshal(jsonrpc.Request{ID: "ask", Method: popuprpc.MethodFor(s), Params: s})
	if err != nil {
		return said, err
	}
	cl := f.client(answerTime) // the stream begins at once
	defer cl.http.CloseIdleConnections()
	cl.registered = s.IfPresent
	until := time.Now().Add(cmp.Or(time.Duration(s.TimeoutSeconds*float64(time.Second)), question.DefaultTimeout))
	for asked := false; ; {
		server, err := cl.one(errs)
		if errors.Is(err, errAway) && s.IfPresent {
			server, err = discovery.Server{Address: atSocket}, nil
			cl.useSocket()
		}
		if err == nil {
			said, err = cl.ask(ctx, server, body)
		}
		if !asked && errors.Is(err, errCut) && !s.IfPresent {
			asked = true
			fmt.Fprintln(errs, "ui-mcp: the server has ended: this goes on when it is started again, with the same question")
			errs = io.Discard
		}
		if !asked || !errors.Is(err, errAway) || time.Now().After(until) {
			return said, err
		}
		if wake.After(ctx, lookEvery) != nil {
			return said, ctx.Err()
		}
	}
}

// printAnswer writes the answer. The answer No becomes an error without text and with the status
// exitNo.
func (c askCommand) printAnswer(out io.Writer, result json.RawMessage) error {
	var answer popuprpc.Result
	if err := json.Unmarshal(result, &answer); err != nil {
		return fault.Wrap(fault.Precondition, err, "the server's answer is invalid")
	}
	lines := answer.SelectedValues
	if len(lines) == 0 && (answer.Source != question.FromFile || len(answer.Files) == 0) {
		lines = []string{answer.SelectedValue}
	}
	for _, f := range answer.Files {
		lines = append(lines, f.Path)
	}
	text := strings.Join(lines, "\n")
	if c.Secret && text == "" {
		return fault.New(fault.Precondition, "the secret was lost when the server ended, which stores none: ask again")
	}
	if c.JSON {
		text = string(result)
	}
	if _, err := fmt.Fprintln(out, text); err != nil {
		return err
	}
	if c.isYesNo() && answer.SelectedValue != yes {
		return &commandline.StatusError{Status: exitNo}
	}
	return nil
}

// endings are what the ends of a question without an answer mean: a status, and a text.
var endings = map[question.Outcome]commandline.StatusError{
	question.Dismissed: {Status: exitRefused, Err: errors.New("the person dismissed the question")},
	question.Declined:  {Status: exitRefused, Err: errors.New("the person refuses to answer")},
	question.TimedOut:  {Status: exitUnanswered, Err: errors.New("nobody answered in time")},
	question.NoHuman:   {Status: exitUnanswered, Err: errors.New("nobody could be asked, since no page is open: open the address that \"ui-mcp serve\" prints, or ask your agent to open the app in your browser, and ask again")},
	question.Withdrawn: {Status: exitUnanswered, Err: errors.New("the question was withdrawn")},
}

// unanswered says how a question ended without an answer, or why it was not asked.
func unanswered(e *jsonrpc.Error) error {
	var data popuprpc.OutcomeData
	_ = json.Unmarshal(e.Data, &data) // a question that was not asked has no outcome
	if ending, ok := endings[data.Outcome]; ok {
		return &ending
	}
	if e.Code == jsonrpc.CodeInvalidParams {
		return fault.New(fault.Invalid, "%s", e.Message)
	}
	return fault.New(fault.Precondition, "%s", e.Message)
}

// useSocket has the client connect to the server of a project, whatever the address is. It starts
// none.
func (c *client) useSocket() {
	c.http.Transport.(*http.Transport).DialContext = func(context.Context, string, string) (net.Conn, error) {
		folder, err := projectFolder(environ.Variables(os.Environ()), c.dir, slog.New(slog.DiscardHandler))
		if err != nil {
			return nil, err
		}
		name := discovery.ProjectName(c.dir)
		return folder.Dial(name, folder.File(name, ".sock"))
	}
}

// errCut means that a server has ended while a question was open there.
var errCut = errors.New("the connection broke before the answer")

// An outcome is a server's answer: one of both.
type outcome struct {
	Result json.RawMessage `json:"result"`
	Error  *jsonrpc.Error  `json:"error"`
}

// ask posts a message to a server and waits for the answer. The answer comes as a
// stream, so that the connection never looks dead. When ctx ends, the question is withdrawn.
func (c *client) ask(ctx context.Context, s discovery.Server, body []byte) (said outcome, err error) {
	res, err := c.do(ctx, http.MethodPost, s, askPath, nil, sse.ContentType, body)
	if err != nil {
		return said, err
	}
	defer res.Body.Close()
	var event sse.Event
	if strings.HasPrefix(res.Header.Get("Content-Type"), sse.ContentType) {
		if event, err = sse.NewReader(res.Body, maxAnswer).Next(); err != nil {
			return said, lost(ctx, s.Address, fmt.Errorf("%w: %w", errCut, err))
		}
	} else {
		a, err := read(ctx, s, res)
		switch {
		case err != nil:
			return said, err
		case a.status == http.StatusNotFound && s.Address == atSocket:
			return said, fmt.Errorf("%w there: it is an older one", errAway)
		case a.status != http.StatusOK:
			return said, a.refusal()
		}
		event.Data = a.body // a refusal that took no time
	}
	if err := json.Unmarshal(event.Data, &said); err != nil {
		return said, fault.Wrap(fault.Precondition, err, "the server's answer is invalid")
	}
	if said.Error != nil && said.Error.Code == popuprpc.CodeStopping {
		return said, fmt.Errorf("%w: %w: %s", errEnded, errCut, said.Error.Message)
	}
	return said, nil
}
