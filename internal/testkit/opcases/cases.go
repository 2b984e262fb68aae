package opcases

import (
	"regexp"
	"slices"
	"strings"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/clients"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/label"
	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/term/record"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/terminals"
)

// A Case is one call of an operation and what must come of it.
type Case struct {
	Op     string
	Before []Step           // done with all rights
	By     *terminals.Grant // nil: all rights
	In     string
	Want   string // JSON that the answer must contain: see Diff
	Err    *Err   // nil: success
}

// A Step is an operation done before a case.
type Step struct{ Op, In string }

// An Err is an error that must come back.
type Err struct {
	Kind   fault.Kind
	Detail fault.Detail
}

var (
	invalid      = &Err{Kind: fault.Invalid}
	notFound     = &Err{Kind: fault.NotFound}
	gone         = &Err{Kind: fault.Gone}
	timeout      = &Err{Kind: fault.Timeout}
	notQuiet     = &Err{fault.Timeout, term.NotQuiet}
	noOverlay    = &Err{fault.NotFound, overlay.UnknownOverlay}
	noPanel      = &Err{fault.NotFound, overlay.UnknownPanel}
	noServer     = &Err{fault.NotFound, terminals.ServerNotFound}
	exists       = &Err{Kind: fault.Exists}
	precondition = &Err{Kind: fault.Precondition}
	notAllowed   = &Err{fault.Precondition, terminals.NotAllowed}
	notPermitted = &Err{fault.Precondition, core.NotPermitted}

	reader = &terminals.Grant{Rights: terminals.Read}
	// Agents have no right to answer.
	everythingElse = &terminals.Grant{Rights: terminals.AllRights &^ terminals.Answer}

	held    = &terminals.Grant{Rights: terminals.AllRights, Confirm: []*regexp.Regexp{regexp.MustCompile(`\brm\b`)}}
	onlyB   = &terminals.Grant{Rights: terminals.AllRights, Sessions: []string{"b"}}
	taggedX = &terminals.Grant{Rights: terminals.AllRights, Tags: []string{"x"}}
	taggedY = &terminals.Grant{Rights: terminals.AllRights, Tags: []string{"y"}}

	token     = []Step{{"token.create", `{"rights":["read"]}`}}
	overlayed = []Step{{"overlay.create", `{"session":"a","x":1,"y":2,"spans":[{"text":"o","id":"i"}],"focusable":true}`}}
	recorded  = []Step{{"recording.start", `{"session":"a"}`}}
	typedInto = []Step{
		{"input.send", `{"session":"a","data":"aHVudGVyMg==","secret":true}`}, {"input.keys", `{"session":"a","keys":["C-c","Up"]}`}, {"input.paste", `{"session":"a","text":"t"}`},
	}
	halfTyped = []Step{{"input.send", `{"session":"a","data":"eA=="}`}}
	// A program that asks for no mouse reports gets none, so the person is not asked.
	asking     = []Step{{"session.create", `{"name":"asks","ask_to_type":true,"command":"\u001b[?1000hready"}`}, {"wait.text", `{"session":"asks","text":"ready"}`}}
	shared     = []Step{{"session.create", `{"name":"shared"}`}}
	prompting  = []Step{{"session.create", `{"name":"p","command":"bash","env":{"SAYS":"\u001b]133;A\u0007$ \u001b]133;B\u0007"},"rows":1}`}, {"wait.text", `{"session":"p","text":"$"}`}}
	agentThere = []Step{{"session.create", `{"name":"p","command":"claude","env":{"SAYS":"\u001b[?2004h\u001b]2;⠂\u0007> "},"rows":1}`}, {"wait.text", `{"session":"p","text":">"}`}}
	commanding = []Step{{"session.create", `{"name":"p","command":"bash","env":{"SAYS":"\u001b]2;t\u0007\u001b]133;A\u0007$ \u001b]133;B\u0007x\r\n\u001b]133;C\u0007y"},"rows":2}`}, {"wait.text", `{"session":"p","text":"y"}`}}
	continuing = []Step{{"session.create", `{"name":"p","command":"bash","env":{"SAYS":"\u001b]133;A\u0007$ \u001b]133;B\u0007if\r\n\u001b]133;A;k=s\u0007> "},"rows":2}`}, {"wait.text", `{"session":"p","text":">"}`}}
	commanded  = []Step{
		{"session.create", `{"name":"c","command":"bash","env":{"SAYS":"\u001b]133;A\u0007$ \u001b]133;B\u0007x\r\n\u001b]133;C\u0007one\r\ntwo\r\n\u001b]133;D;2\u0007\u001b]133;A\u0007% \u001b]133;B\u0007"},"rows":4}`}, {"wait.text", `{"session":"c","text":"%"}`},
	}
	panelled = []Step{{"panel.create", `{"session":"a","position":"top","spans":[{"text":"p","id":"i"}]}`}}
)

// archived is the recording in the folder of each world.
const archived = "old.20200102-030405.wsh.cast"

// typedEntries are what is in the ledger after typedInto.
const typedEntries = `[{"seq":1,"kind":"text","count":7,"secret":true},{"seq":2,"kind":"keys","text":"C-c Up","count":2},{"seq":3,"kind":"paste","text":"t","count":1}]`

// All are the cases. Each takes place in terminals of its own: see [New].
var All = append(written, followed()...)

// followed are the cases that follow from others: without one of the rights that an operation
// needs, with rights to some sessions only, where a person must allow it and nobody is there, for a
// session that does not exist, for one whose program has ended, and with lines in a format that
// there is not.
func followed() (list []Case) {
	session := regexp.MustCompile(`"session":"[^"]*"`)
	for _, o := range terminals.All() {
		i := slices.IndexFunc(written, func(c Case) bool { return c.Op == o.Name && c.Err == nil })
		if i < 0 {
			continue // it has streams instead
		}
		before, in := written[i].Before, written[i].In
		for right := terminals.Right(1); right <= o.Right; right <<= 1 {
			if o.Right&right != 0 {
				list = append(list, Case{Op: o.Name, Before: before, By: &terminals.Grant{Rights: terminals.AllRights &^ right}, In: in, Err: notAllowed})
			}
		}
		if o.Right&(terminals.Administer|terminals.Answer) != 0 {
			list = append(list, Case{Op: o.Name, Before: before, By: onlyB, In: in, Err: notAllowed})
		}
		if session.MatchString(in) && slices.ContainsFunc(o.Fails, func(f terminals.Failure) bool { return f.Detail == core.NotPermitted }) {
			list = append(list, Case{Op: o.Name, Before: asking, In: session.ReplaceAllString(in, `"session":"asks"`), Err: notPermitted})
		}
		if session.MatchString(in) {
			list = append(list, Case{Op: o.Name, In: session.ReplaceAllString(in, `"session":"none"`), Err: notFound})
		}
		if slices.ContainsFunc(o.Fails, func(f terminals.Failure) bool { return f.Kind == fault.Gone && f.Detail == "" }) && !slices.Contains(readAfterwards, o.Name) {
			list = append(list, Case{Op: o.Name, In: session.ReplaceAllString(in, `"session":"over"`), Err: gone})
		}
		if o.In().Properties["format"] != nil {
			list = append(list, Case{Op: o.Name, Before: before, In: strings.TrimSuffix(in, "}") + `,"format":"gif"}`, Err: invalid})
		}
	}
	return list
}

// readAfterwards are operations that answer otherwise when the program has ended: the screen is not
// the one of the case, and there is no recording.
var readAfterwards = []string{"screen.next", "recording.stop", "recording.remove", "recording.get"}

var written = []Case{
	{Op: "server.info", In: `{}`, Want: `{"hostname":"host","version":"1.2.3","server_id":"id","protocol":1,"running":1,"max_running":3}`},
	{Op: "server.persistence", In: `{}`, Want: `{"persistent":true}`},
	{Op: "server.persistence", By: reader, Before: []Step{{"server.persist", `{"persistent":false}`}}, In: `{}`, Want: `{"persistent":false}`},
	{Op: "server.persist", In: `{"persistent":false}`, Want: `{"persistent":false}`},
	{Op: "server.persist", In: `{}`, Err: invalid},
	{Op: "server.stop", In: `{}`, Want: `{}`},

	{Op: "servers.list", In: `{}`, Want: `[{"hostname":"other","address":"ssh://host.example:22","health":"unavailable","reason":"no route"}]`},
	{Op: "servers.list", By: onlyB, In: `{}`, Want: `[]`},
	{Op: "servers.get", By: reader, In: `{"hostname":"other"}`, Want: `{"hostname":"other","address":"ssh://host.example:22"}`},
	{Op: "servers.get", In: `{"hostname":"host.example:22"}`, Want: `{"hostname":"other"}`},
	{Op: "servers.get", In: `{"hostname":"none"}`, Err: noServer},
	{Op: "servers.add", In: `{"address":"ssh://new","hostname":"new"}`, Want: `{"hostname":"new","address":"ssh://new","health":"connecting"}`},
	{Op: "servers.add", In: `{"address":"ssh://host.example:22"}`, Err: &Err{fault.Exists, terminals.ServerRegistered}},
	{Op: "servers.remove", In: `{"hostname":"other"}`, Want: `{}`},
	{Op: "servers.remove", In: `{"hostname":"none"}`, Err: noServer},

	{Op: "token.create", In: `{"name":"n","rights":["read","type"],"sessions":["a"],"tags":["x"],"expires_in_ms":1000}`, Want: `{"id":"1","name":"n","rights":["read","type"],"sessions":["a"],"tags":["x"]}`},
	{Op: "token.create", In: `{"rights":["administer"]}`, Want: `{"rights":["administer"]}`},
	{Op: "token.create", In: `{}`, Err: invalid},
	{Op: "token.create", In: `{"rights":["read","write"]}`, Err: invalid},
	{Op: "token.create", In: `{"rights":["read"],"sessions":[]}`, Err: invalid},
	{Op: "token.create", In: `{"rights":["read"],"tags":[""]}`, Err: invalid},
	{Op: "token.create", In: `{"rights":["read"],"expires_in_ms":0}`, Err: invalid},
	{Op: "token.create", In: `{"rights":["read"],"expires_in_ms":31536000001}`, Err: invalid},
	{Op: "token.create", In: `{"rights":["administer"],"tags":["x"]}`, Err: invalid},
	{Op: "token.create", By: &terminals.Grant{Rights: terminals.AllRights, Token: "7"}, In: `{"rights":["read"]}`, Err: &Err{fault.Gone, terminals.Withdrawn}},
	{Op: "token.list", Before: token, In: `{}`, Want: `[{"id":"1","rights":["read"]}]`},
	{Op: "token.list", In: `{}`, Want: `[]`},
	{Op: "token.withdraw", Before: token, In: `{"id":"1"}`, Want: `{}`},
	{Op: "token.withdraw", Before: token, In: `{"id":"2"}`, Err: &Err{fault.NotFound, terminals.NoToken}},

	{Op: "session.create", In: `{"name":"b","command":"x","tags":["z","y"],"rows":3,"cols":30,"scrollback":0,"env":{"A":"b"},"cwd":"/"}`,
		Want: `{"name":"b","server":"host","pid":4242,"command":"x","rows":3,"cols":30,"clients":0,"tags":["y","z"],"running":true}`},
	{Op: "session.create", In: `{}`, Want: `{"name":"0","rows":24,"cols":80,"tags":[]}`},
	{Op: "session.create", In: `{"name":"over"}`, Want: `{"name":"over","running":true}`},
	{Op: "session.create", In: `{"name":"a"}`, Err: exists},
	{Op: "session.create", In: `{"name":"a b"}`, Err: &Err{fault.Invalid, label.InvalidName}},
	{Op: "session.create", In: `{"tags":["a b"]}`, Err: &Err{fault.Invalid, label.InvalidTag}},
	{Op: "session.create", In: `{"rows":0,"cols":5000}`, Want: `{"rows":1,"cols":1000}`},
	{Op: "session.create", In: `{"rows":-1}`, Err: invalid},
	{Op: "session.create", In: `{"scrollback":-1}`, Err: invalid},
	{Op: "session.create", In: `{"command":"fail"}`, Err: &Err{fault.Internal, registry.CreateFailed}},
	{Op: "session.create", Before: []Step{{"session.create", `{}`}, {"session.create", `{}`}}, In: `{}`, Err: &Err{fault.Exhausted, registry.TooManySessions}},
	{Op: "session.create", By: onlyB, In: `{"name":"b"}`, Want: `{"name":"b"}`},
	{Op: "session.create", By: onlyB, In: `{"name":"c"}`, Err: notAllowed},
	{Op: "session.create", By: taggedX, In: `{"name":"c","tags":["x"]}`, Want: `{"name":"c"}`},
	{Op: "session.create", By: taggedX, In: `{"name":"c"}`, Err: notAllowed},
	{Op: "session.create", By: taggedX, In: `{"name":"over","tags":["x"]}`, Err: exists},

	{Op: "session.list", In: `{}`, Want: `[{"name":"a","running":true},{"name":"over","running":false,"state":"ended","exit":{"code":3}}]`},
	{Op: "session.list", In: `{"tags":["q","x"]}`, Want: `[{"name":"a"}]`},
	{Op: "session.list", In: `{"tags":["q"]}`, Want: `[]`},
	{Op: "session.list", By: taggedX, In: `{}`, Want: `[{"name":"a"}]`},

	{Op: "session.get", In: `{"session":"a"}`, Want: `{"name":"a","command":"hello\r\n$ ","tags":["x"]}`},
	{Op: "session.get", By: onlyB, In: `{"session":"a"}`, Err: notFound},
	{Op: "session.get", By: reader, In: `{"session":"over"}`, Want: `{"running":false}`},

	{Op: "session.remove", In: `{"session":"a"}`, Want: `{}`},
	{Op: "session.remove", In: `{"session":"over"}`, Want: `{}`},
	{Op: "session.remove", By: taggedY, In: `{"session":"a"}`, Err: notFound},

	{Op: "session.update", In: `{"session":"a","name":"b","add_tags":["z","y"],"remove_tags":["x","z"]}`, Want: `{"name":"b","tags":["y"]}`},
	{Op: "session.update", In: `{"session":"a"}`, Want: `{"name":"a","tags":["x"]}`},
	{Op: "session.update", In: `{"session":"a","name":"b","add_tags":["a b"]}`, Err: &Err{fault.Invalid, label.InvalidTag}},
	{Op: "session.update", In: `{"session":"a","name":""}`, Err: &Err{fault.Invalid, label.InvalidName}},
	{Op: "session.update", In: `{"session":"over","name":"a"}`, Err: exists},
	{Op: "session.update", By: taggedX, In: `{"session":"a","name":"b"}`, Want: `{"name":"b"}`},
	{Op: "session.update", By: taggedX, In: `{"session":"a","remove_tags":["x"]}`, Err: notAllowed},
	{Op: "session.update", In: `{"session":"a","name":"over"}`, Want: `{"name":"over","running":true}`},
	{Op: "session.update", By: taggedX, In: `{"session":"a","name":"over"}`, Err: exists},
	{Op: "session.update", By: &terminals.Grant{Rights: terminals.Manage, Sessions: []string{"a"}}, In: `{"session":"a","name":"b"}`, Err: notAllowed},

	{Op: "session.job", In: `{"session":"a"}`, Want: `{"running":true,"foreground":{"pid":4243,"name":"job"},"cwd":"/dir"}`},
	{Op: "session.job", In: `{"session":"over"}`, Want: `{"running":false}`},
	{Op: "session.job", Before: prompting, In: `{"session":"p"}`, Want: `{"shell":"prompt"}`},
	{Op: "session.job", Before: commanding, In: `{"session":"p"}`, Want: `{"title":"t","shell":"command"}`},
	{Op: "session.job", Before: continuing, In: `{"session":"p"}`, Want: `{"shell":"more"}`},

	{Op: "session.resize", In: `{"session":"a","rows":5,"cols":6}`, Want: `{}`},
	{Op: "session.resize", In: `{"session":"a","rows":-1,"cols":6}`, Err: invalid},
	{Op: "session.get", Before: []Step{{"session.resize", `{"session":"a","rows":70000,"cols":0}`}}, In: `{"session":"a"}`, Want: `{"rows":1000,"cols":1}`},

	{Op: "agent.report", Before: agentThere, In: `{"session":"p","pid":4242,"state":"idle"}`, Want: `{}`},
	{Op: "agent.report", Before: agentThere, In: `{"session":"p","pid":4242,"state":"asleep"}`, Err: invalid},
	{Op: "agent.report", Before: agentThere, In: `{"session":"p","pid":1,"state":"asks"}`, Err: precondition},
	{Op: "agent.report", In: `{"session":"a","pid":4242,"state":"asks"}`, Err: precondition},
	{Op: "session.signal", In: `{"session":"a","signal":"TERM"}`, Want: `{}`},
	{Op: "session.signal", In: `{"session":"a","signal":"NONE"}`, Err: invalid},

	{Op: "session.detach", In: `{"session":"a"}`, Want: `{}`},

	{Op: "session.detach", Before: shared, In: `{"session":"shared","client":"laptop"}`, Want: `{}`},
	{Op: "session.detach", Before: shared, In: `{"session":"shared","client":"nobody"}`, Err: &Err{fault.NotFound, clients.Unknown}},
	{Op: "session.get", Before: shared, In: `{"session":"shared"}`, Want: `{"rows":10,"cols":30,"leader":"laptop","size_rule":"leader"}`},
	{Op: "session.get", In: `{"session":"a"}`, Want: `{"leader":null,"size_rule":"leader"}`},

	{Op: "session.lead", Before: shared, In: `{"session":"shared","client":"phone"}`, Want: `{}`},
	{Op: "session.lead", Before: shared, In: `{"session":"shared","client":"nobody"}`, Err: &Err{fault.NotFound, clients.Unknown}},

	{Op: "input.send", In: `{"session":"a","data":"eA=="}`, Want: `{}`},
	{Op: "input.keys", In: `{"session":"a","keys":["C-c","Enter"]}`, Want: `{}`},
	{Op: "input.keys", In: `{"session":"a","text":"make \u00e4","keys":["Enter"]}`, Want: `{}`},
	{Op: "input.keys", In: `{"session":"a","keys":["Enter","No-Such-Key"]}`, Err: invalid},
	{Op: "input.paste", In: `{"session":"a","text":"x\ny"}`, Want: `{}`},
	{Op: "input.paste", In: `{"session":"a","text":"x","keys":["Enter"]}`, Want: `{}`},
	{Op: "input.paste", In: `{"session":"a","text":"x","keys":["No-Such-Key"]}`, Err: invalid},
	{Op: "input.mouse", In: `{"session":"a","action":"press","button":"left","row":1,"col":1}`, Err: precondition},
	{Op: "input.mouse", In: `{"session":"a","action":"hover","button":"left"}`, Err: invalid},
	{Op: "input.mouse", Before: []Step{{"session.create", `{"name":"m","command":"\u001b[?1000hm"}`}, {"wait.text", `{"session":"m","text":"m"}`}},
		In: `{"session":"m","action":"press","button":"left","row":1,"col":1}`, Want: `{}`},

	{Op: "input.send", In: `{"session":"a","data":"eA==","secret":true}`, Want: `{}`},
	{Op: "input.keys", In: `{"session":"a","keys":["x"],"secret":true}`, Want: `{}`},
	{Op: "input.paste", In: `{"session":"a","text":"x","secret":true}`, Want: `{}`},
	{Op: "input.keys", In: `{"session":"a","data":"/w==","keys":["Enter"]}`, Want: `{}`},
	{Op: "input.keys", In: `{"session":"a","data":"/w==","text":"x","keys":[]}`, Err: invalid},
	{Op: "input.keys", In: `{"session":"a","text":"x","keys":[],"mouse":[{"action":"press","button":"left","row":1,"col":1}]}`, Err: precondition},
	{Op: "input.paste", In: `{"session":"a","text":"x\n","submit":true}`, Want: `{}`},
	{Op: "input.send", By: held, In: `{"session":"a","data":"cm0geA0="}`, Err: notPermitted},
	{Op: "input.send", By: held, In: `{"session":"a","data":"cm0geA=="}`, Want: `{}`},
	{Op: "input.keys", By: held, In: `{"session":"a","text":"rm x","keys":["Enter"]}`, Err: notPermitted},
	{Op: "input.paste", By: held, In: `{"session":"a","text":"rm x\n"}`, Err: notPermitted},
	{Op: "command.run", By: held, In: `{"session":"a","line":"rm x"}`, Err: notPermitted},
	{Op: "session.create", By: held, In: `{"command":"rm x"}`, Err: notPermitted},
	{Op: "session.typed", Before: typedInto, In: `{"session":"a"}`, Want: typedEntries},
	{Op: "session.typed", Before: typedInto, In: `{"session":"a","last":1}`, Want: `[{"seq":3,"kind":"paste","text":"t"}]`},
	{Op: "session.typed", Before: typedInto, In: `{"session":"a","after":3}`, Want: `[]`},
	{Op: "session.typed", In: `{"session":"over"}`, Want: `[]`},
	{Op: "session.typed", In: `{"session":"a","last":-1}`, Err: invalid},
	{Op: "session.typed", By: onlyB, In: `{"session":"a"}`, Err: notFound},
	{Op: "wait.typed", Before: typedInto, In: `{"session":"a"}`, Want: typedEntries},
	{Op: "wait.typed", Before: typedInto, In: `{"session":"a","after":3,"max_wait_ms":1}`, Err: timeout},

	{Op: "command.run", In: `{"session":"a","line":"x","timeout_ms":0,"format":"plain"}`,
		Want: `{"state":"quiet","screen":{"lines":["hello","$ x","",""]}}`},
	{Op: "command.run", Before: halfTyped, In: `{"session":"a","line":"x","max_wait_ms":0}`, Err: &Err{fault.Timeout, core.NotTyped}},
	{Op: "command.run", Before: halfTyped, In: `{"session":"a","line":"x","busy":"refuse"}`, Err: &Err{fault.Timeout, core.NotTyped}},
	{Op: "command.run", In: `{"session":"a","line":"x","busy":"never"}`, Err: invalid},
	{Op: "command.run", In: `{"session":"a","line":"x\u0003"}`, Err: &Err{fault.Precondition, core.NotTyped}},
	{Op: "command.run", In: `{"session":"a","line":"x","max_output":-1}`, Err: invalid},

	{Op: "wait.idle", In: `{"session":"a","timeout_ms":1,"format":"plain"}`,
		Want: `{"screen":{"lines":["hello","$","",""],"cols":20,"rows":4},"scrollback_lines":4}`},
	{Op: "wait.idle", In: `{"session":"a","timeout_ms":1000,"fresh":true,"max_wait_ms":1}`, Err: notQuiet},
	{Op: "wait.idle", In: `{"session":"a","timeout_ms":1,"last_generation":1000,"max_wait_ms":1000000}`, Want: `{"generation":1}`},
	{Op: "wait.any_idle", In: `{"timeout_ms":1,"format":"plain"}`,
		Want: `{"session":"a","screen":{"lines":["hello","$","",""]},"scrollback_lines":4,"generation":1}`},
	{Op: "wait.any_idle", Before: []Step{{"session.create", `{"name":"b","tags":["y"]}`}}, In: `{"timeout_ms":1,"tags":["y","z"]}`, Want: `{"session":"b"}`},
	{Op: "wait.any_idle", In: `{"timeout_ms":1,"last_session":"a","last_generation":1,"max_wait_ms":1}`, Err: notQuiet},
	{Op: "wait.any_idle", In: `{"timeout_ms":1,"tags":["y"]}`, Err: &Err{fault.NotFound, registry.NoSessions}},
	{Op: "wait.any_idle", By: onlyB, In: `{"timeout_ms":1}`, Err: &Err{fault.NotFound, registry.NoSessions}},
	{Op: "wait.text", In: `{"session":"a","text":"ell","format":"plain"}`, Want: `{"text":"ell","line":"hello","screen":{"rows":4}}`},
	{Op: "wait.text", In: `{"session":"a","pattern":"^h.l"}`, Want: `{"text":"hel"}`},
	{Op: "wait.text", In: `{"session":"a","pattern":"("}`, Err: invalid},
	{Op: "wait.text", In: `{"session":"a"}`, Err: invalid},
	{Op: "wait.text", In: `{"session":"a","text":"never","max_wait_ms":1}`, Err: timeout},
	{Op: "wait.prompt", Before: prompting, In: `{"session":"p","format":"plain"}`, Want: `{"more":false,"screen":{"lines":["$"]}}`},
	{Op: "wait.prompt", In: `{"session":"a","format":"plain"}`, Want: `{"quiet":true,"more":false,"screen":{"lines":["hello","$","",""]}}`},
	{Op: "wait.prompt", Before: halfTyped, In: `{"session":"a","max_wait_ms":1}`, Err: timeout},
	{Op: "wait.state", In: `{"session":"a","format":"plain"}`, Want: `{"state":"line","screen":{"lines":["hello","$","",""]}}`},
	{Op: "wait.state", Before: prompting, In: `{"session":"p","states":["secret","prompt"]}`, Want: `{"state":"prompt"}`},
	{Op: "wait.state", Before: []Step{agentThere[0], agentThere[1], {"agent.report", `{"session":"p","pid":4242,"state":"asks"}`}}, In: `{"session":"p"}`, Want: `{"agent":{"name":"claude","state":"asks"}}`},
	{Op: "wait.state", Before: prompting, In: `{"session":"p","max_wait_ms":1}`, Err: timeout},
	{Op: "wait.state", By: reader, In: `{"session":"over","states":["ended"]}`, Want: `{"state":"ended"}`},
	{Op: "wait.state", In: `{"session":"a","last_generation":1000000,"max_wait_ms":1}`, Err: timeout},
	{Op: "wait.state", In: `{"session":"a","states":["asleep"]}`, Err: invalid},
	{Op: "wait.keys", By: reader, In: `{"session":"a"}`, Want: `{"events":[],"mode":"passthrough","generation":0}`},
	{Op: "wait.keys", Before: []Step{{"input.capture", `{"session":"a"}`}}, In: `{"session":"a","last_generation":5,"max_wait_ms":1}`, Err: timeout},
	{Op: "wait.exit", In: `{"session":"over"}`, Want: `{"code":3}`},
	{Op: "wait.exit", In: `{"session":"a","max_wait_ms":1}`, Err: timeout},

	{Op: "screen.get", In: `{"session":"a"}`,
		Want: `{"lines":[[{"text":"hello"}],[{"text":"$"}],[],[]],"cursor":{"row":1,"col":2,"visible":true,"shape":"block"},"cols":20,"rows":4,"first_line_index":0,"total_lines":4,"alternate_active":false,"mode":"normal"}`},
	{Op: "screen.get", In: `{"session":"over","format":"plain"}`, Want: `{"lines":["bye","","",""]}`},
	{Op: "screen.get", By: taggedX, In: `{"session":"over"}`, Err: notFound},
	{Op: "screen.next", In: `{"session":"a","epoch":1000000,"format":"plain"}`, Want: `{"lines":["hello","$","",""]}`},
	{Op: "screen.diff", In: `{"session":"a","epoch":1000000,"format":"plain"}`, Want: `{"since":1000000,"reset":true,"scrolled":0,"changed_lines":[0,1,2,3],"lines":["hello","$","",""],"cols":20,"total_lines":4}`},
	{Op: "screen.diff", In: `{"session":"over","epoch":0,"format":"plain"}`, Want: `{"reset":true,"lines":["bye","","",""]}`},
	{Op: "picture.get", Before: panelled, In: `{"session":"a","format":"plain"}`, Want: `{"lines":["p","hello","$",""],"cols":20,"rows":4,"mode":"normal"}`},
	{Op: "picture.draw", In: `{"session":"a","format":"html"}`, Want: `{"content_type":"text/html; charset=utf-8"}`},
	{Op: "picture.draw", In: `{"session":"over","format":"svg","theme":"light","cell":8,"cursor":false,"elements":false}`, Want: `{"content_type":"image/svg+xml"}`},
	{Op: "picture.draw", In: `{"session":"a","format":"png","first_row":1,"rows":2}`, Err: precondition}, // there is no browser
	{Op: "picture.draw", In: `{"session":"a","format":"png","theme":"blue"}`, Err: invalid},
	{Op: "picture.draw", In: `{"session":"a","format":"html","first_row":4}`, Err: invalid},
	{Op: "picture.draw", In: `{"session":"a","format":"svg","cell":5}`, Err: invalid},
	{Op: "picture.draw", Before: []Step{{"session.create", `{"name":"large","rows":1000,"cols":1000}`}}, In: `{"session":"large","format":"png"}`, Err: invalid},
	{Op: "picture.draw", By: onlyB, In: `{"session":"a","format":"png"}`, Err: notFound},
	{Op: "scrollback.get", In: `{"session":"a","format":"plain","limit":1,"offset":1}`, Want: `{"lines":["$"],"total_lines":4,"offset":1,"first":1,"next":2}`},
	{Op: "scrollback.get", In: `{"session":"over","format":"plain","from":0,"offset":2}`, Want: `{"lines":["bye","","",""],"offset":0}`},
	{Op: "scrollback.get", In: `{"session":"a","limit":1000000}`, Want: `{"next":4}`},
	{Op: "scrollback.get", In: `{"session":"a","format":"plain","before":2,"limit":1}`, Want: `{"lines":["$"],"first":1,"next":2}`},
	{Op: "scrollback.get", In: `{"session":"a","format":"plain","tail":3,"before":1}`, Want: `{"lines":["$","",""],"first":1,"next":4}`},
	{Op: "scrollback.get", In: `{"session":"a","format":"plain","tail":1,"trim":true}`, Want: `{"lines":["$"],"first":1,"next":2}`},

	{Op: "scrollback.search", In: `{"session":"a","text":"el"}`, Want: `{"matches":[{"first":0,"text":"el","line":"hello"}],"next":4}`},
	{Op: "scrollback.search", In: `{"session":"over","pattern":"^B.E$","ignore_case":true,"newest":true,"limit":1}`, Want: `{"matches":[{"first":0,"text":"bye"}]}`},
	{Op: "scrollback.search", In: `{"session":"a","text":"none","from":2}`, Want: `{"matches":[],"next":4}`},
	{Op: "scrollback.search", In: `{"session":"a"}`, Err: invalid},
	{Op: "scrollback.search", In: `{"session":"a","text":"x","pattern":"x"}`, Err: invalid},
	{Op: "scrollback.search", In: `{"session":"a","pattern":"("}`, Err: invalid},
	{Op: "scrollback.search", In: `{"session":"a","text":"x","limit":0}`, Err: invalid},

	{Op: "command.list", In: `{"session":"a"}`, Want: `{"commands":[]}`},
	{Op: "command.list", Before: commanded, In: `{"session":"c"}`, Want: `{"commands":[{"prompt":0,"output":1,"end":3,"running":false,"exit_code":2},{"prompt":3,"end":4,"running":false}]}`},
	{Op: "command.output", Before: commanded, In: `{"session":"c"}`, Want: `{"prompt":0,"text":"one\ntwo"}`},
	{Op: "command.output", Before: commanded, In: `{"session":"c","prompt":0}`, Want: `{"text":"one\ntwo"}`},
	{Op: "command.output", Before: commanded, In: `{"session":"c","prompt":3}`, Err: &Err{fault.NotFound, term.UnknownCommand}},
	{Op: "command.output", In: `{"session":"a"}`, Err: &Err{fault.NotFound, term.UnknownCommand}},

	{Op: "archive.list", In: `{}`, Want: `{"recordings":[{"id":"` + archived + `","session":"old","recording":false,"bytes":4}]}`},
	{Op: "archive.get", In: `{"id":"` + archived + `","offset":1}`, Want: `{"session":"old","bytes":4,"data":"YXN0","next":4}`},
	{Op: "archive.get", In: `{"id":"` + archived + `","offset":1000000}`, Want: `{"data":"","bytes":4,"next":1000000}`},
	{Op: "archive.get", In: `{"id":"none.20200102-030405.wsh.cast"}`, Err: &Err{fault.NotFound, record.NoRecording}},
	{Op: "recording.start", In: `{"session":"a"}`, Want: `{"recording":true}`},
	{Op: "recording.start", Before: recorded, In: `{"session":"a"}`, Err: &Err{fault.Precondition, record.AlreadyRecording}},
	{Op: "recording.stop", Before: recorded, In: `{"session":"a"}`, Want: `{"recording":false}`},
	{Op: "recording.stop", In: `{"session":"a"}`, Err: &Err{fault.NotFound, record.NoRecording}},
	{Op: "recording.remove", Before: recorded, In: `{"session":"a"}`, Want: `{}`},
	{Op: "recording.remove", Before: append(recorded[:1:1], Step{"recording.remove", `{"session":"a"}`}), In: `{"session":"a"}`, Err: &Err{fault.NotFound, record.NoRecording}},
	{Op: "recording.remove", Before: recorded, In: `{"session":"a","id":"other"}`, Err: &Err{fault.NotFound, record.NoRecording}},
	{Op: "session.get", Before: recorded, In: `{"session":"a"}`, Want: `{"recording":{"recording":true}}`},
	{Op: "recording.get", Before: append(recorded[:1:1], Step{"recording.stop", `{"session":"a"}`}), In: `{"session":"a"}`, Want: `{"recording":false}`},
	{Op: "recording.get", Before: recorded, In: `{"session":"a","offset":1000000}`, Want: `{"recording":true,"data":"","next":1000000}`},
	{Op: "recording.get", In: `{"session":"a"}`, Err: &Err{fault.NotFound, record.NoRecording}},

	{Op: "screen_mode.get", In: `{"session":"a"}`, Want: `{"mode":"normal"}`},
	{Op: "screen_mode.get", Before: []Step{{"screen_mode.enter_alt", `{"session":"a"}`}}, In: `{"session":"a"}`, Want: `{"mode":"alt"}`},
	{Op: "screen_mode.enter_alt", In: `{"session":"a"}`, Want: `{}`},
	{Op: "screen_mode.enter_alt", Before: []Step{{"screen_mode.enter_alt", `{"session":"a"}`}}, In: `{"session":"a"}`, Err: &Err{fault.Precondition, overlay.AlternateActive}},
	{Op: "screen_mode.exit_alt", In: `{"session":"a"}`, Err: &Err{fault.Precondition, overlay.AlternateClosed}},
	{Op: "screen_mode.exit_alt", Before: []Step{{"screen_mode.enter_alt", `{"session":"a"}`}}, In: `{"session":"a"}`, Want: `{}`},

	{Op: "overlay.create", In: `{"session":"a","x":1,"y":2,"spans":[{"text":"o"}]}`, Want: `{"id":"overlay-1"}`},
	{Op: "overlay.create", In: `{"session":"a","position":"top"}`, Err: invalid},
	{Op: "overlay.list", Before: overlayed, In: `{"session":"a"}`, Want: `[{"id":"overlay-1","x":1,"y":2,"spans":[{"text":"o","id":"i"}],"focusable":true}]`},
	{Op: "overlay.list", In: `{"session":"over"}`, Want: `[]`},
	{Op: "overlay.get", Before: overlayed, In: `{"session":"a","id":"overlay-1"}`, Want: `{"id":"overlay-1","width":1,"height":1}`},
	{Op: "overlay.get", In: `{"session":"a","id":"overlay-1"}`, Err: noOverlay},
	{Op: "overlay.get", Before: panelled, In: `{"session":"a","id":"panel-1"}`, Err: noOverlay},
	{Op: "overlay.update", Before: overlayed, In: `{"session":"a","id":"overlay-1","x":5,"background":{"bg":"red"}}`, Want: `{}`},
	{Op: "overlay.update", In: `{"session":"a","id":"overlay-1","x":5}`, Err: noOverlay},
	{Op: "overlay.replace", Before: overlayed, In: `{"session":"a","id":"overlay-1","spans":[{"text":"new"}]}`, Want: `{}`},
	{Op: "overlay.replace", Before: overlayed, In: `{"session":"a","id":"overlay-1"}`, Err: invalid},
	{Op: "overlay.spans", Before: overlayed, In: `{"session":"a","id":"overlay-1","spans":[{"text":"new","id":"i"}]}`, Want: `{}`},
	{Op: "overlay.spans", Before: overlayed, In: `{"session":"a","id":"overlay-1","spans":[{"text":"new","id":"none"}]}`, Want: `{}`},
	{Op: "overlay.spans", In: `{"session":"a","id":"overlay-1","spans":[]}`, Err: noOverlay},
	{Op: "overlay.write", Before: overlayed, In: `{"session":"a","id":"overlay-1","writes":[{"row":0,"col":0,"text":"w"}]}`, Want: `{}`},
	{Op: "overlay.write", Before: overlayed, In: `{"session":"a","id":"overlay-1","writes":[{"row":-1,"col":0,"text":"w"}]}`, Err: invalid},
	{Op: "overlay.remove", Before: overlayed, In: `{"session":"a","id":"overlay-1"}`, Want: `{}`},
	{Op: "overlay.remove", In: `{"session":"a","id":"overlay-1"}`, Err: noOverlay},
	{Op: "overlay.clear", Before: overlayed, In: `{"session":"a"}`, Want: `{}`},

	{Op: "panel.create", In: `{"session":"a","position":"top","height":2}`, Want: `{"id":"panel-1"}`},
	{Op: "panel.create", In: `{"session":"a","x":1}`, Err: invalid},
	{Op: "panel.list", Before: panelled, In: `{"session":"a"}`, Want: `[{"id":"panel-1","position":"top","height":1,"visible":true}]`},
	{Op: "panel.get", Before: panelled, In: `{"session":"a","id":"panel-1"}`, Want: `{"id":"panel-1"}`},
	{Op: "panel.get", Before: overlayed, In: `{"session":"a","id":"overlay-1"}`, Err: noPanel},
	{Op: "panel.update", Before: panelled, In: `{"session":"a","id":"panel-1","height":2}`, Want: `{}`},
	{Op: "panel.replace", Before: panelled, In: `{"session":"a","id":"panel-1","position":"bottom","height":1,"z":0,"spans":[]}`, Want: `{}`},
	{Op: "panel.replace", Before: panelled, In: `{"session":"a","id":"panel-1","spans":[]}`, Err: invalid},
	{Op: "panel.spans", Before: panelled, In: `{"session":"a","id":"panel-1","spans":[{"text":"new","id":"i"}]}`, Want: `{}`},
	{Op: "panel.write", Before: panelled, In: `{"session":"a","id":"panel-1","writes":[{"row":0,"col":0,"text":"w"}]}`, Want: `{}`},
	{Op: "panel.remove", Before: panelled, In: `{"session":"a","id":"panel-1"}`, Want: `{}`},
	{Op: "panel.remove", In: `{"session":"a","id":"panel-1"}`, Err: noPanel},
	{Op: "panel.clear", Before: panelled, In: `{"session":"a"}`, Want: `{}`},

	{Op: "elements.apply", In: `{"session":"a","ops":[{"op":"create","type":"panel"},{"op":"create","type":"overlay","spans":[{"text":"o"}]}]}`, Want: `{"ids":["panel-1","overlay-1"]}`},
	{Op: "elements.apply", In: `{"session":"a","ops":[{"op":"create","type":"panel"},{"op":"remove","type":"panel","id":"panel-9"}]}`, Err: noPanel},

	{Op: "input.mode", In: `{"session":"a"}`, Want: `{"mode":"passthrough"}`},
	{Op: "input.mode", Before: []Step{{"input.capture", `{"session":"a"}`}}, In: `{"session":"a"}`, Want: `{"mode":"capture"}`},
	{Op: "input.capture", In: `{"session":"a"}`, Want: `{}`},
	{Op: "input.release", In: `{"session":"a"}`, Want: `{}`},
	{Op: "keyboard.take", In: `{"session":"a","by":"Ada"}`, Want: `{}`},
	{Op: "keyboard.take", In: `{"session":"a","by":"` + strings.Repeat("x", 65) + `"}`, Err: invalid},
	{Op: "keyboard.give", Before: []Step{{"keyboard.take", `{"session":"a"}`}}, In: `{"session":"a"}`, Want: `{}`},
	{Op: "input.send", Before: []Step{{"keyboard.take", `{"session":"a"}`}}, In: `{"session":"a","data":"eA=="}`, Err: notPermitted},
	{Op: "focus.get", In: `{"session":"a"}`, Want: `{"focused":null}`},
	{Op: "focus.get", Before: append(overlayed[:1:1], Step{"focus.set", `{"session":"a","id":"overlay-1"}`}), In: `{"session":"a"}`, Want: `{"focused":"overlay-1"}`},
	{Op: "focus.set", Before: overlayed, In: `{"session":"a","id":"overlay-1"}`, Want: `{}`},
	{Op: "focus.set", Before: panelled, In: `{"session":"a","id":"panel-1"}`, Err: &Err{fault.Precondition, overlay.NotFocusable}},
	{Op: "focus.set", In: `{"session":"a","id":"panel-1"}`, Err: invalid},
	{Op: "focus.set", Before: append(overlayed[:1:1], Step{"screen_mode.enter_alt", `{"session":"a"}`}), In: `{"session":"a","id":"overlay-1"}`, Err: &Err{fault.Precondition, overlay.NotFocusable}},
	{Op: "focus.clear", In: `{"session":"a"}`, Want: `{}`},
}
