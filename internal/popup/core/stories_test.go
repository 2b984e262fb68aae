package core

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup/question"
)

// A scenario plays stories: lines such as "ask a", "page lost a" or "wait 60s", each with what
// follows from it after an arrow.
type scenario struct {
	t        *testing.T
	slow     bool // the store has a question only when a line says so
	state    *State
	now      time.Time
	change   func(*Asked)
	channels map[string]Channel
	presence map[uint64]Presence
	shown    []string // and ended, by this line
}

// kindNames name one channel each. The own ones come with a question.
var kindNames = map[string]Kind{"page": Page, "dialog": Elicitation, "chat": Chat, "new": NewPage, "terminal": Terminal, "elsewhere": Elsewhere, "own-terminal": Terminal, "own-dialog": Elicitation}

func newScenario(t *testing.T, change func(*Asked)) *scenario {
	s := &scenario{t: t, state: New(5 * time.Second), now: epoch, change: change, channels: map[string]Channel{}, presence: map[uint64]Presence{}}
	id := uint64(0)
	for _, name := range []string{"page", "dialog", "chat", "new", "terminal", "elsewhere", "own-terminal", "own-dialog"} {
		id++
		s.channels[name] = Channel{id, kindNames[name], name}
		if !strings.HasPrefix(name, "own") {
			s.apply(Added{"", []Channel{s.channels[name]}})
		}
	}
	return s
}

func (s *scenario) apply(in Input) error {
	actions, err := s.state.Apply(in, func(c uint64) Presence { return s.presence[c] }, s.now)
	for _, a := range actions {
		switch a := a.(type) {
		case Show:
			name := ""
			for n, c := range s.channels {
				if c.ID == a.Channel {
					name = n
				}
			}
			s.shown = append(s.shown, name+" "+a.ID)
		case Settle:
			answer := s.state.Entries[a.ID].Answer
			s.shown = append(s.shown, strings.TrimSpace(fmt.Sprintf("%s %s %s", a.ID, answer.Outcome, answer.Value+answer.Channel)))
		case Store:
			if !s.slow {
				s.apply(Kept(a))
			} else if a.Seq != 0 {
				s.shown = append(s.shown, fmt.Sprint("keep ", a.ID, a.Seq))
			}
		case Deliver:
			s.shown = append(s.shown, "deliver "+a.ID)
		case NoteActive:
			s.shown = append(s.shown, "active "+a.ID)
		}
	}
	return err
}

func (s *scenario) play(story string) {
	s.t.Helper()
	for line := range strings.SplitSeq(story, ";") {
		do, want, _ := strings.Cut(line, "->")
		s.shown = nil
		err := s.line(strings.Fields(do))
		got := strings.Join(s.shown, ", ")
		if err != nil {
			got = fault.KindOf(err).String()
		}
		if want = strings.TrimSpace(want); got != want {
			s.t.Errorf("%s: %q, want %q", strings.TrimSpace(do), got, want)
		}
	}
}

func (s *scenario) line(w []string) error {
	seq := func(id int) (n uint64) { // of the question whose ID is that word; the next one may be another number
		if len(w) > id+1 {
			fmt.Sscan(w[id+1], &n)
		} else if e := s.state.Entries[w[id]]; e != nil {
			n = e.Seq
		}
		return n
	}
	switch w[0] {
	case "ask": // ID, and perhaps the host; the own channels that are there are the asker's
		q := question.Question{Title: "t", Message: "m", Timeout: 10 * time.Minute, Options: []question.Option{{Label: "Yes", Value: "yes"}, {Label: "No", Value: "no"}}}
		a := Asked{Asked: question.Asked{ID: w[1], Question: q, At: s.now}}
		if len(w) > 2 {
			a.Host = w[2]
		}
		for _, name := range []string{"own-terminal", "own-dialog"} {
			if _, ok := s.presence[s.channels[name].ID]; ok {
				a.Own = append(a.Own, s.channels[name])
			}
		}
		if s.change != nil {
			s.change(&a)
		}
		a.Deadline = s.now.Add(a.Question.Timeout)
		return s.apply(a)
	case "wait":
		d, err := time.ParseDuration(w[1])
		if err != nil {
			s.t.Fatal(err)
		}
		then := s.now.Add(d)
		for !s.state.Due.IsZero() && !s.state.Due.After(then) {
			s.now = s.state.Due
			s.apply(Tick{})
		}
		s.now = then
		return nil
	case "tick": // of a timer that rings though nothing is due
		return s.apply(Tick{})
	case "active":
		return s.apply(Replied{ID: w[1], Seq: seq(1), Reply: question.Reply{Action: question.Active}})
	case "yes", "no":
		return s.apply(Replied{ID: w[1], Seq: seq(1), Reply: question.Reply{Action: question.Submit, Values: w[:1]}, Channel: "page"})
	case "dismiss":
		return s.apply(Replied{ID: w[1], Seq: seq(1), Reply: question.Reply{Action: question.Dismiss}, Channel: "page"})
	case "kept":
		return s.apply(Kept{w[1], seq(1)})
	case "delivered", "undelivered":
		return s.apply(Delivered{ID: w[1], Seq: seq(1), Answer: question.Answer{Outcome: question.Answered}, Failed: w[0] == "undelivered"})
	case "withdraw":
		return s.apply(Withdrawn{w[1]})
	}
	c := s.channels[w[0]]
	switch w[1] {
	case "gone", "here", "looks", "near", "far":
		s.presence[c.ID] = map[string]Presence{"gone": Absent, "here": Possible, "looks": Attended, "near": OnMachine, "far": OnHosts}[w[1]]
		if strings.HasPrefix(w[0], "own") && s.state.Asked == 0 {
			return nil
		}
		return s.apply(Appeared{})
	}
	how := map[string]How{"fails": NotShown, "lost": Lost, "away": PutAway, "over": NotShown}[w[1]]
	return s.apply(Ended{Seq: seq(2), Channel: c.ID, How: how})
}

func rich(a *Asked)    { a.Question.Message = strings.Repeat("x", 2000) }
func abroad(a *Asked)  { a.Abroad = true }
func private(a *Asked) { a.Private = true }
func danger(a *Asked)  { a.Question.Severity = question.Danger }
func hush(a *Asked) {
	a.Question.Options, a.Question.AllowText, a.Question.Secret = nil, true, true
}
func wish(channel string) func(*Asked) { return func(a *Asked) { a.Question.Channel = channel } }
func both(one, other func(*Asked)) func(*Asked) {
	return func(a *Asked) { one(a); other(a) }
}
func present(a *Asked)     { a.Question.IfPresent, a.Question.Severity = true, question.Danger }
func withDefault(a *Asked) { a.Question.Default, a.Question.Timeout = "no", time.Minute }

// Which channels are tried, in which order, when all but terminals fail.
func TestOrderOfChannels(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(*Asked)
		page   string
		want   string
	}{
		"the person looks at a page":   {nil, "looks", "page dialog chat new"},
		"nobody looks at the page":     {nil, "here", "dialog chat page new"},
		"no page":                      {nil, "gone", "dialog chat new"},
		"rich":                         {rich, "here", "chat page new dialog"},
		"danger":                       {danger, "here", "dialog page new"},
		"danger, attended":             {danger, "looks", "page dialog new"},
		"a secret":                     {hush, "here", "page new"},
		"only where the person is":     {present, "here", "page"},
		"a wish":                       {wish("chat"), "here", "chat dialog page new"},
		"a wish that danger forbids":   {both(danger, wish("chat")), "here", "dialog page new"},
		"a wish that a secret forbids": {both(hush, wish("elicitation")), "here", "page new"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScenario(t, tt.change)
			s.play("page " + tt.page + "; dialog here; chat here; new here")
			do := "ask a"
			for channel := range strings.FieldsSeq(tt.want) {
				s.play(do + " -> " + channel + " a")
				do = channel + " fails a"
			}
			if tt.change != nil && s.state.Entries["a"].Question.IfPresent {
				s.play(do + " -> a no_human")
				return
			}
			s.play(do + "; wait 4s; wait 1s -> a no_human")
		})
	}
}

// Who displays a question when channels come and go, and how it ends.
func TestStories(t *testing.T) {
	const pageAndTerminal = "page here; terminal here; ask a -> page a, terminal a; "
	for name, tt := range map[string]struct {
		change func(*Asked)
		story  string
	}{
		"one after another":                        {nil, "page here; ask a -> page a; ask b; ask c; no b -> b answered nopage; yes a -> a answered yespage; page over a -> page c; yes a -> exists"},
		"nobody":                                   {nil, "ask a; wait 5s -> a no_human"},
		"nobody, and a default":                    {withDefault, "ask a; wait 5s -> a default no"},
		"a page comes in time":                     {nil, "ask a; wait 4s; page here -> page a"},
		"only where the person is: nobody":         {present, "dialog here; chat here; new here; ask a -> a no_human"},
		"only where the person is: everywhere":     {present, "page here; terminal here; elsewhere far; ask a -> page a, terminal a, elsewhere a"},
		"timed out":                                {nil, "page here; ask a -> page a; wait 599s; wait 1s -> a timed_out"},
		"withdrawn, and asked again":               {nil, "page here; ask a -> page a; withdraw a -> a withdrawn; ask a; yes a -> a answered yespage"},
		"the terminal is beside":                   {nil, pageAndTerminal + "yes a -> a answered yespage"},
		"the page is lost beside a terminal":       {nil, pageAndTerminal + "page lost a; wait 60s; yes a -> a answered yespage"},
		"put away at the terminal, page fails":     {nil, pageAndTerminal + "terminal away a; page fails a -> a dismissed terminal"},
		"the page fails, then put away":            {nil, pageAndTerminal + "page fails a; terminal away a -> a dismissed terminal"},
		"put away at the terminal, page lost":      {nil, pageAndTerminal + "terminal away a; page gone; page lost a; wait 60s; page here -> page a"},
		"the page is lost, then put away":          {nil, pageAndTerminal + "page gone; page lost a; terminal away a -> a dismissed terminal"},
		"both fail":                                {nil, pageAndTerminal + "terminal fails a; page fails a; wait 5s -> a no_human"},
		"put away, and there is a page":            {nil, "dialog here; page here; ask a -> dialog a; dialog away a -> page a"},
		"put away, and there is none":              {nil, "dialog here; ask a -> dialog a; dialog away a -> a dismissed dialog"},
		"a terminal comes, and goes":               {nil, "page here; ask a -> page a; terminal here -> terminal a; terminal lost a; terminal here -> terminal a; terminal away a; terminal here"},
		"a page comes beside a terminal":           {nil, "terminal here; ask a -> terminal a; page here -> page a; page lost a; page here -> page a"},
		"a page beside a dialog":                   {nil, "dialog here; ask a -> dialog a; page here; dialog gone; dialog lost a -> page a"},
		"what failed is not tried again":           {nil, "dialog here; page here; ask a -> dialog a; dialog fails a -> page a; dialog here; page away a -> a dismissed page"},
		"a new page is opened once":                {nil, "new here; ask a -> new a; new lost a; new here; wait 60s; page here -> page a; page gone; page lost a; wait 540s -> a timed_out"},
		"the lost one holds up nothing":            {nil, "page here; ask a -> page a; page gone; page lost a; ask b; wait 5s -> b no_human; page here -> page a"},
		"for terminals":                            {wish("terminal"), "page looks; terminal here; elsewhere far; ask a -> terminal a, elsewhere a; page here; terminal gone; terminal lost a -> page a"},
		"for terminals, and there is none":         {wish("terminal"), "page here; elsewhere far; ask a -> page a, elsewhere a"},
		"the asker's own terminal":                 {nil, "own-terminal here; terminal here; ask a -> own-terminal a; own-terminal away a -> a dismissed own-terminal"},
		"the asker's own terminal is not there":    {nil, "own-terminal gone; terminal here; ask a -> terminal a"},
		"other programs are beside":                {nil, "own-dialog here; own-terminal here; elsewhere near; ask a -> own-dialog a, own-terminal a, elsewhere a"},
		"another program asks":                     {func(a *Asked) { a.Relayed = true }, "elsewhere near; ask a; wait 5s -> a no_human; elsewhere far; ask b -> elsewhere b"},
		"another program of another host asks":     {func(a *Asked) { a.Relayed, a.Host = true, "build" }, "elsewhere far; ask a; wait 5s -> a no_human"},
		"programs show what a host asks":           {nil, "elsewhere near; ask a build -> elsewhere a"},
		"asked again that nobody saw":              {nil, "ask a; wait 5s -> a no_human; page here; ask a -> page a"},
		"other hosts":                              {nil, "elsewhere far; page here; ask a build -> page a; ask b build; ask c lap -> page c; ask d -> page d, elsewhere d"},
		"other hosts show it":                      {nil, "elsewhere far; ask a -> elsewhere a; elsewhere gone; elsewhere lost a; wait 60s; page here -> page a"},
		"of another program's workspace":           {abroad, "page looks; own-dialog here; ask a -> elsewhere a; page here; elsewhere fails a; wait 4s; elsewhere near -> elsewhere a; elsewhere lost a -> elsewhere a; elsewhere lost a; wait 60s; yes a -> a answered yespage"},
		"that is not there":                        {abroad, "page looks; ask a -> elsewhere a; elsewhere fails a; wait 4s; wait 1s -> a no_human"},
		"that is not there, if somebody is":        {both(abroad, present), "page looks; ask a -> elsewhere a; elsewhere fails a -> a no_human"},
		"active long before":                       {withDefault, "page here; ask a -> page a; wait 29s; active a -> active a; wait 31s -> a default no"},
		"active shortly before":                    {withDefault, "page here; ask a -> page a; wait 58s; active a -> active a; wait 29s; active a -> active a; wait 29s; wait 1s -> a default no"},
		"active without a default":                 {nil, "page here; ask a -> page a; wait 599s; active a; wait 1s -> a timed_out"},
		"an answer that was being typed counts":    {withDefault, "page here; ask a -> page a; wait 59s; active a -> active a; wait 20s; yes a -> a answered yespage"},
		"an outcome counts once":                   {nil, "page here; ask a -> page a; yes a -> a answered yespage; withdraw a; no a -> exists; no x -> not_found"},
		"its asker takes the reply":                {private, "page here; ask a a -> page a; ask b b -> page b; dismiss a -> a dismissed page; yes b -> deliver b; kept b; yes b -> exists; wait 10h; tick; delivered none 2; undelivered b 9; delivered b -> b answered"},
		"its asker cannot take the reply":          {private, "page here; ask a -> page a; yes a -> deliver a; undelivered a -> a withdrawn"},
		"of two questions, one ends with the page": {nil, "page here; ask a -> page a; ask b; withdraw a -> a withdrawn; page over a -> page b"},
	} {
		t.Run(name, func(t *testing.T) { newScenario(t, tt.change).play(tt.story) })
	}
}

// A question is displayed and ends by its deadline only once the store has it; what the store says
// of an earlier one under its ID, or of none, changes nothing.
func TestKeptFirst(t *testing.T) {
	s := newScenario(t, nil)
	s.slow = true
	s.play("page here; ask a -> keep a1; ask b -> keep b2; kept b -> page b; withdraw a -> a withdrawn; ask a -> keep a3")
	s.play("kept a 1; kept c 4; wait 11m -> b timed_out; page over b; kept a -> page a")
}

// A question that is asked again under its ID is another one, and not in the history any more. It
// waits until the one before is taken away.
func TestAskedAgain(t *testing.T) {
	s := newScenario(t, nil)
	s.play("page here; ask a -> page a; ask b; withdraw b -> b withdrawn; withdraw a -> a withdrawn; ask a")
	if got := s.state.Past[0].IDs; !slices.Equal(got, []string{"b"}) {
		t.Errorf("past questions %v, want b", got)
	}
	s.play("yes a 1 -> exists; page over a 1 -> page a")
	s.apply(Asked{Asked: question.Asked{ID: "old"}, Answer: &question.Answer{Outcome: question.Dismissed}})
	if got := s.state.Entries["old"].Seq; got != 4 {
		t.Errorf("a remembered question has number %d, want 4", got)
	}
}

// What another host has asked leaves nothing behind; channels come and go one by one, also those
// that are lent to one question.
func TestLanesAndChannels(t *testing.T) {
	s := newScenario(t, nil)
	before, page := s.state.Appeared, s.channels["page"]
	s.play("page looks")
	if s.state.Appeared != before+1 {
		t.Errorf("channels appeared %d times, want %d", s.state.Appeared, before+1)
	}
	others := slices.DeleteFunc(slices.Clone(s.state.Channels), func(c Channel) bool { return c == page })
	s.apply(Removed{"", []Channel{page}})
	if !slices.Equal(s.state.Channels, others) {
		t.Errorf("channels %v, want %v", s.state.Channels, others)
	}
	s.play("ask a; ask b build; withdraw b -> b withdrawn")
	if len(s.state.Lanes) != 1 || s.state.Lanes[0].Host != "" {
		t.Errorf("%d lanes, want that of this host", len(s.state.Lanes))
	}
	s.play("own-dialog here")
	if s.apply(Added{"a", []Channel{s.channels["own-dialog"]}}); !slices.Equal(s.shown, []string{"own-dialog a"}) {
		t.Errorf("a channel that is lent shows %v", s.shown)
	}
}

// Something that lies on the keyboard does not keep a question open for ever.
func TestAlwaysActive(t *testing.T) {
	s := newScenario(t, withDefault)
	s.play("page here; ask a -> page a; wait 40s")
	for range MaxRespite / (20 * time.Second) {
		s.play("active a -> active a; wait 20s")
	}
	s.play("active a -> active a; wait 19s; wait 1s -> a default no")
}

// Queues and histories are bounded, and another host displaces only what is its own.
func TestBounds(t *testing.T) {
	s := newScenario(t, nil)
	for i := range MaxPending {
		s.line([]string{"ask", fmt.Sprint("a", i)})
	}
	s.play("ask more -> exhausted")
	for i := range MaxPending {
		s.line([]string{"withdraw", fmt.Sprint("a", i)})
	}
	for _, host := range []string{"build", "evil"} {
		for i := range MaxOfHost + 2 {
			id := fmt.Sprint(host, i)
			s.line([]string{"ask", id, host})
			s.line([]string{"withdraw", id})
		}
	}
	if n := len(s.state.Entries); n != MaxHistory+2*MaxOfHost || len(s.state.Lanes) != 1 {
		t.Errorf("%d questions are remembered in %d queues", n, len(s.state.Lanes))
	}
	for i := range 2 * MaxHistory {
		id := fmt.Sprint("h", i)
		s.line([]string{"ask", id, id})
		s.line([]string{"withdraw", id})
	}
	if n := len(s.state.Entries); n != 2*MaxHistory || s.state.Entries["evil0"] != nil || s.state.Entries["h399"].Question.Message != "" {
		t.Errorf("%d questions are remembered", n)
	}
}
