package wsh

import (
	"log/slog"

	"ui-mcp/internal/discovery"
	"ui-mcp/internal/environ"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/nearby"
	"ui-mcp/internal/terminals/questions"
	"ui-mcp/internal/transport/popuplink"
)

// askNearby has the user's servers of ui-mcp show questions on their pages, until stop is called.
func askNearby(vars environ.Variables, b *popup.Broker) (stop func()) {
	pages := nearby.New(nearby.Options{Name: "page", Broker: b, List: func() []nearby.Program {
		return popuplink.Pages(discovery.Look(vars))
	}})
	remove := b.AddChannel(pages)
	return func() {
		remove()
		pages.Close()
	}
}

// publishFollowers lets the user's servers of ui-mcp find out whether questions that they ask here
// are displayed on other hosts.
func publishFollowers(claim *discovery.Claim, offer *questions.Offer, log *slog.Logger) {
	if err := claim.Publish(func(s *discovery.Server) { s.Watched = offer.IsFollowed() }); err != nil {
		log.Warn("questions of ui-mcp may not reach the person's other hosts", "error", err)
	}
}
