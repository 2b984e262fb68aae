package mcpui

import (
	"context"

	"ui-mcp/internal/transport/mcpserver"
)

type uploadInput struct {
	Type      string `json:"type" jsonschema:"of the objects"`
	Namespace string `json:"namespace" jsonschema:"such as DEFAULT or list-item"`
	Content   string `json:"content" jsonschema:"<template>...</template>"`
}

func addUpload(s *mcpserver.Server, ops Ops) {
	mcpserver.AddTool(s, mcpserver.Tool{
		Name:  "ui_upload_viewdef",
		Title: "Try a view definition",
		Description: "Makes HTML the view definition of a type in a namespace: pages show objects of that type with it at once. " +
			"It lasts until the server stops or TYPE.NAMESPACE.html is saved; to keep it, write that file instead.\n" +
			`Example: {"type": "Contact", "namespace": "list-item", "content": "<template><li ui-value=\"name\"></li></template>"}`,
		Hints: mcpserver.Hints{ReadOnly: mcpserver.No, Destructive: mcpserver.Yes, Idempotent: mcpserver.Yes, OpenWorld: mcpserver.No},
		Order: mcpserver.Alone,
	}, func(ctx context.Context, in uploadInput) (mcpserver.Result, error) {
		up, err := ops.Upload(ctx, in.Type, in.Namespace, in.Content)
		if err != nil {
			return mcpserver.Result{}, err
		}
		res := mcpserver.Textf("View definition %s is in use; open pages: %d", up.Key, up.Pages)
		if len(up.Problems) > 0 {
			res = res.With("New problems:" + lines(up.Problems))
		}
		return res, nil
	})
}
