// The first generation of the TypeScript SDK, which most clients use today:
//
//	node v1.mjs stdio COMMAND ARGS...
//	node v1.mjs http URL
//	node v1.mjs sse URL
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { tryAgent } from "./agent.mjs";

const [kind, address, ...args] = process.argv.slice(2);
const transports = {
  stdio: () => new StdioClientTransport({ command: address, args }),
  http: () => new StreamableHTTPClientTransport(new URL(address)),
  sse: () => new SSEClientTransport(new URL(address)),
};
const client = new Client({ name: "v1", version: "0" });
await client.connect(transports[kind]());
await tryAgent(client);
