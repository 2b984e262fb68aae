package wsh

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/wsh/caller"
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

type ownTokenCommand struct{ caller.JSONFlag }

func (c ownTokenCommand) Run(ctx context.Context, e caller.Env) error {
	return e.WithServer(ctx, func(r *caller.Remote) error {
		token, err := token(ctx, r)
		switch {
		case err != nil:
			return err
		case c.JSON:
			return e.PrintJSON(map[string]*string{"token": token})
		case token == nil:
			return fault.New(fault.NotFound, "the server has no token: programs of yours need none on this machine")
		}
		return e.Printf("%s\n", *token)
	})
}

// token returns the server's own token, or nil.
func token(ctx context.Context, r *caller.Remote) (*string, error) {
	res, err := r.Get(ctx, caller.TokenPath)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	var in caller.OwnToken
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
	Name     string               `placeholder:"NAME" help:"What it is for."`
	Rights   []string             `name:"right" required:"" enum:"read,type,draw,manage,administer,answer" placeholder:"RIGHT" help:"read, type, draw, manage, administer or answer (the questions to you). May be repeated."`
	Sessions []caller.SessionName `name:"session" placeholder:"NAME" help:"A session that it covers. May be repeated (default: all)."`
	Tags     []caller.TagName     `name:"tag" placeholder:"TAG" help:"It covers sessions with this tag. May be repeated."`
	Expires  caller.Duration      `placeholder:"DURATION" help:"How long it is valid, such as 1h (default: a day)."`
	caller.JSONFlag
}

func (c newTokenCommand) Run(ctx context.Context, e caller.Env) error {
	in := terminals.NewToken{Name: c.Name, Rights: c.Rights, Sessions: caller.Texts(c.Sessions), Tags: caller.Texts(c.Tags)}
	if c.Expires.Duration != 0 {
		in.ExpiresInMS = new(uint64(max(c.Expires.Milliseconds(), 0)))
	}
	return caller.Answer(ctx, e, c.JSONFlag, terminals.CreateToken, in, func(token terminals.IssuedToken) error {
		if err := e.Printf("%s\n", token.Secret); err != nil || !commandline.IsTerminal(e.Out) {
			return err
		}
		e.Note("it is displayed this once. Programs send it as \"Authorization: Bearer TOKEN\", the page of terminals asks for it, \"wsh servers add ADDRESS --token-file FILE\" uses it elsewhere; \"wsh token revoke %s\" withdraws it", token.ID)
		return nil
	})
}

type listTokensCommand struct{ caller.JSONFlag }

func (c listTokensCommand) Run(ctx context.Context, e caller.Env) error {
	return caller.Answer(ctx, e, c.JSONFlag, terminals.ListTokens, terminals.None{}, func(list []terminals.Token) error {
		var t caller.Table
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
			t.Add(token.ID, strings.Join(token.Rights, ","), of, fmt.Sprintf("%dh%02dm left", int(left.Hours()), int(left.Minutes())%60), safetext.Visible(token.Name))
		}
		return t.Print(e)
	})
}

type revokeTokenCommand struct {
	ID caller.EntryID `arg:"" help:"The ID of the token, as in \"wsh token list\"."`
	caller.JSONFlag
}

func (c revokeTokenCommand) Run(ctx context.Context, e caller.Env) error {
	return e.WithServer(ctx, func(r *caller.Remote) error {
		if err := caller.Change(ctx, r, terminals.WithdrawToken, terminals.TokenID{ID: string(c.ID)}); err != nil || !c.JSON {
			return err
		}
		return e.PrintJSON(map[string]string{"revoked": string(c.ID)})
	})
}
