package wsterm

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/errcode"
	"ui-mcp/internal/transport/ws"
)

// A News is a text of the WebSocket with questions.
type News struct {
	terminals.QuestionNews
	Error *Failure `json:"error,omitempty"` // why the stream ends; it is the last text
}

// questions serves question.follow: a message each way is a JSON object in a text.
func (h *handler) questions(w http.ResponseWriter, r *http.Request) {
	t, err := h.on(r)
	var q terminals.QuestionStream
	if err == nil {
		q, err = terminals.OpenQuestions(r.Context(), t, terminals.FromContext(r.Context()))
	}
	if err != nil {
		fail(w, err)
		return
	}
	defer q.Close()
	h.serve(w, r, h.limits, func(ctx context.Context, conn *ws.Conn) {
		end := func(err error) {
			if ctx.Err() == nil {
				_ = conn.Send(ctx, ws.Message{Data: appendJSON(nil, News{Error: &Failure{errcode.Status(err), errcode.Of(err), err.Error()}})}) // the code says it, too
				conn.Close(closeCode(err), err.Error())
			}
		}
		var sending sync.WaitGroup
		defer sending.Wait()
		defer q.Close()
		sending.Go(func() {
			for {
				news, err := q.Receive(ctx)
				if err != nil {
					end(err)
					return
				}
				if conn.Send(ctx, ws.Message{Data: appendJSON(nil, News{QuestionNews: news})}) != nil {
					return
				}
			}
		})
		for {
			m, err := conn.Read(ctx)
			if err != nil {
				return
			}
			var in terminals.FromFollower
			if err = fault.Wrap(fault.Invalid, json.Unmarshal(m.Data, &in), "the message is no JSON of a follower"); err == nil {
				err = q.Send(ctx, in)
			}
			if err != nil {
				end(err)
			}
		}
	})
}
