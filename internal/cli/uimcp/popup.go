package uimcp

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"
	"ui-mcp/internal/cli/browse"

	"ui-mcp/internal/cli/nearby"
	"ui-mcp/internal/discovery"
	"ui-mcp/internal/files"
	"ui-mcp/internal/install"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/secret"
	"ui-mcp/internal/terminals/questions"
	"ui-mcp/internal/transport/httppopup"
	"ui-mcp/internal/transport/mcppopup"
	"ui-mcp/internal/transport/popuprpc"
	"ui-mcp/web"
)

// popups holds the parts that ask the person questions, for the life of the process.
type popups struct {
	methods  *popuprpc.Methods
	claim    *discovery.Claim
	broker   *popup.Broker
	pages    *httppopup.Pages
	chat     *httppopup.Pages // views in conversations that agents' questions bring
	openChat *httppopup.Pages // and those that are open for another purpose
	program  *nearby.Program
	leave    func()                  // the user's other programs, which follow the questions
	others   *questions.Person       // at this program's pages, for what other programs ask
	link     func(url string) string // see app.Options
	url      atomic.Pointer[string]  // of the page with the questions; nil while pages are closed
}

// newPopups wires the parts together; ver is the version of the program. The caller must close
// them.
func newPopups(c appConfig, ver string, claim *discovery.Claim, link func(url string) string) (*popups, error) {
	opts, err := brokerOptions(c)
	if err != nil {
		return nil, err
	}
	p := &popups{claim: claim, link: link, program: nearby.New("ui-mcp", ver, c.Log)}
	opts.Others = func() (all []string) {
		for _, s := range claim.Others() {
			if s.Address != "" { // else it shows no questions now
				all = append(all, s.Workspaces...)
			}
		}
		return all
	}
	if p.broker, err = popup.New(opts); err != nil {
		return nil, err
	}
	p.methods = popuprpc.New(p.broker, ver)
	p.pages = httppopup.NewPages(httppopup.PagesOptions{Broker: p.broker, Client: web.Dist(), Changed: func() {
		claim.Announce(func(s *discovery.Server) { s.Watched = p.pages.IsOpen() })
	}, Log: c.Log})
	p.chat = httppopup.NewChat(p.broker)
	p.openChat = httppopup.NewOpenChat(p.broker)
	p.broker.AddChannel(p.pages)
	p.broker.AddChannel(p.openChat)
	p.broker.AddChannel(p.pages.Opener(func(_ context.Context, url string) error { return browse.Open(url) }, p.pageURL))
	p.leave = questions.New(p.broker, secret.New()).Reach(func() []questions.Program {
		return p.program.Beside(discovery.Look(os.Environ()), p.broker.Workspaces())
	}, func(changed func()) (stop func()) { return discovery.Watch(os.Environ(), changed) })
	p.others = questions.NewPerson(questions.PersonOptions{Broker: p.broker, Relayed: true, Use: c.Stay.use, Log: c.Log})
	return p, nil
}

// newClaim makes this process known to the user's other programs. If there is no registry, they do
// not find each other, and all else works.
func newClaim(log *slog.Logger) *discovery.Claim {
	var claim *discovery.Claim
	registry, err := discovery.Open(os.Environ(), log)
	if err == nil {
		claim, err = registry.ClaimProgram()
	}
	if err != nil {
		log.Warn("this server and others cannot find each other: it takes no questions about their projects, and the commands of wsh do not reach its terminals", "error", err)
		claim = discovery.Alone(log)
	}
	claim.Announce(func(s *discovery.Server) { s.Token = secret.New() })
	return claim
}

// brokerOptions returns the default project of questions, and the directory that stores them, which
// is the app's. A program that is configured later uses its working directory as the project, and
// stores nothing.
func brokerOptions(c appConfig) (popup.Options, error) {
	if c.Unconfigured {
		here, err := os.Getwd()
		return popup.Options{Workspaces: []string{here}, Log: c.Log}, err
	}
	var err error
	if c.Dir, err = filepath.Abs(c.Dir); err != nil {
		return popup.Options{}, err
	}
	project, err := install.Project(c.Dir)
	if err != nil {
		return popup.Options{}, err
	}
	opts := popup.Options{Workspaces: []string{project}, Files: c.Dir, Log: c.Log}
	store, err := files.Open(filepath.Join(c.Dir, "popups"))
	if err != nil {
		c.Log.Warn("questions are not kept: they end with this process", "error", err)
		return opts, nil
	}
	opts.Store = store
	return opts, nil
}

// stop ends all waiting. Questions without an outcome remain for the next process.
func (p *popups) stop() { p.broker.Close() }

// close releases the rest. Call it when no endpoint is open any more.
func (p *popups) close() {
	p.others.Close()
	p.leave()
	p.pages.Close()
	p.chat.Close()
	p.openChat.Close()
}

// pageURL returns the URL at which the person can see the questions, or "" while there are no
// pages.
func (p *popups) pageURL() string {
	if url := p.url.Load(); url != nil {
		return p.link(*url)
	}
	return ""
}

// ask asks a question on behalf of a script of the app, about the app's own project unless the
// question names another.
func (p *popups) ask(ctx context.Context, asked json.RawMessage) (json.RawMessage, error) {
	var members map[string]any
	if err := json.Unmarshal(asked, &members); err != nil {
		return nil, errors.New("the question must be a table with title, message and options")
	}
	if members["workspacePath"] == nil {
		members["workspacePath"] = p.broker.Workspaces()[0]
	}
	params, err := json.Marshal(members)
	if err != nil {
		return nil, err
	}
	answer, err := p.methods.Call(ctx, popuprpc.TriggerPopup, params, popuprpc.Options{Asker: question.ByApp})
	if err != nil {
		return nil, err
	}
	return json.Marshal(answer)
}

// tools returns the dependencies of the question tools, which fail while configured returns an
// error.
func (p *popups) tools(configured func() error) mcppopup.Options {
	opener := func(open func(context.Context, string) error) popup.Channel { return p.pages.Opener(open, p.pageURL) }
	return mcppopup.Options{Broker: p.broker, Ready: configured, URL: p.pageURL, Opener: opener, Chat: p.chat, Views: p.chat.Joined, Client: whoAsks}
}

// endpoint returns the endpoint for programs that ask questions. next serves everything else at the
// same address, and isMCP reports which sessions belong to next. Close it when no more requests
// arrive.
func (p *popups) endpoint(next http.Handler, isMCP func(session string) bool) *httppopup.Handler {
	return httppopup.NewHandler(httppopup.HandlerOptions{
		Methods: p.methods, Next: next, IsMCP: isMCP, Token: secret.Know(p.claim.Token()),
	})
}
