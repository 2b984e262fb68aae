import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";
import { GREETING_UI } from "./ui/greeting.js";

const view = "ui://mcp-ui-playground/greeting"; // the scheme is required
const mimeType = "text/html;profile=mcp-app"; // the profile, too: hosts compare this literally
const ui = { prefersBorder: true }; // no csp: the view loads nothing

// One server for each connection, in either generation of the protocol.
serveStdio(() => {
  const server = new McpServer(
    { name: "mcp-ui-playground", version: "1.0.0" },
    { capabilities: { extensions: { "io.modelcontextprotocol/ui": {} } } },
  );

  // 1. The view
  server.registerResource("greeting-ui", view, { mimeType, _meta: { ui } }, async () => ({
    contents: [{ uri: view, mimeType, text: GREETING_UI(), _meta: { ui } }],
  }));

  // 2. The tool, which names the view
  server.registerTool(
    "hello_world",
    {
      description: "Greets a person by name.",
      inputSchema: z.object({ name: z.string() }),
      annotations: { readOnlyHint: true },
      _meta: { ui: { resourceUri: view }, "ui/resourceUri": view }, // older hosts read the second key
    },
    async ({ name }) => ({
      content: [{ type: "text", text: `Hello, ${name}!` }], // for the model, and for hosts without views
      structuredContent: { name, greeting: `Hello, ${name}!` }, // for the view, in tool-result
    }),
  );
  return server;
});
