// The first steps of an agent, with any client.
import assert from "node:assert/strict";

// tryAgent lists the tools, starts the app if necessary, and runs Lua in it. It throws if an answer
// is wrong, and closes the client.
export async function tryAgent(client) {
  const { tools } = await client.listTools();
  const names = tools.map((tool) => tool.name);
  for (const name of ["ui_start", "ui_status", "ui_run", "ui_display", "ui_inspect"]) {
    assert(names.includes(name), `there is no tool ${name} among ${names}`);
  }

  const status = await client.callTool({ name: "ui_status", arguments: {} });
  const start = await client.callTool({ name: "ui_start", arguments: {} });
  if (status.structuredContent.state === "running") {
    assert(start.isError && start.content[0].text.startsWith("Server already running"), JSON.stringify(start));
  } else {
    assert(!start.isError, JSON.stringify(start));
  }

  const ran = await client.callTool({ name: "ui_run", arguments: { code: "return 6 * 7" } });
  assert.equal(ran.content[0].text, "42");
  const failed = await client.callTool({ name: "ui_run", arguments: { code: "error('no luck')" } });
  assert(failed.isError && failed.content[0].text.includes("no luck"), JSON.stringify(failed));
  await assert.rejects(client.callTool({ name: "ui_run", arguments: {} }), (err) => err.code === -32602);
  await client.close();
}
