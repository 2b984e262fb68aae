package wsh

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/terminals"
)

type tokenCommand struct {
	Print  ownTokenCommand    `cmd:"" default:"withargs" hidden:"" help:"Print the server's own token."`
	New    newTokenCommand    `cmd:"" help:"Make a token with fewer rights, and print it."`
	List   listTokensCommand  `cmd:"" help:"List the tokens that were made, without the tokens themselves."`
	Revoke revokeTokenCommand `cmd:"" help:"Withdraw a token: its connections end at once."`
}

func (tokenCommand) Help() string {
	return `"wsh token" alone prints the server's own token, which allows everything.

    curl -H "Authorization: Bearer $(wsh token)" https://host:8080/sessions
    wsh token new --right read --session build --expires 24h
    wsh token revoke 2`
}

type ownTokenCommand struct {
	jsonFlag
}

func (c ownTokenCommand) run(ctx context.Context, e env) error {
	return e.withServer(ctx, func(r *remote) error {
		token, err := r.token(ctx)
		switch {
		case err != nil:
			return err
		case c.JSON:
			return e.printJSON(map[string]*string{"token": token})
		case token == nil:
			return fault.New(fault.NotFound, "the server has no token: programs of yours need none on this machine")
		}
		return e.printf("%s\n", *token)
	})
}

// token returns the server's own token, or nil.
func (r *remote) token(ctx context.Context) (*string, error) {
	res, err := r.Get(ctx, tokenPath)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	var in ownToken
	switch {
	case res.StatusCode == http.StatusNotFound: // one of ui-mcp has none
		return nil, nil
	case res.StatusCode != http.StatusOK:
		return nil, fault.New(fault.Precondition, "the server does not tell its token: it answers %s", res.Status)
	}
	if err := json.NewDecoder(res.Body).Decode(&in); err != nil || in.Token == "" {
		return nil, fault.Wrap(fault.Gone, err, "the token of the server")
	}
	return &in.Token, nil
}

type newTokenCommand struct {
	Name     string        `placeholder:"NAME" help:"What it is for."`
	Rights   []string      `name:"right" required:"" enum:"read,type,draw,manage,administer,answer" placeholder:"RIGHT" help:"read, type, draw, manage, administer or answer (the questions to you). May be repeated."`
	Sessions []sessionName `name:"session" placeholder:"NAME" help:"A session that it covers. May be repeated (default: all)."`
	Tags     []tagName     `name:"tag" placeholder:"TAG" help:"It covers sessions with this tag. May be repeated."`
	Expires  duration      `placeholder:"DURATION" help:"How long it is valid, such as 1h (default: a day)."`
	jsonFlag
}

func (c newTokenCommand) run(ctx context.Context, e env) error {
	in := terminals.NewToken{Name: c.Name, Rights: c.Rights, Sessions: texts(c.Sessions), Tags: texts(c.Tags)}
	if c.Expires.Duration != 0 {
		in.ExpiresInMS = new(uint64(max(c.Expires.Milliseconds(), 0)))
	}
	return e.withServer(ctx, func(r *remote) error {
		token, raw, err := call(ctx, r, terminals.CreateToken, in)
		switch {
		case err != nil:
			return err
		case c.JSON:
			return e.printJSON(raw)
		}
		if err := e.printf("%s\n", token.Secret); err != nil || !commandline.IsTerminal(e.Out) {
			return err
		}
		e.note("it is displayed this once. Programs send it as \"Authorization: Bearer TOKEN\", the page of terminals asks for it, \"wsh servers add ADDRESS --token-file FILE\" uses it elsewhere; \"wsh token revoke %s\" withdraws it", token.ID)
		return nil
	})
}

type listTokensCommand struct {
	jsonFlag
}

func (c listTokensCommand) run(ctx context.Context, e env) error {
	return e.withServer(ctx, func(r *remote) error {
		list, raw, err := call(ctx, r, terminals.ListTokens, terminals.None{})
		switch {
		case err != nil:
			return err
		case c.JSON:
			return e.printJSON(raw)
		}
		var t table
		for _, token := range list {
			of := "all sessions"
			if len(token.Sessions)+len(token.Tags) > 0 {
				names := append([]string{}, token.Sessions...)
				for _, tag := range token.Tags {
					names = append(names, "["+tag+"]")
				}
				of = strings.Join(names, " ")
			}
			left := (time.Duration(token.ExpiresInMS) * time.Millisecond).Round(time.Minute)
			t.add(token.ID, strings.Join(token.Rights, ","), of, fmt.Sprintf("%dh%02dm left", int(left.Hours()), int(left.Minutes())%60), safetext.Visible(token.Name))
		}
		return t.print(e.Out)
	})
}

type revokeTokenCommand struct {
	ID entryID `arg:"" complete:"token" help:"The ID of the token, as in \"wsh token list\"."`
	jsonFlag
}

func (c revokeTokenCommand) run(ctx context.Context, e env) error {
	return e.withServer(ctx, func(r *remote) error {
		if err := change(ctx, r, terminals.WithdrawToken, terminals.TokenID{ID: string(c.ID)}); err != nil || !c.JSON {
			return err
		}
		return e.printJSON(map[string]string{"revoked": string(c.ID)})
	})
}
