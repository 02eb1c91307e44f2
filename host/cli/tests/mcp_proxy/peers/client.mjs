// A client of the TypeScript SDK: `client.mjs COMMAND…` or `client.mjs URL`. It prints what it saw as JSON.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const seen = { questions: [], progress: [] };
const client = new Client({ name: "test", version: "1" }, { capabilities: { elicitation: {} } });
client.setRequestHandler(ElicitRequestSchema, async (request) => {
  seen.questions.push(request.params.message);
  return { action: "accept", content: { decision: "approve" } };
});

const call = async (name, args) => {
  const result = await client.callTool({ name, arguments: args });
  const text = result.content.map((block) => block.text).join("\n");
  return { error: result.isError ?? false, text, structured: result.structuredContent ?? null };
};

const [command, ...args] = process.argv.slice(2);
const headers = { Authorization: `Bearer ${process.env.MCP_TOKEN}` };
const transport = command.startsWith("http:")
  ? new StreamableHTTPClientTransport(new URL(command), { requestInit: { headers } })
  : new StdioClientTransport({ command, args, env: process.env });
await client.connect(transport);
seen.tools = (await client.listTools()).tools.map((tool) => tool.name).sort();
for (const name of ["leak", "boom", "asked", "guarded", "secret"]) seen[name] = await call(name, {});
for (const name of ["echo", "shout"]) seen[name] = await call(name, { text: "hi" });
const stop = new AbortController();
const onprogress = ({ progress, total, message }) => {
  seen.progress.push([progress, total, message]);
  stop.abort();
};
await client.callTool({ name: "hang", arguments: {} }, undefined, { onprogress, signal: stop.signal }).catch(() => {});
seen.was_cancelled = await call("was_cancelled", {});
await client.close();
console.log(JSON.stringify(seen));
