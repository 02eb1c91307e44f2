// A server of the TypeScript SDK: over standard streams, or with `http` over HTTP.

import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { z } from "zod";

const text = (text) => ({ content: [{ type: "text", text }] });
const server = new McpServer({ name: "demo", version: "1" });
let cancelled;
const wasCancelled = new Promise((resolve) => (cancelled = resolve));

const tool = (name, handler) => server.registerTool(name, {}, handler);
server.registerTool("echo", { inputSchema: { text: z.string() } }, ({ text: said }) => text("you said " + said));
server.registerTool("leak", { outputSchema: { result: z.string() } }, () => ({
  ...text("the key is 1234"),
  structuredContent: { result: "the key is 1234" },
}));
tool("boom", () => {
  throw new Error("1234 went wrong");
});
for (const name of ["asked", "guarded", "secret"]) tool(name, () => text("ran"));
tool("hang", async (extra) => {
  const params = { progressToken: extra._meta.progressToken, progress: 1, total: 2, message: "started" };
  await extra.sendNotification({ method: "notifications/progress", params });
  await new Promise((resolve) => extra.signal.addEventListener("abort", resolve));
  cancelled();
  return text("stopped");
});
tool("was_cancelled", async () => {
  await wasCancelled;
  return text("yes");
});

if (process.argv[2] === "http") {
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: randomUUID });
  await server.connect(transport);
  const http = createServer((request, response) => transport.handleRequest(request, response));
  http.listen(0, "127.0.0.1", () => console.log(http.address().port));
} else {
  await server.connect(new StdioServerTransport());
}
