// The second generation of the TypeScript SDK, which supports both eras:
//
//	node v2.mjs legacy|auto|modern stdio COMMAND ARGS...
//	node v2.mjs legacy|auto|modern http URL
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import assert from "node:assert/strict";
import { tryAgent } from "./agent.mjs";

const newest = "2026-07-28";
const [era, kind, address, ...args] = process.argv.slice(2);
const transports = {
  stdio: () => new StdioClientTransport({ command: address, args }),
  http: () => new StreamableHTTPClientTransport(new URL(address)),
};
const mode = era === "modern" ? { pin: newest } : era;
const client = new Client({ name: "v2", version: "0" }, { versionNegotiation: { mode } });
await client.connect(transports[kind]());
assert.equal(client.getNegotiatedProtocolVersion(), era === "legacy" ? "2025-11-25" : newest);
await tryAgent(client);
